//! Sessions and search inside a real dedicated worker: the engine as in `worker.js`, called by hand.
#![cfg(target_arch = "wasm32")]

use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

use worker::{Worker, now};

mod worker;

wasm_bindgen_test_configure!(run_in_dedicated_worker);

/// Most milliseconds of one slice. The slices are 15 ms long, the rest is for a busy machine. A benchmark measures the
/// delays.
const MAX_SLICE_MS: f64 = 400.0;

/// Most milliseconds until a stop takes effect on a busy machine.
const MAX_STOP_MS: f64 = 600.0;

/// An engine that gets several lines at a time.
struct Desk(Worker);

impl Desk {
    fn new() -> Desk {
        Desk(Worker::new())
    }

    /// Returns an engine that speaks NBoard and has this game.
    fn nboard(moves: &str) -> Desk {
        let mut desk = Desk::new();
        desk.tell(&["nboard 2", &game(moves)]);
        desk
    }

    fn tell(&mut self, lines: &[&str]) {
        for line in lines {
            self.0.engine.line(line);
        }
    }

    /// Returns the lines sent since the last call.
    fn heard(&self) -> Vec<String> {
        self.0.hear_all()
    }

    /// Searches until there is nothing to do.
    fn finish(&mut self) {
        while self.0.engine.work() {}
    }

    /// Searches for this many milliseconds. Returns the longest slice.
    fn search_for(&mut self, milliseconds: f64) -> f64 {
        let mut longest = 0.0_f64;
        let end = now() + milliseconds;
        while now() < end {
            let start = now();
            assert!(self.0.engine.work(), "the search is not over yet");
            longest = longest.max(now() - start);
        }
        longest
    }
}

fn game(moves: &str) -> String {
    let start = "---------------------------O*------*O---------------------------";
    let moves: String = moves
        .split_whitespace()
        .enumerate()
        .map(|(ply, square)| format!("{}[{square}]", if ply % 2 == 0 { 'B' } else { 'W' }))
        .collect();
    format!("set game (;GM[Othello]PC[test]PB[a]PW[b]RE[?]TI[0]TY[8]BO[8 {start} *]{moves};)")
}

/// Returns the fields of the `search` lines.
fn values(lines: &[String]) -> Vec<Vec<String>> {
    lines
        .iter()
        .filter_map(|line| line.strip_prefix("search "))
        .map(|rest| rest.split_whitespace().map(str::to_owned).collect())
        .collect()
}

#[wasm_bindgen_test]
fn ping_is_answered() {
    let mut desk = Desk::nboard("");
    desk.heard();
    desk.tell(&["ping 7"]);
    assert!(desk.heard().contains(&"pong 7".to_owned()));
}

#[wasm_bindgen_test]
fn cassio_is_supported() {
    let mut desk = Desk::new();
    desk.tell(&["ENGINE-PROTOCOL init"]);
    assert_eq!(desk.heard(), ["ready."]);
}

#[wasm_bindgen_test]
fn hint_values_every_legal_move() {
    let mut desk = Desk::nboard("F5 D6");
    desk.tell(&["set depth 8", "ping 1"]);
    desk.heard();
    desk.tell(&["hint 64"]);
    desk.finish();
    let said = desk.heard();
    let mut moves: Vec<_> = values(&said)
        .iter()
        .filter(|fields| fields.iter().any(|field| field == "8"))
        .map(|fields| fields[0][..2].to_uppercase())
        .collect();
    moves.sort();
    moves.dedup();
    assert_eq!(moves, ["C3", "C4", "C5", "C6", "C7"], "{said:#?}");
}

#[wasm_bindgen_test]
fn go_returns_a_move() {
    let mut desk = Desk::nboard("F5 D6");
    desk.tell(&["set depth 6"]);
    desk.heard();
    desk.tell(&["go"]);
    desk.finish();
    let said = desk.heard();
    let best = said.iter().find_map(|line| line.strip_prefix("=== "));
    assert!(best.is_some_and(|text| ["C3", "C4", "C5", "C6", "C7"].contains(&&text[..2])), "{said:#?}");
}

#[wasm_bindgen_test]
fn line_between_two_slices_stops_the_search() {
    let mut desk = Desk::nboard("F5 D6 C3");
    desk.tell(&["set depth 60", "hint 64"]);
    let longest = desk.search_for(400.0);
    assert!(longest < MAX_SLICE_MS, "a slice took {longest} ms");
    desk.heard();
    let start = now();
    desk.tell(&["ping 9"]);
    let taken = now() - start;
    assert!(desk.heard().contains(&"pong 9".to_owned()));
    assert!(longest + taken < MAX_STOP_MS, "{longest} ms to get in and {taken} ms to stop");
    assert!(!desk.0.engine.work(), "nothing is searched any more");
}

#[wasm_bindgen_test]
fn new_position_is_searched_after_a_stop() {
    let mut desk = Desk::nboard("F5 D6 C3");
    desk.tell(&["set depth 60", "hint 1"]);
    desk.search_for(100.0);
    desk.tell(&[&game("F5 F6"), "set depth 6", "ping 2"]);
    let said = desk.heard();
    let pong = said.iter().position(|line| line == "pong 2").expect("a pong");
    assert!(values(&said[pong..]).is_empty(), "nothing of the old search comes after the pong");
    desk.tell(&["hint 1"]);
    desk.finish();
    let said = desk.heard();
    let values = values(&said);
    assert!(!values.is_empty());
    let legal = ["D3", "C4", "E6", "F7"];
    assert!(values.iter().all(|fields| legal.contains(&&fields[0][..2])), "{said:#?}");
}

#[wasm_bindgen_test]
fn endgame_is_solved() {
    // 14 empty squares.
    let moves = "D3 C3 C4 E3 E2 B4 F5 F4 F3 F6 D6 D2 B3 B2 A3 F2 G6 C6 G4 H4 E6 B5 C2 A2 A4 A5 B7 D1 E1 C5 C1 G5 \
                 A1 B1 H3 F1 H5 H6 H7 G3 G2 H2 G1 H8 B6 D7";
    let mut desk = Desk::nboard(moves);
    desk.tell(&["set depth 60", "hint 1"]);
    desk.finish();
    let said = desk.heard();
    let last = values(&said).pop().expect("a value");
    assert!(last.contains(&"100%".to_owned()), "{said:#?}");
}

#[wasm_bindgen_test]
fn invalid_lines_change_nothing() {
    let mut desk = Desk::nboard("F5 D6 C3");
    desk.tell(&["set depth 60", "hint 4"]);
    desk.search_for(50.0);
    let long = "x".repeat(100_000);
    desk.tell(&[
        "",
        " ",
        "\0",
        "hint",
        "hint -1",
        "hint 99999999999999999999",
        "set",
        "set game",
        "set game (;",
        "move",
        "move Z9",
        "move F5",
        "ping",
        "ping x",
        "nboard",
        "ENGINE-PROTOCOL",
        "äöü 🙂",
        &long,
    ]);
    desk.0.engine.work();
    desk.heard();
    desk.tell(&[&game("F5 D6"), "set depth 4", "ping 3"]);
    assert!(desk.heard().contains(&"pong 3".to_owned()));
    desk.tell(&["hint 1"]);
    desk.finish();
    assert!(!values(&desk.heard()).is_empty());
}
