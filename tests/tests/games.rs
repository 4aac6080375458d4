//! Whole games between two programs, through each dialect. The board is kept here, and every move has to be legal.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::fmt::Write;

use outflank::board::{Color, Move, Position, Status};
use outflank::game::Game;
use outflank::notation::{ggf, moves, squares};
use outflank::session::Protocol;
use outflank_tests::engine::Engine;
use outflank_tests::spawned::{Spawned, program};

/// One side of a game in one dialect.
trait Player {
    /// The move of the side to move in `game`.
    fn play(&mut self, game: &Game) -> Move;
}

/// The first line from here on that begins with `word`, without it.
fn answer(engine: &mut Spawned, word: &str) -> String {
    loop {
        let line = engine.next_line().unwrap_or_else(|| panic!("no `{word}`"));
        if let Some(rest) = line.strip_prefix(word) {
            return rest.trim().to_owned();
        }
    }
}

struct NBoard {
    engine: Spawned,
    /// How many moves the engine knows of.
    known: usize,
    pings: u32,
}

impl Player for NBoard {
    /// The whole game first, then each move, as NBoard sends them: the engine does not play its own.
    fn play(&mut self, game: &Game) -> Move {
        if self.pings == 0 {
            self.engine.send(&format!("set game {}", ggf::write(game)));
        } else {
            for played in &game.moves()[self.known..] {
                self.engine.send(&format!("move {}", moves::write_played(played)));
            }
        }
        self.known = game.plies();
        self.pings += 1;
        self.engine.send(&format!("ping {}", self.pings));
        answer(&mut self.engine, &format!("pong {}", self.pings));
        self.engine.send("go");
        let text = answer(&mut self.engine, "===");
        moves::read_played(&text).unwrap().mv
    }
}

struct Cassio(Spawned);

impl Player for Cassio {
    fn play(&mut self, game: &Game) -> Move {
        let position = game.position();
        let board = squares::write(&position).replace(' ', "");
        if position.empties() <= 10 {
            self.0.send(&format!("ENGINE-PROTOCOL  endgame-search {board} -64 64 100"));
        } else {
            self.0.send(&format!("ENGINE-PROTOCOL  midgame-search {board} -64.00 64.00 4 90"));
        }
        let mut last = String::new();
        loop {
            let line = self.0.next_line().unwrap();
            if line == "ready." {
                break;
            }
            assert!(line.starts_with(&board) && line.len() <= 255, "{line}");
            last = line;
        }
        let mv = last.split(", ").find_map(|field| field.strip_prefix("move ")).unwrap();
        moves::read(mv).unwrap()
    }
}

struct Hub(Spawned);

impl Player for Hub {
    fn play(&mut self, game: &Game) -> Move {
        let mut line = format!("pos pos=B{}", squares::write_with(&Position::START, ['b', 'w', 'e']));
        let moves: Vec<String> = game.moves().iter().map(|played| played.mv.to_string()).collect();
        let _ = write!(line, " moves=\"{}\"", moves.join(" "));
        self.0.send(&line);
        self.0.send("level depth=4");
        self.0.send("go think");
        let text = answer(&mut self.0, "done move=");
        moves::read(text.split(' ').next().unwrap()).unwrap()
    }
}

/// The engine plays its moves on its own board, and a pass by itself.
struct XBoard {
    engine: Spawned,
    color: Color,
    /// How many moves the engine knows of.
    known: usize,
}

impl Player for XBoard {
    fn play(&mut self, game: &Game) -> Move {
        if game.plies() == 0 {
            self.engine.send("go");
        }
        for played in &game.moves()[self.known..] {
            let text = match played.mv {
                Move::Place(square) => format!("D@{square}"),
                Move::Pass => "@@@@".to_owned(),
            };
            self.engine.send(&format!("usermove {text}"));
        }
        self.known = game.plies() + 1;
        assert_eq!(game.position().side(), self.color);
        let text = answer(&mut self.engine, "move ");
        moves::read(text.trim_start_matches("D@")).unwrap()
    }
}

/// Gets a program that plays this colour ready for a game.
type Opening = fn(Spawned, Color) -> Box<dyn Player>;

/// The dialects in which a game can be played here.
const PLAYED: [(Protocol, Opening); 4] = [
    (Protocol::NBoard, nboard),
    (Protocol::Cassio, cassio),
    (Protocol::Hub, hub),
    (Protocol::XBoard, xboard),
];

fn nboard(mut engine: Spawned, _: Color) -> Box<dyn Player> {
    engine.send("nboard 2");
    engine.send("set depth 4");
    Box::new(NBoard { engine, known: 0, pings: 0 })
}

fn cassio(mut engine: Spawned, _: Color) -> Box<dyn Player> {
    engine.send("ENGINE-PROTOCOL init");
    answer(&mut engine, "ready.");
    Box::new(Cassio(engine))
}

fn hub(mut engine: Spawned, _: Color) -> Box<dyn Player> {
    engine.send("hub");
    answer(&mut engine, "wait");
    engine.send("init");
    answer(&mut engine, "ready");
    Box::new(Hub(engine))
}

fn xboard(mut engine: Spawned, color: Color) -> Box<dyn Player> {
    for line in ["xboard", "protover 2"] {
        engine.send(line);
    }
    answer(&mut engine, "feature done=1");
    for line in ["new", "variant othello", "level 0 5 0", "sd 4", "hard", "post"] {
        engine.send(line);
    }
    Box::new(XBoard { engine, color, known: 0 })
}

fn player(dialect: Protocol, color: Color) -> Box<dyn Player> {
    let engine = Spawned::new(program().unwrap(), [dialect.name(), "--hash", "4"]).unwrap();
    let (_, opening) = PLAYED.into_iter().find(|(played, _)| *played == dialect).unwrap();
    opening(engine, color)
}

/// Plays a game from the start to its end.
fn play_game(black: Protocol, white: Protocol) -> Game {
    let mut players = [player(black, Color::Black), player(white, Color::White)];
    let mut game = Game::default();
    while game.position().status() != Status::Over {
        let side = usize::from(game.position().side() == Color::White);
        let mv = players[side].play(&game);
        game.play(mv).unwrap_or_else(|error| panic!("{black}-{white}, ply {}: {error}", game.plies()));
    }
    game
}

#[test]
fn two_programs_play_a_game_in_each_dialect() {
    for (dialect, _) in PLAYED {
        let game = play_game(dialect, dialect);
        assert!(game.discs_placed() >= 9, "{dialect}: {}", game.plies());
    }
}

#[test]
fn every_dialect_plays_every_other() {
    for (black, white) in [
        (Protocol::NBoard, Protocol::XBoard),
        (Protocol::XBoard, Protocol::Hub),
        (Protocol::Hub, Protocol::Cassio),
        (Protocol::Cassio, Protocol::NBoard),
    ] {
        play_game(black, white);
    }
}
