//! The error model of ProbCut: the distance of a shallow search from a deep one.
//!
//! The values of positions at all depths, and the exact value near the end, come from the engine's searches without forward
//! pruning. The standard deviation of deep minus shallow is described by
//!
//! ```text
//! sigma = (a + b √(depth − shallow)) · (1 + c / (1 + shallow)) · (1 + d · empties)
//! ```
//!
//! in discs, for differences of an even number of plies: values of odd and even depths differ systematically. The parameters
//! maximize the likelihood of the measured differences, separately for the midgame and for the end of the game, where the depth
//! is the number of empty squares. The engine is compiled with the file that contains them.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use clap::Parser;
use outflank::kernel::Portable;
use outflank::score::Confidence;
use outflank::search::LEAF_SOLVE_EMPTIES;

use crate::label::{Searcher, evaluator};
use crate::record;
use crate::{at, range, replace};

/// Measure the distance of shallow searches from deep ones
#[derive(Parser)]
pub(crate) struct Options {
    /// Files and folders of records
    words: Vec<String>,
    /// File for the values of the positions, one position per line; an existing file is used as it is
    #[arg(long)]
    values: PathBuf,
    /// Depth of the deepest search
    #[arg(long, default_value_t = 10)]
    depth: u32,
    /// Most empty squares at which a position is also solved
    #[arg(long, default_value_t = 18)]
    solve: u32,
    /// Only positions with these numbers of empty squares
    #[arg(long, default_value = "10-50", value_parser = range)]
    empties: (u32, u32),
    /// Only one position of N
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
    every: u64,
    /// Weights file; the engine's small weights by default
    #[arg(long, default_value = "", hide_default_value = true)]
    weights: String,
    /// File for the parameters, engine/weights/probcut.txt; by default they are only printed
    #[arg(long)]
    out: Option<PathBuf>,
    /// Factor of the midgame's deviation in that file
    #[arg(long, default_value_t = 1.0)]
    narrow: f64,
    /// Empty squares beyond which the deviations of endgame and midgame stay constant
    #[arg(long, default_value = "24-48", value_parser = range)]
    most: (u32, u32),
}

/// The head of the file of parameters.
const HEAD: &str = "\
# How far a shallow search is from a deep one, as `outflank-train probcut --out` writes it; search/probcut.rs reads it
# when the engine is compiled. The standard deviation in centidiscs, of midgame searches and of the exact end:
#   (base + slope √(depth − shallow)) (1 + near / 100 / (1 + shallow)) (1 − late / 1000 · min(empties, most))
";

/// A position's values in discs.
struct Values {
    empties: u32,
    exact: Option<f64>,
    /// From depth 0 on.
    depths: Vec<f64>,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    let path = &options.values;
    if !path.exists() {
        measure(options, path)?;
    }
    let text = fs::read_to_string(path).with_context(at(path))?;
    let all: Vec<Values> = text.lines().filter_map(parse).collect();
    println!("{} positions", all.len());
    let mut midgame = Vec::new();
    let mut endgame = Vec::new();
    for values in &all {
        // A search that reaches the end of the game is exact.
        let deepest = values.depths.len().min(values.empties.saturating_sub(LEAF_SOLVE_EMPTIES) as usize);
        for depth in 1..deepest {
            for shallow in (depth % 2..depth).step_by(2) {
                let discs = values.depths[depth] - values.depths[shallow];
                midgame.push(Difference { empties: values.empties, depth, shallow, discs });
            }
        }
        if let Some(exact) = values.exact {
            for shallow in (values.empties as usize % 2..deepest).step_by(2) {
                let (depth, discs) = (values.empties as usize, exact - values.depths[shallow]);
                endgame.push(Difference { empties: values.empties, depth, shallow, discs });
            }
        }
    }
    let (midgame, endgame) = (table("midgame", &midgame), table("endgame", &endgame));
    let Some(out) = &options.out else { return Ok(()) };
    let [a, b, c, d] = midgame.0;
    let factor = options.narrow;
    let (endgame_most, midgame_most) = options.most;
    let text = fitted(&Model([factor * a, factor * b, c, d]), midgame_most, &endgame, endgame_most)?;
    replace(out, text)
}

/// Writes the file that the engine is compiled with.
fn fitted(midgame: &Model, midgame_most: u32, endgame: &Model, endgame_most: u32) -> Result<String> {
    let mut text = HEAD.to_owned();
    for (name, model, most) in [("midgame", midgame, midgame_most), ("endgame", endgame, endgame_most)] {
        let [a, b, c, d] = model.0;
        let numbers = [("base", 100.0 * a), ("slope", 100.0 * b), ("near", 100.0 * c), ("late", -1000.0 * d)];
        text += name;
        for (field, number) in numbers {
            let number = number.round();
            ensure!((0.0..=1000.0).contains(&number), "{name}: {field} is {number}, not within 0 to 1000");
            text += &format!(" {field} {number}");
        }
        ensure!(-d * f64::from(most) <= 0.99, "{name}: no deviation is left at {most} empty squares");
        text += &format!(" most {most}\n");
    }
    Ok(text)
}

/// Searches the positions and writes their values.
fn measure(options: &Options, path: &Path) -> Result<()> {
    let Options { empties: (from, to), every, depth, solve, .. } = *options;
    let evaluator = evaluator(&options.weights)?;
    let mut searcher = Searcher::new(&evaluator, 64);
    let part = path.with_extension("part");
    let mut out = File::create(&part).with_context(at(&part))?;
    let mut count = 0;
    for record in record::read_all(&options.words)? {
        let (board, empties) = (record.board, record.board.empties());
        // In decided positions no search uses this error model.
        if !record.is_sampled(every) || !(from..=to).contains(&empties) || record.value.abs() > 3000 {
            continue;
        }
        searcher.clear();
        let fixed = evaluator.value_of::<Portable>(board);
        let mut deep = fixed.to_string();
        for depth in 1..=depth.min(empties.saturating_sub(1)) {
            deep += &format!(" {}", searcher.iteration(board, depth, Confidence::EXACT));
        }
        let exact = (empties <= solve).then(|| searcher.solve(board).0.to_string());
        writeln!(out, "{empties} {} {deep}", exact.as_deref().unwrap_or("-")).with_context(at(&part))?;
        count += 1;
        if count % 100 == 0 {
            eprintln!("{count} positions");
        }
    }
    fs::rename(&part, path).with_context(at(path))
}

fn parse(line: &str) -> Option<Values> {
    let mut words = line.split_whitespace();
    let discs = |word: &str| word.parse::<f64>().map(|centidiscs| centidiscs / 100.0);
    Some(Values {
        empties: words.next()?.parse().ok()?,
        exact: words.next().and_then(|word| discs(word).ok()),
        depths: words.map(discs).collect::<Result<_, _>>().ok()?,
    })
}

struct Difference {
    empties: u32,
    depth: usize,
    shallow: usize,
    discs: f64,
}

/// a, b, c, d of the formula.
#[derive(Clone, Copy)]
struct Model([f64; 4]);

impl Model {
    fn sigma(&self, difference: &Difference) -> f64 {
        let [a, b, c, d] = self.0;
        let far = (difference.depth - difference.shallow) as f64;
        let near = 1.0 + c / (1.0 + difference.shallow as f64);
        ((a + b * far.sqrt()) * near * (1.0 + d * f64::from(difference.empties))).max(0.1)
    }

    /// Mean negative logarithm of the likelihood of normally distributed differences.
    fn cost(&self, all: &[Difference]) -> f64 {
        let cost = |difference: &Difference| {
            let sigma = self.sigma(difference);
            sigma.ln() + difference.discs.powi(2) / (2.0 * sigma * sigma)
        };
        all.iter().map(cost).sum::<f64>() / all.len().max(1) as f64
    }

    /// Coordinate descent with shrinking steps.
    fn fit(all: &[Difference]) -> Model {
        let mut model = Model([1.2, 0.9, 0.5, 0.0]);
        let mut steps = [0.4, 0.3, 0.3, 0.01];
        let mut best = model.cost(all);
        for _ in 0..60 {
            for (n, step) in steps.iter_mut().enumerate() {
                let mut moved = false;
                for sign in [1.0, -1.0] {
                    let mut other = model;
                    other.0[n] += sign * *step;
                    let cost = other.cost(all);
                    if cost < best {
                        (best, model, moved) = (cost, other, true);
                        break;
                    }
                }
                *step *= if moved { 1.2 } else { 0.6 };
            }
        }
        model
    }
}

/// Fits a model to the differences of a part of the game and prints both.
fn table(part: &str, all: &[Difference]) -> Model {
    let model = Model::fit(all);
    println!("{part}: depth, shallow: positions, mean, sigma; fit");
    let key = |difference: &Difference| (difference.depth, difference.shallow);
    let mut keys: Vec<(usize, usize)> = all.iter().map(key).collect();
    keys.sort_unstable();
    keys.dedup();
    for (depth, shallow) in keys {
        let some: Vec<&Difference> = all.iter().filter(|d| key(d) == (depth, shallow)).collect();
        let count = some.len() as f64;
        let mean = some.iter().map(|d| d.discs).sum::<f64>() / count;
        let sigma = (some.iter().map(|d| (d.discs - mean).powi(2)).sum::<f64>() / count).sqrt();
        let fit = some.iter().map(|d| model.sigma(d)).sum::<f64>() / count;
        println!("{depth:3} {shallow:3}: {count:6} {mean:+6.2} {sigma:6.2}; {fit:6.2}");
    }
    println!("{part} a, b, c, d: {:.3?}", model.0);
    model
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The parameters of generation 6, with the factor of the midgame.
    #[test]
    fn the_shipped_file_is_written() {
        let narrow = 0.95 * 0.97;
        let midgame = Model([narrow * 1.06, narrow * 1.33, 0.74, -0.012]);
        let endgame = Model([0.73, 1.75, 0.49, -0.022]);
        let text = fitted(&midgame, 48, &endgame, 24).map_err(|error| error.to_string());
        assert_eq!(text.as_deref(), Ok(include_str!("../../engine/weights/probcut.txt")));
    }

    #[test]
    fn unusable_parameters_are_rejected() {
        let good = Model([1.0, 1.0, 0.5, -0.01]);
        let write = |model: Model, most| fitted(&good, 48, &model, most).map_err(|error| error.to_string());
        assert!(write(good, 48).is_ok());
        let expected = "endgame: base is -10, not within 0 to 1000";
        assert_eq!(write(Model([-0.1, 1.0, 0.5, 0.0]), 48), Err(expected.to_owned()));
        let expected = "endgame: no deviation is left at 60 empty squares";
        assert_eq!(write(Model([1.0, 1.0, 0.5, -0.02]), 60), Err(expected.to_owned()));
    }

    #[test]
    fn fit_finds_the_true_parameters() {
        let truth = Model([0.8, 1.4, 0.6, -0.01]);
        let mut random = outflank::random::Random::new(1);
        let mut all = Vec::new();
        for n in 0..20_000 {
            let (depth, empties) = (2 + n % 9, 16 + n as u32 % 30);
            let shallow = depth % 2 + 2 * (n / 9 % (depth / 2));
            // Twelve uniform numbers make a normal one.
            let normal = (0..12).map(|_| f64::from(random.unit())).sum::<f64>() - 6.0;
            let mut difference = Difference { empties, depth, shallow, discs: 0.0 };
            difference.discs = normal * truth.sigma(&difference);
            all.push(difference);
        }
        let found = Model::fit(&all);
        for difference in &all[..200] {
            let ratio = found.sigma(difference) / truth.sigma(difference);
            assert!((0.95..1.05).contains(&ratio), "{:?}: {ratio}", found.0);
        }
    }
}
