//! Forms in which people paste games and positions.

use outflank::board::{Color, Move, Position};
use outflank::game::Game;
use outflank::notation::{self, fen, moves, obf, pgn, squares, transcript};
use outflank::score::Discs;

use crate::draw::Draw;

/// Games and positions drawn from the bytes are recognized in every form.
pub fn forms(bytes: &[u8]) {
    let mut draw = Draw::new(bytes);
    let games: Vec<Game> = (0..=draw.below(3)).map(|_| draw.playable()).collect();
    in_json(&games);
    as_transcripts(&games[0]);
    let text: String = games.iter().map(pgn::write).collect();
    assert_eq!(lines(&text), games.iter().map(transcript::write).collect::<Vec<_>>(), "{text}");
    board_with_moves(&games[0], draw.below(games[0].plies()));
    list(&mut draw);
    position(&mut draw);
}

fn lines(text: &str) -> Vec<String> {
    read(text).iter().map(transcript::write).collect()
}

fn read(text: &str) -> Vec<Game> {
    notation::read(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// Othello Quest's objects in a list, in a message, and one per line.
fn in_json(games: &[Game]) {
    let object = |game: &Game| {
        let moves = game.moves().iter().map(|played| match played.mv {
            Move::Pass => r#"{"m":"-","t":3}"#.to_owned(),
            Move::Place(square) => format!(r#"{{"m":"{square}","t":1234}}"#),
        });
        let moves = moves.collect::<Vec<_>>().join(",");
        format!(r#"{{"players":[{{"name":"A"}},{{"id":"b"}}],"position":{{"moves":[{moves}]}}}}"#)
    };
    let objects: Vec<String> = games.iter().map(object).collect();
    let list = objects.join(",");
    let expected: Vec<String> = games.iter().map(transcript::write).collect();
    for text in
        [format!(r#"{{"games":[{list}]}}"#), format!(r#"5:::{{"args":[{list}]}}"#), objects.join("\n")]
    {
        assert_eq!(lines(&text), expected, "{text}");
    }
}

/// Upper case, with passes, and with numbers.
fn as_transcripts(game: &Game) {
    let passes: String = game.moves().iter().map(|played| moves::write_upper(played.mv)).collect();
    let numbered = game.moves().iter().enumerate().map(|(ply, played)| match ply % 2 {
        0 => format!("{}. {} ", ply / 2 + 1, played.mv),
        _ => format!("{} ", played.mv),
    });
    for text in [transcript::write(game).to_uppercase(), passes, numbered.collect()] {
        assert_eq!(read(&text), std::slice::from_ref(game), "{text}");
    }
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

/// A list with invalid lines: each is reported with its number, and all other lines are read.
fn list(draw: &mut Draw<'_>) {
    let (mut text, mut expected, mut invalid) = (String::new(), Vec::new(), Vec::new());
    for line in 1..=4 + draw.below(8) {
        match draw.below(4) {
            1 => {
                text.push_str(draw.pick(&["nonsense", "f5f5", "f5d6c9", "?x"]));
                invalid.push(line);
            }
            2 if line > 1 => {}
            _ => {
                let moves = transcript::write(&draw.playable());
                text.push_str(draw.pick(&["", "棋譜: ", "Game 3: ", "12. "]));
                text.push_str(&moves);
                expected.push(moves);
            }
        }
        text.push('\n');
    }
    let mut read = Vec::new();
    let skipped = notation::read_each(&text, notation::MAX_TEXT_CHARS, &mut |game| {
        read.push(transcript::write(&game));
    });
    // One game is not a list.
    if expected.len() >= 2 {
        let reported = skipped.unwrap_or_else(|error| panic!("{error}: {text}")).reported;
        assert_eq!(read, expected, "{text}");
        assert_eq!(
            reported.iter().filter_map(|error| error.place.line).collect::<Vec<_>>(),
            invalid,
            "{text}"
        );
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
    assert_eq!(read(&line)[0].tags.scores, scored.scores, "{line}");
    assert_eq!(obf::read_line(&line), Ok(scored), "{line}");
    for text in [
        squares.replace(' ', ""),
        format!("{}\n{}", rows.join("\r\n"), &squares[65..]),
        fen::write(&position, 'p'),
        line,
        squares,
    ] {
        let games = read(&text);
        assert_eq!((games.len(), games[0].start(), games[0].plies()), (1, position, 0), "{text}");
    }
}
