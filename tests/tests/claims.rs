//! Compares claims of proven values with plain alpha-beta: `outflank analyze` and the protocols, with searches that end or are
//! stopped.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::fs;
use std::time::Duration;

use outflank::board::{Board, Color, Move, Position};
use outflank::notation::{moves, squares};
use outflank::search::{HashSize, SearchConfig};
use outflank::session::{Conversation, SessionConfig};
use outflank_tests::engine::Engine;
use outflank_tests::folder::Folder;
use outflank_tests::in_process::InProcess;
use outflank_tests::spawned;

use plain::{Random, plain, random_board};

#[path = "../../engine/tests/plain/mod.rs"]
mod plain;

/// A position with the values of its moves for the side to move, the best first. A pass is a move.
#[derive(Clone)]
struct Known {
    position: Position,
    values: Vec<(Move, f64)>,
}

impl Known {
    fn of(board: Board) -> Known {
        let side = if board.empties().is_multiple_of(2) { Color::Black } else { Color::White };
        let (black, white) = match side {
            Color::Black => (board.player, board.opponent),
            Color::White => (board.opponent, board.player),
        };
        let position = Position::from_discs(black, white, side).unwrap();
        let value = |child: Board| -f64::from(plain(child, -64, 64));
        let places = board.moves().into_iter();
        let mut values: Vec<(Move, f64)> = places
            .map(|square| (Move::Place(square), value(board.after_move(square, board.flips(square)))))
            .collect();
        if values.is_empty() {
            values.push((Move::Pass, value(board.after_pass())));
        }
        values.sort_by(|one, other| other.1.total_cmp(&one.1));
        Known { position, values }
    }

    fn value(&self) -> f64 {
        self.values[0].1
    }
}

/// Returns 40 positions with 8 to 12 empty squares. If `OUTFLANK_LONG_TESTS` is set: `long` positions with 8 to 14.
fn positions(seed: u64, long: usize) -> Vec<Known> {
    let mut random = Random::new(seed);
    let (count, spread) = if std::env::var_os("OUTFLANK_LONG_TESTS").is_some() { (long, 7) } else { (40, 5) };
    let mut known = Vec::new();
    while known.len() < count {
        let board = random_board(&mut random, 8 + known.len() as u32 % spread);
        if !board.is_over() {
            known.push(Known::of(board));
        }
    }
    known
}

/// Numbers of claims by kind, and the wrong ones.
#[derive(Default)]
struct Claims {
    exact: usize,
    bounds: usize,
    wrong: Vec<String>,
}

impl Claims {
    /// Checks the claim that the value is from `lower` to `upper`.
    fn claim(&mut self, lower: f64, upper: f64, truth: f64, text: &str) {
        *(if lower == upper { &mut self.exact } else { &mut self.bounds }) += 1;
        if truth < lower || truth > upper {
            self.wrong.push(format!("{text}: it is {truth}"));
        }
    }

    fn end(self, least: usize) {
        println!("{} exact values, {} bounds, {} wrong", self.exact, self.bounds, self.wrong.len());
        assert!(self.wrong.is_empty(), "{}", self.wrong.join("\n"));
        assert!(self.exact >= least, "{} exact values", self.exact);
    }
}

#[test]
fn exact_values_of_analyze_are_true() {
    let folder = Folder::new("claims").unwrap();
    let mut known = positions(0x00a1_1ed9_e5ee_d001, 5000);
    // The last iteration of this position takes long enough to be stopped.
    let text = "---O----XXXXXOOO-XOXXXO-XXXOXOXO-XXOXXO-O-XOOOOO-OXXXXXXXXXXXXXX O";
    let slow = Known::of(squares::read(text).unwrap().board());
    known.extend(vec![slow; 20]);
    let file = folder.path("positions.txt");
    fs::write(&file, known.iter().map(|known| squares::write(&known.position) + "\n").collect::<String>())
        .unwrap();
    let mut claims = Claims::default();
    for time in ["0.0001", "0.001", "0.003", "0.01", ""] {
        let mut arguments =
            vec!["analyze", file.to_str().unwrap(), "--depth", "8", "--exact", "14", "--hash", "1"];
        if !time.is_empty() {
            arguments.extend(["--time", time]);
        }
        let text = spawned::run(&arguments, b"").out;
        assert_eq!(text.lines().count(), known.len());
        for (line, known) in text.lines().zip(&known) {
            let row: serde_json::Value = serde_json::from_str(line).unwrap();
            let black = if known.position.side() == Color::Black { known.value() } else { -known.value() };
            let first = &row["positions"][0];
            for found in [first, &first["searched"]] {
                if found["proof"] == "exact" {
                    let value = found["value"].as_f64().unwrap();
                    claims.claim(value, value, black, &format!("{time}: {line}"));
                }
            }
        }
    }
    claims.end(150);
}

/// Searches the positions of `seed` and stops the searches. Checks the claims of all answers.
///
/// `ask` returns the lines that start search `n`. `read` returns the least and the greatest value that a line claims, and the
/// true value.
fn check_claims(
    seed: u64,
    least: usize,
    [opening, stop]: [&str; 2],
    ask: impl Fn(usize, &Known) -> String,
    read: impl Fn(&str, &Known) -> Option<[f64; 3]>,
) {
    let config = SearchConfig::default().with_hash(HashSize(1));
    let mut engine = InProcess::new(Conversation::new(SessionConfig::default()), config);
    let mut claims = Claims::default();
    opening.lines().for_each(|line| engine.send(line));
    for (n, known) in positions(seed, 2500).iter().enumerate() {
        ask(n, known).lines().for_each(|line| engine.send(line));
        // One of six searches is never stopped.
        engine.wait(Duration::from_millis(if n % 6 == 5 { 100_000 } else { n as u64 * 7 % 120 }));
        engine.send(stop);
        while let Some(line) = engine.next_line() {
            if let Some([lower, upper, truth]) = read(&line, known) {
                claims.claim(lower, upper, truth, &line);
            }
        }
    }
    claims.end(least);
}

/// Returns the value of a field of a line of Hub.
fn field<'l>(line: &'l str, name: &str) -> Option<&'l str> {
    line.split(' ').find_map(|word| word.strip_prefix(name)?.strip_prefix('='))
}

#[test]
fn proofs_in_hub_are_true() {
    let ask = |_, known: &Known| {
        let side = if known.position.side() == Color::Black { 'B' } else { 'W' };
        let board = squares::write_with(&known.position, ['b', 'w', 'e']);
        format!("pos pos={side}{board}\nlevel infinite\ngo analyze")
    };
    check_claims(0x00a1_1ed9_e5ee_d002, 30, ["hub\ninit", "stop"], ask, |line, known| {
        let score = field(line, "score")?.parse().unwrap();
        match field(line, "proof")? {
            "exact" => Some([score, score, known.value()]),
            "lower" => Some([score, 64.0, known.value()]),
            "upper" => Some([-64.0, score, known.value()]),
            _ => None,
        }
    });
}

#[test]
fn bounds_in_cassio_are_true() {
    let ask = |n, known: &Known| {
        let board = squares::write(&known.position).replace(' ', "");
        let width = 2 + n as i32 % 5 * 40;
        let alpha = (known.value() as i32 - width / 2 - 4 + n as i32 % 9).clamp(-64, 62);
        let beta = (alpha + width).min(64);
        format!("ENGINE-PROTOCOL endgame-search {board} {alpha} {beta} 100")
    };
    let ends = ["ENGINE-PROTOCOL init", "ENGINE-PROTOCOL stop"];
    check_claims(0x00a1_1ed9_e5ee_d003, 20, ends, ask, |line, known| {
        let fields: Vec<&str> = line.split(", ").collect();
        let [of, _, depth, "@100%", bounds, ..] = fields[..] else { return None };
        assert_eq!(of, squares::write(&known.position).replace(' ', ""));
        let depth: u32 = depth.trim_start_matches("depth ").parse().unwrap();
        let words: Vec<&str> = bounds.split(' ').collect();
        let number = |word: &str| word[1..].parse::<f64>().unwrap();
        let claim = [number(words[0]), number(words[4]), known.value()];
        (depth >= known.position.empties()).then_some(claim)
    });
}

#[test]
fn exact_values_in_nboard_are_true() {
    let ask = |n, known: &Known| {
        let side = if known.position.side() == Color::Black { '*' } else { 'O' };
        let board = squares::write_with(&known.position, ['*', 'O', '-']);
        let search = if n % 3 == 0 { "go".to_owned() } else { format!("hint {}", 1 + n % 4) };
        format!("set game (;GM[Othello]TY[8]BO[8 {board} {side}];)\n{search}")
    };
    let ends = ["nboard 2\nset depth 40", "ping 1"];
    check_claims(0x00a1_1ed9_e5ee_d004, 50, ends, ask, |line, known| {
        let words: Vec<&str> = line.split(' ').collect();
        let ["search", played, value, _, "100%"] = words[..] else { return None };
        let mv = moves::read(&played[..2]).unwrap();
        let (_, truth) = known.values.iter().find(|(known, _)| *known == mv).unwrap();
        let value = value.parse().unwrap();
        Some([value, value, *truth])
    });
}
