//! What is written is read back, in every notation, by the notation itself and by the one that has to recognise it.

use std::time::Duration;

use outflank::board::{Color, Move, Position};
use outflank::game::notation::obf::ScoredPosition;
use outflank::game::notation::{self, fen, ggf, moves, obf, squares, transcript};
use outflank::game::{Clock, Ending, Game, GameResult, Played};
use outflank::score::{Discs, Score};

use crate::random::Random;

/// Positions along random games, with either side to move, and impossible ones.
fn positions(seed: u64) -> Vec<Position> {
    let mut random = Random::new(seed);
    let mut positions: Vec<Position> = Vec::new();
    for _ in 0..100 {
        positions.extend(random.game(120).positions());
        positions.push(Position::new(random.board(), random.pick(&[Color::Black, Color::White])));
    }
    positions
}

fn only_position(text: &str) -> Position {
    let games = notation::read(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    assert_eq!((games.len(), games[0].plies()), (1, 0), "{text}");
    games[0].position()
}

#[test]
fn positions_as_squares() {
    for position in positions(30) {
        let text = squares::write(&position);
        assert_eq!(squares::read(&text), Ok(position));
        assert_eq!(only_position(&text), position);
        let glued = text.replace(' ', "");
        assert_eq!(only_position(&glued), position);
        let rows: Vec<_> = (0..8).map(|row| &text[8 * row..8 * row + 8]).collect();
        assert_eq!(only_position(&format!("{}\n{}", rows.join("\r\n"), &text[65..])), position);
    }
}

#[test]
fn positions_as_fen() {
    for position in positions(31) {
        let text = fen::write(&position, 'p');
        assert_eq!(fen::read(&text), Ok(position), "{text}");
        assert_eq!(only_position(&text), position);
    }
}

#[test]
fn positions_with_scores() {
    let mut random = Random::new(32);
    for position in positions(33) {
        let scores = position
            .moves()
            .into_iter()
            .map(|square| (Move::Place(square), Discs::new(random.below(129) as i32 - 64)))
            .collect();
        let problem = ScoredPosition { position, scores };
        let line = obf::write(&problem);
        assert_eq!(obf::read_line(&line), Ok(problem), "{line}");
        assert_eq!(only_position(&line), position);
    }
}

#[test]
fn transcripts() {
    let mut random = Random::new(34);
    for _ in 0..2_000 {
        let plies = random.below(120);
        let mut game = random.game(plies);
        let text = transcript::write(&game);
        if text.is_empty() {
            continue;
        }
        // A trailing pass is not written, since reading cannot tell it from a game that stops before it.
        if game.moves().last().is_some_and(|played| played.mv == Move::Pass) {
            game.undo();
        }
        assert_eq!(transcript::read(&text).as_ref(), Ok(&game), "{text}");
        let explicit: String = game.moves().iter().map(|played| moves::write_upper(played.mv)).collect();
        for text in [text.to_uppercase(), explicit, numbered(&game)] {
            assert_eq!(notation::read(&text), Ok(vec![game.clone()]), "{text}");
        }
    }
}

/// `1. f5 d6 2. c3 …`
fn numbered(game: &Game) -> String {
    let numbered = game.moves().iter().enumerate().map(|(ply, played)| match ply % 2 {
        0 => format!("{}. {} ", ply / 2 + 1, played.mv),
        _ => format!("{} ", played.mv),
    });
    numbered.collect()
}

#[test]
fn games_in_ggf() {
    let mut random = Random::new(35);
    let mut games = Vec::new();
    for _ in 0..500 {
        let start = if random.below(2) == 0 { Position::START } else { random.game(40).position() };
        let mut game = Game::new(start);
        let plies = random.below(70);
        while game.plies() < plies {
            let Some(mv) = random.legal_move(&game) else { break };
            let eval = Score::from_centidiscs(random.below(12_801) as i32 - 6_400);
            let time = Duration::from_millis(random.below(1_000_000) as u64);
            let played = Played {
                mv,
                eval: Some(eval).filter(|_| random.below(2) == 0),
                time: Some(time).filter(|_| random.below(2) == 0),
            };
            game.play(played).expect("a legal move");
        }
        let mut clock = || {
            let mut time = || Duration::from_secs(random.below(100_000) as u64);
            Clock { main: time(), increment: time(), grace: time() }
        };
        game.tags.clock = Some(clock());
        game.tags.white.clock = Some(clock());
        game.tags.black.name = Some("Ann (a)".to_owned());
        game.tags.black.rating = Some(random.below(300_000) as f64 / 100.0);
        game.tags.place = Some("somewhere".to_owned());
        game.tags.kind = Some("8".to_owned());
        game.tags.result = Some(GameResult {
            score: Score::from_centidiscs(random.below(12_801) as i32 - 6_400),
            ending: random.pick(&[Ending::Played, Ending::Resigned, Ending::TimedOut, Ending::Left]),
        });
        let text = ggf::write(&game);
        assert_eq!(ggf::read(&text).as_ref(), Ok(&game), "{text}");
        assert_eq!(text.find(char::is_control), None, "{text}");
        games.push(game);
    }
    let text: Vec<String> = games.iter().map(ggf::write).collect();
    assert_eq!(ggf::read_all(&text.join("\n")), Ok(games));
}

/// Names are written so that the game can be read, whatever they hold.
#[test]
fn names_do_not_break_a_game() {
    for name in ["a]b", "]", "a;)b", "(;", "é\u{1f}\n\r", "[", " "] {
        let mut game = Game::default();
        game.tags.black.name = Some(name.to_owned());
        let text = ggf::write(&game);
        let read = ggf::read(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
        assert_eq!(read.start(), Position::START);
        assert!(!text.contains('\n') && text.ends_with(";)"), "{text}");
    }
}
