//! Which reports are said, and when.

use std::time::Duration;

use super::Timestamp;
use crate::search::Report;

/// Rounds that end within this time after the last one said are held back: the first ones come by the dozen.
const REPORT_INTERVAL: Duration = Duration::from_millis(50);

/// The complete reports of one search on their way to the GUI: each is said once, at leisure.
#[derive(Debug, Default)]
pub(super) struct ReportThrottle {
    /// Complete and still unsaid.
    held: Option<Report>,
    /// The last one said.
    said: Option<Report>,
    /// When it was said.
    at: Option<Timestamp>,
}

impl ReportThrottle {
    /// Takes a report; returns what is to be said now.
    pub(super) fn accept(&mut self, now: Timestamp, report: &Report) -> Option<Report> {
        let again = |said: &Report| {
            (said.depth, said.confidence) == (report.depth, report.confidence) && said.lines == report.lines
        };
        if !report.complete || self.said.as_ref().is_some_and(again) {
            return None;
        }
        self.held = Some(report.clone());
        match self.at {
            Some(at) if now.since(at) < REPORT_INTERVAL => None,
            _ => self.release(now),
        }
    }

    /// What is still to be said at the end of a search of `nodes` nodes whose last report is `last`: nothing when the
    /// same was said already.
    pub(super) fn conclude<'a>(&mut self, last: &'a Report, nodes: u64) -> Option<&'a Report> {
        self.held = None;
        let said = self.said.as_ref();
        let again = said.is_some_and(|said| {
            said.depth == last.depth && said.nodes == nodes && said.best() == last.best()
        });
        (!again).then_some(last)
    }

    /// Whether a report is being held back.
    pub(super) fn is_holding(&self) -> bool {
        self.held.is_some()
    }

    /// What has been held back, to be said now.
    pub(super) fn release(&mut self, now: Timestamp) -> Option<Report> {
        let report = self.held.take()?;
        self.said = Some(report.clone());
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
        let confidence = Confidence::EXACT;
        Report {
            id: SearchId(1),
            depth: Depth::new(depth),
            confidence,
            lines: Vec::new(),
            nodes: 0,
            complete,
        }
    }

    #[test]
    fn said_once_and_not_too_often() {
        let mut rounds = ReportThrottle::default();
        let at = |millis| Timestamp(Duration::from_millis(millis));
        assert!(rounds.accept(at(0), &report(1, true)).is_some());
        assert!(rounds.accept(at(10), &report(2, true)).is_none());
        assert!(rounds.accept(at(20), &report(3, false)).is_none());
        assert_eq!(rounds.release(at(30)).map(|report| report.depth.plies()), Some(2));
        assert!(rounds.accept(at(200), &report(2, true)).is_none() && !rounds.is_holding());
        assert!(rounds.accept(at(200), &report(4, true)).is_some());
        assert!(rounds.conclude(&report(4, false), 0).is_none());
        assert!(rounds.conclude(&report(4, false), 9).is_some());
        assert!(rounds.conclude(&report(5, false), 0).is_some());
    }
}
