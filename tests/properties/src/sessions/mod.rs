//! Conversations with a session, checked against invariants.
//!
//! A conversation is a text, one step per line. A line that starts with `@` is an event, any other line is sent to the
//! session, with a legal move instead of `{move}` and the expected move instead of `{reply}`:
//!
//! | step | event |
//! | --- | --- |
//! | `@report`, `@partial` | a report of the current search, complete or not |
//! | `@solved`, `@bound`, `@draw` | a complete report with proven values, with proven lower bounds, with a proven draw |
//! | `@report WORD` | a report drawn from the bytes of `WORD` |
//! | `@progress`, `@done`, `@failed` | the search makes progress, ends, fails |
//! | `@stale WORD` | an event of an abandoned search |
//! | `@wait N`, `@back N` | N milliseconds pass, or the clock goes back |
//! | `@hash N`, `@threads N` | the driver has less memory, or fewer threads, than requested |
//! | `@book`, `@nobook` | the driver has opened a book, or could not. On the first line, the session starts with a book. |
//! | `@long LINE` | the start of a line that is too long |
//! | `@eof` | the end of the input |
//!
//! The table (`tests/properties/sessions.md`), random walks and fuzzing use the same invariants.

mod grammar;
mod invariants;
mod table;
mod walk;
mod world;

use outflank::session::Protocol;

use crate::draw::Draw;
pub use grammar::missing_words;
use grammar::{Grammar, grammar};
pub use table::{shown, table};
pub use walk::walk;
use world::World;

/// The most steps of a conversation.
const MAX_STEPS: usize = 400;

/// Returns lines of every kind of a protocol, valid and invalid.
pub fn lines(protocol: Protocol) -> &'static [&'static str] {
    &grammar(protocol).lines
}

/// Returns the line that opens a protocol, a question that is always answered at once, and its answer.
pub fn question(protocol: Protocol) -> [&'static str; 3] {
    let Grammar { opening, finale, .. } = grammar(protocol);
    [opening, finale[1], finale[2]]
}

macro_rules! properties {
    ($($drawn:ident, $written:ident, $protocol:ident;)*) => { $(
        /// Conversations drawn from bytes, most lines valid.
        pub fn $drawn(bytes: &[u8]) {
            run(grammar(Protocol::$protocol), &walk::drawn(Protocol::$protocol, &mut Draw::new(bytes)));
        }

        /// Conversations as texts.
        pub fn $written(bytes: &[u8]) {
            let text = crate::text(bytes);
            run(grammar(Protocol::$protocol), &text.lines().collect::<Vec<_>>());
        }
    )* };
}

properties! {
    nboard, nboard_lines, NBoard;
    cassio, cassio_lines, Cassio;
    hub, hub_lines, Hub;
    xboard, xboard_lines, XBoard;
    gtp, gtp_lines, Gtp;
}

/// Conversations without a fixed protocol, which any line may change.
pub fn conversation(bytes: &[u8]) {
    let mut draw = Draw::new(bytes);
    let mut world = World::free(grammar(Protocol::NBoard), draw.once_in(3));
    for _ in 0..MAX_STEPS {
        if draw.is_empty() {
            break;
        }
        let protocol = draw.pick(&Protocol::ALL);
        world.step(&walk::drawn_step(grammar(protocol), &mut draw));
    }
    world.finish();
}

/// Runs a conversation to its end. A check panics if an invariant does not hold.
fn run<S: AsRef<str>>(grammar: &'static Grammar, steps: &[S]) {
    let has_book = steps.first().is_some_and(|first| first.as_ref() == "@book");
    let mut world = World::new(grammar, has_book);
    for step in steps.iter().skip(usize::from(has_book)).take(MAX_STEPS) {
        world.step(step.as_ref());
    }
    world.finish();
}
