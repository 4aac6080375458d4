//! Games with all their tags in the notations of archives: each notation reads back what it writes.

use outflank::game::{Game, GameTree};
use outflank::notation::wthor::{self, Database, Record};
use outflank::notation::{self, link, pgn};

use crate::draw::Draw;
use crate::notations::{NOTATIONS, sorted, without_last_pass};

/// A game drawn from the bytes. If every notation can hold all its texts, each reads the whole game back. Otherwise each reads
/// the moves back, and a game that was read once stays the same.
pub fn archives(bytes: &[u8]) {
    let mut draw = Draw::new(bytes);
    if draw.any() {
        let game = draw.game(true);
        for notation in NOTATIONS {
            assert_eq!(notation.through(&game), sorted(game.clone()), "{}", notation.name);
        }
        let text = pgn::write(&game);
        let moves = text.lines().filter(|line| !line.starts_with('['));
        assert!(moves.into_iter().all(|line| line.chars().count() < 80), "{text}");
        as_record(&game);
    } else {
        let game = draw.game(false);
        NOTATIONS.iter().for_each(|notation| notation.check_game(&game));
        as_link(&game.tree(), &mut draw);
    }
}

/// A game with any texts and tags.
pub fn drawn(bytes: &[u8]) -> Game {
    Draw::new(bytes).game(false)
}

/// A text with up to five other characters.
pub fn spoiled(bytes: &[u8], text: &str) -> String {
    Draw::new(bytes).spoiled(text)
}

/// A link has the moves, the variations, the comments and the cursor.
fn as_link(tree: &GameTree, draw: &mut Draw<'_>) {
    let cursor = tree.node(draw.below(tree.len()));
    let text = link::write(tree, cursor);
    let (read, found) = link::read(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
    assert_eq!((read.len(), link::write(&read, Some(found))), (tree.len(), text));
}

fn as_record(game: &Game) {
    let Some(record) = Record::of(game) else { return };
    let database = Database { year: 1999, depth: 22, games: vec![record] };
    let bytes = wthor::write(&database, [20, 26, 11, 22]);
    assert_eq!(wthor::read(&bytes), Ok((database.clone(), None)));
    let read = database.games[0].game().unwrap();
    let game = without_last_pass(game.from_usual_start().unwrap_or_default());
    let moves = |game: &Game| game.moves().iter().map(|played| played.mv).collect::<Vec<_>>();
    assert_eq!(moves(&read), moves(&game));
}

/// A valid game is read after a spoiled one, in every notation and among pasted games.
pub fn among_others(bytes: &[u8]) {
    let mut draw = Draw::new(bytes);
    let (first, second) = (draw.game(true), draw.game(true));
    for notation in NOTATIONS {
        let spoiled = draw.spoiled((notation.write)(&first).trim_end());
        let text = format!("{spoiled}\n\n{}\n", (notation.write)(&second));
        let last = (notation.read)(&text).pop().and_then(|(.., game)| game.ok());
        assert_eq!(last.as_ref().map(Game::moves), Some(second.moves()), "{}: {text}", notation.name);
        let mut last = None;
        let _ = notation::read_each(&text, usize::MAX, &mut |game| last = Some(game));
        // `(;`, `[[` and `[{` begin other notations.
        let pasted = notation.name == "PGN"
            && !text.contains("(;")
            && !["[[", "[{"].iter().any(|sign| text.trim_start().starts_with(sign));
        if pasted && second.plies() > 0 && !text.trim_start().starts_with('{') {
            assert_eq!(last.as_ref().map(Game::moves), Some(second.moves()), "{text}");
        }
    }
}
