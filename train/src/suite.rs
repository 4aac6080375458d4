//! Makes a suite for `outflank bench accuracy`: positions of self-play, each with the exact score of its best move and of every
//! move that one of the measured searches chooses.
//!
//! At thirty empty squares a score takes minutes, and the scores of all moves half an hour. So only the moves that a search
//! chooses are solved. The suite is written after each score and resumed from there.

use std::fs;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Instant;

use anyhow::{Context, Result, anyhow, ensure};
use clap::builder::BoolishValueParser;
use clap::{ArgAction, Parser};
use outflank::board::{Board, Color, Move, Position, Status};
use outflank::eval::Evaluator;
use outflank::notation::obf::{self, ScoredPosition};
use outflank::score::{Confidence, Discs};
use outflank::search::{Limits, Line};

use crate::label::{Searcher, evaluator};
use crate::record::{self, Record};
use crate::{at, on_threads, replace};

/// Solve positions and the moves that searches choose in them
#[derive(Parser)]
pub(crate) struct Options {
    /// Files and folders of records
    words: Vec<String>,
    /// The suite (OBF); an existing one is continued
    #[arg(long)]
    out: PathBuf,
    /// Number of positions, at most one per game
    #[arg(long, default_value_t = 100)]
    positions: usize,
    /// Empty squares of the positions
    #[arg(long, default_value_t = 30)]
    empties: u32,
    /// Fewest moves of a position
    #[arg(long, default_value_t = 6)]
    moves: u32,
    /// Most discs from a draw, by the search that played the position
    #[arg(long, default_value_t = 10)]
    within: u8,
    /// no: also games that are learned from
    #[arg(long, default_value = "yes", action = ArgAction::Set, value_parser = BoolishValueParser::new())]
    held_out: bool,
    /// Plies and confidence in percent of each search whose choices get scores
    #[arg(long, default_value = "10:100 15:73 15:87 15:95 15:98", value_delimiter = ' ', value_parser = search_limits)]
    searches: Vec<Limits>,
    /// Weights files whose choices get scores, separated by spaces; the engine's small weights by default
    #[arg(long, value_delimiter = ' ', default_value = "", hide_default_value = true)]
    weights: Vec<String>,
    /// MiB of each table for exact scores
    #[arg(long, default_value_t = 512)]
    hash: u32,
    /// Positions solved in parallel
    #[arg(long, default_value = "1")]
    threads: NonZero<usize>,
}

/// MiB of the table of the searches whose choices get scores: the default of `outflank bench accuracy`.
const CHOICE_HASH: u32 = 64;

pub(crate) fn run(options: &Options) -> Result<()> {
    let choosers = options.weights.iter().map(|path| evaluator(path)).collect::<Result<Vec<_>>>()?;
    let within = 100 * i32::from(options.within);
    let fits = |record: &Record| {
        record.board.empties() == options.empties
            && record.board.moves().count() >= options.moves
            && i32::from(record.value).abs() <= within
            && (record.held_out() || !options.held_out)
    };
    let mut records = record::read_all(&options.words)?;
    records.retain(fits);
    let positions = chosen(&records, options.positions);
    let suite = Mutex::new(read(&options.out)?);
    on_threads(options.threads, positions.iter(), |&position| {
        complete(options, &choosers, position, &suite)
    })?;
    println!("{} positions requested, {} found: all have their scores", options.positions, positions.len());
    Ok(())
}

fn search_limits(text: &str) -> Result<Limits, &'static str> {
    let numbers =
        text.split_once(':').and_then(|(plies, percent)| Some((plies.parse().ok()?, percent.parse().ok()?)));
    let (plies, percent) = numbers.ok_or("expected plies and percent, such as 15:95")?;
    Ok(Limits::to_depth(plies, Confidence::at_least(percent)))
}

/// Returns the first position of each game, at most `count`, without duplicates up to symmetry.
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

fn read(path: &Path) -> Result<Vec<ScoredPosition>> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    // A device can have no end, and would be replaced later.
    ensure!(path.is_file(), "{}: not a file", path.display());
    read_suite(path)
}

/// Returns the positions of a suite.
pub(crate) fn read_suite(path: &Path) -> Result<Vec<ScoredPosition>> {
    let text = fs::read_to_string(path).with_context(at(path))?;
    let lines = obf::read(&text);
    lines.map(|(number, line)| line.with_context(|| format!("{}: line {number}", path.display()))).collect()
}

/// Adds the missing scores of a position: of the best move first, then of the moves that the searches choose.
fn complete(
    options: &Options,
    choosers: &[Evaluator],
    position: Position,
    suite: &Mutex<Vec<ScoredPosition>>,
) -> Result<()> {
    let known = lock(suite)?.iter().find(|entry| entry.position == position).cloned();
    let mut scores = known.map_or(Vec::new(), |entry| entry.scores);
    if scores.is_empty() {
        let (mv, score) = solve(options, position)?;
        let mv = mv.context("a position without a move was chosen")?;
        scores.push((mv, score));
        save(&options.out, position, &scores, suite)?;
    }
    for evaluator in choosers {
        for &limits in &options.searches {
            let line = search(evaluator, CHOICE_HASH, position, limits)?;
            let Some(mv) = line.first() else { continue };
            if scores.iter().any(|&(scored, _)| scored == mv) {
                continue;
            }
            let after = position.play(mv).context("a search chose an illegal move")?;
            let (_, score) = solve(options, after)?;
            scores.push((mv, -score));
            save(&options.out, position, &scores, suite)?;
        }
    }
    Ok(())
}

fn lock<T>(mutex: &Mutex<T>) -> Result<std::sync::MutexGuard<'_, T>> {
    mutex.lock().map_err(|_| anyhow!("a thread panicked"))
}

/// Writes the suite with these scores. The file is replaced as a whole.
fn save(
    out: &Path,
    position: Position,
    scores: &[(Move, Discs)],
    suite: &Mutex<Vec<ScoredPosition>>,
) -> Result<()> {
    let mut suite = lock(suite)?;
    match suite.iter_mut().find(|entry| entry.position == position) {
        Some(entry) => entry.scores = scores.to_vec(),
        None => suite.push(ScoredPosition { position, scores: scores.to_vec() }),
    }
    let text: String = suite.iter().map(|entry| obf::write(entry) + "\n").collect();
    replace(out, text)
}

/// The best move and the exact score for the side to move.
fn solve(options: &Options, position: Position) -> Result<(Option<Move>, Discs)> {
    if position.status() == Status::Over {
        return Ok((None, Discs::new(position.board().final_score())));
    }
    let started = Instant::now();
    let line = search(&Evaluator::default(), options.hash, position, Limits::NONE)?;
    ensure!(line.is_exact(), "{position:?} was not solved");
    let score = Discs::new(line.score.centidiscs() / 100);
    eprintln!("{} empty squares: {score}, {:.0} s", position.empties(), started.elapsed().as_secs_f64());
    Ok((line.first(), score))
}

/// The best line of a search with an empty table.
fn search(evaluator: &Evaluator, hash: u32, root: Position, limits: Limits) -> Result<Line> {
    Searcher::new(evaluator, hash).line(root, limits).context("the game is over")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selfplay::random_board;
    use outflank::board::Bitboard;
    use outflank::random::Random;

    fn failure(words: &str) -> String {
        let options = Options::try_parse_from(words.split(' ')).map_err(anyhow::Error::from);
        options.and_then(|options| run(&options)).err().map_or(String::new(), |error| format!("{error:#}"))
    }

    #[test]
    fn suites_are_made_and_resumed() {
        let folder = std::env::temp_dir().join(format!("outflank-suite-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let (records, out) = (folder.join("games.bin"), folder.join("suite.obf"));
        let mut random = Random::new(1);
        let games: Vec<Record> = std::iter::repeat_with(|| random_board(&mut random, 48))
            .filter(|board| board.empties() == 12)
            .zip(1..)
            .take(40)
            .flat_map(|(board, game)| {
                // The position a second time in its game, and rotated in another game.
                let turned = [board.player, board.opponent].map(|side| Bitboard(side.0.reverse_bits()));
                let turned = Board { player: turned[0], opponent: turned[1] };
                let proof = record::Proof::Search(4);
                let record = Record { board, game, value: 0, proof, random: false, outcome: None };
                [record, record, Record { board: turned, game: game + 1000, ..record }]
            })
            .collect();
        assert!(record::write(&records, &games).is_ok());
        let [records, file] = [&records, &out].map(|path| path.display());
        let words = format!(
            "suite --out {file} --positions 6 --empties 12 --moves 2 --held-out no --hash 1 {records} \
             --searches 1:73 --searches 2:73 --searches 12:100"
        );
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
                    _ => Searcher::new(&Evaluator::default(), 1).solve(after.board()).0 / 100,
                };
                assert_eq!(score.get(), -exact, "{made}");
            }
        }

        // A suite that was stopped is completed.
        let half: String = made.lines().take(3).map(|line| line.to_owned() + "\n").collect();
        fs::write(&out, &half).unwrap();
        assert_eq!(failure(&words), "");
        assert_eq!(fs::read_to_string(&out).unwrap(), made);

        fs::write(&out, "no position\n").unwrap();
        assert!(failure(&words).contains("line 1"), "{}", failure(&words));
        assert_eq!(fs::read_to_string(&out).unwrap(), "no position\n");
        fs::remove_dir_all(&folder).unwrap();
        assert!(failure("suite --out x --searches 15-73").contains("expected plies and percent"));
    }
}
