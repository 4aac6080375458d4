//! Forms in which people paste positions. `engine/tests/data/notations.txt` has forms of games.

use outflank::board::{Color, Move, Position};
use outflank::game::Game;
use outflank::notation::{self, fen, obf, squares, transcript};
use outflank::score::Discs;

use crate::draw::Draw;

/// A position, alone and with moves, is recognized in every form.
pub fn forms(bytes: &[u8]) {
    let mut draw = Draw::new(bytes);
    let game = draw.game(true);
    board_with_moves(&game, draw.below(game.plies()));
    position(&mut draw);
}

fn read(text: &str) -> Vec<Game> {
    notation::read(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn board_with_moves(game: &Game, ply: usize) {
    let Some(start) = game.position_at(ply) else { return };
    let played = game.moves()[ply..].iter().filter_map(|played| played.mv.square());
    let moves: String = played.map(|square| square.to_string()).collect();
    if moves.is_empty() {
        return;
    }
    let squares = squares::write_with(&start, ['X', 'O', '-']);
    let rows: Vec<&str> = (0..8).map(|row| &squares[8 * row..8 * row + 8]).collect();
    let numbered: String =
        rows.iter().zip(1..).map(|(row, number)| format!("{number} {row} {number}\n")).collect();
    let side = start.side().letter();
    let name = if start.side() == Color::Black { "Black" } else { "White" };
    for text in [
        format!("{squares} {side}\n{moves}"),
        format!("{squares} {side} {moves}"),
        format!("{}\n{side}\n{moves}", rows.join("\n")),
        format!("  a b c d e f g h\n{numbered}\n{name} to move: {moves}"),
    ] {
        let games = read(&text);
        assert_eq!((games.len(), games[0].start()), (1, start), "{text}");
        assert_eq!(transcript::write(&games[0]), moves, "{text}");
    }
}

/// A position as squares, glued, in rows, in FEN, and in OBF with scores.
fn position(draw: &mut Draw<'_>) {
    let position: Position = draw.position();
    let squares = squares::write(&position);
    let rows: Vec<_> = (0..8).map(|row| &squares[8 * row..8 * row + 8]).collect();
    let places = position.moves().into_iter().map(Move::Place);
    let scores = places.map(|mv| (mv, Discs::new(draw.below(129) as i32 - 64))).collect();
    let scored = obf::ScoredPosition { position, scores };
    let line = obf::write(&scored);
    assert_eq!(obf::read_line(&line).as_ref(), Ok(&scored), "{line}");
    assert_eq!(read(&line), [Game::from(scored)], "{line}");
    for text in [
        squares.replace(' ', ""),
        format!("{}\n{}", rows.join("\r\n"), &squares[65..]),
        fen::write(&position, 'p'),
        squares,
    ] {
        assert_eq!(read(&text), [Game::new(position)], "{text}");
    }
}
