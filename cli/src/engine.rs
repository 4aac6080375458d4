//! Engine options of the command line.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::native::{in_file, open_regular};
use clap::Args;
use clap::builder::TypedValueParser;
use outflank::eval::Evaluator;
use outflank::kernel::Kernel;
use outflank::search::{HashSize, SearchConfig};

/// The largest transposition table.
pub(crate) const MAX_HASH_MIB: i64 = 1 << 20;
/// The weights of the large network; `train/README.md` has the recipe.
pub(crate) static LARGE: &[u8] = include_bytes!("../weights/outflank-large.weights");

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
    /// file of either kind. The default is small, but large for the engine of a GUI on a processor with AVX2 or NEON, and that
    /// of the page's settings for serve
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
        let (read, later): (_, fn() -> Evaluator) = match &self.weights.eval {
            None => (None, unnamed),
            Some(Eval::Small) => (None, Evaluator::default),
            Some(_) => (self.weights.read()?.map(|(evaluator, _)| evaluator), unnamed),
        };
        Ok(move || SearchConfig::with(read.unwrap_or_else(later)).with_hash(hash).with_kernel(kernel))
    }
}

impl Weights {
    /// Reads the named weights. Returns also their checksum. `None` if the user named none.
    ///
    /// # Errors
    /// The name and its error.
    pub(crate) fn read(&self) -> io::Result<Option<(Evaluator, u64)>> {
        let Some(eval) = &self.eval else { return Ok(None) };
        let mut bytes = Vec::new();
        let (name, weights) = match eval {
            Eval::Small => (Path::new("--eval small"), Evaluator::embedded()),
            Eval::Large => (Path::new("--eval large"), LARGE),
            Eval::File(path) => {
                let mut file = open_regular(path).map_err(in_file(path))?;
                file.read_to_end(&mut bytes).map_err(in_file(path))?;
                (&**path, &*bytes)
            }
        };
        let evaluator = Evaluator::from_bytes(weights).map_err(io::Error::other).map_err(in_file(name))?;
        Ok(Some((evaluator, Evaluator::checksum(weights))))
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
