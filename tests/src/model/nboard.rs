//! What is owed in NBoard's protocol.
//!
//! The document: a `ping` ends all thinking and is answered; `hint` gives lines, `go` one `===`, `learn` one `learned`,
//! `analyze` a line a position; what is not understood is ignored. A changed game ends the search, silently.

use outflank::board::{Move, Position, Status};
use outflank::book::Contempt;
use outflank::game::Game;
use outflank::notation::{moves, squares};
use outflank::score::Score;
use outflank::search::{Goal, Report};
use outflank::session::{Effect, OpenBook, Protocol};

use super::search::{Search, discs};
use super::{Asked, Fault, Heard, Input, Line, Model, News, State, after, moments};

/// NBoard's side of a conversation.
#[derive(Debug)]
pub struct NBoard {
    version: u32,
    game: Game,
    contempt: i32,
    book: Option<OpenBook>,
    search: Option<Search<Purpose>>,
    /// Moves that the book has told of.
    told: Vec<Move>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    Hint,
    Go,
    Analysis(usize),
}

/// What a line means.
#[derive(Clone, Copy, Debug)]
pub enum Says {
    /// `nboard N`.
    Version(u32),
    /// A setting that is not answered.
    Depth,
    /// `set contempt N`.
    Contempt(i32),
    /// `set game`: the position it begins with, and its moves.
    Game(&'static str, &'static [&'static str]),
    /// `move`, a certain one or the one in the line.
    Move(Option<&'static str>),
    /// `hint N`.
    Hint(usize),
    /// `go`.
    Go,
    /// `ping 7`.
    Ping,
    /// `learn`.
    Learn,
    /// `analyze`.
    Analyze,
    /// `new`.
    New,
    /// `clear`.
    Clear,
    /// `quit`.
    Quit,
    /// A command with a faulty field.
    Faulty,
    /// No command.
    Nothing,
}

const START: &str = "---------------------------OX------XO--------------------------- X";
/// One move, and then the game is over.
const ONE: &str = "XO-------------------------------------------------------------- X";
const PASS: &str = "XO-------------------------------------------------------------- O";
const OVER: &str = "XXX------------------------------------------------------------- O";
const WAITING: &str = "status Outflank is waiting";

const fn line(text: &'static str, meaning: Says) -> Line<Says> {
    Line { text, meaning }
}

impl Model for NBoard {
    const DIALECT: Protocol = Protocol::NBoard;
    type Meaning = Says;
    const LINES: &'static [Line<Says>] = &[
        line("nboard 2", Says::Version(2)),
        line("nboard 1", Says::Version(1)),
        line("nboard x", Says::Faulty),
        line("set depth 6", Says::Depth),
        line("set depth 60", Says::Depth),
        line("set depth 0", Says::Faulty),
        line("set contempt 20", Says::Contempt(20)),
        line("set contempt 0", Says::Contempt(0)),
        line("set contempt x", Says::Faulty),
        line("set game (;GM[Othello]TY[8]B[F5]W[D6]B[C3];)", Says::Game(START, &["f5", "d6", "c3"])),
        line("set game (;GM[Othello]TI[00:10]TY[8]B[F5//2];)", Says::Game(START, &["f5"])),
        line(
            "set game (;GM[Othello]TY[8]BO[8 XO-------------------------------------------------------------- X];)",
            Says::Game(ONE, &[]),
        ),
        line(
            "set game (;GM[Othello]TY[8]BO[8 XO-------------------------------------------------------------- O];)",
            Says::Game(PASS, &[]),
        ),
        line(
            "set game (;GM[Othello]TY[8]BO[8 XO-------------------------------------------------------------- X]B[C1];)",
            Says::Game(ONE, &["c1"]),
        ),
        line(
            "set game (;GM[Othello]TY[8]BO[8 XXX------------------------------------------------------------- O];)",
            Says::Game(OVER, &[]),
        ),
        line("set game nonsense", Says::Faulty),
        line("set game (;GM[Othello]TY[8]B[A1];)", Says::Faulty),
        line("set", Says::Nothing),
        line("set volume 3", Says::Nothing),
        line("move {move}", Says::Move(None)),
        line("move {move}/1.20/0.5", Says::Move(None)),
        line("{move}", Says::Move(None)),
        line("move h8", Says::Move(Some("h8"))),
        line("move x9", Says::Faulty),
        line("hint", Says::Hint(1)),
        line("hint 2", Says::Hint(2)),
        line("hint 64", Says::Hint(64)),
        line("hint 0", Says::Faulty),
        line("go", Says::Go),
        line("ping 7", Says::Ping),
        line("ping x", Says::Faulty),
        line("learn", Says::Learn),
        line("analyze", Says::Analyze),
        line("new", Says::New),
        line("clear", Says::Clear),
        line("quit", Says::Quit),
        line("", Says::Nothing),
        line("dance", Says::Nothing),
    ];
    const SIGN_OF_LIFE: &'static [&'static str] = &["ping 7", "hint 2", "ping 7"];
    const LONG: &'static str = "set game (;";

    fn new(book: Option<OpenBook>) -> NBoard {
        NBoard { version: 2, game: Game::default(), contempt: 0, book, search: None, told: Vec::new() }
    }

    fn asked(&self) -> Option<Asked> {
        self.search.as_ref().map(Search::asked)
    }

    fn position(&self) -> Position {
        self.game.position()
    }

    fn write(mv: Move) -> String {
        moves::write_upper(mv)
    }

    fn hears(&mut self, input: Input<Says>, heard: &mut Heard) -> Result<(), Fault> {
        match input {
            Input::Line(says, mv) => self.line(says, mv, heard),
            Input::Report(report) => self.report(&report, heard),
            Input::Progress(_) => match self.purpose() {
                Some(Purpose::Hint | Purpose::Go) => {
                    self.round(heard)?;
                    self.nodes(heard)
                }
                _ => Ok(()),
            },
            Input::Done(_) => self.done(heard),
            Input::Failed => {
                heard.say("status Error: the search failed: {*}")?;
                match self.purpose() {
                    // Whoever waits for a move gets one.
                    Some(Purpose::Go) => self.done(heard),
                    _ => {
                        self.search = None;
                        Ok(())
                    }
                }
            }
            Input::Hash => {
                heard.say("status there is no memory for a larger hash table than {n} MiB").map(drop)
            }
            Input::Threads => heard.say("status no more than {n} thread{*}").map(drop),
            Input::Book(Some(book)) => {
                self.book = Some(book);
                Ok(())
            }
            Input::Learnt(Some(book)) => {
                self.book = Some(book);
                heard.say("learned").map(drop)
            }
            Input::Book(None) => heard.say("status Error: book: {*}").map(drop),
            Input::Learnt(None) => {
                heard.say("status Error: book: {*}")?;
                heard.say("learned").map(drop)
            }
            Input::TooLong(_) => heard.say("status Error: the line is too long: {*}").map(drop),
            Input::Eof => heard.effect("quit", |effect| *effect == Effect::Quit),
        }
    }

    fn states() -> Vec<State> {
        let go = ["set game (;GM[Othello]TY[8]B[F5]W[D6]B[C3];)", "go"];
        [
            vec![after("at the start", &[]), after("after hello", &["nboard 2"])],
            moments("hint", &["nboard 2", "hint 2"], &["ping 7"]),
            moments("go", &go, &["ping 7"]),
            moments("go, another game", &go, &["set game (;GM[Othello]TI[00:10]TY[8]B[F5//2];)"]),
            moments("analyze", &["set game (;GM[Othello]TI[00:10]TY[8]B[F5//2];)", "analyze"], &["ping 7"]),
            moments("go in version 1", &["nboard 1", "set contempt 20", "go"], &["new"]),
            vec![
                after("one move", &[Self::LINES[11].text]),
                after("a pass", &[Self::LINES[12].text]),
                after("a finished game", &[Self::LINES[13].text]),
                after("a finished position", &[Self::LINES[14].text]),
                State {
                    name: "analyze, half-way".to_owned(),
                    way: [
                        after("", &[Self::LINES[13].text, "analyze"]).way,
                        vec![super::Happening::News(News::Report), super::Happening::News(News::Done)],
                    ]
                    .concat(),
                },
            ],
        ]
        .concat()
    }
}

impl NBoard {
    fn line(&mut self, says: Says, mv: Option<Move>, heard: &mut Heard) -> Result<(), Fault> {
        match says {
            Says::Version(version) => {
                self.version = version;
                heard.say("set myname Outflank").map(drop)
            }
            Says::Depth | Says::Nothing => Ok(()),
            Says::Contempt(discs) => {
                self.contempt = discs;
                Ok(())
            }
            Says::Faulty => heard.say("status Error: {*}").map(drop),
            Says::Game(start, list) => {
                self.give_up(heard)?;
                self.game = Game::new(squares::read(start).map_err(|error| error.to_string())?);
                for text in list {
                    let mv = moves::read(text).map_err(|error| error.to_string())?;
                    self.game.play_passing(mv).map_err(|error| error.to_string())?;
                }
                Ok(())
            }
            Says::New => {
                self.give_up(heard)?;
                self.game = Game::default();
                Ok(())
            }
            Says::Move(certain) => {
                let mv = certain.and_then(|text| moves::read(text).ok()).or(mv).unwrap_or(Move::Pass);
                match self.game.play_passing(mv) {
                    Ok(()) => self.give_up(heard).map(drop),
                    Err(_) => heard.say("status Error: move: {*} is illegal: {*}").map(drop),
                }
            }
            Says::Hint(count) => self.hint(count, heard),
            Says::Go => self.go(heard),
            Says::Ping => {
                let thought = self.give_up(heard)?;
                heard.say("pong 7")?;
                if thought { heard.say(WAITING).map(drop) } else { Ok(()) }
            }
            Says::Learn => self.learn(heard),
            Says::Analyze => {
                self.give_up(heard)?;
                self.told.clear();
                heard.say("status Outflank is analyzing the game")?;
                self.analyze_from(self.game.plies(), heard)
            }
            Says::Clear => {
                self.give_up(heard)?;
                heard.effect("clear", |effect| *effect == Effect::Clear)
            }
            Says::Quit => heard.effect("quit", |effect| *effect == Effect::Quit),
        }
    }

    fn purpose(&self) -> Option<Purpose> {
        self.search.as_ref().map(|search| search.purpose)
    }

    /// Whether there was a search to give up.
    fn give_up(&mut self, heard: &mut Heard) -> Result<bool, Fault> {
        match self.search.take() {
            Some(search) => heard.stop(search.id).map(|()| true),
            None => Ok(false),
        }
    }

    fn start(
        &mut self,
        root: Position,
        purpose: Purpose,
        goal: impl Fn(Goal) -> bool,
        heard: &mut Heard,
    ) -> Result<(), Fault> {
        let lines = std::cell::Cell::new(1);
        let id = heard.start(&root, |asked| {
            lines.set(if let Goal::Hints(count) = asked { count } else { 1 });
            goal(asked)
        })?;
        self.search = Some(Search::new(id, root, purpose, lines.get()));
        Ok(())
    }

    fn hint(&mut self, count: usize, heard: &mut Heard) -> Result<(), Fault> {
        self.give_up(heard)?;
        let root = self.game.position();
        if root.status() == Status::Over {
            return heard.say("status the game is over").map(drop);
        }
        heard.say("status Outflank is analyzing")?;
        let known = match &self.book {
            Some(open) => open.book.moves(&root, Contempt(self.contempt)),
            None => Vec::new(),
        };
        self.told = known.iter().filter_map(|known| known.line.first().copied()).collect();
        for known in known.iter().take(count) {
            let first = known.line.first().map(|&mv| NBoard::write(mv)).unwrap_or_default();
            heard.say_as("`book …`", &format!("book {first}{{*}} {{n}} {{w}}"))?;
        }
        let all = !known.is_empty() && known.len() == root.moves().count() as usize;
        if all || known.len() >= count {
            return heard.say(WAITING).map(drop);
        }
        let goal = |goal| goal == if count == 1 { Goal::BestMove } else { Goal::Hints(count) };
        self.start(root, Purpose::Hint, goal, heard)
    }

    fn go(&mut self, heard: &mut Heard) -> Result<(), Fault> {
        self.give_up(heard)?;
        let root = self.game.position();
        let moves = super::search::legal(&root);
        match moves.as_slice() {
            [] => return heard.say("status the game is over").map(drop),
            [only] => {
                heard.say_as("`=== {sq}`", &format!("=== {}", NBoard::write(*only)))?;
                return heard.say(WAITING).map(drop);
            }
            _ => {}
        }
        let best = self.book.as_ref().and_then(|open| open.book.choice(&root, Contempt(self.contempt)));
        if let Some(&mv) = best.as_ref().and_then(|best| best.line.first()) {
            heard.say_as("`book …`", "book {pv} {e} {n} {w}")?;
            heard.say_as("`=== {sq}/{e}/{t}`", &format!("=== {}/{{e}}/{{t}}", NBoard::write(mv)))?;
            return heard.say(WAITING).map(drop);
        }
        self.told.clear();
        heard.say("status Outflank is thinking")?;
        let all = self.contempt != 0;
        let goal = |goal| goal == Goal::BestMove || all && goal == Goal::Hints(usize::MAX);
        self.start(root, Purpose::Go, goal, heard)
    }

    fn learn(&mut self, heard: &mut Heard) -> Result<(), Fault> {
        if self.book.is_some() {
            if self.game.is_over() {
                return heard.effect("learn", |effect| matches!(effect, Effect::Learn(..)));
            }
            heard.say("status the game is not over: nothing to learn")?;
        }
        heard.say("learned").map(drop)
    }

    fn analyze_from(&mut self, ply: usize, heard: &mut Heard) -> Result<(), Fault> {
        for ply in (0..=ply).rev() {
            let root = self.game.position_at(ply).ok_or("no such ply")?;
            if root.status() != Status::Over {
                return self.start(root, Purpose::Analysis(ply), |goal| goal == Goal::BestMove, heard);
            }
            heard.say_as("`analysis {n} {e}`", &format!("analysis {ply} {{e}}"))?;
        }
        heard.say(WAITING).map(drop)
    }

    fn nodes(&self, heard: &mut Heard) -> Result<(), Fault> {
        if self.version >= 2 { heard.say("nodestats {n} {t}").map(drop) } else { Ok(()) }
    }

    fn untold(&self, report: &Report) -> Vec<String> {
        let lines =
            report.lines.iter().filter(|line| line.first().is_some_and(|mv| !self.told.contains(&mv)));
        let text = |line: &outflank::search::Line| {
            let pv: String = line.moves.iter().copied().map(NBoard::write).collect();
            format!("search {pv} {} 0 {{w}}", discs(line.score))
        };
        lines.map(text).collect()
    }

    /// The last complete round, which may be said now or later, but once.
    fn round(&mut self, heard: &mut Heard) -> Result<bool, Fault> {
        let Some(report) = self.search.as_ref().and_then(|search| search.unsaid.clone()) else {
            return Ok(false);
        };
        let untold = self.untold(&report);
        if !heard.says_next("search {*}") {
            return Ok(false);
        }
        for line in untold {
            heard.say_as("`search …`", &line)?;
        }
        if let Some(search) = &mut self.search {
            search.unsaid = None;
        }
        Ok(true)
    }

    fn report(&mut self, report: &Report, heard: &mut Heard) -> Result<(), Fault> {
        if let Some(search) = &mut self.search {
            search.heard(report);
        }
        match self.purpose() {
            Some(Purpose::Hint | Purpose::Go) if report.complete => {
                // Where the book has told all there is to say of a round, nodes are left.
                let said =
                    self.round(heard)? || self.untold(report).is_empty() && heard.says_next("nodestats {*}");
                if said { self.nodes(heard) } else { Ok(()) }
            }
            Some(Purpose::Hint) => {
                heard.may_say("status depth {*}: {n} of {n} moves, best {w} {w}");
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn done(&mut self, heard: &mut Heard) -> Result<(), Fault> {
        let search = self.search.clone().ok_or("no search")?;
        if search.purpose == Purpose::Hint || search.purpose == Purpose::Go {
            // A round that was held back is said now.
            let all_told = search.unsaid.as_ref().is_none_or(|report| self.untold(report).is_empty());
            if !self.round(heard)? && !all_told {
                return Err("the last round was never said".to_owned());
            }
            self.nodes(heard)?;
        }
        self.search = None;
        match search.purpose {
            Purpose::Hint => heard.say(WAITING).map(drop),
            Purpose::Go => {
                let pattern = match search.best() {
                    Some(best) => format!("=== {{w}}/{}/{{t}}", discs(best.score)),
                    None => "=== {w}".to_owned(),
                };
                let name = if search.best().is_some() { "`=== {sq}/{e}/{t}`" } else { "`=== {sq}`" };
                let said = heard.say_as(name, &pattern)?;
                let text = said.trim_start_matches("=== ").split('/').next().unwrap_or_default();
                let mv = moves::read(text).map_err(|error| error.to_string())?;
                if !search.may_answer(mv) {
                    return Err(format!("`{said}` is not the move that was found"));
                }
                heard.say(WAITING).map(drop)
            }
            Purpose::Analysis(ply) => {
                if let Some(best) = search.best() {
                    let black = search.root.side() == outflank::board::Color::Black;
                    let score: Score = if black { best.score } else { -best.score };
                    heard.say_as("`analysis {n} {e}`", &format!("analysis {ply} {}", discs(score)))?;
                }
                match ply.checked_sub(1) {
                    Some(before) => self.analyze_from(before, heard),
                    None => heard.say(WAITING).map(drop),
                }
            }
        }
    }
}
