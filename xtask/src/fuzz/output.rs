//! What a program of libFuzzer prints.

/// A line that tells how far it is: `#4096 pulse cov: 210 ft: 612 corp: 95/1204b lim: 33 exec/s: 2048 rss: 61Mb`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Status {
    /// Executions so far.
    pub(super) executions: u64,
    /// Places in the code that were reached.
    pub(super) coverage: u64,
    /// Inputs that reach more than all others.
    pub(super) inputs: u64,
    /// Executions a second.
    pub(super) speed: u64,
}

impl Status {
    /// Reads such a line; nothing where it is another one.
    pub(super) fn parse(line: &str) -> Option<Status> {
        let (executions, rest) = line.strip_prefix('#')?.split_once(char::is_whitespace)?;
        let after = |name: &str| {
            let (_, rest) = rest.split_once(name)?;
            let digits = rest.trim_start();
            digits[..digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len())].parse().ok()
        };
        Some(Status {
            executions: executions.parse().ok()?,
            coverage: after("cov:").unwrap_or(0),
            inputs: after("corp:").unwrap_or(0),
            speed: after("exec/s:").unwrap_or(0),
        })
    }
}

/// What a run that ended by a finding says of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Finding {
    /// Where the input was written.
    pub(super) input: String,
    /// What went wrong, in a line.
    pub(super) what: String,
}

/// Gathers what a run says of a finding.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    what: Option<String>,
    /// The line after the place of a panic is its message.
    panics: bool,
    input: Option<String>,
}

impl Gathered {
    /// Takes a line in.
    pub(super) fn line(&mut self, line: &str) {
        if std::mem::take(&mut self.panics)
            && let Some(what) = &mut self.what
        {
            what.push_str(": ");
            what.extend(line.trim().chars().take(160));
        }
        if let Some((_, place)) = line.split_once("panicked at ") {
            if self.what.is_none() {
                self.what = Some(place.trim().trim_end_matches(':').to_owned());
                self.panics = true;
            }
        } else if let Some((_, error)) = line.split_once("ERROR: ") {
            self.what.get_or_insert_with(|| error.trim().to_owned());
        } else if let Some((_, path)) = line.split_once("Test unit written to ") {
            self.input = Some(path.trim().to_owned());
        }
    }

    /// The finding, if there is one.
    pub(super) fn finding(self) -> Option<Finding> {
        let what = self.what.unwrap_or_else(|| "it ended".to_owned());
        Some(Finding { input: self.input?, what })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_far_it_is() {
        let line = "#4096\tpulse  cov: 210 ft: 612 corp: 95/1204b lim: 33 exec/s: 2048 rss: 61Mb";
        let expected = Status { executions: 4096, coverage: 210, inputs: 95, speed: 2048 };
        assert_eq!(Status::parse(line), Some(expected));
        assert_eq!(Status::parse("#2\tINITED exec/s: 0 rss: 40Mb").map(|status| status.executions), Some(2));
        assert_eq!(Status::parse("    #0 0x5581 in main"), None);
        assert_eq!(Status::parse("INFO: Seed: 1"), None);
    }

    #[test]
    fn what_was_found() {
        let mut gathered = Gathered::default();
        for line in [
            "thread '<unnamed>' (7) panicked at src/effort.rs:30:14:",
            "attempt to add with overflow",
            "==7== ERROR: libFuzzer: deadly signal",
            "artifact_prefix='x/'; Test unit written to x/crash-1",
        ] {
            gathered.line(line);
        }
        let what = "src/effort.rs:30:14: attempt to add with overflow".to_owned();
        assert_eq!(gathered.finding(), Some(Finding { input: "x/crash-1".to_owned(), what }));
        let mut gathered = Gathered::default();
        gathered.line("==7== ERROR: libFuzzer: timeout after 25 seconds");
        gathered.line("artifact_prefix='x/'; Test unit written to x/timeout-1");
        let what = "libFuzzer: timeout after 25 seconds".to_owned();
        assert_eq!(gathered.finding(), Some(Finding { input: "x/timeout-1".to_owned(), what }));
        assert_eq!(Gathered::default().finding(), None);
    }
}
