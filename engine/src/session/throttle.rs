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

    /// Returns the report to send at the end of a search: the `last` one. `None` if it was sent already with these `nodes`.
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
