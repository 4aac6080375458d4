//! Games with a similar position: an edge, a corner or a half of the board is the same, in any symmetric form, for the side to move.

use outflank::board::{Bitboard, Board, Position, Symmetry};
use serde::Serialize;

use super::index::Index;
use super::lookup::{Listed, Query, Ranking, Results, Totals};
use super::source::Source;
use crate::exchange::write;

/// Most discs more or fewer than on the board: other positions are of another phase.
const MAX_DISTANCE: u32 = 6;

/// The part of the board that must be the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Edge,
    /// A corner of three by three squares.
    Corner,
    /// A corner of two by five squares.
    Block,
    Half,
}

#[derive(Debug, PartialEq, Serialize)]
pub(super) struct Answer {
    /// The games with a similar position and their results for its side to move.
    #[serde(flatten)]
    pub(super) totals: Totals,
    /// The most similar position of each game, the most similar first.
    pub(super) list: Vec<Similar>,
}

#[derive(Debug, PartialEq, Serialize)]
pub(super) struct Similar {
    #[serde(flatten)]
    pub(super) game: Listed,
    /// The position in the orientation of the board, and the move played there.
    pub(super) position: String,
    #[serde(rename = "move")]
    pub(super) mv: String,
    /// Squares that are the same.
    pub(super) same: u32,
    /// The result for the side to move, if it is known.
    pub(super) score: Option<i8>,
}

impl Part {
    pub(super) const ALL: [(&str, Part); 4] =
        [("edge", Part::Edge), ("corner", Part::Corner), ("block", Part::Block), ("half", Part::Half)];

    /// One of the parts of this kind. The symmetries give the others.
    pub(super) fn squares(self) -> Bitboard {
        Bitboard(match self {
            Part::Edge => 0xff,
            Part::Corner => 0x07_0707,
            Part::Block => 0x1f1f,
            Part::Half => 0xffff_ffff,
        })
    }
}

/// A position in its eight symmetric forms. Each has the parts that must be the same, and the symmetry that leads back.
struct Forms(Vec<(Board, Vec<Bitboard>, Symmetry)>);

impl Forms {
    /// Edges and corners without a disc on the border are not compared: most games have them.
    fn new(board: Board, part: Part) -> Forms {
        let form = |symmetry: Symmetry| {
            let board = symmetry.board(board);
            let needed = if part == Part::Half { Bitboard::ALL } else { Bitboard::BORDER };
            let discs = (board.player | board.opponent) & needed;
            let parts = Symmetry::all().map(|symmetry| symmetry.bitboard(part.squares()));
            let parts = parts.filter(|&part| !(part & discs).is_empty()).collect();
            (board, parts, symmetry.inverse())
        };
        Forms(Symmetry::all().map(form).collect())
    }

    /// The largest number of equal squares in a form of the board, and the symmetry that leads from it to the position. `None` if
    /// no part is the same.
    fn compare(&self, board: Board) -> Option<(u32, Symmetry)> {
        let compared = self.0.iter().filter_map(|(form, parts, back)| {
            let other = (form.player ^ board.player) | (form.opponent ^ board.opponent);
            let is_same = parts.iter().any(|&part| (other & part).is_empty());
            is_same.then(|| (64 - other.count(), *back))
        });
        compared.max_by_key(|&(same, _)| same)
    }
}

/// Looks for games with a similar position. Games that reached the position itself are not counted.
pub(super) fn similar(sources: &[Source], position: Position, part: Part, query: &Query) -> Answer {
    let forms = Forms::new(position.board(), part);
    let (mut all, mut best) = (Results::default(), Ranking::new(query));
    for source in sources {
        for (number, index) in source.indices.iter().enumerate() {
            let most = index.starts.iter().map(Position::empties).max().unwrap_or(0);
            let plies = (most + MAX_DISTANCE).saturating_sub(position.empties()) as usize;
            // The largest similarity up to each ply, with the ply of its position. Games share their first positions.
            let mut found: Vec<Option<(u32, usize)>> = Vec::new();
            index.walk(plies, |at, first, path| {
                found.truncate(first);
                for (ply, here) in path.iter().enumerate().skip(first) {
                    let is_near = here.empties().abs_diff(position.empties()) <= MAX_DISTANCE;
                    let same = is_near.then(|| forms.compare(here.board())).flatten();
                    let before = found.last().copied().flatten();
                    let now = same.map(|(same, _)| (same, ply));
                    let is_better = |now: &(u32, usize)| before.is_none_or(|before| now.0 > before.0);
                    found.push(now.filter(is_better).or(before));
                }
                // The last position of a game has no move to show.
                let with_moves = found.len().min(index.moves(at).len());
                let nearest = |plies: usize| found[..plies].last().copied().flatten();
                let Some((same, ply)) = nearest(with_moves) else { return };
                let is_reached = nearest(found.len()).is_some_and(|(same, _)| same == 64);
                let game = &index.games[at];
                if is_reached || !query.includes(source, game) {
                    return;
                }
                all.add(game.facts.result.map(|result| path[ply].side().for_black(result)));
                best.add(same, source, [number, at], ply);
            });
        }
    }
    let row = |(game, index): (Listed, &Index)| {
        let (at, ply) = (game.place.game as usize, game.ply);
        let here = index.position(at, ply);
        let (same, back) = forms.compare(here.board())?;
        let position = write(&Position::new(back.board(here.board()), here.side()));
        let mv = back.square(*index.moves(at).get(ply)?).to_string();
        let score = game.facts.result.map(|result| here.side().for_black(result));
        Some(Similar { game, position, mv, same, score })
    };
    Answer { totals: all.totals(), list: best.games(sources).filter_map(row).collect() }
}
