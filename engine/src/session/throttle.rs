//! Decides which reports of a search are sent, and when.

use std::time::Duration;

use super::Timestamp;
use crate::search::Report;

/// Shortest time between two reports. The first iterations of a search end within a few milliseconds.
const REPORT_INTERVAL: Duration = Duration::from_millis(50);

/// The complete reports of one search. Each is sent at most once, and not in quick succession.
#[derive(Debug, Default)]
pub(super) struct ReportThrottle {
    /// A complete report that has not been sent.
    held: Option<Report>,
    /// The last report sent.
    sent: Option<Report>,
    /// Time at which it was sent.
    at: Option<Timestamp>,
}

impl ReportThrottle {
    /// Takes a report. Returns the report to send now, or `None`.
    pub(super) fn accept(&mut self, now: Timestamp, report: &Report) -> Option<Report> {
        let is_repeated = |sent: &Report| {
            (sent.depth, sent.confidence) == (report.depth, report.confidence) && sent.lines == report.lines
        };
        if !report.complete || self.sent.as_ref().is_some_and(is_repeated) {
            return None;
        }
        self.held = Some(report.clone());
        match self.at {
            Some(at) if now.since(at) < REPORT_INTERVAL => None,
            _ => self.release(now),
        }
    }

    /// Returns the report to send at the end of a search with `nodes` nodes whose last report is `last`. `None` if it was sent
    /// already.
    pub(super) fn conclude<'a>(&mut self, last: &'a Report, nodes: u64) -> Option<&'a Report> {
        self.held = None;
        let is_repeated = self.sent.as_ref().is_some_and(|sent| {
            sent.depth == last.depth && sent.nodes == nodes && sent.best() == last.best()
        });
        (!is_repeated).then_some(last)
    }

    /// Returns the report that was held back, to be sent now. `None` if there is none.
    pub(super) fn release(&mut self, now: Timestamp) -> Option<Report> {
        let report = self.held.take()?;
        self.sent = Some(report.clone());
        self.at = Some(now);
        Some(report)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::Confidence;
    use crate::search::{Depth, SearchId};

    fn report(depth: u32, complete: bool) -> Report {
        Report::new(SearchId(1), (Depth::new(depth), Confidence::EXACT), Vec::new(), 0, complete)
    }

    #[test]
    fn reports_are_sent_once_and_with_an_interval() {
        let mut throttle = ReportThrottle::default();
        let at = |millis| Timestamp(Duration::from_millis(millis));
        assert!(throttle.accept(at(0), &report(1, true)).is_some());
        assert!(throttle.accept(at(10), &report(2, true)).is_none());
        assert!(throttle.accept(at(20), &report(3, false)).is_none());
        assert_eq!(throttle.release(at(30)).map(|report| report.depth.plies()), Some(2));
        assert!(throttle.accept(at(200), &report(2, true)).is_none() && throttle.held.is_none());
        assert!(throttle.accept(at(200), &report(4, true)).is_some());
        assert!(throttle.conclude(&report(4, false), 0).is_none());
        assert!(throttle.conclude(&report(4, false), 9).is_some());
        assert!(throttle.conclude(&report(5, false), 0).is_some());
    }
}
