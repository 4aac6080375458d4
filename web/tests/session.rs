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

/// A client that sends several lines at a time.
struct Client(Worker);

impl Client {
    /// Returns a client that has sent this game to an engine in NBoard's protocol.
    fn nboard(moves: &str) -> Client {
        let mut client = Client(Worker::new());
        client.send(&["nboard 2", &game(moves)]);
        client
    }

    fn send(&mut self, lines: &[&str]) {
        for line in lines {
            self.0.engine.line(line);
        }
    }

    /// Returns the lines sent since the last call.
    fn received(&self) -> Vec<String> {
        self.0.all_lines()
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
            assert!(self.0.engine.work(), "the search has ended");
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
fn line_between_two_slices_stops_the_search() {
    let mut client = Client::nboard("F5 D6 C3");
    client.send(&["set depth 60", "hint 64"]);
    let longest = client.search_for(400.0);
    assert!(longest < MAX_SLICE_MS, "a slice took {longest} ms");
    client.received();
    let start = now();
    client.send(&["ping 9"]);
    let taken = now() - start;
    assert!(client.received().contains(&"pong 9".to_owned()));
    assert!(longest + taken < MAX_STOP_MS, "{longest} ms to get in and {taken} ms to stop");
    assert!(!client.0.engine.work(), "the search has ended");
}

#[wasm_bindgen_test]
fn new_position_is_searched_after_a_stop() {
    let mut client = Client::nboard("F5 D6 C3");
    client.send(&["set depth 60", "hint 1"]);
    client.search_for(100.0);
    client.send(&[&game("F5 F6"), "set depth 6", "ping 2"]);
    let lines = client.received();
    let pong = lines.iter().position(|line| line == "pong 2").expect("a pong");
    assert!(values(&lines[pong..]).is_empty(), "no value of the old search follows the pong");
    client.send(&["hint 1"]);
    client.finish();
    let lines = client.received();
    let values = values(&lines);
    assert!(!values.is_empty());
    let legal = ["D3", "C4", "E6", "F7"];
    assert!(values.iter().all(|fields| legal.contains(&&fields[0][..2])), "{lines:#?}");
}

#[wasm_bindgen_test]
fn endgame_is_solved() {
    // 14 empty squares.
    let moves = "D3 C3 C4 E3 E2 B4 F5 F4 F3 F6 D6 D2 B3 B2 A3 F2 G6 C6 G4 H4 E6 B5 C2 A2 A4 A5 B7 D1 E1 C5 C1 G5 \
                 A1 B1 H3 F1 H5 H6 H7 G3 G2 H2 G1 H8 B6 D7";
    let mut client = Client::nboard(moves);
    client.send(&["set depth 60", "hint 1"]);
    client.finish();
    let lines = client.received();
    let last = values(&lines).pop().expect("a value");
    assert!(last.contains(&"100%".to_owned()), "{lines:#?}");
}
