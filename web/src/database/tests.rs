//! The index against a second implementation, which compares the position with all positions of all games.

use std::collections::BTreeMap;

use outflank::board::{Bitboard, Board, Color, Position, Square, Status, Symmetry};
use outflank::notation::{squares, wthor};
use outflank::random::Random;

use super::builder::{Facts, IndexBuilder, after};
use super::index::Index;
use super::lookup::{Answer, Query, Totals, look_up, transform};
use super::similar::{Part, similar};
use super::source::Source;
use crate::exchange::write;

/// A random game from `start`. The first `alike` moves have at most four choices, so that games meet.
fn random_game(random: &mut Random, start: Position, alike: usize) -> Vec<Square> {
    let mut position = start;
    let mut moves = Vec::new();
    let length = if random.below(8) == 0 { random.below(60) as usize } else { 64 };
    while moves.len() < length && position.status() == Status::ToMove {
        let legal: Vec<Square> = position.moves().into_iter().collect();
        let choice = if moves.len() < alike { legal.len().min(4) } else { legal.len() };
        let square = legal[random.below(choice as u32) as usize];
        position = after(position, square).unwrap();
        moves.push(square);
    }
    moves
}

/// Games with names, years and results, and their index.
struct Corpus {
    games: Vec<(Position, Vec<Square>, Facts)>,
    /// All positions of each game.
    positions: Vec<Vec<Position>>,
    sources: Vec<Source>,
}

impl Corpus {
    fn random(seed: u64, games: usize) -> Corpus {
        let mut random = Random::new(seed);
        let sources = vec![Source::new(1), Source::new(2)];
        let mut corpus = Corpus { games: Vec::new(), positions: Vec::new(), sources };
        let mut builders = [IndexBuilder::default(), IndexBuilder::default()];
        // Two moves before the end of some game: passes and ends come soon.
        let late = loop {
            let moves = random_game(&mut random, Position::START, 0);
            if moves.len() > 50 {
                break moves[..44].iter().fold(Position::START, |at, &square| after(at, square).unwrap());
            }
        };
        for number in 0..games as u32 {
            let start = if number % 3 == 0 { late } else { Position::START };
            let moves = random_game(&mut random, start, 8);
            let facts = Facts {
                number,
                black: random.below(5),
                white: random.below(5),
                tournament: random.below(3),
                year: (1975 + random.below(6) as u16).try_into().ok(),
                result: (random.below(5) > 0).then(|| (random.below(65) as i32 * 2 - 64) as i8),
            };
            builders[number as usize % 2].push(start, moves.iter().copied().map(Ok), facts).unwrap();
            let facts = builders[number as usize % 2].games.last().unwrap().facts;
            let mut positions = vec![start];
            positions.extend(moves.iter().scan(start, |at, &square| {
                *at = after(*at, square).unwrap();
                Some(*at)
            }));
            corpus.positions.push(positions);
            corpus.games.push((start, moves, facts));
        }
        for (source, builder) in corpus.sources.iter_mut().zip(builders) {
            source.indices.push(Index::new(builder));
        }
        corpus
    }
}

/// Games, games with a result, share and sum of their scores, for the mover.
type Sum = (u32, u32, f64, i64);

/// The position after a move, which is the same after its twins.
fn child(position: Position, square: Square) -> Board {
    after(position, square).unwrap().board().canonical().0
}

/// The games that reached the position, in total and by move.
fn plainly(
    corpus: &Corpus,
    position: Position,
    counts: impl Fn(&Facts) -> bool,
) -> (Sum, BTreeMap<Board, Sum>) {
    let form = |position: &Position| (position.side(), position.board().canonical().0);
    let mut all = Sum::default();
    let mut moves: BTreeMap<Board, Sum> = BTreeMap::new();
    for ((_, squares, facts), positions) in corpus.games.iter().zip(&corpus.positions) {
        let ply = positions.iter().position(|here| form(here) == form(&position));
        let Some(ply) = ply.filter(|_| counts(facts)) else { continue };
        let add = |sum: &mut Sum| {
            sum.0 += 1;
            if let Some(result) = facts.result {
                let score = position.side().for_black(result);
                sum.1 += 1;
                sum.2 += if score > 0 { 1.0 } else { f64::from(u8::from(score == 0)) / 2.0 };
                sum.3 += i64::from(score);
            }
        };
        add(&mut all);
        if let Some(&square) = squares.get(ply) {
            add(moves.entry(child(positions[ply], square)).or_default());
        }
    }
    (all, moves)
}

fn sum(&Totals { games, scored, share, score }: &Totals) -> Sum {
    let of_all = |mean: Option<f64>| mean.unwrap_or(0.0) * f64::from(scored);
    assert_eq!(scored > 0, share.is_some() && score.is_some());
    (games, scored, (of_all(share) * 2.0).round() / 2.0, of_all(score).round() as i64)
}

fn compare(corpus: &Corpus, position: Position, query: &Query, counts: impl Fn(&Facts) -> bool) -> u32 {
    let what = format!("{}, {query:?}", write(&position));
    let Answer { totals, moves, .. } = look_up(&corpus.sources, position, query);
    let (all, expected) = plainly(corpus, position, counts);
    assert_eq!(sum(&totals), all, "{what}");
    assert!(moves.is_sorted_by_key(|row| std::cmp::Reverse(row.totals.games)), "{what}");
    assert_eq!(moves.len(), expected.len(), "{what}");
    for row in moves {
        for name in row.twins.iter().chain([&row.mv]) {
            let child = child(position, name.parse().unwrap());
            assert_eq!(expected.get(&child), Some(&sum(&row.totals)), "{name} of {what}");
        }
    }
    totals.games
}

#[test]
fn lookups_agree_with_a_plain_search() {
    let corpus = Corpus::random(1, 60);
    let mut random = Random::new(2);
    let mut passes = 0;
    let mut met = 0;
    for positions in &corpus.positions {
        for (ply, &at) in positions.iter().enumerate() {
            // All of the openings, some of the rest.
            let next = positions.get(ply + 1);
            if ply < 8 || next.is_none() || random.below(12) == 0 {
                let symmetry = Symmetry::all().nth(random.below(8) as usize).unwrap();
                let image = Position::new(symmetry.board(at.board()), at.side());
                met += u32::from(compare(&corpus, image, &Query::default(), |_| true) > 1);
            }
            passes += u32::from(next.is_some_and(|next| next.side() == at.side()));
        }
    }
    assert!(passes > 4, "{passes} passes");
    assert!(met > 150, "{met} positions of several games");
}

#[test]
fn lookups_count_only_requested_games() {
    let mut corpus = Corpus::random(4, 150);
    for source in &mut corpus.sources {
        source.players = Some(vec![0, 1, 0, 1]);
        source.tournaments = Some(vec![1, 0, 1]);
    }
    for query in [
        Query { from: Some(1977), ..Query::default() },
        Query { to: Some(1978), ..Query::default() },
        Query { side: Some(Color::Black), ..Query::default() },
        Query { side: Some(Color::White), ..Query::default() },
        Query { from: Some(1976), to: Some(1979), ..Query::default() },
    ] {
        let counts = |facts: &Facts| {
            let named = |number: u32| number == 1 || number == 3;
            let year = facts.year.map_or(0, |year| year.get());
            let player = match query.side {
                Some(Color::Black) => named(facts.black),
                Some(Color::White) => named(facts.white),
                None => named(facts.black) || named(facts.white),
            };
            let fits = query.from.is_none_or(|from| year >= from) && query.to.is_none_or(|to| year <= to);
            player && facts.tournament != 1 && fits
        };
        for &at in &corpus.positions[1][..4] {
            compare(&corpus, at, &query, counts);
        }
    }
}

#[test]
fn list_has_the_latest_games_in_the_orientation_of_the_board() {
    let corpus = Corpus::random(5, 150);
    let query = Query { list: 30, ..Query::default() };
    for positions in &corpus.positions[..30] {
        for ply in [0, 1, 3, 6] {
            let Some(&at) = positions.get(ply) else { continue };
            let answer = look_up(&corpus.sources, at, &query);
            assert_eq!(answer.list.len(), (answer.totals.games as usize).min(30));
            let everything = look_up(&corpus.sources, at, &Query { list: 1000, ..Query::default() });
            assert_eq!(everything.list.len(), answer.totals.games as usize);
            assert_eq!(answer.list[..], everything.list[..answer.list.len()]);
            assert!(everything.list.is_sorted_by_key(|row| std::cmp::Reverse(row.facts.year)));
            for row in &answer.list {
                let source = corpus.sources.iter().find(|source| source.id == row.place.source).unwrap();
                let index = &source.indices[row.place.index as usize];
                let (start, moves) = transform(index, row.place.game as usize, row.ply, at).unwrap();
                let reached = moves[..row.ply].iter().fold(start, |at, &square| after(at, square).unwrap());
                let usual = start == Position::START;
                assert!(reached == at || usual, "transformed to the position, or from the usual start");
                assert_eq!(moves.len(), row.length);
                assert_eq!(corpus.games[row.facts.number as usize].1.len(), row.length);
            }
        }
    }
}

/// The header and the body of a file of a year with these records: discs, and the bytes of the moves.
fn file(year: u16, records: &[(u8, &[u8])]) -> (Vec<u8>, Vec<u8>) {
    let record = |&(discs, played): &(u8, &[u8])| {
        let moves = std::array::from_fn(|at| played.get(at).copied().unwrap_or_default());
        wthor::Record { tournament: 1, black: 2, white: 9, discs, best: 32, moves }
    };
    let games = records.iter().map(record).collect();
    let mut header = wthor::write(&wthor::Database { year, depth: 22, games }, [20, 24, 1, 1]);
    let body = header.split_off(wthor::HEADER);
    (header, body)
}

#[test]
fn invalid_records_are_reported_and_the_others_are_added() {
    let good: &[u8] = &[56, 64, 33];
    let (header, body) =
        file(2004, &[(33, good), (33, &[56, 64, 11]), (33, &[56, 9]), (200, good), (40, &[]), (33, &[44])]);
    let (mut source, opened) = Source::open(7, &header).unwrap();
    assert!(format!("{opened:?}").starts_with("Opened { records: 6, year: Some(2004), written: 2004"));
    let part = source.add_records(&body);
    assert_eq!(source.games(), 3);
    let faults = format!("{part:?}");
    for expected in [
        r#"record: 2, code: "illegal", number: Some(3), mv: Some("a1")"#,
        r#"record: 3, code: "wthor-move", number: Some(2), mv: None, found: Some(9)"#,
        r#"record: 4, code: "wthor-score", number: None, mv: None, found: Some(200)"#,
        r#"record: 6, code: "illegal", number: Some(1), mv: Some("d4")"#,
    ] {
        assert!(faults.contains(expected), "{expected} in {faults}");
    }
    let sources = [source];
    let answer = look_up(&sources, Position::START, &Query { list: 9, ..Query::default() });
    assert_eq!((answer.totals.games, answer.totals.scored, answer.moves[0].totals.games), (3, 2, 2));
    assert_eq!(answer.moves[0].mv, "f5");
    assert_eq!(answer.moves[0].twins, ["e6", "d3", "c4"]);
    assert_eq!((sources[0].unnamed(10, 2), sources[0].unnamed(9, 2), sources[0].unnamed(10, 1)), (0, 3, 3));
}

#[test]
fn invalid_years_are_omitted() {
    for year in [0, 1882, 2101, 60_000] {
        let (header, body) = file(year, &[(33, &[56])]);
        let (mut source, opened) = Source::open(1, &header).unwrap();
        let expected = format!("records: 1, year: None, written: {year},");
        assert!(format!("{opened:?}").contains(&expected), "{opened:?}");
        source.add_records(&body);
        let sources = [source];
        let count = |query: Query| look_up(&sources, Position::START, &query).totals.games;
        assert_eq!(count(Query::default()), 1);
        assert_eq!(count(Query { from: Some(1), ..Query::default() }), 0);
    }
}

#[test]
fn random_bytes_are_accepted() {
    let mut random = Random::new(6);
    for length in 0..400 {
        let bytes: Vec<u8> = (0..length).map(|_| random.bits() as u8).collect();
        let _ = Source::open(1, &bytes);
        let mut source = Source::new(1);
        source.add_records(&bytes);
        let _ = look_up(&[source], Position::START, &Query { list: 5, ..Query::default() });
    }
}

/// The squares of a part, and those on which it needs a disc: an edge and a corner those on the border.
fn squares_of(part: Part) -> [Bitboard; 2] {
    let is_in = |square: &Square| match part {
        Part::Edge => square.row() == 0,
        Part::Corner => square.row() < 3 && square.column() < 3,
        Part::Block => square.row() < 2 && square.column() < 5,
        Part::Half => square.row() < 4,
    };
    let is_border = |square: &Square| [square.row(), square.column()].iter().any(|line| line % 7 == 0);
    let whole: Bitboard = Square::all().filter(is_in).collect();
    [whole, if part == Part::Half { whole } else { whole.into_iter().filter(is_border).collect() }]
}

fn difference(one: Board, other: Board) -> Bitboard {
    (one.player ^ other.player) | (one.opponent ^ other.opponent)
}

/// The most equal squares of two boards, each in its eight forms, of which a part is the same.
fn plain_similarity(one: Board, other: Board, part: Part) -> Option<u32> {
    let [whole, border] = squares_of(part);
    let forms = |board| Symmetry::all().map(move |symmetry| symmetry.board(board));
    let pairs = forms(one).flat_map(|one| forms(other).map(move |other| (one, other)));
    let fitting = pairs.filter(|&(one, other)| {
        !((one.player | one.opponent) & border).is_empty() && (difference(one, other) & whole).is_empty()
    });
    fitting.map(|(one, other)| 64 - difference(one, other).count()).max()
}

#[test]
fn similar_positions_agree_with_a_plain_comparison() {
    let corpus = Corpus::random(7, 24);
    let mut random = Random::new(8);
    let everything = Query { list: 1000, ..Query::default() };
    let mut met = [0; 4];
    for (at, (name, part)) in Part::ALL.into_iter().enumerate() {
        for _ in 0..6 {
            let positions = &corpus.positions[random.below(24) as usize];
            let position = positions[random.below(positions.len() as u32) as usize];
            let symmetry = Symmetry::all().nth(random.below(8) as usize).unwrap();
            let image = Position::new(symmetry.board(position.board()), position.side());
            let answer = similar(&corpus.sources, image, part, &everything);
            assert!(answer.list.is_sorted_by_key(|row| std::cmp::Reverse(row.same)), "{name}");
            assert_eq!(answer.totals.games as usize, answer.list.len());
            let short = similar(&corpus.sources, image, part, &Query { list: 3, ..Query::default() });
            assert_eq!((short.list.len(), &short.totals), (answer.list.len().min(3), &answer.totals));
            assert_eq!(short.list[..], answer.list[..short.list.len()]);
            let mut games = 0;
            for ((_, moves, facts), positions) in corpus.games.iter().zip(&corpus.positions) {
                let near = positions.iter().enumerate().filter_map(|(ply, here)| {
                    let is_near = here.empties().abs_diff(image.empties()) <= 6;
                    let same = plain_similarity(image.board(), here.board(), part).filter(|_| is_near)?;
                    Some((same, ply))
                });
                let near: Vec<(u32, usize)> = near.collect();
                let best = near.iter().filter(|(_, ply)| *ply < moves.len()).map(|(same, _)| *same).max();
                let best = best.filter(|_| near.iter().all(|(same, _)| *same < 64));
                let row = answer.list.iter().find(|row| row.game.facts.number == facts.number);
                let what = format!("{name} of {}, game {}", write(&image), facts.number);
                assert_eq!(row.map(|row| row.same), best, "{what}");
                let Some(row) = row else { continue };
                games += 1;
                met[at] += 1;
                let here = positions[row.game.ply];
                let shown = squares::read(&row.position).unwrap();
                assert_eq!(difference(image.board(), shown.board()).count(), 64 - row.same);
                let score = facts.result.map(|result| here.side().for_black(result));
                assert_eq!((shown.side(), row.score), (here.side(), score));
                let next = after(shown, row.mv.parse().unwrap()).unwrap().board().canonical();
                assert_eq!(next.0, child(here, moves[row.game.ply]));
            }
            assert_eq!(games, answer.list.len());
        }
    }
    assert!(met.iter().all(|&met| met > 0), "{met:?} games");
}
