//! Whole games with all that is known of them: what is written in a notation of archives is read back.

use outflank::board::Move;
use outflank::game::Game;
use outflank::notation::wthor::{self, Database, Record};
use outflank::notation::{ggf, pgn, sgf};

use crate::draw::Draw;
use crate::notations::{in_whole_seconds, same_tags};

/// A game drawn from the bytes. Where all words in it are of a kind that every notation can hold, it is read back as it
/// was; otherwise its moves are, and what is written once stays as it is, through every other notation as well.
pub fn archives(bytes: &[u8]) {
    let mut draw = Draw::new(bytes);
    if draw.any() {
        let game = draw.game(true);
        for (notation, write, read) in NOTATIONS {
            let text = write(&game);
            let again = read(&text).unwrap_or_else(|error| panic!("{notation}: {error}: {text}"));
            assert_eq!(sorted(again), sorted(game.clone()), "{notation}: {text}");
        }
        as_record(&game);
    } else {
        let game = draw.game(false);
        for (notation, write, read) in NOTATIONS {
            let text = write(&game);
            let once = read(&text).unwrap_or_else(|error| panic!("{notation}: {error}: {text}"));
            assert_eq!((once.start(), once.moves()), (game.start(), game.moves()), "{notation}: {text}");
            same_tags(&once, &game, &text);
            let text = write(&once);
            let twice = read(&text).unwrap_or_else(|error| panic!("{notation}: {error}: {text}"));
            assert_eq!(sorted(twice), sorted(once.clone()), "{notation}: {text}");
            NOTATIONS.iter().for_each(|other| through(other, &once, (notation, write, read)));
        }
    }
}

/// What was read in one notation comes back to it through the other, but for what GGF cannot hold.
fn through((other, write, read): &Notation, game: &Game, (notation, back, again): Notation) {
    let text = write(game);
    let there = read(&text).unwrap_or_else(|error| panic!("{notation} to {other}: {error}: {text}"));
    let text = back(&there);
    let here = again(&text).unwrap_or_else(|error| panic!("{other} to {notation}: {error}: {text}"));
    let held = |game: &Game| if *other == "GGF" { in_whole_seconds(game.clone()) } else { game.clone() };
    assert_eq!(
        told(held(&here), other),
        told(held(game), other),
        "{notation} by {other}: {}\n{text}",
        write(game)
    );
}

/// All that is known of a game, names of tags without what sets them apart from the names that a notation has.
fn told(mut game: Game, by: &str) -> Game {
    let plain = |text: &str| {
        if by == "PGN" {
            return text.to_owned();
        }
        // GGF knows no square brackets, and neither knows control characters.
        let held = |c: char| match c {
            '[' if by == "GGF" => '(',
            ']' if by == "GGF" => ')',
            c if c.is_control() => ' ',
            c => c,
        };
        text.chars().map(held).collect::<String>().trim().to_owned()
    };
    let tags = &mut game.tags;
    for text in [&mut tags.place, &mut tags.date, &mut tags.kind, &mut tags.black.name, &mut tags.white.name]
    {
        *text = text.take().map(|text| plain(&text)).filter(|text| !text.is_empty());
    }
    for (_, comment) in &mut tags.comments {
        *comment = plain(comment);
    }
    tags.comments.retain(|(_, comment)| !comment.is_empty());
    for (name, value) in &mut tags.others {
        *name = name.trim_start_matches("X_").to_ascii_uppercase();
        *value = plain(value);
    }
    tags.others.retain(|(_, value)| !value.is_empty());
    sorted(game)
}

/// A notation: its name, how a game is written in it, and how it is read.
type Notation = (&'static str, fn(&Game) -> String, fn(&str) -> Result<Game, String>);

const NOTATIONS: [Notation; 3] = [
    ("GGF", ggf::write_all, |text| ggf::read(text).map_err(|error| error.to_string())),
    ("SGF", sgf::write, |text| only(sgf::games(text))),
    ("PGN", pgn::write, |text| only(pgn::games(text))),
];

/// The only game of a text.
fn only<E: ToString>(games: impl Iterator<Item = (usize, usize, Result<Game, E>)>) -> Result<Game, String> {
    let mut games = games.map(|(_, _, game)| game.map_err(|error| error.to_string()));
    let game = games.next().ok_or("no game")?;
    if games.next().is_some() { Err("several games".to_owned()) } else { game }
}

/// Headers of PGN have an order of their own.
fn sorted(mut game: Game) -> Game {
    game.tags.others.sort();
    game
}

/// A game from a usual start as a record of the WTHOR database.
fn as_record(game: &Game) {
    let Ok(record) = Record::of(game) else { return };
    let database = Database { year: 1999, depth: 22, games: vec![record] };
    let bytes = wthor::write(&database, [20, 26, 11, 22]);
    assert_eq!(wthor::read(&bytes).as_ref(), Ok(&database));
    let read = database.games[0].game().unwrap_or_else(|error| panic!("{error}"));
    let mut game = game.from_usual_start().unwrap_or_default();
    // A pass at the end is not written: nobody could tell it from a game that stops before it.
    while game.moves().last().is_some_and(|played| played.mv == Move::Pass) {
        game.undo();
    }
    let moves = |game: &Game| game.moves().iter().map(|played| played.mv).collect::<Vec<_>>();
    assert_eq!(moves(&read), moves(&game));
}
