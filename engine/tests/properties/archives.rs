//! Whole games with all that is known of them, in the notations of archives: what is written is read back, and a faulty
//! game among others does not keep them from being read.

use std::time::Duration;

use outflank::board::{Move, Position, Symmetry};
use outflank::game::{Ending, Game, GameClock, GameResult, RecordedMove};
use outflank::notation::wthor::{self, Database, Names};
use outflank::notation::{self, ReadErrorCode, ggf, pgn, sgf};
use outflank::score::{Discs, Score};

use crate::random::Random;

/// A game with anything known or unknown around it.
fn game(random: &mut Random) -> Game {
    let start = match random.below(3) {
        0 => Position::START,
        1 => random.game(50).position(),
        _ => {
            let symmetry = Symmetry::all().nth(random.below(8)).unwrap_or(Symmetry::IDENTITY);
            Position::new(symmetry.board(Position::START.board()), Position::START.side())
        }
    };
    let mut game = Game::new(start);
    let plies = random.below(75);
    while game.plies() < plies {
        let Some(mv) = random.legal_move(&game) else { break };
        let eval = Score::from_centidiscs(random.below(12_801) as i32 - 6_400);
        let time = Duration::from_millis(random.below(1_000_000) as u64);
        let eval = Some(eval).filter(|_| random.below(2) == 0);
        let time = Some(time).filter(|_| random.below(2) == 0);
        game.play(RecordedMove { mv, eval, time }).expect("a legal move");
    }
    let words = ["Ann (a)", "Jérôme", "石田 芳夫", "a\"b\\c", "x-1.5", "B+2", "1. f5", "O'Neill; Bob"];
    let word = |random: &mut Random| Some(random.pick(&words).to_owned()).filter(|_| random.below(4) > 0);
    let clock = |random: &mut Random| {
        let mut time = |most| Duration::from_secs(random.below(most) as u64);
        let clock = GameClock { main: time(100_000), increment: time(3), grace: time(200) };
        Some(clock).filter(|_| random.below(2) == 0)
    };
    let tags = &mut game.tags;
    tags.place = word(random);
    tags.date = word(random);
    tags.kind = word(random);
    for player in [&mut tags.black, &mut tags.white] {
        player.name = word(random);
        player.rating = Some(random.below(300_000) as f64 / 100.0).filter(|_| random.below(2) == 0);
        player.clock = clock(random);
    }
    tags.clock = clock(random);
    tags.result = Some(GameResult {
        score: Score::from_centidiscs(random.below(12_801) as i32 - 6_400),
        ending: random.pick(&[
            Ending::Played,
            Ending::Resigned,
            Ending::TimedOut,
            Ending::Left,
            Ending::Agreed,
        ]),
    })
    .filter(|_| random.below(3) > 0);
    for name in ["KB", "KW", "AP", "WT", "ON", "VERSION_2"] {
        if random.below(2) == 0 {
            tags.keep(name, random.pick(&words));
        }
    }
    for discs in 0..=game.discs_placed() {
        if random.below(20) == 0 {
            game.tags.comments.push((discs, random.pick(&words[..6]).to_owned()));
        }
    }
    if game.plies() == 0 {
        let squares = game.start().moves().into_iter();
        let scores: Vec<_> =
            squares.map(|square| (Move::Place(square), Discs::new(random.below(129) as i32 - 64))).collect();
        game.tags.scores = scores;
    }
    game
}

#[test]
fn in_ggf_with_every_tag() {
    let mut random = Random::new(70);
    let games: Vec<Game> = (0..600).map(|_| game(&mut random)).collect();
    let text: Vec<String> = games.iter().map(ggf::write_all).collect();
    for (game, text) in games.iter().zip(&text) {
        assert_eq!(ggf::read(text).as_ref(), Ok(game), "{text}");
    }
    let read: Vec<Game> = ggf::games(&text.join("\n")).map(|(_, _, game)| game.unwrap()).collect();
    assert_eq!(read, games);
    let lines: Vec<usize> = ggf::games(&text.join("\n")).map(|(_, line, _)| line).collect();
    assert_eq!(lines, (1..=games.len()).collect::<Vec<_>>());
}

#[test]
fn in_sgf() {
    let mut random = Random::new(71);
    let games: Vec<Game> = (0..600).map(|_| game(&mut random)).collect();
    let text: Vec<String> = games.iter().map(sgf::write).collect();
    for (game, text) in games.iter().zip(&text) {
        assert_eq!(
            sgf::games(text).next().map(|(_, _, game)| game).as_ref(),
            Some(&Ok(game.clone())),
            "{text}"
        );
    }
    let read: Vec<Game> = sgf::games(&text.concat()).map(|(_, _, game)| game.unwrap()).collect();
    assert_eq!(read, games);
}

#[test]
fn in_pgn_of_both_kinds() {
    let mut random = Random::new(72);
    let games: Vec<Game> = (0..600)
        .map(|_| {
            let mut game = game(&mut random);
            if random.below(2) == 0 {
                game.tags.keep("Variant", "othello");
            }
            if random.below(2) == 0 {
                game.tags.keep("Round", "3");
            }
            game
        })
        .collect();
    let text: Vec<String> = games.iter().map(pgn::write).collect();
    for (game, text) in games.iter().zip(&text) {
        let mut read = pgn::games(text).next().unwrap().2.unwrap_or_else(|error| panic!("{error}\n{text}"));
        let mut game = game.clone();
        // Headers have an order of their own.
        read.tags.others.sort();
        game.tags.others.sort();
        assert_eq!(read, game, "{text}");
        // Pasted, it says the same.
        if game.plies() > 0 {
            let mut pasted = notation::read(text).unwrap_or_else(|error| panic!("{error}\n{text}")).remove(0);
            pasted.tags.others.sort();
            pasted.tags.date.clone_from(&game.tags.date);
            pasted.tags.result = game.tags.result;
            assert_eq!(pasted, game, "{text}");
        }
        assert!(
            text.lines().filter(|line| !line.starts_with('[')).all(|line| line.chars().count() < 80),
            "{text}"
        );
    }
    assert_eq!(pgn::games(&text.concat()).filter(|(_, _, game)| game.is_ok()).count(), games.len());
}

#[test]
fn in_wthor() {
    let mut random = Random::new(73);
    let mut games = Vec::new();
    for _ in 0..500 {
        let plies = random.below(120);
        let game = random.game(plies);
        let symmetry = Symmetry::all().nth(random.below(8)).unwrap_or(Symmetry::IDENTITY);
        games.push(game.transformed(symmetry));
    }
    let records: Vec<_> = games.iter().map(|game| wthor::Record::of(game).unwrap()).collect();
    let database = Database { year: 1999, depth: 0, games: records };
    let again = wthor::read(&wthor::write(&database, [20, 26, 11, 22])).unwrap();
    assert_eq!(again, database);
    for (record, game) in again.games.iter().zip(&games) {
        let read = record.game().unwrap();
        let mut game = game.from_usual_start().unwrap();
        // A pass at the end is not written: nobody could tell it from a game that stops before it.
        while game.moves().last().is_some_and(|played| played.mv == Move::Pass) {
            game.undo();
        }
        assert_eq!(read.moves(), game.moves());
    }
    let names: Vec<String> = (0..300).map(|number| format!("Name {number}")).collect();
    for kind in [Names::Players, Names::Tournaments] {
        let (bytes, cut) = wthor::write_names(&names, kind, [20, 26, 11, 22]);
        assert_eq!((wthor::read_names(&bytes, kind).as_ref(), cut.len()), (Ok(&names), 0));
    }
}

/// Games with characters struck out, put in and exchanged: nothing panics, and the game after them is still read.
#[test]
fn faulty_games_among_others() {
    let mut random = Random::new(74);
    for round in 0..3_000 {
        let (faulty, sound) = (game(&mut random), game(&mut random));
        let mut spoil = |text: String| {
            let mut characters: Vec<char> = text.trim_end().chars().collect();
            for _ in 0..=random.below(4) {
                let at = random.below(characters.len());
                let sign = random.pick(&['[', ']', '(', ')', ';', '{', '}', '"', '\\', 'x', '5', '\n', 'é']);
                match random.below(3) {
                    0 => drop(characters.remove(at)),
                    1 => characters.insert(at, sign),
                    _ => characters[at] = sign,
                }
            }
            characters.into_iter().collect::<String>()
        };
        let last = |game: Option<Game>, text: &str| {
            assert_eq!(game.as_ref().map(Game::moves), Some(sound.moves()), "round {round}: {text}");
        };
        let text = format!("{}\n{}\n", spoil(ggf::write_all(&faulty)), ggf::write_all(&sound));
        last(ggf::games(&text).last().and_then(|(_, _, game)| game.ok()), &text);
        let text = format!("{}\n{}\n", spoil(sgf::write(&faulty)), sgf::write(&sound));
        last(sgf::games(&text).last().and_then(|(_, _, game)| game.ok()), &text);
        let text = format!("{}\n\n{}\n", spoil(pgn::write(&faulty)), pgn::write(&sound));
        last(pgn::games(&text).last().and_then(|(_, _, game)| game.ok()), &text);
        // What was read of it can be written, and pasted it is read as well.
        for game in pgn::games(&text).filter_map(|(_, _, game)| game.ok()) {
            let again = |game: &Game| {
                let mut game = pgn::games(&pgn::write(game)).next().unwrap().2.unwrap();
                game.tags.others.sort();
                game
            };
            // A comment cannot hold `}`, which a line may.
            let once = again(&game);
            assert_eq!((once.moves(), &again(&once)), (game.moves(), &once), "round {round}: {text}");
        }
        let mut pasted = None;
        let read = notation::read_each(&text, usize::MAX, &mut |game| pasted = Some(game));
        // `(;` and `[[` begin other notations.
        if sound.plies() > 0
            && !text.contains("(;")
            && !read.is_err_and(|error| error.code == ReadErrorCode::Json)
        {
            last(pasted, &text);
        }
    }
}
