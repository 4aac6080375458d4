//! Lines and news at random, and what goes wrong made short.

use outflank::random::Random;

use super::play::{Pair, Step, book};
use super::{Fault, Happening, Model, News};

/// A walk that went wrong.
#[derive(Debug)]
pub struct Stumble {
    /// The seed of the walk.
    pub seed: u64,
    /// What is wrong.
    pub fault: Fault,
    /// The shortest way there that was found: what went in.
    pub way: Vec<String>,
}

/// Walks `length` steps; how many of them could be made.
///
/// # Errors
/// When something else came than is owed.
pub fn walk<M: Model>(seed: u64, length: usize) -> Result<usize, Stumble> {
    let steps = steps::<M>(seed, length);
    match run::<M>(seed, &steps) {
        Ok(made) => Ok(made),
        Err((_, fault, at)) => {
            let shortest = shorten::<M>(seed, steps.get(..at).unwrap_or(&steps).to_vec());
            let (way, fault) = match run::<M>(seed, &shortest) {
                Err((way, fault, _)) => (way, fault),
                Ok(_) => (Vec::new(), fault),
            };
            Err(Stumble { seed, fault, way })
        }
    }
}

/// The steps of a seed.
fn steps<M: Model>(seed: u64, length: usize) -> Vec<Step> {
    let mut random = Random::of_stream(seed, M::DIALECT as u64);
    (0..length)
        .map(|_| {
            let news = random.below(5) < 2;
            let what = if news {
                Happening::News(News::ALL[random.below(News::ALL.len() as u32 - 1) as usize])
            } else {
                Happening::Say(M::LINES[random.below(M::LINES.len() as u32) as usize].text)
            };
            let after = [0, 0, 3, 60, 700][random.below(5) as usize];
            Step { what, after, dice: random.below(1 << 16) as u16 }
        })
        // Few walks shall end early.
        .filter(|step| {
            !matches!(step.what, Happening::Say(line) if line.ends_with("quit")) || seed.is_multiple_of(16)
        })
        .collect()
}

/// How many steps could be made; what went in, what is wrong, and at which step it was found.
fn run<M: Model>(seed: u64, steps: &[Step]) -> Result<usize, (Vec<String>, Fault, usize)> {
    let mut pair = Pair::<M>::new(
        seed.is_multiple_of(3)
            .then(|| book(if seed.is_multiple_of(2) { "missing.txt" } else { "lines.txt" })),
    );
    let mut made = 0;
    for (index, &step) in steps.iter().enumerate() {
        match pair.step(step) {
            Ok(owed) => made += usize::from(owed.is_some()),
            Err(fault) => return Err((pair.sent().to_vec(), fault, index + 1)),
        }
    }
    let end = if seed.is_multiple_of(4) { News::Failed } else { News::Done };
    pair.conclude(end).map_err(|fault| (pair.sent().to_vec(), fault, steps.len()))?;
    Ok(made)
}

/// Leaves out what is not needed for something to go wrong: halves first, single steps at last.
fn shorten<M: Model>(seed: u64, mut steps: Vec<Step>) -> Vec<Step> {
    let mut size = steps.len().div_ceil(2);
    while size > 0 {
        let mut at = 0;
        while at < steps.len() {
            let mut fewer = steps.clone();
            fewer.drain(at..(at + size).min(steps.len()));
            if run::<M>(seed, &fewer).is_err() {
                steps = fewer;
            } else {
                at += size;
            }
        }
        size /= 2;
    }
    steps
}
