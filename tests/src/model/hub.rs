//! What is owed in Hub's protocol.
//!
//! The document: `hub` is answered up to `wait`, `init` by `ready`, `ping` by `pong` at any time, and every `go` by one
//! `done`, whatever else comes; `stop` hastens it. While a search is under way another `go` is an error; once it is stopping,
//! `go` and `new-game` and all lines after them wait for its `done`.

use std::collections::VecDeque;

use outflank::board::{Move, Position, Status};
use outflank::book::Contempt;
use outflank::game::Game;
use outflank::notation::{moves, squares};
use outflank::search::Goal;
use outflank::session::{Effect, OpenBook, Protocol};

use super::search::{Search, discs, legal};
use super::{Asked, Fault, Heard, Input, Line, Model, News, State, after, moments};

/// Hub's side of a conversation.
#[derive(Debug)]
pub struct Hub {
    game: Game,
    /// Whether the next search is on the clock.
    on_clock: bool,
    /// Whether the next search has any limit.
    limited: bool,
    /// Whether the level was used: the next one begins afresh.
    level_used: bool,
    /// Parameters as they were set, and as they are: hash and threads.
    set: Params,
    real: Params,
    book: Option<OpenBook>,
    search: Option<Search<Purpose>>,
    /// Whether `ready` waits for a book.
    opening: bool,
    /// Whether parameters wait for the end of the search.
    deferred: bool,
    /// What was last said of the search: its report's nodes.
    said: Option<u64>,
    /// Lines that wait for the end of a stopping search.
    waiting: VecDeque<Says>,
}

#[derive(Clone, Debug, PartialEq)]
struct Params {
    hash: u32,
    threads: usize,
    book: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Purpose {
    mode: Mode,
    on_clock: bool,
}

/// What a search is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// A move.
    Think,
    /// A move, should the expected one come.
    Ponder,
    /// Information.
    Analyze,
}

/// What a line means.
#[derive(Clone, Copy, Debug)]
pub enum Says {
    /// `hub`.
    Hub,
    /// The size of the table.
    Hash(u32),
    /// The number of threads.
    Threads(usize),
    /// The book.
    Book(&'static str),
    /// Another parameter.
    Param,
    /// `init`.
    Init,
    /// A position and its moves.
    Pos(&'static str, &'static [&'static str]),
    /// A level, with a time or without.
    Level(Limit),
    /// `go`.
    Go(Mode),
    /// `ponder-hit`.
    PonderHit,
    /// `stop`.
    Stop,
    /// `new-game`.
    NewGame,
    /// `ping`.
    Ping,
    /// `quit`.
    Quit,
    /// A command with a faulty argument.
    Faulty,
    /// A parameter with a value that does not fit.
    BadParam,
    /// A level with a limit that cannot be read.
    BadLevel,
    /// No command.
    Nothing,
}

/// What a level limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Depth or nodes.
    Effort,
    /// Time.
    Time,
    /// Nothing.
    Infinite,
}

const START: &str = "---------------------------OX------XO--------------------------- X";
const ONE: &str = "XO-------------------------------------------------------------- X";
const PASS: &str = "XO-------------------------------------------------------------- O";
const OVER: &str = "XXX------------------------------------------------------------- O";

const fn line(text: &'static str, meaning: Says) -> Line<Says> {
    Line { text, meaning }
}

impl Model for Hub {
    const DIALECT: Protocol = Protocol::Hub;
    type Meaning = Says;
    const LINES: &'static [Line<Says>] = &[
        line("hub", Says::Hub),
        line("set-param name=hash value=32", Says::Hash(32)),
        line("set-param name=hash value=64", Says::Hash(64)),
        line("set-param name=threads value=2", Says::Threads(2)),
        line("set-param name=threads value=1", Says::Threads(1)),
        line("set-param name=book value=lines.txt", Says::Book("lines.txt")),
        line("set-param name=book value=missing.txt", Says::Book("missing.txt")),
        line("set-param name=book value=\"\"", Says::Book("")),
        line("set-param name=margin value=0.25", Says::Param),
        line("set-param name=selective value=false", Says::Param),
        line("set-param name=variant value=othello", Says::Param),
        line("set-param name=hash value=none", Says::BadParam),
        line("set-param name=hash", Says::Faulty),
        line("init", Says::Init),
        line(
            "pos pos=Beeeeeeeeeeeeeeeeeeeeeeeeeeewbeeeeeebweeeeeeeeeeeeeeeeeeeeeeeeeee",
            Says::Pos(START, &[]),
        ),
        line(
            "pos pos=Beeeeeeeeeeeeeeeeeeeeeeeeeeewbeeeeeebweeeeeeeeeeeeeeeeeeeeeeeeeee moves=\"f5 d6 c3\"",
            Says::Pos(START, &["f5", "d6", "c3"]),
        ),
        line(
            "pos pos=Bbweeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee",
            Says::Pos(ONE, &[]),
        ),
        line(
            "pos pos=Wbweeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee",
            Says::Pos(PASS, &[]),
        ),
        line(
            "pos pos=Wbbbeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee",
            Says::Pos(OVER, &[]),
        ),
        line("pos", Says::Faulty),
        line(
            "pos pos=Beeeeeeeeeeeeeeeeeeeeeeeeeeewbeeeeeebweeeeeeeeeeeeeeeeeeeeeeeeeee moves=a1",
            Says::Faulty,
        ),
        line("level depth=6", Says::Level(Limit::Effort)),
        line("level nodes=1000", Says::Level(Limit::Effort)),
        line("level move-time=0.1", Says::Level(Limit::Time)),
        line("level moves=9 time=60 inc=1", Says::Level(Limit::Time)),
        line("level infinite", Says::Level(Limit::Infinite)),
        line("level depth=x", Says::BadLevel),
        line("go", Says::Go(Mode::Think)),
        line("go think", Says::Go(Mode::Think)),
        line("go ponder", Says::Go(Mode::Ponder)),
        line("go analyze", Says::Go(Mode::Analyze)),
        line("go analyse", Says::Go(Mode::Analyze)),
        line("ponder-hit", Says::PonderHit),
        line("stop", Says::Stop),
        line("new-game", Says::NewGame),
        line("ping", Says::Ping),
        line("quit", Says::Quit),
        line("", Says::Nothing),
        line("dance now=1", Says::Nothing),
        line("pos pos=\"x", Says::Faulty),
    ];
    const SIGN_OF_LIFE: &'static [&'static str] = &["ping", "go analyze", "stop", "ping"];
    const LONG: &'static str = "pos pos=Be";

    fn new(book: Option<OpenBook>) -> Hub {
        let path = book.as_ref().map(|open| open.path.clone()).unwrap_or_default();
        let params = Params { hash: 64, threads: 1, book: path };
        Hub {
            game: Game::default(),
            on_clock: false,
            limited: false,
            level_used: false,
            set: params.clone(),
            real: params,
            book,
            search: None,
            opening: false,
            deferred: false,
            said: None,
            waiting: VecDeque::new(),
        }
    }

    fn asked(&self) -> Option<Asked> {
        self.search.as_ref().map(Search::asked)
    }

    fn position(&self) -> Position {
        self.game.position()
    }

    fn write(mv: Move) -> String {
        mv.to_string()
    }

    fn asks(line: &str) -> bool {
        line.split(' ').next() == Some("go")
    }

    fn answers(line: &str) -> bool {
        line.starts_with("done ") || line.contains("go: a search is under way")
    }

    fn hears(&mut self, input: Input<Says>, heard: &mut Heard) -> Result<(), Fault> {
        match input {
            Input::Line(says, _) => {
                let at_once =
                    matches!(says, Says::Hub | Says::Ping | Says::Quit | Says::Nothing | Says::Faulty);
                if !at_once && (!self.waiting.is_empty() || self.must_wait(says)) {
                    self.waiting.push_back(says);
                    return Ok(());
                }
                self.line(says, heard)
            }
            Input::Report(report) => {
                self.search.as_mut().ok_or("no search")?.heard(&report);
                self.may_inform(heard)
            }
            Input::Progress(nodes) => {
                let search = self.search.as_mut().ok_or("no search")?;
                search.nodes = search.nodes.max(nodes);
                self.may_inform(heard)
            }
            Input::Done(nodes) => self.done(nodes, heard),
            Input::Failed => {
                heard.say_as("`error …`", "error message=\"the search failed: {*}\"")?;
                self.done(0, heard)
            }
            // What was set and not yet made true stays.
            Input::Hash => {
                if self.set.hash == self.real.hash {
                    self.set.hash = super::play::SMALL.0;
                }
                self.real.hash = super::play::SMALL.0;
                heard.say_as("`info message=…`", "info message=\"there is no memory {*}\"").map(drop)
            }
            Input::Threads => {
                if self.set.threads == self.real.threads {
                    self.set.threads = super::play::FEW;
                }
                self.real.threads = super::play::FEW;
                heard.say_as("`info message=…`", "info message=\"no more than {*}\"").map(drop)
            }
            Input::Book(opened) => {
                match opened {
                    Some(book) => {
                        self.real.book.clone_from(&book.path);
                        self.book = Some(book);
                    }
                    None => {
                        heard.say_as("`error …`", "error message=\"book: {*}\"")?;
                        self.set.book.clone_from(&self.real.book);
                    }
                }
                if std::mem::take(&mut self.opening) {
                    heard.say("ready")?;
                }
                self.resume(heard)
            }
            Input::Learnt(_) => Ok(()),
            Input::TooLong(_) => {
                heard.say_as("`error …`", "error message=\"the line is too long: {*}\"").map(drop)
            }
            Input::Eof => heard.effect("quit", |effect| *effect == Effect::Quit),
        }
    }

    fn states() -> Vec<State> {
        let news = |news| super::Happening::News(news);
        let say = super::Happening::Say;
        [
            vec![after("at the start", &[]), after("after init", &["hub", "init"])],
            moments("think", &["go think"], &["stop"]),
            moments("think on the clock", &["level moves=9 time=60 inc=1", "go think"], &["stop"]),
            moments("ponder", &["level move-time=0.1", "go ponder"], &["stop"]),
            moments("a hit", &["level move-time=0.1", "go ponder", "ponder-hit"], &["stop"]),
            moments("analyze", &["level infinite", "go analyze"], &["stop"]),
            moments(
                "parameters that wait",
                &["go think", "set-param name=hash value=32", "set-param name=book value=lines.txt", "init"],
                &["stop"],
            ),
            moments("analyze a pass", &[Self::LINES[17].text, "go analyze"], &["stop"]),
            vec![
                after("one move on the clock", &["level move-time=0.1", Self::LINES[16].text]),
                after("a pass", &[Self::LINES[17].text]),
                after("a finished game", &[Self::LINES[18].text]),
                after("parameters", &["set-param name=hash value=32", "set-param name=threads value=2"]),
                after("a book that is missing", &["set-param name=book value=missing.txt"]),
                after("a book", &["set-param name=book value=lines.txt", "init"]),
                after(
                    "the next search waits",
                    &["go think", "stop", "new-game", "level move-time=0.1", "go ponder"],
                ),
                State {
                    name: "think, stopped and reporting".to_owned(),
                    way: vec![say("go think"), say("stop"), news(News::Report), news(News::Partial)],
                },
            ],
        ]
        .concat()
    }
}

impl Hub {
    fn must_wait(&self, says: Says) -> bool {
        matches!(says, Says::Go(_) | Says::NewGame)
            && self.search.as_ref().is_some_and(|search| search.stopping)
    }

    fn resume(&mut self, heard: &mut Heard) -> Result<(), Fault> {
        while !self.opening
            && let Some(&says) = self.waiting.front()
            && !self.must_wait(says)
        {
            self.waiting.pop_front();
            self.line(says, heard)?;
        }
        Ok(())
    }

    fn line(&mut self, says: Says, heard: &mut Heard) -> Result<(), Fault> {
        match says {
            Says::Hub => {
                heard.say_as("`id …`", "id name=Outflank {*}")?;
                for _ in 0..6 {
                    heard.say_as("`param …`", "param name={*}")?;
                }
                heard.say("wait").map(drop)
            }
            Says::Hash(hash) => {
                self.set.hash = hash;
                Ok(())
            }
            Says::Threads(threads) => {
                self.set.threads = threads;
                Ok(())
            }
            Says::Book(path) => {
                path.clone_into(&mut self.set.book);
                Ok(())
            }
            Says::Param | Says::Nothing => Ok(()),
            Says::Faulty | Says::BadParam => heard.say_as("`error …`", "error message={*}").map(drop),
            Says::Init => {
                if self.search.is_some() {
                    self.deferred = true;
                } else {
                    self.opening = self.make_true(heard)?;
                }
                if self.opening { Ok(()) } else { heard.say("ready").map(drop) }
            }
            Says::Pos(start, list) => {
                self.game = Game::new(squares::read(start).map_err(|error| error.to_string())?);
                for text in list {
                    let mv = moves::read(text).map_err(|error| error.to_string())?;
                    self.game.play_passing(mv).map_err(|error| error.to_string())?;
                }
                Ok(())
            }
            Says::Level(limit) => {
                self.on_clock = match limit {
                    Limit::Time => true,
                    Limit::Infinite => false,
                    Limit::Effort => self.on_clock && !self.level_used,
                };
                self.limited = limit != Limit::Infinite;
                self.level_used = false;
                Ok(())
            }
            Says::BadLevel => {
                // A limit is better than none: without another one it is a second.
                let kept = self.limited && !self.level_used;
                self.on_clock = if kept { self.on_clock } else { true };
                self.limited = true;
                self.level_used = false;
                heard.say_as("`error …`", "error message={*}").map(drop)
            }
            Says::Go(_) | Says::NewGame if self.search.is_some() => {
                heard.say_as("`error …`", "error message=\"{*}: a search is under way\"").map(drop)
            }
            Says::Go(mode) => self.go(mode, heard),
            Says::NewGame => heard.effect("clear", |effect| *effect == Effect::Clear),
            Says::PonderHit => {
                if let Some(search) = &mut self.search
                    && search.purpose.mode == Mode::Ponder
                {
                    search.purpose.mode = Mode::Think;
                    if search.purpose.on_clock {
                        return heard.budget(search.id);
                    }
                }
                Ok(())
            }
            Says::Stop => match &mut self.search {
                Some(search) if !search.stopping => {
                    search.stopping = true;
                    heard.stop(search.id)
                }
                _ => Ok(()),
            },
            Says::Ping => heard.say("pong").map(drop),
            Says::Quit => heard.effect("quit", |effect| *effect == Effect::Quit),
        }
    }

    /// Whether a book is being opened.
    fn make_true(&mut self, heard: &mut Heard) -> Result<bool, Fault> {
        if self.set.hash != self.real.hash {
            self.real.hash = self.set.hash;
            heard.effect("resize", |effect| matches!(effect, Effect::Resize(_)))?;
        }
        if self.set.threads != self.real.threads {
            self.real.threads = self.set.threads;
            heard.effect("threads", |effect| matches!(effect, Effect::Threads(_)))?;
        }
        if self.set.book == self.real.book {
            return Ok(false);
        }
        if self.set.book.is_empty() {
            self.book = None;
            self.real.book.clear();
            return Ok(false);
        }
        heard.effect("open the book", |effect| matches!(effect, Effect::OpenBook(_)))?;
        Ok(true)
    }

    fn go(&mut self, mode: Mode, heard: &mut Heard) -> Result<(), Fault> {
        self.level_used = true;
        let root = self.game.position();
        let only = legal(&root);
        let at_once = match (root.status(), only.as_slice()) {
            (Status::Over, _) => {
                heard.say_as("`error …`", "error message=\"go: the game is over\"")?;
                Some(Move::Pass)
            }
            (Status::MustPass, _) if mode != Mode::Analyze => Some(Move::Pass),
            (Status::ToMove, &[only]) if mode == Mode::Think && self.on_clock => Some(only),
            _ => None,
        };
        if let Some(mv) = at_once {
            return heard.say_as("`done …`", &format!("done move={mv}")).map(drop);
        }
        let best = self.book.as_ref().filter(|_| mode == Mode::Think);
        let best = best.and_then(|open| open.book.choice(&root, Contempt::default()));
        if let Some(&mv) = best.as_ref().and_then(|best| best.line.first()) {
            heard.say_as("`info …`", "info score={*} proof=book {*}")?;
            return heard.say_as("`done …`", &format!("done move={mv}{{*}}")).map(drop);
        }
        let id = heard.start(&root, |goal| goal == Goal::BestMove)?;
        self.said = None;
        self.search = Some(Search::new(id, root, Purpose { mode, on_clock: self.on_clock }, 1));
        Ok(())
    }

    /// A round may be said now or later, but once.
    fn may_inform(&mut self, heard: &mut Heard) -> Result<(), Fault> {
        let search = self.search.as_mut().ok_or("no search")?;
        if heard.says_next("info {*}")
            && let Some(report) = search.unsaid.take()
        {
            let score = report.best().map(|best| discs(best.score)).unwrap_or_default();
            heard.say_as("`info …`", &format!("info depth={{n}} score={score} nodes={{*}}"))?;
            self.said = Some(report.nodes);
        }
        Ok(())
    }

    fn done(&mut self, nodes: u64, heard: &mut Heard) -> Result<(), Fault> {
        let search = self.search.take().ok_or("no search")?;
        if let Some(best) = search.best() {
            let again = self.said == search.last.as_ref().map(|last| last.nodes)
                && self.said == Some(nodes.max(search.nodes));
            let pattern = format!("info depth={{n}} score={} nodes={{*}}", discs(best.score));
            if again {
                if heard.says_next("info {*}") {
                    return Err("the last round is said again".to_owned());
                }
            } else {
                heard.say_as("`info …`", &pattern)?;
            }
        }
        let line = heard.say_as("`done …`", "done move={*}")?;
        let text = line.trim_start_matches("done move=").split(' ').next().unwrap_or_default();
        let mv = moves::read(text).map_err(|error| error.to_string())?;
        if !search.may_answer(mv) {
            return Err(format!("`{line}` is not the move that was found"));
        }
        // A book that is being opened is there before the next search.
        if std::mem::take(&mut self.deferred) && self.make_true(heard)? {
            return Ok(());
        }
        self.resume(heard)
    }
}
