//! Program with NBoard's protocol that plays the first legal move until its error:
//!
//! ```text
//! fake_engine honest | crash | hang | slow | illegal | babble | mute |
//!     cold | flood | endless | escape | fails | family FILE | late
//! ```

use std::io::{self, BufRead};
use std::thread;
use std::time::Duration;

use outflank::board::{Move, Position};
use outflank::notation::{ggf, moves};

/// Number of the move, since the start, at which the error occurs.
const FAILING_MOVE: u32 = 3;

/// Longer than the limits of the tests.
const TOO_LONG: Duration = Duration::from_secs(21);

fn main() {
    let mode = std::env::args().nth(1).unwrap_or_default();
    let mut position = Position::START;
    let mut asked = 0;
    match mode.as_str() {
        "fails" => {
            eprintln!("no weights\x1b[31m here");
            std::process::exit(4);
        }
        // A child that outlives its parent.
        "family" => {
            let child = std::process::Command::new("sleep").arg("600").spawn();
            let file = std::env::args().nth(2).unwrap_or_default();
            if let Ok(child) = child {
                let _ = std::fs::write(file, child.id().to_string());
            }
        }
        _ => {}
    }
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else { return };
        let (verb, rest) = line.split_once(' ').unwrap_or((&line, ""));
        match verb {
            "ping" if mode != "mute" => println!("pong {rest}"),
            "set" => {
                if let Some(Ok(game)) = rest.strip_prefix("game ").map(ggf::read) {
                    position = game.position();
                }
            }
            "quit" if mode == "late" => thread::sleep(Duration::from_secs(600)),
            "go" => {
                asked += 1;
                if mode == "cold" && asked == 1 {
                    thread::sleep(TOO_LONG);
                }
                let mut answer = moves::write_upper(position.legal_moves().next().unwrap_or(Move::Pass));
                if asked >= FAILING_MOVE {
                    match mode.as_str() {
                        "crash" => std::process::exit(3),
                        "hang" => continue,
                        "slow" => thread::sleep(TOO_LONG),
                        // A square that has a disc from the start.
                        "illegal" => answer = "D4".to_owned(),
                        "flood" => loop {
                            println!("nothing");
                        },
                        "endless" => loop {
                            print!("nothing");
                        },
                        "escape" => answer = "\x1b[31m\x07".to_owned(),
                        "babble" => answer = "whatever".to_owned(),
                        _ => {}
                    }
                }
                println!("=== {answer}");
            }
            _ => {}
        }
    }
}
