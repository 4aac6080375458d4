//! Setting the engine up as the command line wants it.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use clap::Args;
use outflank::eval::Evaluator;
use outflank::kernel::Kernel;
use outflank::search::{HashSize, SearchConfig};
use outflank_cli::native::open_regular;

/// The largest transposition table, in mebibytes.
const MOST_HASH: u32 = 1 << 20;
/// The weights of the large network; `train/README.md` tells how they were made.
static LARGE: &[u8] = include_bytes!("../weights/outflank-large.weights");

/// How the engine is set up.
#[derive(Args, Clone, Debug, PartialEq, Eq)]
pub(crate) struct EngineOptions {
    /// Size of the transposition table in mebibytes
    #[arg(long, value_name = "MB", default_value = "64", value_parser = hash)]
    pub(crate) hash: HashSize,
    #[command(flatten)]
    pub(crate) weights: Weights,
}

/// What values positions.
#[derive(Args, Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Weights {
    /// Weights of the evaluation: large, stronger in play; small, those that the page has, faster where scores are proven;
    /// or a file of either kind. By default small, but large for a GUI's engine on a processor with AVX2
    #[arg(long, value_name = "small|large|FILE", value_parser = eval)]
    pub(crate) eval: Option<Eval>,
}

/// Which weights they are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Eval {
    /// The small network, which is that of the page.
    Small,
    /// The large network.
    Large,
    /// Those of a file.
    File(PathBuf),
}

impl Default for EngineOptions {
    fn default() -> EngineOptions {
        EngineOptions { hash: HashSize(64), weights: Weights::default() }
    }
}

impl EngineOptions {
    /// The configuration of a search with these options and this instruction set. Where no weights are named, they are the
    /// small ones: figures are to be the same on every machine and on the page.
    pub(crate) fn config(&self, kernel: Kernel) -> io::Result<SearchConfig> {
        Ok(self.config_later(kernel)?())
    }

    /// The same, made when it is needed. A file of weights, and the large network where it was named, are read at once, so
    /// that a fault is told of; others are unpacked later.
    pub(crate) fn config_later(
        &self,
        kernel: Kernel,
    ) -> io::Result<impl FnOnce() -> SearchConfig + Send + 'static> {
        self.made_later(kernel, Evaluator::default)
    }

    /// The same for an engine that plays: where no weights are named, with the large network, if the processor is quick
    /// with it and there is memory for it.
    pub(crate) fn config_to_play(
        &self,
        kernel: Kernel,
    ) -> io::Result<impl FnOnce() -> SearchConfig + Send + 'static> {
        self.made_later(kernel, if is_quick(kernel) { large_or_small } else { Evaluator::default })
    }

    fn made_later(
        &self,
        kernel: Kernel,
        unnamed: fn() -> Evaluator,
    ) -> io::Result<impl FnOnce() -> SearchConfig + Send + 'static> {
        let hash = self.hash;
        let of = |path: &Path, read: io::Result<_>| read.map_err(|error| of_file(path, &error));
        let (read, later): (_, fn() -> Evaluator) = match &self.weights.eval {
            None => (None, unnamed),
            Some(Eval::Small) => (None, Evaluator::default),
            Some(Eval::Large) => (Some(of(Path::new("--eval large"), evaluator(LARGE))?), unnamed),
            Some(Eval::File(path)) => (Some(of(path, evaluator_of(path))?), unnamed),
        };
        Ok(move || SearchConfig { hash, kernel, evaluator: read.unwrap_or_else(later) })
    }
}

/// Whether an evaluation by the large network takes hardly longer than by the small one.
fn is_quick(kernel: Kernel) -> bool {
    kernel != Kernel::Portable
}

fn large_or_small() -> Evaluator {
    Evaluator::from_bytes(LARGE).unwrap_or_default()
}

/// The error with the file it is about.
pub(crate) fn of_file(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

fn evaluator_of(path: &Path) -> io::Result<Evaluator> {
    let mut bytes = Vec::new();
    open_regular(path)?.read_to_end(&mut bytes)?;
    evaluator(&bytes)
}

fn evaluator(bytes: &[u8]) -> io::Result<Evaluator> {
    Evaluator::from_bytes(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

/// A file that is called `small` or `large` is `./small`, `./large`.
fn eval(text: &str) -> Result<Eval, &'static str> {
    match text {
        "" => Err("neither small nor large nor the name of a file"),
        "small" => Ok(Eval::Small),
        "large" => Ok(Eval::Large),
        path => Ok(Eval::File(path.into())),
    }
}

fn hash(text: &str) -> Result<HashSize, String> {
    let fits = text.parse().ok().filter(|number| (1..=MOST_HASH).contains(number)).map(HashSize);
    fits.ok_or_else(|| format!("not a number of mebibytes from 1 to {MOST_HASH}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_large_network_is_whole() {
        assert_eq!(Evaluator::from_bytes(LARGE).map(|_| ()), Ok(()));
    }

    #[test]
    fn weights_are_named_or_in_a_file() {
        assert_eq!(eval("small"), Ok(Eval::Small));
        assert_eq!(eval("large"), Ok(Eval::Large));
        assert_eq!(eval("./large"), Ok(Eval::File("./large".into())));
        assert!(eval("").is_err());
    }
}
