//! GUI side of a game with one engine: asks for moves, disturbs searches, and checks that every owed reply arrives once.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use outflank::board::Move;
use outflank::game::Game;
use outflank::notation::squares;
use outflank::random::Random;
use outflank::session::Protocol::{self, Cassio, Hub, NBoard, XBoard};
use outflank_cli::client::{Client, MatchTimeControl, MoveLimits, Reply, Step};

use super::seat::Seat;
use super::{Fault, Options, once_in};

const HOUR: Duration = Duration::from_secs(3600);
/// Limits of a search that only a stop ends.
const LONG: MoveLimits = MoveLimits {
    time: MatchTimeControl::Clock { main: HOUR, increment: Duration::ZERO },
    depth: Some(60),
    nodes: None,
};

#[derive(Debug)]
pub(super) struct Player {
    pub(super) seat: Seat,
    protocol: Protocol,
    client: Client,
    /// Answers that are owed to pings, oldest first.
    pongs: VecDeque<Reply>,
    asked: Game,
    moved: Option<Move>,
    /// A search is running that ends without a move.
    analyzing: bool,
    /// Invalid lines sent. Each may be answered by one error, at any time.
    invalid: u32,
    /// The game on the engine's board, `None` if a whole position must be sent.
    known: Option<Game>,
}

impl Player {
    pub(super) fn new(protocol: Protocol, options: &Options, threads: &str) -> Result<Player, Fault> {
        let mut player = Player {
            seat: Seat::new(protocol, options, threads)?,
            protocol,
            client: Client::new(protocol),
            pongs: VecDeque::new(),
            asked: Game::default(),
            moved: None,
            analyzing: false,
            invalid: 0,
            known: None,
        };
        let opening = player.client.opening();
        player.carry_out(opening)?;
        if protocol == XBoard {
            player.seat.send("post");
        }
        Ok(player)
    }

    pub(super) fn new_game(&mut self) -> Result<(), Fault> {
        self.known = None;
        match self.protocol {
            NBoard => {
                self.seat.send("learn");
                while self.seat.line("learned")?.1 != "learned" {}
            }
            Cassio => self.seat.send("ENGINE-PROTOCOL empty-hash"),
            Hub | XBoard => {}
        }
        let steps = self.client.new_game(&LONG);
        self.carry_out(steps)
    }

    /// Returns the engine's move at the end of `game`, in a position with a legal move. Disturbs the search on the way.
    pub(super) fn play(&mut self, game: &Game, random: &mut Random) -> Result<Move, Fault> {
        let depth = 1 + random.below(8);
        let limits = self.start_short(game, depth, random)?;
        while self.client.is_searching() && once_in(random, 3) {
            self.seat.wait(moment(random));
            match (self.protocol, random.below(3)) {
                // The pong follows the move.
                (XBoard, 0) => {
                    let ping = self.next_ping();
                    self.seat.send(&ping);
                }
                (XBoard, 1) => self.seat.send(&format!("memory {}", 3 + random.below(2))),
                (XBoard, _) => self.seat.send("?"),
                (Hub | Cassio, 0) => self.stop()?,
                (Cassio, 1) => self.question("ENGINE-PROTOCOL  get-search-infos")?,
                _ => self.ping()?,
            }
            if matches!(self.protocol, NBoard | Cassio) && !self.client.is_searching() && self.moved.is_none()
            {
                self.go(&limits);
            }
        }
        if once_in(random, 6) {
            self.send_garbage(random);
        }
        while self.client.is_searching() || !self.pongs.is_empty() {
            self.take_next("move")?;
        }
        let mv = self.moved.ok_or_else(|| self.seat.fault("a search without a move"))?;
        if self.protocol == XBoard {
            // The engine has played the move on its board.
            let mut known = game.clone();
            self.known = known.play(mv).is_ok().then_some(known);
        }
        Ok(mv)
    }

    /// Starts a long search at the end of `game`, disturbs it and stops it.
    pub(super) fn torment(&mut self, game: &Game, random: &mut Random) -> Result<(), Fault> {
        self.set_up(game, &LONG)?;
        for _ in 0..1 + random.below(5) {
            if !self.is_busy() {
                if self.protocol == XBoard {
                    // The engine has played its last move on its board.
                    self.set_up(&self.asked.clone(), &LONG)?;
                }
                self.start_long(random);
            }
            self.seat.wait(moment(random));
            match random.below(6) {
                0 => self.send_garbage(random),
                1 => self.set_up(&game.prefix(random.below(game.plies() as u32 + 1) as usize), &LONG)?,
                2 => self.flood(random)?,
                3 => self.ping()?,
                _ => self.disturb(random)?,
            }
        }
        self.stop()?;
        match self.protocol {
            NBoard => self.seat.send("set contempt 0"),
            Hub => self.set_parameter("margin value=0")?,
            Cassio | XBoard => {}
        }
        Ok(())
    }

    /// Sends a line that must not disturb a long search.
    fn disturb(&mut self, random: &mut Random) -> Result<(), Fault> {
        let memory = 3 + random.below(2);
        match (self.protocol, random.below(4)) {
            (NBoard, 0) => self.seat.send("clear"),
            (NBoard, _) => self.seat.send(&format!("set contempt {}", random.below(201) as i32 - 100)),
            (Cassio, 0) => self.seat.send("ENGINE-PROTOCOL empty-hash"),
            (Cassio, 1) => {
                let board = squares::write(&self.asked.position()).replace(' ', "");
                self.seat.send(&format!("ENGINE-PROTOCOL  feed-hash {board} -2.00 2.00 18 100 ??"));
            }
            (Cassio, _) => self.question("ENGINE-PROTOCOL  get-search-infos")?,
            (Hub, 0 | 1) => {
                // Refused during a search.
                self.invalid += 1;
                self.seat.send(["go think", "new-game"][random.below(2) as usize]);
            }
            (Hub, 2) => self.seat.send("level move-time=0.2"),
            (Hub, _) => {
                self.seat.send(&format!("set-param name=hash value={memory}"));
                self.set_parameter(&format!("margin value=0.{}", random.below(10)))?;
            }
            (XBoard, kind) if kind == 0 || !self.analyzing => self.seat.send(&format!("memory {memory}")),
            (XBoard, 1) => self.seat.send(["undo", "hint"][random.below(2) as usize]),
            (XBoard, 2) => self.seat.send("setboard 8/8/8/3dD3/3Dd3/8/8/8 w"),
            (XBoard, _) => {
                let asked = Instant::now();
                self.seat.send(".");
                while !self.seat.line("stat01")?.1.starts_with("stat01: ") {}
                self.seat.answered(".", asked, Instant::now())?;
            }
        }
        Ok(())
    }

    fn set_parameter(&mut self, text: &str) -> Result<(), Fault> {
        self.seat.send(&format!("set-param name={text}"));
        self.carry_out(vec![Step { line: "init".to_owned(), reply: Some(Reply::Ready) }])
    }

    /// Starts a search of some milliseconds and returns its limits. If the engine knows the game before the last move, it
    /// mostly receives that move only.
    fn start_short(&mut self, game: &Game, depth: u32, random: &mut Random) -> Result<MoveLimits, Fault> {
        let mut limits = MoveLimits { depth: Some(depth), ..LONG };
        match (self.protocol, random.below(4)) {
            (Hub, 0) => limits = MoveLimits { nodes: Some(5000), ..LONG },
            (Hub | XBoard, 1) => limits.time = MatchTimeControl::PerMove(HOUR / 360_000),
            (Hub | XBoard, 2) => {
                limits.time = MatchTimeControl::Clock { main: HOUR / 3600, increment: HOUR / 720_000 };
            }
            _ => {}
        }
        let last = game.moves().last().filter(|_| self.is_expected(game) && !once_in(random, 4));
        match last.and_then(|last| self.client.add_move(last)) {
            Some(line) if self.protocol == XBoard => {
                // The engine answers the move with its own.
                self.begin(game);
                self.seat.send(&format!("time {}", 10 + random.below(100)));
                self.seat.send(&format!("otim {}", 10 + random.below(100)));
                let line = self.client.started(line);
                self.seat.send(&line);
                return Ok(limits);
            }
            Some(line) => {
                self.seat.send(&line);
                self.seat.send(&format!("set depth {depth}"));
                self.ping()?;
                self.begin(game);
            }
            None => self.set_up(game, &limits)?,
        }
        if self.protocol == XBoard {
            self.seat.send(["easy", "hard"][random.below(2) as usize]);
        }
        if self.protocol == Hub && once_in(random, 8) {
            self.start("go ponder");
            self.seat.wait(moment(random));
            self.seat.send("ponder-hit");
        } else {
            self.go(&limits);
        }
        Ok(limits)
    }

    /// Starts a search that only a stop ends.
    fn start_long(&mut self, random: &mut Random) {
        let lines = match self.protocol {
            NBoard => &["hint 1", "hint 4", "hint 64", "analyze", "go"] as &[&str],
            Hub => &["go think", "go ponder", "go analyze"],
            XBoard => &["analyze", "go"],
            Cassio => return self.go(&LONG),
        };
        let line = lines[random.below(lines.len() as u32) as usize];
        self.analyzing = !line.starts_with("go");
        if self.analyzing { self.seat.send(line) } else { self.start(line) }
    }

    fn is_busy(&self) -> bool {
        self.client.is_searching() || self.analyzing
    }

    /// Ends a search. Its reply must arrive soon.
    fn stop(&mut self) -> Result<(), Fault> {
        let is_done = |player: &Player| !player.client.is_searching();
        match self.protocol {
            _ if !self.is_busy() => {}
            NBoard => self.ping()?,
            Cassio => {
                self.promptly("ENGINE-PROTOCOL stop", is_done)?;
                // A search may have ended shortly before the stop, with a `ready.` in addition to that of the stop.
                self.seat.send("ENGINE-PROTOCOL get-version");
                let mut readies = 0;
                while !self.seat.line("version")?.1.starts_with("version: ") {
                    readies += 1;
                }
                if readies > 1 || self.seat.line("ready.")?.1 != "ready." {
                    return Err(self.seat.fault("only one `ready.` is owed after a stop"));
                }
            }
            Hub => {
                self.promptly("stop", is_done)?;
                // Errors arrive before this answer.
                self.ping()?;
            }
            XBoard => {
                if self.analyzing {
                    self.seat.send("exit");
                } else {
                    self.promptly("?", is_done)?;
                }
                self.seat.send("force");
                (self.analyzing, self.known) = (false, None);
                self.ping()?;
            }
        }
        Ok(())
    }

    /// Sends many pings and does not read for some time. All of them must be answered, in order.
    fn flood(&mut self, random: &mut Random) -> Result<(), Fault> {
        if self.protocol == XBoard && !self.analyzing {
            return Ok(());
        }
        let mut lines = Vec::new();
        for _ in 0..1 + random.below(300) {
            lines.push(self.next_ping());
            if self.protocol == NBoard {
                lines.push("go".to_owned());
            }
        }
        self.seat.unread(Duration::from_millis(u64::from(50 + random.below(400))), &lines);
        while !self.pongs.is_empty() {
            self.take_next("answer to a ping")?;
        }
        // A `go` may follow the last ping.
        if self.protocol == NBoard { self.ping() } else { Ok(()) }
    }

    fn next_ping(&mut self) -> String {
        let Step { line, reply } = self.client.ping();
        self.pongs.extend(reply);
        line
    }

    fn ping(&mut self) -> Result<(), Fault> {
        if self.protocol == XBoard && self.client.is_searching() {
            return self.stop();
        }
        let line = self.next_ping();
        self.promptly(&line, |player| player.pongs.is_empty())
    }

    /// Sends a question of Cassio that is answered like a ping.
    fn question(&mut self, line: &str) -> Result<(), Fault> {
        self.pongs.push_back(Reply::Pong(None));
        self.promptly(line, |player| player.pongs.is_empty())
    }

    /// Sends a position and limits. NBoard and Hub receive them during a search.
    fn set_up(&mut self, game: &Game, limits: &MoveLimits) -> Result<(), Fault> {
        if matches!(self.protocol, Cassio | XBoard) {
            self.stop()?;
        }
        if self.protocol == Hub {
            self.seat.send("level infinite");
        }
        let time = if let MatchTimeControl::PerMove(time) = limits.time { time } else { HOUR };
        let mut steps = self.client.set_up(game, limits, [time; 2]);
        if self.protocol == XBoard {
            let level = self.client.level(limits);
            steps.extend(level.into_iter().map(|line| Step { line, reply: None }));
        }
        self.carry_out(steps)?;
        // The move of a running search belongs to the earlier position.
        self.stop()?;
        self.begin(game);
        Ok(())
    }

    fn begin(&mut self, game: &Game) {
        self.asked = game.clone();
        self.known = Some(game.clone()).filter(|_| self.protocol != XBoard);
        self.moved = None;
    }

    /// Returns `true` if the engine knows the game before its last move.
    fn is_expected(&self, game: &Game) -> bool {
        self.known.as_ref().is_some_and(|known| {
            known.plies() + 1 == game.plies()
                && known.moves().iter().zip(game.moves()).all(|(one, other)| one.mv == other.mv)
        })
    }

    fn go(&mut self, limits: &MoveLimits) {
        let line = self.client.go(&self.asked, limits);
        self.start(&line);
    }

    fn start(&mut self, line: &str) {
        let line = self.client.started(line.to_owned());
        self.moved = None;
        self.seat.send(&line);
    }

    fn send_garbage(&mut self, random: &mut Random) {
        self.invalid += 1;
        self.seat.send(&garbage(random));
    }

    fn carry_out(&mut self, steps: Vec<Step>) -> Result<(), Fault> {
        for Step { line, reply } in steps {
            let asked = Instant::now();
            match reply {
                None => self.seat.send(&line),
                Some(pong @ Reply::Pong(_)) => {
                    self.pongs.push_back(pong);
                    self.promptly(&line, |player| player.pongs.is_empty())?;
                }
                Some(expected) => {
                    self.seat.send(&line);
                    loop {
                        let (at, answer) = self.seat.line("reply")?;
                        if self.client.read(&answer) == expected {
                            self.seat.answered(&line, asked, at)?;
                            break;
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Sends a line and reads until `is_done`, which must happen soon.
    fn promptly(&mut self, line: &str, is_done: impl Fn(&Player) -> bool) -> Result<(), Fault> {
        let asked = Instant::now();
        self.seat.send(line);
        loop {
            let at = self.take_next(&format!("answer to `{line}`"))?;
            if is_done(self) {
                return self.seat.answered(line, asked, at);
            }
        }
    }

    fn take_next(&mut self, what: &str) -> Result<Instant, Fault> {
        let (at, line) = self.seat.line(what)?;
        self.take(&line).map_err(|fault| self.seat.fault(&fault))?;
        Ok(at)
    }

    /// Checks that a line is owed.
    fn take(&mut self, line: &str) -> Result<(), Fault> {
        let was_searching = self.client.is_searching();
        let word = line.split(' ').next().unwrap_or_default();
        let reply = self.client.read(line);
        let is_owed = match reply {
            Reply::Pong(_) => {
                if self.protocol == NBoard {
                    self.client.search_stopped();
                    self.analyzing = false;
                }
                self.pongs.pop_front().as_ref() == Some(&reply)
            }
            // Before the answer to a ping of NBoard, lines of earlier positions arrive.
            _ if self.protocol == NBoard && !self.pongs.is_empty() => true,
            Reply::Move(mv) => {
                // A search of Cassio that is stopped early has no move.
                self.moved = mv.ok();
                was_searching && self.moved.map_or(self.protocol == Cassio, |mv| self.is_legal(mv))
            }
            Reply::Info(first) => {
                (was_searching || self.protocol == NBoard)
                    && (line.len() <= 255 || self.protocol != Cassio)
                    && first.is_none_or(|mv| self.is_legal(mv))
            }
            Reply::Error => {
                let is_owed = self.invalid > 0;
                self.invalid = self.invalid.saturating_sub(1);
                is_owed
            }
            Reply::Ready => false,
            Reply::Other => match self.protocol {
                NBoard => ["status", "nodestats", "set", "learned", "analysis"].contains(&word),
                Cassio => word == "WARNING:",
                Hub => word == "info",
                XBoard => !["Illegal", "tellusererror"].contains(&word),
            },
        };
        if is_owed { Ok(()) } else { Err(format!("not owed, or illegal: `{line}`")) }
    }

    fn is_legal(&self, mv: Move) -> bool {
        self.asked.position().play(mv).is_ok()
    }
}

/// Returns a time of at most 60 ms, mostly less.
fn moment(random: &mut Random) -> Duration {
    let longest = [1, 5, 20, 60][random.below(4) as usize];
    Duration::from_micros(u64::from(random.below(1000 * longest)))
}

fn garbage(random: &mut Random) -> String {
    const PARTS: &str =
        "xyzzy||  |(;GM[Chess]|\"|=|\u{e9}\u{2026}|99999999999999999999|-1|\t|%s|move|ENGINE|{|name=|\0";
    let parts: Vec<&str> = PARTS.split('|').collect();
    let mut line = ["qwertz", "?!", "<html>", "#", "uciok"][random.below(5) as usize].to_owned();
    for _ in 0..random.below(6) {
        line.push(' ');
        line.push_str(parts[random.below(parts.len() as u32) as usize]);
    }
    if random.below(50) == 0 {
        line.push_str(&"x".repeat(random.below(100_000) as usize));
    }
    line
}
