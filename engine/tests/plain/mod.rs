//! A solver as plain as can be, and positions for it.
#![allow(dead_code, reason = "each test program uses a part")]

use outflank::board::Board;
pub(crate) use random::Random;

#[path = "../properties/random.rs"]
mod random;

/// Plain alpha-beta to the end of the game: nothing is remembered, nothing is pruned on a guess. Moves that leave few
/// replies come first, which makes it a hundred times faster and as plain.
pub(crate) fn plain(board: Board, mut alpha: i32, beta: i32) -> i32 {
    let moves = board.moves();
    if moves.is_empty() {
        return if board.after_pass().moves().is_empty() {
            board.final_score()
        } else {
            -plain(board.after_pass(), -beta, -alpha)
        };
    }
    let mut children: Vec<Board> =
        moves.into_iter().map(|square| board.after_move(square, board.flips(square))).collect();
    if board.empties() > 5 {
        children.sort_by_cached_key(|child| child.moves().count());
    }
    let mut best = -64;
    for child in children {
        let score = -plain(child, -beta, -alpha);
        best = best.max(score);
        alpha = alpha.max(score);
        if alpha >= beta {
            break;
        }
    }
    best
}

/// A position of a random game with `empties` empty squares; the game may be over or the mover may have to pass.
pub(crate) fn random_board(random: &mut Random, empties: u32) -> Board {
    loop {
        let game = random.game(usize::MAX);
        if let Some(position) = game.positions().find(|position| position.empties() == empties) {
            return position.board();
        }
    }
}
