//! What is owed in the protocol of Cassio.
//!
//! The document: a search is answered by its result and one `ready.`, which nothing may say before; every other command
//! but `empty-hash`, `feed-hash` and `quit` is answered at once. `stop` ends a search with one `ready.` and no result.

use outflank::board::{Move, Position};
use outflank::notation::{moves, squares};
use outflank::search::Goal;
use outflank::session::{Effect, OpenBook, Protocol};

use super::search::{Search, discs};
use super::{Asked, Fault, Heard, Input, Line, Model, State, after, moments};

/// Cassio's side of a conversation.
#[derive(Debug)]
pub struct Cassio {
    search: Option<Search<&'static str>>,
}

/// What a line means.
#[derive(Clone, Copy, Debug)]
pub enum Says {
    /// `init`.
    Init,
    /// `get-version`.
    GetVersion,
    /// A search of this board.
    Search(&'static str),
    /// A search with a faulty field.
    FaultySearch,
    /// `get-search-infos`.
    GetSearchInfos,
    /// An empty line.
    Blank,
    /// `stop`, or `new-position`, which is one.
    Stop,
    /// `empty-hash`.
    EmptyHash,
    /// `feed-hash`.
    FeedHash,
    /// `quit`.
    Quit,
    /// Another faulty line.
    Faulty,
}

const START: &str = "---------------------------OX------XO---------------------------X";
const LATE: &str = "--O-------OXXXX---OXXXXO--OXXXXO--OXXOXO--OXOXXO--OOOOXO--OOXXX-O";
const PASS: &str = "XO--------------------------------------------------------------O";
const OVER: &str = "XXX-------------------------------------------------------------O";
const MIDGAME: &str = "ENGINE-PROTOCOL  midgame-search ---------------------------OX------XO---------------------------X -1.00 2.50 9 90";
const ENDGAME: &str = "ENGINE-PROTOCOL  endgame-search --O-------OXXXX---OXXXXO--OXXXXO--OXXOXO--OXOXXO--OOOOXO--OOXXX-O -13 -12 100";
const STOP: &str = "ENGINE-PROTOCOL stop";

const fn line(text: &'static str, meaning: Says) -> Line<Says> {
    Line { text, meaning }
}

impl Model for Cassio {
    const DIALECT: Protocol = Protocol::Cassio;
    type Meaning = Says;
    const LINES: &'static [Line<Says>] = &[
        line("ENGINE-PROTOCOL init", Says::Init),
        line("ENGINE-PROTOCOL get-version", Says::GetVersion),
        line(MIDGAME, Says::Search(START)),
        line(ENDGAME, Says::Search(LATE)),
        line(
            "ENGINE-PROTOCOL endgame-search XO-------------------------------------------------------------- O -64 64 100",
            Says::Search(PASS),
        ),
        line(
            "ENGINE-PROTOCOL midgame-search XXX-------------------------------------------------------------O -64 64 5 73",
            Says::Search(OVER),
        ),
        line("ENGINE-PROTOCOL midgame-search", Says::FaultySearch),
        line("ENGINE-PROTOCOL endgame-search XO -1 1 100", Says::FaultySearch),
        line("ENGINE-PROTOCOL  get-search-infos", Says::GetSearchInfos),
        line("", Says::Blank),
        line(STOP, Says::Stop),
        line("ENGINE-PROTOCOL new-position", Says::Stop),
        line("ENGINE-PROTOCOL empty-hash", Says::EmptyHash),
        line(
            "ENGINE-PROTOCOL  feed-hash ---------------------------OX------XO---------------------------X -2.00 2.00 20 100 F5D6",
            Says::FeedHash,
        ),
        line("ENGINE-PROTOCOL feed-hash", Says::Faulty),
        line("ENGINE-PROTOCOL quit", Says::Quit),
        line("ENGINE-PROTOCOL dance", Says::Faulty),
        line("ENGINE-PROTOCOL", Says::Faulty),
        line("hello", Says::Faulty),
    ];
    const SIGN_OF_LIFE: &'static [&'static str] = &["", ENDGAME, "", STOP];
    const LONG: &'static str = "ENGINE-PROTOCOL midgame-search";

    fn new(_: Option<OpenBook>) -> Cassio {
        Cassio { search: None }
    }

    fn asked(&self) -> Option<Asked> {
        self.search.as_ref().map(Search::asked)
    }

    fn position(&self) -> Position {
        Position::START
    }

    fn write(mv: Move) -> String {
        moves::write_upper(mv)
    }

    fn hears(&mut self, input: Input<Says>, heard: &mut Heard) -> Result<(), Fault> {
        match input {
            Input::Line(says, _) => self.line(says, heard),
            Input::Report(report) => {
                let search = self.search.as_mut().ok_or("no search")?;
                search.heard(&report);
                if heard.says_next("{*}, move {*}") { self.result(heard) } else { Ok(()) }
            }
            Input::Progress(_) | Input::Book(_) | Input::Learnt(_) => Ok(()),
            Input::Done(_) => {
                match self.search.as_ref().and_then(|search| search.last.as_ref()) {
                    Some(_) => self.result(heard)?,
                    None => drop(heard.say("WARNING: the search ended without a result")?),
                }
                self.search = None;
                heard.say("ready.").map(drop)
            }
            Input::Failed => {
                self.search = None;
                heard.say("WARNING: the search failed: {*}")?;
                heard.say("ready.").map(drop)
            }
            Input::Hash | Input::Threads => heard.say("WARNING: {*}").map(drop),
            Input::TooLong(_) => self.refuse(true, heard),
            Input::Eof => heard.effect("quit", |effect| *effect == Effect::Quit),
        }
    }

    fn states() -> Vec<State> {
        [
            vec![after("at the start", &[]), after("after init", &["ENGINE-PROTOCOL init"])],
            moments("midgame", &[MIDGAME], &[STOP]),
            moments("endgame", &[ENDGAME], &["ENGINE-PROTOCOL new-position"]),
            moments("midgame, another one", &[MIDGAME, ENDGAME], &[STOP]),
            moments("emptied on the way", &[MIDGAME, "ENGINE-PROTOCOL empty-hash"], &[STOP]),
            moments("a pass", &[Self::LINES[4].text], &[STOP]),
            moments("a finished game", &[Self::LINES[5].text], &[STOP]),
        ]
        .concat()
    }
}

impl Cassio {
    fn line(&mut self, says: Says, heard: &mut Heard) -> Result<(), Fault> {
        match says {
            Says::Init => self.alive(heard),
            Says::GetVersion => {
                heard.say("version: Outflank {*}")?;
                self.alive(heard)
            }
            Says::Search(board) => self.search(board, heard),
            Says::FaultySearch => self.refuse(true, heard),
            Says::Faulty => self.refuse(false, heard),
            Says::GetSearchInfos => match self.search {
                Some(_) => heard.say("node {n}, time {t}").map(drop),
                None => heard.say("ready.").map(drop),
            },
            Says::Blank => self.alive(heard),
            Says::Stop => {
                self.give_up(heard)?;
                heard.say("ready.").map(drop)
            }
            Says::EmptyHash => {
                // Its result is still owed: it begins anew.
                let running = self.give_up(heard)?;
                heard.effect("clear", |effect| *effect == Effect::Clear)?;
                match running {
                    Some(board) => self.search(board, heard),
                    None => Ok(()),
                }
            }
            Says::FeedHash => heard.effect("seed", |effect| matches!(effect, Effect::AddBounds(_))),
            Says::Quit => heard.effect("quit", |effect| *effect == Effect::Quit),
        }
    }

    /// `ready.` would be taken for the end of a search.
    fn alive(&self, heard: &mut Heard) -> Result<(), Fault> {
        heard.say(if self.search.is_some() { "ok." } else { "ready." }).map(drop)
    }

    /// Whoever asks for a search waits for its `ready.`; while another one is under way it would end that.
    fn refuse(&self, search: bool, heard: &mut Heard) -> Result<(), Fault> {
        heard.say("WARNING: {*}")?;
        if search && self.search.is_none() { heard.say("ready.").map(drop) } else { Ok(()) }
    }

    fn give_up(&mut self, heard: &mut Heard) -> Result<Option<&'static str>, Fault> {
        match self.search.take() {
            Some(search) => heard.stop(search.id).map(|()| Some(search.purpose)),
            None => Ok(None),
        }
    }

    fn search(&mut self, board: &'static str, heard: &mut Heard) -> Result<(), Fault> {
        let root = squares::read(board).map_err(|error| error.to_string())?;
        let id = heard.start(&root, |goal| matches!(goal, Goal::Value(_)))?;
        self.search = Some(Search::new(id, root, board, 1));
        Ok(())
    }

    /// The last report as a result, of this position and no other.
    fn result(&self, heard: &mut Heard) -> Result<(), Fault> {
        let search = self.search.as_ref().ok_or("no search")?;
        let board = search.purpose;
        let pattern = match search.best() {
            Some(best) => {
                let first = best.first().map(moves::write_upper).unwrap_or_default();
                let score = discs(best.score);
                format!(
                    "{board}, move {first}, depth {{n}}, @{{w}}%, {{*}}{score}{{*}}, node {{n}}, time {{t}}"
                )
            }
            None => format!("{board}, move --, depth 0, {{*}}, node {{n}}, time {{t}}"),
        };
        let line = heard.say_as("a result", &pattern)?;
        if line.len() > 255 { Err(format!("a line of {} characters", line.len())) } else { Ok(()) }
    }
}
