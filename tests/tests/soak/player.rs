//! GUI side of a game with one engine: asks for moves, disturbs searches, and checks the replies.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use outflank::board::Move;
use outflank::game::Game;
use outflank::random::Random;
use outflank::session::Protocol::{self, Cassio, Hub, NBoard, XBoard};
use outflank_cli::client::{Client, MatchTimeControl, MoveLimits, Reply, Step};

use outflank_tests::engine::Engine;
use outflank_tests::spawned::{Silence, Spawned, program};

use super::{Fault, Limits};

/// Longer than any move takes on a busy machine.
const REPLY_TIMEOUT: Duration = Duration::from_secs(60);
const RECENT_LINES: usize = 40;
const HOUR: Duration = Duration::from_secs(3600);
/// Limits of a search that only a stop ends.
const LONG: MoveLimits = MoveLimits {
    time: MatchTimeControl::Clock { main: HOUR, increment: Duration::ZERO },
    depth: Some(60),
    nodes: None,
};
/// Lines that no protocol knows.
const INVALID: &[&str] =
    &["qwertz", "?! =", "<html> \u{e9}\u{2026} \0", "uciok -1 |", "xyzzy \"(;GM[Chess]", "# name= {\t%s"];

/// Returns lines that may be sent during a long search and ask for no reply. Hub rejects some of them during a search.
fn harmless_lines(protocol: Protocol, is_analyzing: bool) -> &'static [&'static str] {
    match protocol {
        NBoard => &["set contempt 7", "set contempt -100", "clear"],
        Cassio => &[
            "ENGINE-PROTOCOL empty-hash",
            "ENGINE-PROTOCOL feed-hash ---------------------------OX------XO---------------------------X \
             -2.00 2.00 18 100 F5",
        ],
        Hub => &["go think", "new-game", "level move-time=0.2", "set-param name=hash value=3"],
        XBoard if is_analyzing => &["undo", "hint", "setboard 8/8/8/3dD3/3Dd3/8/8/8 w", ".", "memory 3"],
        XBoard => &["memory 3", "memory 4"],
    }
}

#[derive(Debug)]
pub(super) struct Player {
    engine: Spawned,
    client: Client,
    late: Duration,
    /// Replies that are owed at once, oldest first.
    owed: VecDeque<Reply>,
    /// The game whose last position is searched.
    game: Game,
    moved: Option<Move>,
    /// A search is running that ends without a move.
    is_analyzing: bool,
    recent: VecDeque<String>,
    /// Memory after the first games.
    memory: Option<u64>,
    /// Times of the replies that are owed at once.
    pub(super) replies: Vec<Duration>,
}

impl Player {
    pub(super) fn new(protocol: Protocol, limits: Limits, threads: &str) -> Result<Player, Fault> {
        let arguments = [protocol.name(), "--threads", threads, "--hash", "4"];
        let engine = program().and_then(|program| Spawned::new(program, arguments));
        let mut player = Player {
            engine: engine.map_err(|error| error.to_string())?,
            client: Client::new(protocol),
            late: limits.late,
            owed: VecDeque::new(),
            game: Game::default(),
            moved: None,
            is_analyzing: false,
            recent: VecDeque::new(),
            memory: None,
            replies: Vec::new(),
        };
        let opening = player.client.opening();
        player.carry_out(opening)?;
        if protocol == XBoard {
            player.send("post");
        }
        Ok(player)
    }

    pub(super) fn new_game(&mut self) -> Result<(), Fault> {
        let steps = self.client.new_game(&LONG);
        self.carry_out(steps)
    }

    /// Returns the engine's move at the end of `game`, in a position with a legal move. Disturbs the search on the way.
    pub(super) fn play(&mut self, game: &Game, random: &mut Random) -> Result<Move, Fault> {
        let protocol = self.client.protocol();
        let mut limits = MoveLimits { depth: Some(1 + random.below(8)), ..LONG };
        if random.below(4) == 0 && matches!(protocol, Hub | XBoard) {
            limits.time = MatchTimeControl::PerMove(HOUR / 360_000);
        }
        self.set_up(game, &limits)?;
        if protocol == XBoard {
            self.send(["easy", "hard"][random.below(2) as usize]);
        }
        loop {
            let line = self.client.go(game, &limits);
            self.send(&line);
            while self.client.is_searching() && random.below(3) == 0 {
                self.engine.wait(moment(random));
                match random.below(3) {
                    0 => self.stop()?,
                    1 => self.send(INVALID[random.below(INVALID.len() as u32) as usize]),
                    // The pong follows the move.
                    _ if protocol == XBoard => {
                        let ping = self.next_ping();
                        self.send(&ping);
                    }
                    _ => self.ping()?,
                }
            }
            while self.client.is_searching() || !self.owed.is_empty() {
                self.take_next("move")?;
            }
            match self.moved {
                Some(mv) => return Ok(mv),
                // A search that is stopped early has no move.
                None if matches!(protocol, NBoard | Cassio) => {}
                None => return Err(self.fault("a search without a move")),
            }
        }
    }

    /// Starts a long search at the end of `game`, disturbs it and stops it.
    pub(super) fn torment(&mut self, game: &Game, random: &mut Random) -> Result<(), Fault> {
        self.set_up(game, &LONG)?;
        for _ in 0..1 + random.below(5) {
            if !self.is_busy() {
                self.start_long(random);
            }
            self.engine.wait(moment(random));
            match random.below(4) {
                0 => self.set_up(&game.prefix(random.below(game.plies() as u32 + 1) as usize), &LONG)?,
                1 => self.flood(random)?,
                2 => self.send(&"x".repeat(random.below(100_000) as usize)),
                _ => {
                    let lines = harmless_lines(self.client.protocol(), self.is_analyzing);
                    self.send(lines[random.below(lines.len() as u32) as usize]);
                }
            }
        }
        self.stop()
    }

    /// Starts a search that only a stop ends.
    fn start_long(&mut self, random: &mut Random) {
        let lines = match self.client.protocol() {
            NBoard => &["hint 1", "hint 4", "hint 64", "analyze"] as &[&str],
            Hub => &["go ponder", "go analyze"],
            XBoard => &["analyze"],
            Cassio => &[],
        };
        let go = self.client.go(&self.game, &LONG);
        let line = lines.get(random.below(lines.len() as u32 + 1) as usize).copied().unwrap_or(&go);
        self.is_analyzing = !line.starts_with("go") && self.client.protocol() != Cassio;
        if self.is_analyzing {
            self.client.search_stopped();
        }
        self.send(line);
    }

    fn is_busy(&self) -> bool {
        self.client.is_searching() || self.is_analyzing
    }

    /// Ends a search. Its reply must arrive soon.
    fn stop(&mut self) -> Result<(), Fault> {
        let is_done = |player: &Player| !player.client.is_searching();
        match self.client.protocol() {
            _ if !self.is_busy() => return Ok(()),
            NBoard => {}
            Cassio => {
                self.promptly("ENGINE-PROTOCOL stop", is_done)?;
                // A search may have ended shortly before the stop, with a `ready.` in addition to that of the stop.
                self.send("ENGINE-PROTOCOL get-version");
                let (mut line, mut readies) = (String::new(), 0);
                while !line.starts_with("version: ") {
                    line = self.line("version")?.1;
                    readies += usize::from(line == "ready.");
                }
                if readies > 1 || self.line("ready.")?.1 != "ready." {
                    return Err(self.fault("only one `ready.` is owed after a stop"));
                }
            }
            Hub => self.promptly("stop", is_done)?,
            XBoard => {
                if self.is_analyzing {
                    self.send("exit");
                } else {
                    self.promptly("?", is_done)?;
                }
                self.send("force");
                self.is_analyzing = false;
            }
        }
        self.ping()
    }

    /// Sends many pings and does not read for some time. All of them must be answered, in order.
    fn flood(&mut self, random: &mut Random) -> Result<(), Fault> {
        let protocol = self.client.protocol();
        if protocol == XBoard && !self.is_analyzing {
            return Ok(());
        }
        self.engine.read_on(false);
        for _ in 0..1 + random.below(300) {
            let ping = self.next_ping();
            self.send(&ping);
            if protocol == NBoard {
                self.send("go");
            }
        }
        let ping = self.next_ping();
        self.send(&ping);
        self.engine.wait(Duration::from_millis(u64::from(50 + random.below(400))));
        self.engine.read_on(true);
        while !self.owed.is_empty() {
            self.take_next("answer to a ping")?;
        }
        Ok(())
    }

    fn next_ping(&mut self) -> String {
        let Step { line, reply } = self.client.ping();
        self.owed.extend(reply);
        line
    }

    fn ping(&mut self) -> Result<(), Fault> {
        let line = self.next_ping();
        self.promptly(&line, |player| player.owed.is_empty())
    }

    /// Sends a position and limits. NBoard and Hub receive them during a search.
    fn set_up(&mut self, game: &Game, limits: &MoveLimits) -> Result<(), Fault> {
        let protocol = self.client.protocol();
        match protocol {
            Cassio | XBoard => self.stop()?,
            Hub => self.send("level infinite"),
            NBoard => {}
        }
        let time = if let MatchTimeControl::PerMove(time) = limits.time { time } else { HOUR };
        let mut steps = self.client.set_up(game, limits, [time; 2]);
        if protocol == XBoard {
            let level = self.client.level(limits);
            steps.extend(level.into_iter().map(|line| Step { line, reply: None }));
        }
        self.carry_out(steps)?;
        // The move of a running search belongs to the earlier position.
        self.stop()?;
        (self.game, self.moved) = (game.clone(), None);
        Ok(())
    }

    fn carry_out(&mut self, steps: Vec<Step>) -> Result<(), Fault> {
        for Step { line, reply } in steps {
            if reply.is_some() {
                self.owed.extend(reply);
                self.promptly(&line, |player| player.owed.is_empty())?;
            } else {
                self.send(&line);
            }
        }
        Ok(())
    }

    fn send(&mut self, line: &str) {
        self.note('>', line);
        self.engine.send(line);
    }

    /// Sends a line and reads until `is_done`, which must happen soon.
    fn promptly(&mut self, line: &str, is_done: impl Fn(&Player) -> bool) -> Result<(), Fault> {
        let asked = Instant::now();
        self.send(line);
        loop {
            let at = self.take_next(&format!("answer to `{line}`"))?;
            if is_done(self) {
                let took = at.saturating_duration_since(asked);
                self.replies.push(took);
                let is_late = took > self.late;
                return if is_late { Err(self.fault(&format!("{took:?} until `{line}`"))) } else { Ok(()) };
            }
        }
    }

    /// Returns the next line and the time at which it was read.
    fn line(&mut self, what: &str) -> Result<(Instant, String), Fault> {
        match self.engine.next_within(REPLY_TIMEOUT) {
            Ok((at, line)) => {
                self.note('<', &line);
                Ok((at, line))
            }
            Err(Silence::Late) => Err(self.fault(&format!("no {what} within {REPLY_TIMEOUT:?}"))),
            Err(Silence::Over) => Err(self.fault(&format!("the engine ended before its {what}"))),
        }
    }

    /// Reads a line, and checks that it is owed.
    fn take_next(&mut self, what: &str) -> Result<Instant, Fault> {
        let (at, line) = self.line(what)?;
        let was_searching = self.client.is_searching();
        let reply = self.client.read(&line);
        let is_nboard = self.client.protocol() == NBoard;
        let is_legal = |mv| self.game.position().play(mv).is_ok();
        let is_owed = match reply {
            Reply::Pong(_) | Reply::Ready => {
                if is_nboard {
                    self.client.search_stopped();
                    self.is_analyzing = false;
                }
                self.owed.pop_front() == Some(reply)
            }
            // Before the answer to a ping of NBoard, lines of earlier positions arrive.
            _ if is_nboard && !self.owed.is_empty() => true,
            Reply::Move(mv) => {
                self.moved = mv.ok();
                was_searching && self.moved.map_or(self.client.protocol() == Cassio, is_legal)
            }
            Reply::Info(first) => (was_searching || is_nboard) && first.is_none_or(is_legal),
            Reply::Error | Reply::Other => true,
        };
        if is_owed { Ok(at) } else { Err(self.fault(&format!("not owed, or illegal: `{line}`"))) }
    }

    fn note(&mut self, direction: char, line: &str) {
        if self.recent.len() == RECENT_LINES {
            self.recent.pop_front();
        }
        let shown: String = line.chars().take(200).flat_map(char::escape_debug).collect();
        self.recent.push_back(format!("{direction} {shown}"));
    }

    /// Returns the description of a fault, with the last lines before it.
    fn fault(&mut self, what: &str) -> Fault {
        let errors = self.engine.errors();
        let lines = self.recent.iter().chain(&errors).map(|line| format!("\n  {line}"));
        what.to_owned() + &lines.collect::<String>()
    }

    /// Records the memory after the first games.
    pub(super) fn warm(&mut self) {
        self.memory = self.engine.resident_memory();
    }

    /// Ends the engine. Growth of its memory beyond `growth` is a fault, and so is any line on standard error. Returns the
    /// memory after the first games and at the end.
    pub(super) fn close(mut self, growth: u64) -> Result<String, Fault> {
        let mut memory = String::new();
        if let (Some(start), Some(end)) = (self.memory, self.engine.resident_memory()) {
            memory = format!(" {} to {} KiB", start >> 10, end >> 10);
            if end > start.saturating_add(growth) {
                return Err(format!("memory grew:{memory}"));
            }
        }
        let end = self.engine.leave().and_then(|(_, code)| code);
        let errors = self.engine.errors();
        if end == Some(0) && errors.is_empty() {
            Ok(memory)
        } else {
            Err(format!("the engine ended with status {end:?}: {errors:?}"))
        }
    }
}

/// Returns a time of at most 60 ms, mostly less.
fn moment(random: &mut Random) -> Duration {
    let longest = [1, 5, 20, 60][random.below(4) as usize];
    Duration::from_micros(u64::from(random.below(1000 * longest)))
}
