//! The moves played from a position, and their games.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use outflank::board::{Color, Position, Square, Symmetry};
use serde::Serialize;

use super::builder::Game;
use super::index::{Index, IndexNode};
use super::play::CanonicalPosition;
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

/// The result of a query. Scores are for the side to move.
#[derive(Debug, Default, PartialEq, Serialize)]
pub(super) struct Answer {
    /// Games that reached the position.
    pub(super) games: u32,
    /// Games with a known result.
    pub(super) scored: u32,
    pub(super) share: Option<f64>,
    pub(super) score: Option<f64>,
    /// The moves played, the most frequent first.
    pub(super) moves: Vec<Played>,
    /// Games, the latest years first.
    pub(super) list: Vec<Listed>,
}

/// A move and its results.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct Played {
    #[serde(rename = "move")]
    pub(super) mv: String,
    /// Moves that a symmetry of the position maps to this one. They are counted here.
    pub(super) twins: Vec<String>,
    pub(super) games: u32,
    /// Games with a known result.
    pub(super) scored: u32,
    /// The share won by the side to move. A draw counts as half.
    pub(super) share: Option<f64>,
    /// The mean score.
    pub(super) score: Option<f64>,
}

/// The place of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Place {
    pub(super) source: u32,
    pub(super) index: u32,
    pub(super) game: u32,
}

/// A game of the list.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct Listed {
    #[serde(flatten)]
    pub(super) place: Place,
    pub(super) number: u32,
    pub(super) black: u32,
    pub(super) white: u32,
    pub(super) tournament: u32,
    pub(super) year: Option<u16>,
    pub(super) result: Option<i8>,
    /// Moves before the position.
    pub(super) ply: usize,
    /// Moves of the whole game.
    pub(super) length: usize,
}

/// A game in the orientation of the position on the board.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Transformed {
    pub(super) start: Position,
    pub(super) moves: Vec<Square>,
}

/// Looks a position up.
pub(super) fn look_up(sources: &[Source], position: Position, query: &Query) -> Answer {
    let (canonical, to_canonical) = CanonicalPosition::of(position);
    let from_canonical = to_canonical.inverse();
    let mut all = Results::default();
    let mut by_square = [Results::default(); 64];
    let mut latest = Latest::new(query.list);
    for source in sources {
        for (number, index) in source.indices.iter().enumerate() {
            for reached in index.reached(canonical) {
                let IndexNode { games, ply, symmetry } = reached;
                // Sorted games often continue alike: the latest move and its square on the board.
                let mut mapped = None;
                for at in games {
                    let game = &index.games[at];
                    if !query.includes(source, game) {
                        continue;
                    }
                    let score = game.facts.result.map(|result| match canonical.side() {
                        Color::Black => result,
                        Color::White => -result,
                    });
                    all.add(score);
                    if let Some(&square) = index.moves(at).get(ply) {
                        let to = match mapped {
                            Some((from, to)) if from == square => to,
                            _ => from_canonical.square(symmetry.square(square)).index(),
                        };
                        mapped = Some((square, to));
                        by_square[to].add(score);
                    }
                    latest.offer(
                        game,
                        Place { source: source.id, index: number as u32, game: at as u32 },
                        ply,
                    );
                }
            }
        }
    }
    Answer {
        games: all.games,
        scored: all.scored,
        share: all.share(),
        score: all.score(),
        moves: merge_twins(position, &by_square),
        list: latest.list(sources),
    }
}

/// A game, transformed so that it reaches `position`. Of several symmetries, prefers one with the usual start. A game from the
/// usual start keeps it.
pub(super) fn transform(index: &Index, game: usize, ply: usize, position: Position) -> Option<Transformed> {
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
    Some(Transformed { start: image(symmetry, start), moves })
}

impl Query {
    fn includes(&self, source: &Source, game: &Game) -> bool {
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
struct Results {
    games: u32,
    scored: u32,
    /// Two per game won, one per draw.
    points: u32,
    sum: i64,
}

impl Results {
    fn add(&mut self, score: Option<i8>) {
        self.games += 1;
        if let Some(score) = score {
            self.scored += 1;
            self.points += 1 + u32::from(score > 0) - u32::from(score < 0);
            self.sum += i64::from(score);
        }
    }

    fn join(&mut self, other: Results) {
        self.games += other.games;
        self.scored += other.scored;
        self.points += other.points;
        self.sum += other.sum;
    }

    fn share(self) -> Option<f64> {
        (self.scored > 0).then(|| f64::from(self.points) / 2.0 / f64::from(self.scored))
    }

    fn score(self) -> Option<f64> {
        (self.scored > 0).then(|| self.sum as f64 / f64::from(self.scored))
    }
}

/// Merges moves that a symmetry of the position maps to each other. A row has the name of the move farthest to the right and
/// down, such as f5 of the four first moves.
fn merge_twins(position: Position, by_square: &[Results; 64]) -> Vec<Played> {
    let board = position.board();
    let own: Vec<Symmetry> = Symmetry::all().filter(|symmetry| symmetry.board(board) == board).collect();
    let rank = |square: Square| (square.column(), square.row());
    let mut rows = Vec::new();
    for square in position.moves() {
        let mut twins: Vec<Square> = own.iter().map(|symmetry| symmetry.square(square)).collect();
        twins.sort_by_key(|&twin| Reverse(rank(twin)));
        twins.dedup();
        if twins.first() != Some(&square) {
            continue;
        }
        let mut tally = Results::default();
        for twin in &twins {
            tally.join(by_square[twin.index()]);
        }
        if tally.games > 0 {
            rows.push((tally, twins));
        }
    }
    rows.sort_by_key(|(tally, twins)| {
        (Reverse(tally.games), Reverse(twins.first().map(|&square| rank(square))))
    });
    let named = |square: &Square| square.to_string();
    rows.into_iter()
        .map(|(tally, twins)| Played {
            mv: twins.first().map(named).unwrap_or_default(),
            twins: twins.iter().skip(1).map(named).collect(),
            games: tally.games,
            scored: tally.scored,
            share: tally.share(),
            score: tally.score(),
        })
        .collect()
}

/// Collects the latest games.
struct Latest {
    limit: usize,
    /// The top is the game to be dropped next.
    heap: BinaryHeap<Reverse<Rank>>,
}

/// Later years are greater, in a year the first games.
type Rank = (u16, Reverse<(u32, u32, u32, u32)>, usize);

impl Latest {
    fn new(limit: usize) -> Latest {
        Latest { limit, heap: BinaryHeap::with_capacity(limit + 1) }
    }

    fn offer(&mut self, game: &Game, place: Place, ply: usize) {
        let year = game.facts.year.map_or(0, |year| year.get());
        let rank = (year, Reverse((place.source, game.facts.number, place.index, place.game)), ply);
        if self.heap.len() >= self.limit && self.heap.peek().is_none_or(|Reverse(least)| rank < *least) {
            return;
        }
        self.heap.push(Reverse(rank));
        if self.heap.len() > self.limit {
            self.heap.pop();
        }
    }

    fn list(self, sources: &[Source]) -> Vec<Listed> {
        let ranks = self.heap.into_sorted_vec();
        let listed = |Reverse((_, Reverse((id, _, number, at)), ply)): Reverse<Rank>| {
            let source = sources.iter().find(|source| source.id == id)?;
            let game = source.indices.get(number as usize)?.games.get(at as usize)?;
            let facts = game.facts;
            Some(Listed {
                place: Place { source: id, index: number, game: at },
                number: facts.number,
                black: facts.black,
                white: facts.white,
                tournament: facts.tournament,
                year: facts.year.map(|year| year.get()),
                result: facts.result,
                ply,
                length: usize::from(game.length),
            })
        };
        ranks.into_iter().filter_map(listed).collect()
    }
}
