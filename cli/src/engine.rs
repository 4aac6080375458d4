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
    /// Weights of the evaluation; the built-in ones by default
    #[arg(long, value_name = "FILE")]
    pub(crate) eval: Option<PathBuf>,
}

impl Default for EngineOptions {
    fn default() -> EngineOptions {
        EngineOptions { hash: HashSize(64), weights: Weights::default() }
    }
}

impl EngineOptions {
    /// The configuration of a search with these options and this instruction set.
    pub(crate) fn config(&self, kernel: Kernel) -> io::Result<SearchConfig> {
        Ok(self.config_later(kernel)?())
    }

    /// The same, made when it is needed. A file of weights is read at once, so that a faulty one is told of; the
    /// built-in weights are unpacked later.
    pub(crate) fn config_later(
        &self,
        kernel: Kernel,
    ) -> io::Result<impl FnOnce() -> SearchConfig + Send + 'static> {
        let hash = self.hash;
        let of_a_file = match &self.weights.eval {
            Some(path) => Some(evaluator(path).map_err(|error| of_file(path, &error))?),
            None => None,
        };
        Ok(move || SearchConfig { hash, kernel, evaluator: of_a_file.unwrap_or_default() })
    }
}

/// The error with the file it is about.
pub(crate) fn of_file(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

fn evaluator(path: &Path) -> io::Result<Evaluator> {
    let mut bytes = Vec::new();
    open_regular(path)?.read_to_end(&mut bytes)?;
    Evaluator::from_bytes(&bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

fn hash(text: &str) -> Result<HashSize, String> {
    let fits = text.parse().ok().filter(|number| (1..=MOST_HASH).contains(number)).map(HashSize);
    fits.ok_or_else(|| format!("not a number of mebibytes from 1 to {MOST_HASH}"))
}
