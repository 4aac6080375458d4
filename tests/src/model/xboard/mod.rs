//! What is owed in the protocol of WinBoard and XBoard.
//!
//! The document: the engine plays its own moves when it is its turn, unless it is in force mode or analyses; `ping` is
//! answered after the move that is being thought about, and else at once; `?` hastens the move; a move that is not
//! allowed is refused by name; what is unknown is an `Error`. A pass comes as a `setboard`, or as `@@@@`.

mod lines;

use outflank::board::{Color, Move, Position, Status};
use outflank::book::Contempt;
use outflank::game::Game;
use outflank::notation::{moves, squares};
use outflank::search::Goal;
use outflank::session::{Effect, OpenBook, Protocol};

use super::search::{Search, legal};
use super::{Asked, Fault, Heard, Input, Line, Model, News, State, after, moments};
use lines::LINES;
pub use lines::Says;

/// XBoard's side of a conversation.
#[derive(Debug)]
pub struct XBoard {
    game: Game,
    /// The game before each move that was sent or received.
    before: Vec<Game>,
    role: Role,
    ponders: bool,
    posts: bool,
    /// Whether `post` has been on since the last round that is unsaid came.
    held: bool,
    against_engine: bool,
    hash: u32,
    threads: usize,
    book: Option<OpenBook>,
    expected: Option<Move>,
    pings: usize,
    search: Option<Search<Purpose>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Watcher,
    Player(Color),
    Analyst,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    Think,
    Ponder(Move),
    Analysis,
    Hint,
}

impl Model for XBoard {
    const DIALECT: Protocol = Protocol::XBoard;
    type Meaning = Says;
    const LINES: &'static [Line<Says>] = LINES;
    const SIGN_OF_LIFE: &'static [&'static str] =
        &["force", "ping 7", "new", "analyze", "ping 7", "exit", "ping 7"];
    const LONG: &'static str = "setboard Dd6";

    fn new(book: Option<OpenBook>) -> XBoard {
        XBoard {
            game: Game::default(),
            before: Vec::new(),
            role: Role::Watcher,
            ponders: false,
            posts: false,
            held: false,
            against_engine: false,
            hash: 64,
            threads: 1,
            book,
            expected: None,
            pings: 0,
            search: None,
        }
    }

    fn asked(&self) -> Option<Asked> {
        self.search.as_ref().map(Search::asked)
    }

    fn position(&self) -> Position {
        self.game.position()
    }

    fn expected(&self) -> Option<Move> {
        self.expected
    }

    fn write(mv: Move) -> String {
        match mv {
            Move::Place(square) => format!("D@{square}"),
            Move::Pass => "@@@@".to_owned(),
        }
    }

    fn hears(&mut self, input: Input<Says>, heard: &mut Heard) -> Result<(), Fault> {
        match input {
            Input::Line(says, mv) => self.line(says, mv, heard),
            Input::Report(report) => {
                self.search.as_mut().ok_or("no search")?.heard(&report);
                if report.complete {
                    self.held = self.posts;
                }
                self.may_think_aloud(heard)
            }
            Input::Progress(_) => self.may_think_aloud(heard),
            Input::Done(_) => self.done(heard),
            Input::Failed => {
                heard.say("Error (the search failed): {*}")?;
                self.done(heard)
            }
            Input::Hash => {
                self.hash = super::play::SMALL.0;
                heard.say("telluser there is no memory {*}").map(drop)
            }
            Input::Threads => {
                self.threads = super::play::FEW;
                heard.say("telluser no more than {*}").map(drop)
            }
            Input::Book(Some(book)) => {
                self.book = Some(book);
                Ok(())
            }
            Input::Book(None) => heard.say("Error (the book): {*}").map(drop),
            Input::Learnt(_) => Ok(()),
            Input::TooLong(_) => heard.say("Error (the line is too long): {*}").map(drop),
            Input::Eof => heard.effect("quit", |effect| *effect == Effect::Quit),
        }
    }

    fn states() -> Vec<State> {
        let news = |news| super::Happening::News(news);
        let moved = [super::Happening::News(News::Report), super::Happening::News(News::Done)];
        let then = |way: Vec<super::Happening>, more: &[super::Happening]| [way, more.to_vec()].concat();
        let ponder = then(after("", &["new", "post", "hard", "go"]).way, &moved);
        let hit = then(ponder.clone(), &after("", &["usermove {reply}"]).way);
        let state = |name: &str, way: &[super::Happening]| State { name: name.to_owned(), way: way.to_vec() };
        [
            vec![after("at the start", &[]), after("a new game", &["xboard", "protover 2", "new"])],
            moments("think", &["new", "post", "go"], &["?"]),
            moments("think, given up", &["new", "go", "ping 7"], &["force"]),
            moments("analyze", &["new", "post", "analyze"], &["exit"]),
            moments("hint", &["new", "force", "hint"], &["new"]),
            moments("playing and asked", &["new", "usermove {move}"], &["undo"]),
            vec![
                state("ponder, started", &ponder),
                state(
                    "ponder, reporting",
                    &then(ponder.clone(), &[news(News::Report), news(News::Progress)]),
                ),
                state("ponder, finished", &then(ponder.clone(), &moved)),
                state("ponder, failed", &then(ponder.clone(), &[news(News::Failed)])),
                state("ponder, stopped", &then(ponder.clone(), &after("", &["easy"]).way)),
                state("a hit, started", &hit),
                state("a hit, reporting", &then(hit.clone(), &[news(News::Report), news(News::Partial)])),
                state("a hit, finished", &then(hit.clone(), &moved)),
                state("a hit, stopped", &then(hit.clone(), &after("", &["?"]).way)),
                state("a hit, failed", &then(hit, &[news(News::Failed)])),
                state("its move is made", &then(after("", &["new", "easy", "go"]).way, &moved)),
                after("one move", &["new", Self::LINES[8].text]),
                after("a pass", &["new", Self::LINES[9].text]),
                after("a pass of its own", &["new", Self::LINES[9].text, "playother"]),
                after("a finished game", &["new", Self::LINES[11].text]),
                after("before a draw", &["new", "computer", Self::LINES[12].text]),
                after("a book", &["new", "option Book=lines.txt"]),
                after("several pings wait", &["new", "go", "ping 7", "ping 7", "?"]),
            ],
        ]
        .concat()
    }
}

impl XBoard {
    fn line(&mut self, says: Says, mv: Option<Move>, heard: &mut Heard) -> Result<(), Fault> {
        match says {
            Says::Silent => Ok(()),
            Says::Faulty => heard.say("Error ({*}): {*}").map(drop),
            Says::FaultyMove => heard.say("Illegal move: {*}").map(drop),
            Says::FaultyBoard => heard.say("tellusererror Illegal position: {*}").map(drop),
            Says::ProtoVer => {
                for _ in 0..6 {
                    heard.say_as("`feature …`", "feature {*}")?;
                }
                heard.say("feature done=1").map(drop)
            }
            Says::Variant => heard.say_as("`setup …`", "setup ({*}) 8x8+1_fairy {*}").map(drop),
            Says::New => {
                self.give_up(heard)?;
                heard.effect("clear", |effect| *effect == Effect::Clear)?;
                self.game = Game::default();
                self.before.clear();
                if self.role != Role::Analyst {
                    self.role = Role::Player(Color::White);
                }
                self.against_engine = false;
                self.go_on(heard)
            }
            Says::SetBoard(board) | Says::Disguise(board) => self.set_board(says, board, heard),
            Says::Move(certain) => {
                let mv = certain.and_then(|text| moves::read(text).ok()).or(mv).unwrap_or(Move::Pass);
                self.user_move(mv, heard)
            }
            Says::Go => {
                self.give_up(heard)?;
                self.role = Role::Player(self.game.position().side());
                if self.game.is_over() { self.result(heard) } else { self.go_on(heard) }
            }
            Says::PlayOther => {
                self.give_up(heard)?;
                self.role = Role::Player(!self.game.position().side());
                self.go_on(heard)
            }
            Says::Force => {
                self.give_up(heard)?;
                self.role = Role::Watcher;
                Ok(())
            }
            Says::Analyze => {
                self.give_up(heard)?;
                self.role = Role::Analyst;
                self.go_on(heard)
            }
            Says::Stat if self.role == Role::Analyst => {
                heard.say_as("`stat01: …`", "stat01: {n} {n} {n} 0 0").map(drop)
            }
            Says::Stat => Ok(()),
            Says::Easy => {
                self.ponders = false;
                if matches!(self.purpose(), Some(Purpose::Ponder(_))) { self.give_up(heard) } else { Ok(()) }
            }
            Says::Hard => {
                self.ponders = true;
                if self.search.is_none() { self.go_on(heard) } else { Ok(()) }
            }
            Says::Post => {
                self.posts = true;
                Ok(())
            }
            Says::NoPost => {
                self.posts = false;
                Ok(())
            }
            Says::TakeBack(count) => {
                self.give_up(heard)?;
                // A pass that the GUI left out is no move to it.
                let left = self.before.len().saturating_sub(count);
                self.game = self.before.get(left).unwrap_or(&self.game).clone();
                self.before.truncate(left);
                if self.role == Role::Player(self.game.position().side()) {
                    self.role = Role::Watcher;
                }
                self.go_on(heard)
            }
            Says::Hint => self.hint(heard),
            Says::MoveNow => match &mut self.search {
                Some(search) if search.purpose == Purpose::Think && !search.stopping => {
                    search.stopping = true;
                    heard.stop(search.id)
                }
                _ => Ok(()),
            },
            Says::Ping if self.purpose() == Some(Purpose::Think) => {
                self.pings += 1;
                Ok(())
            }
            Says::Ping => heard.say("pong 7").map(drop),
            Says::Memory(hash) if hash == self.hash => Ok(()),
            Says::Memory(hash) => {
                self.hash = hash;
                self.interrupted("resize", |effect| matches!(effect, Effect::Resize(_)), heard)
            }
            Says::Cores(threads) if threads == self.threads => Ok(()),
            Says::Cores(threads) => {
                self.threads = threads;
                self.interrupted("threads", |effect| matches!(effect, Effect::Threads(_)), heard)
            }
            Says::Book("") => {
                self.book = None;
                Ok(())
            }
            Says::Book(_) => heard.effect("open the book", |effect| matches!(effect, Effect::OpenBook(_))),
            Says::ShowBook => {
                heard.say_as("` …`", " {*}")?;
                while heard.may_say(" {*}").is_some() {}
                heard.say("").map(drop)
            }
            Says::Computer => {
                self.against_engine = true;
                Ok(())
            }
            Says::Quit => heard.effect("quit", |effect| *effect == Effect::Quit),
        }
    }

    fn purpose(&self) -> Option<Purpose> {
        self.search.as_ref().map(|search| search.purpose)
    }

    /// What was thought about is nobody's any more; whoever waited for it with a ping waits no longer.
    fn give_up(&mut self, heard: &mut Heard) -> Result<(), Fault> {
        if let Some(search) = self.search.take() {
            heard.stop(search.id)?;
        }
        self.expected = None;
        self.pongs(heard)
    }

    fn pongs(&mut self, heard: &mut Heard) -> Result<(), Fault> {
        for _ in 0..std::mem::take(&mut self.pings) {
            heard.say("pong 7")?;
        }
        Ok(())
    }

    fn start(&mut self, root: Position, purpose: Purpose, heard: &mut Heard) -> Result<(), Fault> {
        let id = heard.start(&root, |goal| goal == Goal::BestMove)?;
        self.held = false;
        self.search = Some(Search::new(id, root, purpose, 1));
        Ok(())
    }

    /// What has to be done where nothing is done: its move, the other side's in its head, an analysis.
    fn go_on(&mut self, heard: &mut Heard) -> Result<(), Fault> {
        let root = self.game.position();
        if root.status() == Status::Over {
            return Ok(());
        }
        match self.role {
            Role::Analyst => self.start(root, Purpose::Analysis, heard),
            Role::Player(side) if side == root.side() => {
                if root.status() == Status::MustPass {
                    return self.make_move(Move::Pass, None, heard);
                }
                let best = self.book.as_ref().and_then(|open| open.book.choice(&root, Contempt::default()));
                let Some(best) = best else { return self.start(root, Purpose::Think, heard) };
                if self.posts {
                    heard.say_as("a line of the book", "0 {*} (book)")?;
                }
                let mv = best.line.first().copied().ok_or("a book move without a move")?;
                self.make_move(mv, best.line.get(1).copied(), heard)
            }
            Role::Player(_) if self.ponders && self.game.plies() > 0 => {
                let after = self.expected.and_then(|expected| Some((expected, root.play(expected).ok()?)));
                match after {
                    Some((expected, after)) if after.status() == Status::ToMove => {
                        self.start(after, Purpose::Ponder(expected), heard)
                    }
                    _ => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }

    fn make_move(&mut self, mv: Move, expected: Option<Move>, heard: &mut Heard) -> Result<(), Fault> {
        self.before.push(self.game.clone());
        self.game.play(mv).map_err(|error| format!("its own move: {error}"))?;
        heard.say_as("`move …`", &format!("move {}", XBoard::write(mv)))?;
        self.pongs(heard)?;
        self.expected = expected.filter(|&expected| self.game.position().play(expected).is_ok());
        if self.game.is_over() { self.result(heard) } else { self.go_on(heard) }
    }

    fn result(&self, heard: &mut Heard) -> Result<(), Fault> {
        let end = self.game.position();
        let (black, white) = (end.discs(Color::Black).count(), end.discs(Color::White).count());
        let pattern = match black.cmp(&white) {
            std::cmp::Ordering::Greater => "1-0 {Black wins {n}-{n}}",
            std::cmp::Ordering::Less => "0-1 {White wins {n}-{n}}",
            std::cmp::Ordering::Equal if self.against_engine => "offer draw",
            std::cmp::Ordering::Equal => "1/2-1/2 {Draw {n}-{n}}",
        };
        heard.say(pattern).map(drop)
    }

    fn set_board(&mut self, says: Says, board: &'static str, heard: &mut Heard) -> Result<(), Fault> {
        let here = self.game.position();
        let position = match (says, board) {
            // The row of a FEN that comes first is the eighth.
            (_, "row 8") => squares::read(&format!("{}XO------X", "-".repeat(56))),
            (Says::Disguise(_), _) => {
                squares::read("XX--------------------------------------------------------------X")
            }
            _ => squares::read(board),
        };
        let position = position.map_err(|error| error.to_string())?;
        let same_squares = position.board().empty() == here.board().empty() && position.side() != here.side();
        if here.status() == Status::MustPass && same_squares {
            return self.user_move(Move::Pass, heard);
        }
        self.give_up(heard)?;
        self.game = Game::new(position);
        self.before.clear();
        if self.role != Role::Analyst {
            self.role = Role::Watcher;
        }
        self.go_on(heard)
    }

    fn user_move(&mut self, mv: Move, heard: &mut Heard) -> Result<(), Fault> {
        let so_far = self.game.clone();
        let before = so_far.position();
        if self.game.play_passing(mv).is_err() {
            return heard.say("Illegal move ({*}): {*}").map(drop);
        }
        self.before.push(so_far);
        let hit = self.purpose() == Some(Purpose::Ponder(mv)) && before.play(mv).is_ok();
        if hit
            && !self.game.is_over()
            && let Some(search) = &mut self.search
        {
            search.purpose = Purpose::Think;
            self.expected = None;
            return heard.budget(search.id);
        }
        self.give_up(heard)?;
        if self.game.is_over() && matches!(self.role, Role::Player(_)) {
            return self.result(heard);
        }
        self.go_on(heard)
    }

    /// A hint that was asked for comes, unless the position changes.
    fn hint(&mut self, heard: &mut Heard) -> Result<(), Fault> {
        if let Some(expected) = self.expected {
            return heard.say_as("`Hint: …`", &format!("Hint: {}", XBoard::write(expected))).map(drop);
        }
        let root = self.game.position();
        match &self.search {
            None if root.status() != Status::Over => self.start(root, Purpose::Hint, heard),
            Some(search) if search.purpose == Purpose::Analysis => {
                let line = heard.say_as("`Hint: …`", "Hint: {w}")?;
                check(search, line.trim_start_matches("Hint: "))
            }
            _ => Ok(()),
        }
    }

    /// What a search cannot go on with: it begins again, for what it was begun for. One that was told to end ends.
    fn interrupted(
        &mut self,
        name: &str,
        test: impl Fn(&Effect) -> bool,
        heard: &mut Heard,
    ) -> Result<(), Fault> {
        if self.search.as_ref().is_some_and(|search| search.stopping) {
            return heard.effect(name, test);
        }
        let search = self.search.take();
        if let Some(search) = &search {
            heard.stop(search.id)?;
        }
        heard.effect(name, test)?;
        // The same search again.
        search.map_or(Ok(()), |search| self.start(search.root, search.purpose, heard))
    }

    /// A round may be said now or later, but once.
    fn may_think_aloud(&mut self, heard: &mut Heard) -> Result<(), Fault> {
        let search = self.search.as_mut().ok_or("no search")?;
        if self.posts
            && search.purpose != Purpose::Hint
            && heard.says_next("{n} {*}")
            && let Some(report) = search.unsaid.take()
        {
            let score = report.best().map_or(0, |best| best.score.centidiscs());
            heard.say_as("`{n} {n} {n} {n} …`", &format!("{{n}} {score} {{n}} {{n}} {{*}}"))?;
        }
        Ok(())
    }

    fn done(&mut self, heard: &mut Heard) -> Result<(), Fault> {
        self.may_think_aloud(heard)?;
        let search = self.search.take().ok_or("no search")?;
        if self.posts && self.held && search.purpose != Purpose::Hint && search.unsaid.is_some() {
            return Err("the last round was never said".to_owned());
        }
        match search.purpose {
            Purpose::Think => {
                let mv = match search.best().and_then(outflank::search::Line::first) {
                    Some(best) => best,
                    None => legal(&search.root).first().copied().ok_or("a search of a finished game")?,
                };
                let expected = search.best().and_then(|best| best.moves.get(1).copied());
                self.make_move(mv, expected, heard)
            }
            Purpose::Hint => {
                let line = heard.say_as("`Hint: …`", "Hint: {w}")?;
                check(&search, line.trim_start_matches("Hint: "))
            }
            Purpose::Ponder(_) | Purpose::Analysis => Ok(()),
        }
    }
}

/// Whether a search has found this move.
fn check<P>(search: &Search<P>, text: &str) -> Result<(), Fault> {
    let mv = moves::read(text.trim_start_matches("D@")).map_err(|error| error.to_string())?;
    if search.may_answer(mv) { Ok(()) } else { Err(format!("`{text}` is not the move that was found")) }
}
