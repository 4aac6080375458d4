//! Making a suite for `outflank bench accuracy`: positions of self-play, each with the exact score of its best move
//! and of every move that the searches to be measured choose in it.
//!
//! With thirty empty squares a score takes minutes, and all moves of a position half an hour: so only those are
//! solved that somebody would play. The suite is written anew after each score, and gone on with from there.

use std::fs;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use outflank::board::{Board, Color, Move, Position, Status};
use outflank::eval::Evaluator;
use outflank::notation::obf::{self, ScoredPosition};
use outflank::score::{Confidence, Discs};
use outflank::search::{Limits, Line};

use crate::args::{Args, Opt};
use crate::error::Error;
use crate::label::{Searcher, evaluator};
use crate::record::{self, Record};

pub(crate) const OPTIONS: &[Opt] = &[
    Opt("out", "", "the suite (OBF); what it has is kept and gone on with"),
    Opt("positions", "100", "positions, one a game at most"),
    Opt("empties", "30", "their empty squares"),
    Opt("moves", "6", "fewest moves a position has"),
    Opt("within", "10", "most discs its value by the search that played it is off a draw"),
    Opt("held-out", "yes", "no: also games that are learnt from"),
    Opt(
        "searches",
        "10:100 15:73 15:87 15:95 15:98",
        "plies and confidence in percent of each search whose choices get scores",
    ),
    Opt(
        "weights",
        "",
        "weights files whose choices get scores, with spaces between; the engine's own without",
    ),
    Opt("hash", "512", "MiB of each table for exact scores"),
    Opt("threads", "1", "positions solved at the same time"),
];

/// MiB of the table of the searches whose choices get scores: what `outflank bench accuracy` has unless told.
const CHOICE_HASH: u32 = 64;

struct Config {
    out: PathBuf,
    searches: Vec<Limits>,
    choosers: Vec<Evaluator>,
    hash: u32,
}

pub(crate) fn run(args: &Args) -> Result<(), Error> {
    let out = PathBuf::from(args.text("out"));
    if args.text("out").is_empty() {
        return Err(Error::new("--out is needed"));
    }
    let searches = args.text("searches").split_whitespace().map(search_limits).collect::<Result<_, _>>()?;
    let mut choosers =
        args.text("weights").split_whitespace().map(evaluator).collect::<Result<Vec<_>, Error>>()?;
    if choosers.is_empty() {
        choosers.push(Evaluator::default());
    }
    let config = Config { out, searches, choosers, hash: args.get("hash")? };
    let within = 100 * args.get::<i32>("within")?;
    let (empties, moves): (u32, u32) = (args.get("empties")?, args.get("moves")?);
    let held_out = args.text("held-out") != "no";
    let fits = |record: &Record| {
        record.board.empties() == empties
            && record.board.moves().count() >= moves
            && i32::from(record.value).abs() <= within
            && (record.held_out() || !held_out)
    };
    let mut records = Vec::new();
    for file in record::files(&args.words)? {
        records.extend(record::read(&file)?.into_iter().filter(fits));
    }
    let positions = chosen(&records, args.get("positions")?);
    let suite = Mutex::new(read(&config.out)?);
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(&position) = positions.get(next.fetch_add(1, Ordering::Relaxed)) {
            complete(&config, position, &suite)?;
        }
        Ok::<_, Error>(())
    };
    let threads: NonZero<usize> = args.get("threads")?;
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.get()).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| match worker.join() {
            Ok(result) => result,
            Err(_) => Err(Error::new("a thread panicked")),
        })
    })?;
    println!(
        "{} positions asked for, {} found: all have their scores",
        args.text("positions"),
        positions.len()
    );
    Ok(())
}

fn search_limits(text: &str) -> Result<Limits, Error> {
    let wrong = || Error::new(format!("--searches: `{text}` is not plies:percent"));
    let (plies, percent) = text.split_once(':').ok_or_else(wrong)?;
    let (plies, percent) = (plies.parse().map_err(|_| wrong())?, percent.parse().map_err(|_| wrong())?);
    Ok(Limits::to_depth(plies, Confidence::at_least(percent)))
}

/// The first position of each game, at most `count`, no two alike but for a turn or a mirror.
fn chosen(records: &[Record], count: usize) -> Vec<Position> {
    let mut boards: Vec<Board> = Vec::new();
    let mut positions = Vec::new();
    let mut last = None;
    for record in records {
        let board = record.board.canonical().0;
        if positions.len() < count && last != Some(record.game) && !boards.contains(&board) {
            last = Some(record.game);
            boards.push(board);
            positions.push(Position::new(record.board, Color::Black));
        }
    }
    positions
}

fn read(path: &Path) -> Result<Vec<ScoredPosition>, Error> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    // A device would be read without end, and then replaced.
    if !path.is_file() {
        return Err(Error::at(path, "not a file"));
    }
    let text = fs::read_to_string(path).map_err(|error| Error::at(path, error))?;
    let line = |(number, line): (usize, Result<_, _>)| {
        line.map_err(|error| Error::at(path, format!("line {number}: {error}")))
    };
    obf::read(&text).map(line).collect()
}

/// Solves what is missing of a position: the best move first, then what the searches choose.
fn complete(config: &Config, position: Position, suite: &Mutex<Vec<ScoredPosition>>) -> Result<(), Error> {
    let known = lock(suite)?.iter().find(|entry| entry.position == position).cloned();
    let mut scores = known.map_or(Vec::new(), |entry| entry.scores);
    if scores.is_empty() {
        let (mv, score) = solve(config, position)?;
        let mv = mv.ok_or_else(|| Error::new("a position without a move was chosen"))?;
        scores.push((mv, score));
        keep(config, position, &scores, suite)?;
    }
    for evaluator in &config.choosers {
        for &limits in &config.searches {
            let line = search(evaluator, CHOICE_HASH, position, limits)?;
            let Some(mv) = line.first() else { continue };
            if scores.iter().any(|&(scored, _)| scored == mv) {
                continue;
            }
            let after = position.play(mv).map_err(|_| Error::new("a search chose an illegal move"))?;
            let (_, score) = solve(config, after)?;
            scores.push((mv, -score));
            keep(config, position, &scores, suite)?;
        }
    }
    Ok(())
}

fn lock<T>(mutex: &Mutex<T>) -> Result<std::sync::MutexGuard<'_, T>, Error> {
    mutex.lock().map_err(|_| Error::new("a thread panicked"))
}

/// Writes the suite with these scores; it is never seen half written.
fn keep(
    config: &Config,
    position: Position,
    scores: &[(Move, Discs)],
    suite: &Mutex<Vec<ScoredPosition>>,
) -> Result<(), Error> {
    let mut suite = lock(suite)?;
    match suite.iter_mut().find(|entry| entry.position == position) {
        Some(entry) => entry.scores = scores.to_vec(),
        None => suite.push(ScoredPosition { position, scores: scores.to_vec() }),
    }
    let text: String = suite.iter().map(|entry| obf::write(entry) + "\n").collect();
    let part = config.out.with_extension("part");
    fs::write(&part, text).map_err(|error| Error::at(&part, error))?;
    fs::rename(&part, &config.out).map_err(|error| Error::at(&config.out, error))
}

/// The best move and the exact score for the side to move.
fn solve(config: &Config, position: Position) -> Result<(Option<Move>, Discs), Error> {
    if position.status() == Status::Over {
        return Ok((None, Discs::new(position.board().final_score())));
    }
    let started = Instant::now();
    let line = search(&Evaluator::default(), config.hash, position, Limits::NONE)?;
    if !line.is_exact() {
        return Err(Error::new(format!("{position:?} was not solved")));
    }
    let score = Discs::new(line.score.centidiscs() / 100);
    eprintln!("{} empty squares: {score}, {:.0} s", position.empties(), started.elapsed().as_secs_f64());
    Ok((line.first(), score))
}

/// The best line of a search that knows nothing yet.
fn search(evaluator: &Evaluator, hash: u32, root: Position, limits: Limits) -> Result<Line, Error> {
    let line = Searcher::new(evaluator, hash).line(root, limits);
    line.ok_or_else(|| Error::new("a search said nothing"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selfplay::random_board;
    use outflank::board::Bitboard;
    use outflank::random::Random;

    fn arguments(words: &[&str]) -> Args {
        match Args::parse(OPTIONS, words.iter().map(|&word| word.to_owned())) {
            Ok(Some(args)) => args,
            _ => panic!("{words:?} should be read"),
        }
    }

    fn failure(words: &[&str]) -> String {
        run(&arguments(words)).err().map_or(String::new(), |error| error.to_string())
    }

    #[test]
    fn a_suite_is_made_and_gone_on_with() {
        let folder = std::env::temp_dir().join(format!("outflank-suite-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let (records, out) = (folder.join("games.bin"), folder.join("suite.obf"));
        let mut random = Random::new(1);
        let games: Vec<Record> = std::iter::repeat_with(|| random_board(&mut random, 48))
            .filter(|board| board.empties() == 12)
            .zip(1..)
            .take(40)
            .flat_map(|(board, game)| {
                // The same position a second time in its game, and turned in another one.
                let turned = [board.player, board.opponent].map(|side| Bitboard(side.0.reverse_bits()));
                let turned = Board { player: turned[0], opponent: turned[1] };
                [(board, game), (board, game), (turned, game + 1000)].map(|(board, game)| Record {
                    board,
                    game,
                    value: 0,
                    proof: record::Proof::Search(4),
                    random: false,
                    outcome: None,
                })
            })
            .collect();
        assert!(record::write(&records, &games).is_ok());
        let [records, file] = [&records, &out].map(|path| path.to_str().unwrap());
        let words = [
            "--out",
            file,
            "--positions",
            "6",
            "--empties",
            "12",
            "--moves",
            "2",
            "--held-out",
            "no",
            "--hash",
            "1",
            "--searches",
            "1:73 2:73 12:100",
            records,
        ];
        assert_eq!(failure(&words), "");
        let made = fs::read_to_string(&out).unwrap();
        let suite: Vec<ScoredPosition> = obf::read(&made).map(|(_, line)| line.unwrap()).collect();
        assert_eq!(suite.len(), 6);
        let mut boards: Vec<Board> = suite.iter().map(|entry| entry.position.board().canonical().0).collect();
        boards.sort_by_key(|board| (board.player.0, board.opponent.0));
        boards.dedup();
        assert_eq!(boards.len(), 6, "{made}");
        assert!(suite.iter().any(|entry| entry.scores.len() > 1), "every search chose the best move: {made}");
        for entry in &suite {
            for (mv, score) in &entry.scores {
                let after = entry.position.play(*mv).unwrap();
                let exact = match after.status() {
                    Status::Over => after.board().final_score(),
                    _ => Searcher::new(&Evaluator::default(), 1).value(after.board(), 60) as i32 / 100,
                };
                assert_eq!(score.get(), -exact, "{made}");
            }
        }

        // Stopped half-way: what is there stays, what lacks is added.
        let half: String = made.lines().take(3).map(|line| line.to_owned() + "\n").collect();
        fs::write(&out, &half).unwrap();
        assert_eq!(failure(&words), "");
        assert_eq!(fs::read_to_string(&out).unwrap(), made);

        fs::write(&out, "no position\n").unwrap();
        assert!(failure(&words).contains("line 1"), "{}", failure(&words));
        assert_eq!(fs::read_to_string(&out).unwrap(), "no position\n");
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_faulty_search_is_named() {
        assert!(failure(&["--out", "x", "--searches", "15-73"]).contains("--searches: `15-73`"));
        assert!(failure(&[]).contains("--out"));
        // Nobody to do the work is not work done.
        assert!(failure(&["--out", "x", "--threads", "0"]).contains("--threads: `0`"));
    }
}
