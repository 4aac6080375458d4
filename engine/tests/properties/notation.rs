//! What is written is read back, in every notation, by the notation itself and by the one that has to recognise it.

use std::time::Duration;

use outflank::board::{Color, Move, Position};
use outflank::game::{Ending, Game, GameClock, GameResult, RecordedMove};
use outflank::notation::obf::ScoredPosition;
use outflank::notation::{self, fen, ggf, moves, obf, squares, transcript};
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
            let played = RecordedMove {
                mv,
                eval: Some(eval).filter(|_| random.below(2) == 0),
                time: Some(time).filter(|_| random.below(2) == 0),
            };
            game.play(played).expect("a legal move");
        }
        let mut clock = || {
            let mut time = || Duration::from_secs(random.below(100_000) as u64);
            GameClock { main: time(), increment: time(), grace: time() }
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

/// A game without the pass that may end it: no notation without passes can tell it from a game that stops before it.
fn playable(random: &mut Random) -> Game {
    loop {
        let plies = 1 + random.below(90);
        let mut game = random.game(plies);
        if game.moves().last().is_some_and(|played| played.mv == Move::Pass) {
            game.undo();
        }
        if game.plies() > 0 {
            return game;
        }
    }
}

/// The moves of whatever was read.
fn lines(text: &str) -> Vec<String> {
    let games = notation::read(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    games.iter().map(transcript::write).collect()
}

#[test]
fn games_of_othello_quest() {
    let mut random = Random::new(36);
    for _ in 0..500 {
        let games: Vec<Game> = (0..1 + random.below(3)).map(|_| playable(&mut random)).collect();
        let objects = games.iter().map(|game| {
            let moves = game.moves().iter().map(|played| match played.mv {
                Move::Pass => "{\"m\":\"-\",\"t\":3}".to_owned(),
                Move::Place(square) => format!("{{\"m\":\"{square}\",\"t\":1234}}"),
            });
            let moves = moves.collect::<Vec<_>>().join(",");
            format!(
                "{{\"players\":[{{\"name\":\"A\"}},{{\"id\":\"b\"}}],\"position\":{{\"moves\":[{moves}]}}}}"
            )
        });
        let objects: Vec<String> = objects.collect();
        let expected: Vec<String> = games.iter().map(transcript::write).collect();
        let list = objects.join(",");
        for text in
            [format!("{{\"games\":[{list}]}}"), format!("5:::{{\"args\":[{list}]}}"), objects.join("\n")]
        {
            assert_eq!(lines(&text), expected, "{text}");
        }
        let read = &notation::read(&list).expect("a game")[0];
        assert_eq!(read.tags.white.name.as_deref(), Some("b"));
        assert_eq!(read.moves()[0].time, Some(Duration::from_millis(1234)));
    }
}

#[test]
fn games_with_headers() {
    let mut random = Random::new(37);
    for _ in 0..500 {
        let games: Vec<Game> = (0..1 + random.below(3)).map(|_| playable(&mut random)).collect();
        let text: String = games
            .iter()
            .map(|game| {
                let moves = game.moves().iter().enumerate().map(|(ply, played)| {
                    let number = if ply % 2 == 0 { format!("{}. ", ply / 2 + 1) } else { String::new() };
                    let end = if random.below(8) == 0 { '\n' } else { ' ' };
                    let mv = played.mv.square().map_or("--".to_owned(), |square| square.to_string());
                    format!("{number}{mv}{end}")
                });
                let moves: String = moves.collect();
                format!("[Site \"PlayOK\"]\n[Black \"Ann\"]\n[White \"Bob\"]\n[Result \"33-31\"]\n\n{moves}33-31\n\n")
            })
            .collect();
        assert_eq!(lines(&text), games.iter().map(transcript::write).collect::<Vec<_>>(), "{text}");
        for (read, game) in notation::read(&text).expect("games").iter().zip(&games) {
            let counted = Score::from_discs(2.0).map(|score| GameResult { score, ending: Ending::Played });
            assert_eq!(read.result(), game.final_score().or(counted), "the board knows better");
        }
    }
}

#[test]
fn boards_with_moves() {
    let mut random = Random::new(38);
    for _ in 0..500 {
        let whole = playable(&mut random);
        let cut = random.below(whole.plies());
        let start = whole.position_at(cut).expect("a position of the game");
        let squares = squares::write_with(&start, ['X', 'O', '-']);
        let moves: String = whole.moves()[cut..]
            .iter()
            .filter_map(|played| played.mv.square())
            .map(|s| s.to_string())
            .collect();
        if moves.is_empty() {
            continue;
        }
        let rows: Vec<&str> = (0..8).map(|row| &squares[8 * row..8 * row + 8]).collect();
        let numbered = rows.iter().zip(1..).map(|(row, number)| format!("{number} {row} {number}\n"));
        let numbered: String = numbered.collect();
        let side = start.side();
        let name = if side == Color::Black { "Black" } else { "White" };
        for text in [
            format!("{squares} {}\n{moves}", side.letter()),
            format!("{squares} {} {moves}", side.letter()),
            format!("{}\n{}\n{moves}", rows.join("\n"), side.letter()),
            format!("  a b c d e f g h\n{numbered}\n{name} to move: {moves}"),
        ] {
            let games = notation::read(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
            assert_eq!((games.len(), games[0].start()), (1, start), "{text}");
            assert_eq!(transcript::write(&games[0]), moves, "{text}");
        }
    }
}

/// Faulty lines anywhere in a list are told by their numbers, and every other line is taken.
#[test]
fn lists_with_faulty_lines() {
    let mut random = Random::new(39);
    for _ in 0..500 {
        let (mut text, mut expected, mut faulty) = (String::new(), Vec::new(), Vec::new());
        for line in 1..=4 + random.below(8) {
            match random.below(4) {
                0 => {
                    text.push_str(random.pick(&["nonsense", "f5a1", "f5d6c9", "a1", "?x"]));
                    faulty.push(line);
                }
                1 if line > 1 => {}
                _ => {
                    let moves = transcript::write(&playable(&mut random));
                    text.push_str(random.pick(&["", "棋譜: ", "Game 3: ", "12. "]));
                    text.push_str(&moves);
                    expected.push(moves);
                }
            }
            text.push('\n');
        }
        let (mut read, mut told) = (Vec::new(), Vec::new());
        match notation::read_each(&text, notation::MAX_TEXT_CHARS, &mut |game| {
            read.push(transcript::write(&game))
        }) {
            Ok(faults) => told.extend(faults.reported.iter().map(ToString::to_string)),
            // Fewer than two games are no list: one faulty text.
            Err(_) => {
                assert!(expected.len() < 2, "{text}");
                continue;
            }
        }
        if expected.len() < 2 {
            continue;
        }
        assert_eq!(read, expected, "{text}");
        assert_eq!(told.len(), faulty.len(), "{text}");
        for (told, line) in told.iter().zip(&faulty) {
            assert!(told.starts_with(&format!("line {line}: ")), "{told}: {text}");
        }
    }
}
