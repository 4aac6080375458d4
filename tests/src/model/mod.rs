//! What each dialect owes, told a second time, and small: models that the real sessions are held against.
//!
//! A session is an automaton, events in and effects out, so a [`Model`] needs neither threads nor a search. It is told
//! what came in ([`Input`]), with the meaning of the line beside it, so that no parser is shared; it takes what the
//! session did ([`Heard`]) and says what of it was not owed, or is missing. Whatever it does not take is a fault.
//!
//! [`play`] says steps to a session and its model side by side; [`table`] tries every line in every state and at every
//! moment of a search; [`walk`] goes on at random for as long as it is let, and makes what it finds short.

pub mod cassio;
mod heard;
pub mod hub;
pub mod nboard;
pub mod play;
pub mod search;
pub mod table;
pub mod walk;
mod words;
pub mod xboard;

use outflank::board::{Move, Position};
use outflank::search::{Report, SearchId};
use outflank::session::{OpenBook, Protocol};

pub use heard::Heard;
pub use words::{missing, words};

/// What is wrong with what a session did.
pub type Fault = String;

/// A line that may be sent, and what it means.
#[derive(Clone, Copy, Debug)]
pub struct Line<M> {
    /// As it is sent; in the place of `{move}` a legal move of the position on the board.
    pub text: &'static str,
    /// What it means, as the protocol's document tells.
    pub meaning: M,
}

/// What came in.
#[derive(Clone, Debug)]
pub enum Input<M> {
    /// A line, and the move in the place of its `{move}`.
    Line(M, Option<Move>),
    /// The current search told something.
    Report(Report),
    /// The current search is alive: nodes so far.
    Progress(u64),
    /// The current search has ended: its nodes.
    Done(u64),
    /// The current search broke down.
    Failed,
    /// There is memory only for a smaller table.
    Hash,
    /// There are fewer threads than were wanted.
    Threads,
    /// A book was opened, or not.
    Book(Option<OpenBook>),
    /// A game was learnt, or not.
    Learnt(Option<OpenBook>),
    /// A line was too long: this is how it begins.
    TooLong(&'static str),
    /// There will be no more lines.
    Eof,
}

/// The search that somebody waits for.
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    /// Its id.
    pub id: SearchId,
    /// Its position.
    pub root: Position,
    /// How many moves are to be valued.
    pub lines: usize,
}

/// A state of a session, by the way that leads there.
#[derive(Clone, Debug)]
pub struct State {
    /// What it is called.
    pub name: String,
    /// Lines and news that lead there.
    pub way: Vec<Happening>,
}

/// One thing that happens on the way to a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Happening {
    /// A line of the model's own, by its text.
    Say(&'static str),
    /// News of the search.
    News(News),
}

/// What the search, or the world around, may tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum News {
    /// A complete round of the current search.
    Report,
    /// A round under way.
    Partial,
    /// A complete round, with proven values.
    Solved,
    /// A sign of life.
    Progress,
    /// Its end.
    Done,
    /// Its breakdown.
    Failed,
    /// A report of a search that nobody waits for any more.
    StaleReport,
    /// The end of such a search.
    StaleDone,
    /// The breakdown of such a search.
    StaleFailed,
    /// Less memory than was wanted.
    Hash,
    /// Fewer threads than were wanted.
    Threads,
    /// A line that was too long to be read, and begins like a command that is answered.
    TooLong,
    /// The end of the input.
    Eof,
}

impl News {
    /// All of them.
    pub const ALL: [News; 13] = [
        News::Report,
        News::Partial,
        News::Solved,
        News::Progress,
        News::Done,
        News::Failed,
        News::StaleReport,
        News::StaleDone,
        News::StaleFailed,
        News::Hash,
        News::Threads,
        News::TooLong,
        News::Eof,
    ];

    /// What the table calls it.
    pub const fn name(self) -> &'static str {
        match self {
            News::Report => "a round is complete",
            News::Partial => "a round is under way",
            News::Solved => "a round with proven values is complete",
            News::Progress => "a sign of life",
            News::Done => "the search ends",
            News::Failed => "the search breaks down",
            News::StaleReport => "an old search reports",
            News::StaleDone => "an old search ends",
            News::StaleFailed => "an old search breaks down",
            News::Hash => "less memory than wanted",
            News::Threads => "fewer threads than wanted",
            News::TooLong => "a line that is too long",
            News::Eof => "the input ends",
        }
    }

    /// Whether it is about the search that somebody waits for, and cannot be without one.
    pub const fn needs_search(self) -> bool {
        matches!(
            self,
            News::Report | News::Partial | News::Solved | News::Progress | News::Done | News::Failed
        )
    }
}

/// What one dialect owes.
pub trait Model: Sized + 'static {
    /// Which.
    const DIALECT: Protocol;
    /// What a line means.
    type Meaning: Copy + std::fmt::Debug + 'static;
    /// Every kind of line, good and bad.
    const LINES: &'static [Line<Self::Meaning>];
    /// Lines after which a session that goes on has given an answer.
    const SIGN_OF_LIFE: &'static [&'static str];
    /// How a line begins that is too long to be read.
    const LONG: &'static str;

    /// At the start of a conversation, with a book or without.
    fn new(book: Option<OpenBook>) -> Self;

    /// Takes what the session did when this came in.
    ///
    /// # Errors
    /// When it is not what is owed.
    fn hears(&mut self, input: Input<Self::Meaning>, heard: &mut Heard) -> Result<(), Fault>;

    /// The search that somebody waits for.
    fn asked(&self) -> Option<Asked>;

    /// The position in which a `{move}` is played.
    fn position(&self) -> Position;

    /// The states to try every line in.
    fn states() -> Vec<State>;

    /// Returns `true` if a line asks for exactly one answer that [`Model::answers`] recognises: a `ping` by default.
    fn asks(line: &str) -> bool {
        line.strip_prefix("ping ").is_some_and(|number| number.parse::<u64>().is_ok())
    }

    /// Returns `true` if a line is such an answer.
    fn answers(line: &str) -> bool {
        line.starts_with("pong ")
    }

    /// A move in the place of `{reply}`: what the engine expects.
    fn expected(&self) -> Option<Move> {
        None
    }

    /// A move as the dialect writes it.
    fn write(mv: Move) -> String;
}

/// The moments of a search that `ask` begins and `halt` ends.
pub fn moments(name: &str, ask: &[&'static str], halt: &[&'static str]) -> Vec<State> {
    let news = |news: &[News]| news.iter().map(|&news| Happening::News(news)).collect::<Vec<_>>();
    let says = |lines: &[&'static str]| lines.iter().map(|&line| Happening::Say(line)).collect::<Vec<_>>();
    let state = |moment: &str, then: Vec<Happening>| State {
        name: format!("{name}, {moment}"),
        way: [says(ask), then].concat(),
    };
    vec![
        state("started", Vec::new()),
        state("reporting", news(&[News::Report, News::Partial, News::Progress, News::Report])),
        state("finished", news(&[News::Report, News::Done])),
        state("stopped", [news(&[News::Report]), says(halt)].concat()),
        state("failed", news(&[News::Report, News::Failed])),
        state("failed at once", news(&[News::Failed])),
    ]
}

/// A state that lines alone lead to.
pub fn after(name: &str, lines: &[&'static str]) -> State {
    State { name: name.to_owned(), way: lines.iter().map(|&line| Happening::Say(line)).collect() }
}
