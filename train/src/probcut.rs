//! How far a shallow search is from a deep one: the error model of ProbCut.
//!
//! The values of positions at all depths (and, near the end, the exact value) come from the engine's own
//! searches without forward pruning. The standard deviation of deep minus shallow is then described by
//!
//! ```text
//! sigma = (a + b √(depth − shallow)) · (1 + c / (1 + shallow)) · (1 + d · empties)
//! ```
//!
//! in discs, for differences of an even number of plies: values of odd and even depths lie apart, so the search
//! compares like with like. The numbers are those that make the measured differences likeliest, apart for the
//! midgame and for the end of the game, where depth is empties. They go to the engine in a file of their own.

use std::io::Write;
use std::path::Path;

use outflank::random::scatter;
use outflank::search::LEAF_SOLVE_EMPTIES;

use crate::args::{Args, Opt};
use crate::error::Error;
use crate::label::{Searcher, evaluator};
use crate::record;

pub(crate) const OPTIONS: &[Opt] = &[
    Opt("values", "", "file for the values of the positions, a line each; read again if it is there"),
    Opt("depth", "10", "deepest search"),
    Opt("solve", "18", "empty squares from which a position is solved, too"),
    Opt("empties", "10-50", "only positions with so many empty squares"),
    Opt("every", "100", "only one position in so many"),
    Opt("weights", "", "weights file; the engine's own without it"),
    Opt("out", "", "file for what is fitted, engine/weights/probcut.txt; without it it is only printed"),
    Opt("narrow", "1", "factor of the midgame's deviation in that file, as matches tell"),
    Opt(
        "most",
        "24-48",
        "empty squares beyond which the deviations of endgame and midgame stay what they are",
    ),
];

/// What the file of the fit tells about itself.
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

pub(crate) fn run(args: &Args) -> Result<(), Error> {
    let path = Path::new(args.text("values"));
    if !path.exists() {
        measure(args, path)?;
    }
    let text = std::fs::read_to_string(path).map_err(|error| Error::at(path, error))?;
    let all: Vec<Values> = text.lines().filter_map(parse).collect();
    println!("{} positions", all.len());
    println!("midgame: depth, shallow: positions, mean, sigma; fit");
    let mut midgame = Vec::new();
    let mut endgame = Vec::new();
    for values in &all {
        // A search that sees the end of the game is no longer a guess.
        let deepest = values.depths.len().min(values.empties.saturating_sub(LEAF_SOLVE_EMPTIES) as usize);
        for depth in 1..deepest {
            for shallow in (depth % 2..depth).step_by(2) {
                let difference = values.depths[depth] - values.depths[shallow];
                midgame.push(Difference::new(values.empties, depth, shallow, difference));
            }
        }
        if let Some(exact) = values.exact {
            for shallow in (values.empties as usize % 2..deepest).step_by(2) {
                let difference = exact - values.depths[shallow];
                endgame.push(Difference::new(values.empties, values.empties as usize, shallow, difference));
            }
        }
    }
    let midgame_model = Model::fit(&midgame);
    table(&midgame, &midgame_model, |difference| (difference.depth, difference.shallow));
    println!("midgame a, b, c, d: {:.3?}", midgame_model.0);
    println!("end of the game: empties, shallow: positions, mean, sigma; fit");
    let endgame_model = Model::fit(&endgame);
    table(&endgame, &endgame_model, |difference| (difference.depth, difference.shallow));
    println!("endgame a, b, c, d: {:.3?}", endgame_model.0);
    if args.text("out").is_empty() {
        return Ok(());
    }
    let [a, b, c, d] = midgame_model.0;
    let factor: f64 = args.get("narrow")?;
    let (endgame_most, midgame_most) = args.range("most")?;
    let text = fitted(&Model([factor * a, factor * b, c, d]), midgame_most, &endgame_model, endgame_most)?;
    let out = Path::new(args.text("out"));
    std::fs::write(out, text).map_err(|error| Error::at(out, error))
}

/// The file that the engine is compiled with.
fn fitted(midgame: &Model, midgame_most: u32, endgame: &Model, endgame_most: u32) -> Result<String, Error> {
    let mut text = HEAD.to_owned();
    for (name, model, most) in [("midgame", midgame, midgame_most), ("endgame", endgame, endgame_most)] {
        let [a, b, c, d] = model.0;
        let numbers = [("base", 100.0 * a), ("slope", 100.0 * b), ("near", 100.0 * c), ("late", -1000.0 * d)];
        text += name;
        for (field, number) in numbers {
            let number = number.round();
            if !(0.0..=1000.0).contains(&number) {
                return Err(Error::new(format!("{name}: {field} is {number}, not within 0 to 1000")));
            }
            text += &format!(" {field} {number}");
        }
        if -d * f64::from(most) > 0.99 {
            return Err(Error::new(format!("{name}: no deviation is left at {most} empty squares")));
        }
        text += &format!(" most {most}\n");
    }
    Ok(text)
}

/// Searches the positions and writes their values.
fn measure(args: &Args, path: &Path) -> Result<(), Error> {
    let (from, to) = args.range("empties")?;
    let every: u64 = args.get("every")?;
    let depth: u32 = args.get("depth")?;
    let solve: u32 = args.get("solve")?;
    let evaluator = evaluator(args.text("weights"))?;
    let mut searcher = Searcher::new(&evaluator, 64);
    let part = path.with_extension("part");
    let mut out = std::fs::File::create(&part).map_err(|error| Error::at(&part, error))?;
    let mut count = 0;
    for file in record::files(&args.words)? {
        for record in record::read(&file)? {
            let board = record.board;
            let chosen = scatter(board.player.0 ^ scatter(board.opponent.0)).is_multiple_of(every.max(1));
            // Where the game is decided no search cuts by such a guess.
            if !chosen || !(from..=to).contains(&board.empties()) || record.value.abs() > 3000 {
                continue;
            }
            searcher.clear();
            let mut line = format!("{} ", board.empties());
            let mut deep: Vec<String> = Vec::new();
            let static_eval = evaluator.value::<outflank::kernel::Portable>(
                &evaluator.features(board),
                board,
                board.moves(),
            );
            deep.push(static_eval.to_string());
            for depth in 1..=depth.min(board.empties().saturating_sub(1)) {
                deep.push(searcher.value(board, depth).to_string());
            }
            line.push_str(&match board.empties() <= solve {
                true => searcher.value(board, board.empties()).to_string(),
                false => "-".to_owned(),
            });
            writeln!(out, "{line} {}", deep.join(" ")).map_err(|error| Error::at(&part, error))?;
            count += 1;
            if count % 100 == 0 {
                eprintln!("{count} positions");
            }
        }
    }
    std::fs::rename(&part, path).map_err(|error| Error::at(path, error))
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

impl Difference {
    fn new(empties: u32, depth: usize, shallow: usize, discs: f64) -> Difference {
        Difference { empties, depth, shallow, discs }
    }
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

fn table(all: &[Difference], model: &Model, key: impl Fn(&Difference) -> (usize, usize)) {
    let mut keys: Vec<(usize, usize)> = all.iter().map(&key).collect();
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
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What generation 6 gave, the midgame narrowed as README.md tells.
    #[test]
    fn the_shipped_file_is_written() {
        let narrow = 0.95 * 0.97;
        let midgame = Model([narrow * 1.06, narrow * 1.33, 0.74, -0.012]);
        let endgame = Model([0.73, 1.75, 0.49, -0.022]);
        let text = fitted(&midgame, 48, &endgame, 24).map_err(|error| error.to_string());
        assert_eq!(text.as_deref(), Ok(include_str!("../../engine/weights/probcut.txt")));
    }

    #[test]
    fn what_the_engine_could_not_compute_with_is_refused() {
        let good = Model([1.0, 1.0, 0.5, -0.01]);
        let told = |model: Model, most| fitted(&good, 48, &model, most).map_err(|error| error.to_string());
        assert!(told(good, 48).is_ok());
        let expected = "endgame: base is -10, not within 0 to 1000";
        assert_eq!(told(Model([-0.1, 1.0, 0.5, 0.0]), 48), Err(expected.to_owned()));
        let expected = "endgame: no deviation is left at 60 empty squares";
        assert_eq!(told(Model([1.0, 1.0, 0.5, -0.02]), 60), Err(expected.to_owned()));
    }

    #[test]
    fn a_fit_finds_what_the_differences_were_drawn_by() {
        let truth = Model([0.8, 1.4, 0.6, -0.01]);
        let mut random = outflank::random::Random::new(1);
        let mut all = Vec::new();
        for n in 0..20_000 {
            let (depth, empties) = (2 + n % 9, 16 + n as u32 % 30);
            let shallow = depth % 2 + 2 * (n / 9 % (depth / 2));
            // Twelve uniform numbers make a normal one.
            let normal = (0..12).map(|_| f64::from(random.unit())).sum::<f64>() - 6.0;
            let mut difference = Difference::new(empties, depth, shallow, 0.0);
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
