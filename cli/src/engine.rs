//! Engine options of the command line.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::TypedValueParser;
use outflank::eval::Evaluator;
use outflank::kernel::Kernel;
use outflank::search::{HashSize, SearchConfig};
use outflank_cli::native::{in_file, open_regular};

/// The largest transposition table.
const MAX_HASH_MIB: i64 = 1 << 20;
/// The weights of the large network; `train/README.md` has the recipe.
static LARGE: &[u8] = include_bytes!("../weights/outflank-large.weights");

/// Settings of a search.
#[derive(Args, Clone, Debug)]
pub(crate) struct EngineOptions {
    /// Size of the transposition table in mebibytes
    #[arg(long, value_name = "MB", default_value = "64",
        value_parser = clap::value_parser!(u32).range(1..=MAX_HASH_MIB).map(HashSize))]
    pub(crate) hash: HashSize,
    #[command(flatten)]
    pub(crate) weights: Weights,
}

/// The evaluation.
#[derive(Args, Clone, Debug)]
pub(crate) struct Weights {
    /// Weights of the evaluation: large, stronger in play; small, faster in exact solving and the default of the page; or a
    /// file of either kind. The default is small, but large for the engine of a GUI on a processor with AVX2 or NEON
    #[arg(long, value_name = "small|large|FILE", value_parser = eval)]
    pub(crate) eval: Option<Eval>,
}

#[derive(Clone, Debug)]
pub(crate) enum Eval {
    Small,
    Large,
    File(PathBuf),
}

impl EngineOptions {
    /// Returns the configuration of a search. The default weights are the small ones: figures are the same on every machine
    /// and on the page.
    pub(crate) fn config(&self, kernel: Kernel) -> io::Result<SearchConfig> {
        Ok(self.made_later(kernel, Evaluator::default)?())
    }

    /// Returns a function that makes the configuration of an engine that plays. The default weights are the large ones if the
    /// processor has vector instructions: an evaluation then takes about as long as one by the small network.
    pub(crate) fn config_to_play(
        &self,
        kernel: Kernel,
    ) -> io::Result<impl FnOnce() -> SearchConfig + Send + 'static> {
        let large_or_small = || Evaluator::from_bytes(LARGE).unwrap_or_default();
        self.made_later(kernel, if kernel == Kernel::Portable { Evaluator::default } else { large_or_small })
    }

    /// Named weights, except the small ones, are read at once, so that errors are reported at once. Other weights are unpacked
    /// by the function.
    fn made_later(
        &self,
        kernel: Kernel,
        unnamed: fn() -> Evaluator,
    ) -> io::Result<impl FnOnce() -> SearchConfig + Send + 'static> {
        let hash = self.hash;
        let evaluator = |bytes: &[u8]| Evaluator::from_bytes(bytes).map_err(io::Error::other);
        let of_file = |path: &Path| {
            let mut bytes = Vec::new();
            open_regular(path)?.read_to_end(&mut bytes)?;
            evaluator(&bytes)
        };
        let (read, later): (_, fn() -> Evaluator) = match &self.weights.eval {
            None => (None, unnamed),
            Some(Eval::Small) => (None, Evaluator::default),
            Some(Eval::Large) => {
                (Some(evaluator(LARGE).map_err(in_file(Path::new("--eval large")))?), unnamed)
            }
            Some(Eval::File(path)) => (Some(of_file(path).map_err(in_file(path))?), unnamed),
        };
        Ok(move || SearchConfig::with(read.unwrap_or_else(later)).with_hash(hash).with_kernel(kernel))
    }
}

/// `small` and `large` are not file names here: files with these names are `./small` and `./large`.
fn eval(text: &str) -> Result<Eval, &'static str> {
    match text {
        "" => Err("empty: expected small, large or the name of a file"),
        "small" => Ok(Eval::Small),
        "large" => Ok(Eval::Large),
        path => Ok(Eval::File(path.into())),
    }
}
