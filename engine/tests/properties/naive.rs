//! Othello as one would explain it to a child: a list of squares and loops. The oracle for the bitboards.

use outflank::board::{Bitboard, Color, Position, Square, Status};

/// The discs on the squares, row by row, and the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Naive {
    squares: Vec<Option<Color>>,
    pub(crate) side: Color,
}

const DIRECTIONS: [(i32, i32); 8] = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];

impl Naive {
    pub(crate) fn of(position: &Position) -> Naive {
        let squares = Square::all().map(|square| position.color_at(square)).collect();
        Naive { squares, side: position.side() }
    }

    /// The squares of the discs that a disc of the side to move on `square` flips.
    pub(crate) fn flips(&self, square: Square) -> Vec<Square> {
        let run = |(down, right)| {
            let next = |steps: i32| {
                let (row, column) = (i32::from(square.row()), i32::from(square.column()));
                Square::at((column + steps * right) as u8, (row + steps * down) as u8)
            };
            let is_of = |side, at: &Square| self.squares[at.index()] == Some(side);
            let run: Vec<Square> = (1..8).map_while(next).take_while(|at| is_of(!self.side, at)).collect();
            let end = next(run.len() as i32 + 1);
            if end.is_some_and(|end| is_of(self.side, &end)) { run } else { Vec::new() }
        };
        DIRECTIONS.into_iter().flat_map(run).collect()
    }

    pub(crate) fn is_legal(&self, square: Square) -> bool {
        self.squares[square.index()].is_none() && !self.flips(square).is_empty()
    }

    pub(crate) fn moves(&self) -> Vec<Square> {
        Square::all().filter(|&square| self.is_legal(square)).collect()
    }

    pub(crate) fn after_pass(&self) -> Naive {
        Naive { side: !self.side, ..self.clone() }
    }

    pub(crate) fn status(&self) -> Status {
        if !self.moves().is_empty() {
            Status::ToMove
        } else if !self.after_pass().moves().is_empty() {
            Status::MustPass
        } else {
            Status::Over
        }
    }

    pub(crate) fn after_move(&self, square: Square) -> Naive {
        let mut next = self.after_pass();
        for flipped in self.flips(square).into_iter().chain([square]) {
            next.squares[flipped.index()] = Some(self.side);
        }
        next
    }

    fn count(&self, color: Color) -> i32 {
        self.squares.iter().filter(|&&disc| disc == Some(color)).count() as i32
    }

    /// The result for the side to move, empty squares going to the winner.
    pub(crate) fn final_score(&self) -> i32 {
        let (own, other) = (self.count(self.side), self.count(!self.side));
        match own.cmp(&other) {
            std::cmp::Ordering::Greater => 64 - 2 * other,
            std::cmp::Ordering::Equal => 0,
            std::cmp::Ordering::Less => 2 * own - 64,
        }
    }

    pub(crate) fn position(&self) -> Position {
        let discs = |color| -> Bitboard {
            Square::all().filter(|square| self.squares[square.index()] == Some(color)).collect()
        };
        Position::from_discs(discs(Color::Black), discs(Color::White), self.side).expect("disjoint")
    }
}
