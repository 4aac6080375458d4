//! Othello as one would explain it to a child: an array of squares and loops. The oracle for the bitboards.

use outflank::board::{Bitboard, Color, Position, Square, Status};

/// An 8×8 array, row by row, and the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Naive {
    squares: [[Option<Color>; 8]; 8],
    pub(crate) side: Color,
}

const DIRECTIONS: [(i32, i32); 8] = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];

impl Naive {
    pub(crate) fn of(position: &Position) -> Naive {
        let mut squares = [[None; 8]; 8];
        for square in Square::all() {
            squares[usize::from(square.row())][usize::from(square.column())] = position.color_at(square);
        }
        Naive { squares, side: position.side() }
    }

    fn at(&self, row: i32, column: i32) -> Option<Color> {
        if (0..8).contains(&row) && (0..8).contains(&column) {
            self.squares[row as usize][column as usize]
        } else {
            None
        }
    }

    /// The squares of the discs that a disc of the side to move on `square` flips.
    pub(crate) fn flips(&self, square: Square) -> Vec<Square> {
        let mut flips = Vec::new();
        for (down, right) in DIRECTIONS {
            let mut run = Vec::new();
            let (mut row, mut column) = (i32::from(square.row()) + down, i32::from(square.column()) + right);
            while self.at(row, column) == Some(!self.side) {
                run.push(Square::at(column as u8, row as u8).expect("on the board"));
                row += down;
                column += right;
            }
            if self.at(row, column) == Some(self.side) {
                flips.append(&mut run);
            }
        }
        flips
    }

    pub(crate) fn is_legal(&self, square: Square) -> bool {
        let empty = self.at(i32::from(square.row()), i32::from(square.column())).is_none();
        empty && !self.flips(square).is_empty()
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
            next.squares[usize::from(flipped.row())][usize::from(flipped.column())] = Some(self.side);
        }
        next
    }

    fn count(&self, color: Color) -> i32 {
        self.squares.iter().flatten().filter(|&&disc| disc == Some(color)).count() as i32
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
        let discs = |color: Color| -> Bitboard {
            Square::all()
                .filter(|s| self.squares[usize::from(s.row())][usize::from(s.column())] == Some(color))
                .collect()
        };
        Position::from_discs(discs(Color::Black), discs(Color::White), self.side).expect("disjoint")
    }
}
