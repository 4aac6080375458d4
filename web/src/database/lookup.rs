//! The moves played from a position, and their games.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use outflank::board::{Color, Position, Square, Symmetry};
use serde::Serialize;

use super::builder::{Facts, Game};
use super::index::{Index, IndexNode, canonical};
use super::source::Source;

/// The games that are counted.
#[derive(Debug, Default)]
pub(super) struct Query {
    /// First and last year. A game without a year is counted only if neither is given.
    pub(super) from: Option<u16>,
    pub(super) to: Option<u16>,
    /// The side of the requested players.
    pub(super) side: Option<Color>,
    /// The most games in the list.
    pub(super) list: usize,
}

/// The number of games and their results for the side to move.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct Totals {
    pub(super) games: u32,
    /// Games with a known result.
    pub(super) scored: u32,
    /// The share won by the side to move. A draw counts as half.
    pub(super) share: Option<f64>,
    pub(super) score: Option<f64>,
}

#[derive(Debug, PartialEq, Serialize)]
pub(super) struct Answer {
    #[serde(flatten)]
    pub(super) totals: Totals,
    /// The moves played, the most frequent first.
    pub(super) moves: Vec<Played>,
    /// Games, the latest years first.
    pub(super) list: Vec<Listed>,
}

#[derive(Debug, PartialEq, Serialize)]
pub(super) struct Played {
    #[serde(rename = "move")]
    pub(super) mv: String,
    /// Moves that a symmetry of the position maps to this one. They are counted here.
    pub(super) twins: Vec<String>,
    #[serde(flatten)]
    pub(super) totals: Totals,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Place {
    pub(super) source: u32,
    pub(super) index: u32,
    pub(super) game: u32,
}

#[derive(Debug, PartialEq, Serialize)]
pub(super) struct Listed {
    #[serde(flatten)]
    pub(super) place: Place,
    #[serde(flatten)]
    pub(super) facts: Facts,
    /// Moves before the position.
    pub(super) ply: usize,
    /// Moves of the whole game.
    pub(super) length: usize,
}

/// Looks a position up. Moves that a symmetry of the position maps to each other are one row. It has the name of the move
/// farthest to the right and down, such as f5 of the four first moves.
pub(super) fn look_up(sources: &[Source], position: Position, query: &Query) -> Answer {
    let (canonical, to_canonical) = canonical(position);
    let from_canonical = to_canonical.inverse();
    let board = position.board();
    let own: Vec<Symmetry> = Symmetry::all().filter(|symmetry| symmetry.board(board) == board).collect();
    let twins = |square: Square| own.iter().map(move |symmetry| symmetry.square(square));
    let mut all = Results::default();
    let mut by_square = [Results::default(); 64];
    let mut latest = Ranking::new(query);
    for source in sources {
        for (number, index) in source.indices.iter().enumerate() {
            for IndexNode { games, ply, symmetry } in index.reached(canonical) {
                // Sorted games often continue alike: the latest move and its square on the board.
                let mut mapped = None;
                for at in games {
                    let game = &index.games[at];
                    if !query.includes(source, game) {
                        continue;
                    }
                    let score = game.facts.result.map(|result| position.side().for_black(result));
                    all.add(score);
                    if let Some(&square) = index.moves(at).get(ply) {
                        let to = match mapped {
                            Some((from, to)) if from == square => to,
                            _ => twins(from_canonical.square(symmetry.square(square))).max_by_key(corner),
                        };
                        mapped = Some((square, to));
                        to.iter().for_each(|to| by_square[to.index()].add(score));
                    }
                    latest.add(0, source, [number, at], ply);
                }
            }
        }
    }
    let mut rows: Vec<(Square, Results)> = Square::all().zip(by_square).collect();
    rows.retain(|(_, results)| results.games > 0);
    rows.sort_by_key(|(square, results)| Reverse((results.games, corner(square))));
    let played = |(square, results): (Square, Results)| {
        let mut others: Vec<Square> = twins(square).filter(|&twin| twin != square).collect();
        others.sort_by_key(|twin| Reverse(corner(twin)));
        others.dedup();
        let twins = others.iter().map(Square::to_string).collect();
        Played { mv: square.to_string(), twins, totals: results.totals() }
    };
    let moves = rows.into_iter().map(played).collect();
    Answer { totals: all.totals(), moves, list: latest.games(sources).map(|(game, _)| game).collect() }
}

/// Orders squares: farther right is greater, in a column farther down.
fn corner(square: &Square) -> (u8, u8) {
    (square.column(), square.row())
}

/// The similarity, the year, then source, number, index and game, then the ply. Later years are greater, in a year the first games.
type Rank = (u32, u16, Reverse<(u32, u32, usize, usize)>, usize);

/// The games of a list: the most similar first, then the latest.
pub(super) struct Ranking {
    /// The top is the game to be dropped next.
    games: BinaryHeap<Reverse<Rank>>,
    most: usize,
}

impl Ranking {
    pub(super) fn new(query: &Query) -> Ranking {
        Ranking { games: BinaryHeap::new(), most: query.list }
    }

    /// Adds a game by its index and its number there. It has a position with `same` equal squares after `ply` moves.
    pub(super) fn add(&mut self, same: u32, source: &Source, [number, at]: [usize; 2], ply: usize) {
        let facts = source.indices[number].games[at].facts;
        let year = facts.year.map_or(0, |year| year.get());
        self.games.push(Reverse((same, year, Reverse((source.id, facts.number, number, at)), ply)));
        if self.games.len() > self.most {
            self.games.pop();
        }
    }

    /// Returns the games with their indices.
    pub(super) fn games(self, sources: &[Source]) -> impl Iterator<Item = (Listed, &Index)> {
        self.games.into_sorted_vec().into_iter().filter_map(
            |Reverse((_, _, Reverse((id, _, number, at)), ply))| {
                let index = sources.iter().find(|source| source.id == id)?.indices.get(number)?;
                let game = index.games.get(at)?;
                let place = Place { source: id, index: number as u32, game: at as u32 };
                Some((Listed { place, facts: game.facts, ply, length: game.length.into() }, index))
            },
        )
    }
}

/// The start and the moves of a game, transformed so that it reaches `position`. Of several symmetries, prefers one with the
/// usual start. A game from the usual start keeps it.
pub(super) fn transform(
    index: &Index,
    game: usize,
    ply: usize,
    position: Position,
) -> Option<(Position, Vec<Square>)> {
    let here = index.position(game, ply);
    let start = index.start(game);
    let image = |symmetry: Symmetry, position: Position| {
        Position::new(symmetry.board(position.board()), position.side())
    };
    let fitting: Vec<Symmetry> =
        Symmetry::all().filter(|&symmetry| image(symmetry, here) == position).collect();
    let first = *fitting.first()?;
    let usual = fitting.into_iter().find(|&symmetry| image(symmetry, start) == Position::START);
    let otherwise = if start == Position::START { Symmetry::IDENTITY } else { first };
    let symmetry = usual.unwrap_or(otherwise);
    let moves = index.moves(game).iter().map(|&square| symmetry.square(square)).collect();
    Some((image(symmetry, start), moves))
}

impl Query {
    pub(super) fn includes(&self, source: &Source, game: &Game) -> bool {
        let facts = &game.facts;
        if self.from.is_some() || self.to.is_some() {
            let Some(year) = facts.year else { return false };
            if self.from.is_some_and(|from| year.get() < from) || self.to.is_some_and(|to| year.get() > to) {
                return false;
            }
        }
        let named =
            |names: &[u8], number: u32| names.get(number as usize).is_some_and(|&requested| requested != 0);
        if let Some(names) = &source.players {
            let fits = match self.side {
                Some(Color::Black) => named(names, facts.black),
                Some(Color::White) => named(names, facts.white),
                None => named(names, facts.black) || named(names, facts.white),
            };
            if !fits {
                return false;
            }
        }
        source.tournaments.as_ref().is_none_or(|names| named(names, facts.tournament))
    }
}

/// Counts of games, for the side to move.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Results {
    games: u32,
    scored: u32,
    /// Two per game won, one per draw.
    points: u32,
    sum: i64,
}

impl Results {
    pub(super) fn add(&mut self, score: Option<i8>) {
        self.games += 1;
        if let Some(score) = score {
            self.scored += 1;
            self.points += 1 + u32::from(score > 0) - u32::from(score < 0);
            self.sum += i64::from(score);
        }
    }

    pub(super) fn totals(self) -> Totals {
        let Results { games, scored, points, sum } = self;
        let mean = |sum: f64| (scored > 0).then(|| sum / f64::from(scored));
        Totals { games, scored, share: mean(f64::from(points) / 2.0), score: mean(sum as f64) }
    }
}
