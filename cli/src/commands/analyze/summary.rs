//! The sums of all games of a run: by player, opening and phase.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::fmt::Write as _;

use outflank::analysis::Sums;
use outflank::notation::{squares, transcript};
use serde_json::Value;

use crate::files::read_line;
use crate::json::{self, Json, object};

/// Number of moves of a game that are its opening.
const OPENING_PLIES: usize = 6;

#[derive(Debug, Default)]
pub(super) struct Summary {
    all: Row,
    players: HashMap<String, Row>,
    /// By the board after the opening.
    openings: HashMap<String, (String, Row)>,
}

/// The sums of a player, or of both players after an opening.
#[derive(Clone, Debug, Default)]
struct Row {
    games: u32,
    sums: Sums,
}

impl Summary {
    /// Adds a game: the object that a line of JSON contains.
    pub(super) fn add(&mut self, game: &Value) {
        let sides =
            ["black", "white"].map(|side| (&game["summary"][side], game[side].as_str().unwrap_or("?")));
        let (board, line) = opening(game);
        let of_opening = &mut self.openings.entry(board).or_insert_with(|| (line, Row::default())).1;
        for row in [&mut self.all, of_opening] {
            row.games += 1;
            sides.iter().for_each(|(sums, _)| row.add(sums));
        }
        for (sums, name) in sides {
            let player = self.players.entry(name.to_owned()).or_default();
            player.games += 1;
            player.add(sums);
        }
    }

    /// Returns the rows of each table, the most games first.
    fn tables(&self) -> [(&'static str, Vec<(&str, &Row)>); 3] {
        let players = self.players.iter().map(|(name, row)| (&**name, row)).collect();
        let openings = self.openings.values().map(|(line, row)| (&**line, row)).collect();
        let mut tables = [("player", players), ("opening", openings), ("all games", vec![("", &self.all)])];
        for (_, rows) in &mut tables {
            rows.sort_by_key(|&(name, row): &(&str, &Row)| (Reverse(row.games), name));
        }
        tables
    }

    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        for (title, rows) in self.tables() {
            let _ = writeln!(
                text,
                "{title:<24} games  moves  lost a move  accuracy  mistakes  grave  lost in moves 1-20  21-40  41-60"
            );
            for (name, row) in rows {
                let accuracy = row.sums.accuracy().map_or("-".to_owned(), |figure| figure.to_string());
                let [opening, middle, end] = row.phases();
                let Row { games, sums } = row;
                let (moves, lost, mistakes) = (sums.known, row.lost_per_move(), sums.slight + sums.grave);
                let grave = sums.grave;
                let _ = writeln!(
                    text,
                    "{name:<24} {games:>5}  {moves:>5}  {lost:>11.2}  {accuracy:>8}  {mistakes:>8}  {grave:>5}  \
                     {opening:>18.2}  {middle:>5.2}  {end:>5.2}"
                );
            }
            text.push('\n');
        }
        text.trim_end().to_owned()
    }

    pub(super) fn json(&self) -> Json {
        let row = |name: &str, row: &Row| {
            object! {
                "name": name,
                "games": row.games,
                "moves": row.sums.moves,
                "known": row.sums.known,
                "lost_per_move": json::rounded(row.lost_per_move(), 3),
                "accuracy": row.sums.accuracy(),
                "mistakes": row.sums.slight + row.sums.grave,
                "grave": row.sums.grave,
                "phases": row.phases().map(|lost| json::rounded(lost, 3)),
            }
        };
        let [players, openings, all] = self
            .tables()
            .map(|(_, rows)| rows.iter().map(|(name, sums)| row(name, sums)).collect::<Vec<_>>());
        object! { "players": players, "openings": openings, "all": all[0] }
    }
}

impl Row {
    /// Adds the sums of one side of a game.
    fn add(&mut self, side: &Value) {
        let sums = &mut self.sums;
        let number = |name: &str| side[name].as_u64().unwrap_or(0) as u32;
        let centidiscs = |value: &Value| 100.0 * value.as_f64().unwrap_or(0.0);
        sums.moves += number("moves");
        sums.known += number("known");
        sums.slight += number("slight");
        sums.grave += number("grave");
        sums.total += centidiscs(&side["lost"]);
        (0..3).for_each(|phase| sums.phases[phase] += centidiscs(&side["phases"][phase]));
    }

    fn lost_per_move(&self) -> f64 {
        self.sums.total / 100.0 / f64::from(self.sums.known.max(1))
    }

    /// Returns the discs lost per game in each third of the game.
    fn phases(&self) -> [f64; 3] {
        self.sums.phases.map(|lost| lost / 100.0 / f64::from(self.games.max(1)))
    }
}

/// Returns the board after the first moves of a game, and these moves from f5. Games from other starts have no moves.
fn opening(game: &Value) -> (String, String) {
    let moves = game["moves"].as_str().unwrap_or_default();
    let first = read_line(moves.get(..2 * OPENING_PLIES).unwrap_or(moves)).ok();
    let usual = first.filter(|first| game["start"] == squares::write(&first.start()).as_str());
    match usual.and_then(|game| game.from_usual_start()) {
        Some(game) => (squares::write(&game.position()), transcript::write(&game)),
        None => (String::new(), "another start".to_owned()),
    }
}
