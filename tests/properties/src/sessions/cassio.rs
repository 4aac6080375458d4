//! What is promised to Cassio.

use outflank::session::{Effect, Event};

use super::rules::{Finale, Rules, What, count, said, starts};
use super::world::Running;

/// Cassio reads no longer lines.
const LONGEST_LINE: usize = 255;
/// Words that make it believe the engine dead.
const DEADLY: [&str; 4] = ["Killed", "Segmentation fault", "Bus error", "Engine terminated"];

/// Whether a search is under way.
#[derive(Debug, Default)]
pub(super) struct Cassio {
    is_searching: bool,
}

impl Rules for Cassio {
    fn check(&mut self, what: What<'_>, running: Option<&Running>, effects: &[Effect]) {
        for line in said(effects) {
            assert!(line.len() <= LONGEST_LINE, "{line}");
            assert!(DEADLY.iter().all(|words| !line.contains(words)), "{line}");
        }
        let was_searching = std::mem::replace(&mut self.is_searching, running.is_some());
        let (ready, ok) = (count(effects, "ready."), count(effects, "ok."));
        let warned = count(effects, "WARNING:");
        match what {
            What::Line(line) => {
                let words: Vec<&str> = line.split_whitespace().collect();
                let refused = warned > 0;
                match words.as_slice() {
                    [] | ["ENGINE-PROTOCOL", "init" | "get-version", ..] => {
                        assert_eq!(
                            (ready, ok),
                            (usize::from(!was_searching), usize::from(was_searching)),
                            "{line}"
                        );
                    }
                    ["ENGINE-PROTOCOL", "stop" | "new-position", ..] => {
                        assert_eq!((ready, running.is_some()), (1, false), "{line}");
                    }
                    // Also where the word before it is not the one it should be.
                    [_, "midgame-search" | "endgame-search", ..] if refused => {
                        assert_eq!((ready, starts(effects)), (usize::from(!was_searching), 0), "{line}");
                    }
                    ["ENGINE-PROTOCOL", "midgame-search" | "endgame-search", ..] => {
                        assert_eq!((ready, starts(effects)), (0, 1), "{line}");
                    }
                    ["ENGINE-PROTOCOL", "empty-hash", ..] => {
                        assert_eq!((ready, running.is_some()), (0, was_searching), "{line}");
                    }
                    ["ENGINE-PROTOCOL", "get-search-infos", ..] => {
                        let infos = count(effects, "node ");
                        assert_eq!((infos, ready), (usize::from(was_searching), usize::from(!was_searching)));
                    }
                    ["ENGINE-PROTOCOL", "quit", ..] => assert_eq!(effects, [Effect::Quit]),
                    _ => assert_eq!((ready, starts(effects)), (0, 0), "{line}: {effects:?}"),
                }
            }
            What::Ended(_) => {
                assert_eq!((ready, said(effects).last()), (1, Some("ready.")), "{effects:?}");
                assert_eq!(said(effects).count(), 2, "a result or a warning, and the end: {effects:?}");
            }
            What::Other(Event::LineTooLong(_)) => {
                assert!(ready <= usize::from(!was_searching), "{effects:?}")
            }
            What::Told | What::Other(_) => assert_eq!((ready, starts(effects)), (0, 0), "{effects:?}"),
        }
    }

    fn wants_answer(&self, _: &str) -> bool {
        false
    }

    fn refuses(&self, said: &str) -> bool {
        said.starts_with("WARNING:")
    }

    fn finale(&self) -> Option<Finale> {
        Some(Finale {
            hush: "ENGINE-PROTOCOL new-position",
            question: "ENGINE-PROTOCOL stop",
            answer: "ready.",
            ask: &["ENGINE-PROTOCOL midgame-search \
                    ---------------------------OX------XO---------------------------X -64 64 8 100"],
            found: "ready.",
        })
    }
}
