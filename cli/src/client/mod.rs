//! GUI side of the protocols: the lines that a GUI sends, and the meaning of the replies.
//!
//! A [`Client`] does no I/O and has no clock. Its user sends the lines that the client returns, passes every line of the
//! engine to [`Client::read`], and decides how long to wait for a reply.

use std::time::Duration;

use outflank::board::{Color, Move, Position};
use outflank::game::Game;
use outflank::notation::{fen, ggf, moves, squares};
use outflank::session::{Protocol, nboard};

/// Deepest search in plies: to the end of any game.
const MAX_DEPTH: u32 = 60;

/// GUI side of a conversation with one engine.
#[derive(Clone, Debug)]
pub struct Client {
    protocol: Protocol,
    /// Number of the last ping.
    pings: u64,
    /// A search was started, and its move is not there yet.
    searching: bool,
    /// Cassio only: the board of the search, with which its results begin.
    board: String,
    /// Cassio only: the last result of the search.
    result: String,
    /// GTP only: the game on the board of the engine.
    known: Option<Game>,
}

/// A line to send, and the reply to wait for before the next line is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    pub line: String,
    /// `None` if the line has no reply.
    pub reply: Option<Reply>,
}

/// Meaning of a line of the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// Answer to a part of the opening: `wait` and `ready` of Hub, `feature … done=1` of XBoard.
    Ready,
    /// Answer to a ping, with its number in NBoard, XBoard and GTP.
    Pong(Option<u64>),
    /// End of a search: its move, or the text that should be one.
    Move(Result<Move, String>),
    /// Error response of GTP to the question or the command with this number.
    Refused(u64),
    /// Progress of a search, an error message, or another line.
    Other,
}

/// Limits of a move. [`Client`] skips those that its protocol cannot express.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MoveLimits {
    pub time: MatchTimeControl,
    /// In plies.
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchTimeControl {
    Clock {
        /// Time for all moves of a game.
        main: Duration,
        /// Time added after each move.
        increment: Duration,
    },
    PerMove(Duration),
    /// A depth or a number of nodes ends each move.
    None,
}

impl Step {
    fn silent(line: impl Into<String>) -> Step {
        Step { line: line.into(), reply: None }
    }

    fn asking(line: impl Into<String>, reply: Reply) -> Step {
        Step { line: line.into(), reply: Some(reply) }
    }
}

impl Client {
    pub fn new(protocol: Protocol) -> Client {
        Client {
            protocol,
            pings: 0,
            searching: false,
            board: String::new(),
            result: String::new(),
            known: None,
        }
    }

    pub fn protocol(&self) -> Protocol {
        self.protocol
    }

    /// Returns the first lines of a conversation.
    pub fn opening(&mut self) -> Vec<Step> {
        match self.protocol {
            Protocol::NBoard => vec![Step::silent("nboard 2"), self.ping()],
            Protocol::Cassio => vec![Step::asking("ENGINE-PROTOCOL init", Reply::Pong(None))],
            Protocol::Hub => vec![Step::asking("hub", Reply::Ready), Step::asking("init", Reply::Ready)],
            Protocol::XBoard => vec![Step::silent("xboard"), Step::asking("protover 2", Reply::Ready)],
            Protocol::Gtp => vec![self.ping()],
        }
    }

    /// Returns the line that ends a conversation.
    pub fn quit(&self) -> &'static str {
        match self.protocol {
            Protocol::Cassio => "ENGINE-PROTOCOL quit",
            Protocol::NBoard | Protocol::Hub | Protocol::XBoard | Protocol::Gtp => "quit",
        }
    }

    /// Returns a question that is answered at once if no search is running. In NBoard it ends a search; in XBoard and GTP a
    /// search for a move comes first.
    pub fn ping(&mut self) -> Step {
        self.pings += 1;
        let number = self.pings;
        match self.protocol {
            Protocol::NBoard | Protocol::XBoard => {
                Step::asking(format!("ping {number}"), Reply::Pong(Some(number)))
            }
            Protocol::Hub => Step::asking("ping", Reply::Pong(None)),
            Protocol::Gtp => Step::asking(format!("{number} protocol_version"), Reply::Pong(Some(number))),
            Protocol::Cassio => Step::asking("", Reply::Pong(None)),
        }
    }

    /// Returns the lines that prepare the engine for a game.
    pub fn new_game(&mut self, limits: &MoveLimits) -> Vec<Step> {
        let mut steps = match self.protocol {
            Protocol::NBoard => Vec::new(),
            Protocol::Cassio => vec![Step::asking("ENGINE-PROTOCOL new-position", Reply::Pong(None))],
            Protocol::Hub => vec![Step::silent("new-game")],
            Protocol::XBoard => {
                let mut steps: Vec<Step> =
                    ["new", "variant othello", "force", "easy"].map(Step::silent).into();
                steps.extend(self.level(limits).into_iter().map(Step::silent));
                steps
            }
            Protocol::Gtp => {
                self.known = Some(Game::default());
                let lines = ["boardsize 8", "clear_board"].map(str::to_owned).into_iter();
                let mut steps: Vec<Step> = lines.chain([gtp_time(limits)]).map(Step::silent).collect();
                steps.extend(limits.depth.map(|depth| {
                    // An extension, which a program may refuse.
                    self.pings += 1;
                    let reply = Reply::Pong(Some(self.pings));
                    Step::asking(format!("{} outflank-depth {depth}", self.pings), reply)
                }));
                steps
            }
        };
        steps.push(self.ping());
        steps
    }

    /// Returns the lines of XBoard for limits that hold for a whole game.
    pub fn level(&self, limits: &MoveLimits) -> Vec<String> {
        let mut lines = Vec::new();
        match limits.time {
            MatchTimeControl::Clock { main, increment } => {
                let (minutes, seconds) = (main.as_secs() / 60, main.as_secs() % 60);
                lines.push(format!("level 0 {minutes}:{seconds:02} {}", increment.as_secs_f64()));
            }
            MatchTimeControl::PerMove(time) => lines.push(format!("st {}", time.as_secs_f64())),
            MatchTimeControl::None => {}
        }
        lines.extend(limits.depth.map(|depth| format!("sd {depth}")));
        lines
    }

    /// Returns the lines that set the position at the end of `game` and the limits of the next move. `clocks` holds the time
    /// of the side to move and of the other side.
    pub fn set_up(&mut self, game: &Game, limits: &MoveLimits, clocks: [Duration; 2]) -> Vec<Step> {
        let position = game.position();
        let lines = match self.protocol {
            Protocol::Gtp => {
                let mut lines = self.gtp_game(game);
                let side = gtp_color(position.side());
                let left = clocks[0].as_secs();
                match limits.time {
                    MatchTimeControl::Clock { .. } => lines.push(format!("time_left {side} {left} 0")),
                    MatchTimeControl::PerMove(_) => lines.push(format!("time_left {side} {left} 1")),
                    MatchTimeControl::None => {}
                }
                lines
            }
            Protocol::NBoard => vec![
                format!("set game {}", ggf::write(game)),
                format!("set depth {}", limits.depth.unwrap_or(MAX_DEPTH)),
            ],
            Protocol::Cassio => Vec::new(),
            Protocol::Hub => {
                let side = if position.side() == Color::Black { 'B' } else { 'W' };
                let board = squares::write_with(&position, ['b', 'w', 'e']);
                vec![format!("pos pos={side}{board}"), hub_level(limits, clocks[0])]
            }
            Protocol::XBoard => {
                let mut lines = vec!["force".to_owned(), format!("setboard {}", fen::write(&position, 'd'))];
                if let MatchTimeControl::Clock { .. } = limits.time {
                    let [own, other] = clocks.map(|time| time.as_millis() / 10);
                    lines.extend([format!("time {own}"), format!("otim {other}")]);
                }
                lines
            }
        };
        let mut steps: Vec<Step> = lines.into_iter().map(Step::silent).collect();
        steps.push(self.ping());
        steps
    }

    /// Returns the line that asks for a move at the end of `game`, which ends with [`Reply::Move`].
    pub fn go(&mut self, game: &Game, limits: &MoveLimits) -> String {
        let line = match self.protocol {
            Protocol::NBoard | Protocol::XBoard => "go".to_owned(),
            Protocol::Hub => "go think".to_owned(),
            // No ping has the number 0.
            Protocol::Gtp => format!("0 genmove {}", gtp_color(game.position().side())),
            Protocol::Cassio => {
                let position = game.position();
                let depth = limits.depth.unwrap_or(MAX_DEPTH);
                self.board = squares::write(&position).replace(' ', "");
                let board = &self.board;
                if depth >= position.empties() {
                    format!("ENGINE-PROTOCOL endgame-search {board} -64 64 100")
                } else {
                    format!("ENGINE-PROTOCOL midgame-search {board} -64.00 64.00 {depth} 73")
                }
            }
        };
        self.started(line)
    }

    /// Returns `line` and records that it starts a search, which ends with [`Reply::Move`].
    pub fn started(&mut self, line: String) -> String {
        self.searching = true;
        self.result.clear();
        line
    }

    /// Returns the meaning of a line of the engine.
    pub fn read(&mut self, line: &str) -> Reply {
        let line = line.trim();
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match (self.protocol, word) {
            (Protocol::NBoard, _) => match nboard::read(line) {
                nboard::Reply::Pong(number) => Reply::Pong(Some(number)),
                nboard::Reply::Move(mv) => self.end(line, mv),
                _ => Reply::Other,
            },
            (Protocol::XBoard, "pong") => {
                rest.parse().map_or(Reply::Other, |number| Reply::Pong(Some(number)))
            }
            (Protocol::Cassio, _) => self.read_cassio(line),
            (Protocol::Gtp, _) => self.read_gtp(word, rest),
            (Protocol::Hub, "wait" | "ready") => Reply::Ready,
            (Protocol::Hub, "pong") => Reply::Pong(None),
            (Protocol::Hub, "done") => {
                let text = rest.strip_prefix("move=").unwrap_or_default().split(' ').next();
                self.end(line, text.and_then(|text| moves::read(text).ok()))
            }
            (Protocol::XBoard, "feature") if rest.ends_with("done=1") => Reply::Ready,
            (Protocol::XBoard, "move") => {
                let text = rest.trim().split(' ').next().unwrap_or_default();
                // A drop has a letter before the square. A pass is `@@@@`.
                let square =
                    text.split_once('@').filter(|_| text != "@@@@").map_or(text, |(_, square)| square);
                self.end(line, moves::read(square).ok())
            }
            _ => Reply::Other,
        }
    }

    /// Returns the commands that lead from the game on the board of the engine to `game`.
    fn gtp_game(&mut self, game: &Game) -> Vec<String> {
        let mut lines = Vec::new();
        let moves = |game: &Game| game.moves().iter().map(|played| played.mv).collect::<Vec<_>>();
        let all = moves(game);
        let known = self.known.replace(game.clone()).filter(|known| known.start() == game.start());
        let known = known.map(|known| moves(&known)).filter(|known| all.starts_with(known));
        if known.is_none() {
            lines.push("clear_board".to_owned());
            if game.start() != Position::START {
                lines.extend(gtp_setup(&game.start()));
            }
        }
        for (before, mv) in game.positions().zip(&all).skip(known.map_or(0, |known| known.len())) {
            lines.push(format!("play {} {}", gtp_color(before.side()), mv.to_string().to_uppercase()));
        }
        lines
    }

    /// Reads the first line of a response, which begins with `=` or `?` and the number of the command.
    fn read_gtp(&mut self, word: &str, rest: &str) -> Reply {
        let Some(number) = word.strip_prefix(['=', '?']) else { return Reply::Other };
        match number.parse() {
            Ok(0) if self.searching => {
                let reply = self.end(rest, moves::read(rest).ok().filter(|_| word.starts_with('=')));
                if let (Reply::Move(Ok(mv)), Some(known)) = (&reply, &mut self.known)
                    && known.play_passing(*mv).is_err()
                {
                    self.known = None;
                }
                reply
            }
            Ok(number) if word.starts_with('?') => Reply::Refused(number),
            Ok(number) => Reply::Pong(Some(number)),
            Err(_) => Reply::Other,
        }
    }

    /// Cassio's protocol has the same answer to a question and at the end of a search. The last result holds the move.
    fn read_cassio(&mut self, line: &str) -> Reply {
        match line {
            "ready." if self.searching => {
                let result = std::mem::take(&mut self.result);
                self.searching = false;
                Reply::Move(cassio_move(&result).ok_or_else(|| result.chars().skip(65).take(40).collect()))
            }
            "ready." => Reply::Pong(None),
            _ if !self.searching => Reply::Other,
            "ok." => Reply::Pong(None),
            _ if line.starts_with("node ") => Reply::Pong(None),
            _ if line.starts_with(self.board.get(..64).unwrap_or(&self.board)) => {
                line.clone_into(&mut self.result);
                Reply::Other
            }
            _ => Reply::Other,
        }
    }

    fn end(&mut self, line: &str, mv: Option<Move>) -> Reply {
        self.searching = false;
        Reply::Move(mv.ok_or_else(|| line.chars().take(40).collect()))
    }
}

/// Returns the level line of Hub, with the time that the side to move has left.
fn hub_level(limits: &MoveLimits, left: Duration) -> String {
    let depth = limits.depth.map(|depth| format!(" depth={depth}")).unwrap_or_default();
    let nodes = limits.nodes.map(|nodes| format!(" nodes={nodes}")).unwrap_or_default();
    let left = left.as_secs_f64();
    let time = match limits.time {
        MatchTimeControl::Clock { increment, .. } => {
            format!(" time={left:.3} inc={:.3}", increment.as_secs_f64())
        }
        MatchTimeControl::PerMove(_) => format!(" move-time={left:.3}"),
        MatchTimeControl::None => String::new(),
    };
    format!("level{depth}{nodes}{time}")
}

fn gtp_color(side: Color) -> char {
    if side == Color::Black { 'b' } else { 'w' }
}

/// Returns the command for the time of a whole game.
fn gtp_time(limits: &MoveLimits) -> String {
    match limits.time {
        MatchTimeControl::Clock { main, .. } => format!("time_settings {} 0 0", main.as_secs()),
        MatchTimeControl::PerMove(time) => format!("time_settings 0 {} 1", time.as_secs()),
        MatchTimeControl::None => "time_settings 0 1 0".to_owned(),
    }
}

fn gtp_setup(position: &Position) -> [String; 2] {
    let discs = [Color::Black, Color::White].map(|color| {
        position
            .discs(color)
            .into_iter()
            .map(|square| format!(" {} {square}", gtp_color(color)))
            .collect::<String>()
    });
    [format!("gogui-setup{}", discs.concat()), format!("gogui-setup_player {}", gtp_color(position.side()))]
}

fn cassio_move(result: &str) -> Option<Move> {
    let text = result.split(", ").find_map(|field| field.strip_prefix("move "))?;
    moves::read(text).ok()
}

#[cfg(test)]
mod tests {
    use outflank::notation::transcript;

    use super::*;

    const NO_LIMITS: MoveLimits = MoveLimits { time: MatchTimeControl::None, depth: None, nodes: None };

    /// Protocol, limit, and a part of the lines that ask for a move.
    const QUESTIONS: &str = "\
        nboard clock ping 1|set game (;GM[Othello]
        nboard clock |set depth 6|ping 2|go
        cassio clock ENGINE-PROTOCOL new-position||
        cassio clock  -64.00 64.00 6 73
        hub clock new-game|ping|pos pos=B
        hub clock level depth=6 nodes=500 time=30.000 inc=0.500|
        hub move  move-time=30.000|ping|go think
        xboard clock |easy|level 0 1:01 0.5|sd 6|ping 1|force|setboard
        xboard clock |time 3000|otim 2000|
        xboard move |st 1|sd 6|
        gtp clock boardsize 8|clear_board|time_settings 61 0 0|1 outflank-depth 6|2 protocol_version|
        gtp clock |play b F5|play w D6|time_left b 30 0|3 protocol_version|0 genmove b
        gtp move |time_settings 0 1 1|1 outflank-depth 6|";

    /// Protocol, line of the engine, and its meaning after a question.
    const REPLIES: &str = r#"
        nboard | pong 7 | Pong(Some(7))
        nboard | search F5D6 -0.40 0 12@73% | Other
        nboard | === F5/1.23/0.45 | Move(Ok(f5))
        nboard | ===f5 | Move(Ok(f5))
        nboard | === whatever | Move(Err("=== whatever"))
        cassio | ok. | Pong(None)
        cassio | RESULT | Other
        cassio | ready. | Move(Err(""))
        hub | ready | Ready
        hub | done move=f5 ponder=d6 | Move(Ok(f5))
        xboard | feature myname="x" done=1 | Ready
        xboard | move D@f5 | Move(Ok(f5))
        xboard | move @@@@ | Move(Ok(pass))
        xboard | pong x | Other
        gtp | ?2 unknown command | Refused(2)
        gtp | ? unknown command | Other"#;

    #[test]
    fn limits_are_sent_in_the_words_of_each_protocol() {
        let game = transcript::read("f5d6").unwrap();
        let second = Duration::from_secs(1);
        let clock = MatchTimeControl::Clock { main: 61 * second, increment: second / 2 };
        for row in QUESTIONS.lines().map(str::trim_start) {
            let (protocol, row) = row.split_once(' ').unwrap();
            let protocol = protocol.parse().unwrap();
            let (time, part) = row.split_once(' ').unwrap();
            let time = if time == "clock" { clock } else { MatchTimeControl::PerMove(second) };
            let limits = MoveLimits { time, depth: Some(6), nodes: Some(500) };
            let mut client = Client::new(protocol);
            let mut steps = client.new_game(&limits);
            steps.extend(client.set_up(&game, &limits, [30 * second, 20 * second]));
            let mut sent: String = steps.into_iter().map(|step| step.line + "|").collect();
            sent += &client.go(&game, &limits);
            assert!(sent.contains(part), "{protocol}: {sent}");
        }
        let mut cassio = Client::new(Protocol::Cassio);
        let to_the_end = MoveLimits { depth: Some(58), ..NO_LIMITS };
        assert!(cassio.go(&game, &to_the_end).starts_with("ENGINE-PROTOCOL endgame-search "));
    }

    #[test]
    fn replies_have_the_same_meaning_in_every_protocol() {
        let game = Game::default();
        let board = "---------------------------OX------XO---------------------------X";
        let result = format!("{board}, move F5, depth 6, @73%, B+0.50");
        for row in REPLIES.lines().skip(1) {
            let fields: Vec<_> = row.trim_start().split(" | ").collect();
            let mut client = Client::new(fields[0].parse().unwrap());
            client.go(&game, &NO_LIMITS);
            let reply = client.read(&fields[1].replace("RESULT", &result));
            assert_eq!(format!("{reply:?}"), fields[2], "{row}");
        }
        let mut cassio = Client::new(Protocol::Cassio);
        assert_eq!(cassio.read("ready."), Reply::Pong(None));
        cassio.go(&game, &NO_LIMITS);
        cassio.read(&result);
        assert!(matches!(cassio.read("ready."), Reply::Move(Ok(Move::Place(_)))));
    }
}
