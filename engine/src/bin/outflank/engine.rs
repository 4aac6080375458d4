//! Setting the engine up as the command line wants it.

use std::fs;
use std::io;
use std::path::Path;

use outflank::board::Kernel;
use outflank::eval::Evaluator;
use outflank::search::SearchConfig;

use crate::arguments::EngineOptions;

/// The configuration of a search with these options and this instruction set.
pub(crate) fn config(options: &EngineOptions, kernel: Kernel) -> io::Result<SearchConfig> {
    Ok(config_later(options, kernel)?())
}

/// The same, made when it is needed. A file of weights is read at once, so that a faulty one is told of; the built-in
/// weights are unpacked later.
pub(crate) fn config_later(
    options: &EngineOptions,
    kernel: Kernel,
) -> io::Result<impl FnOnce() -> SearchConfig + Send + 'static> {
    let hash = options.hash;
    let of_a_file = match &options.eval {
        Some(path) => Some(evaluator(path).map_err(|error| of_file(path, &error))?),
        None => None,
    };
    Ok(move || SearchConfig { hash, kernel, evaluator: of_a_file.unwrap_or_default() })
}

/// The error with the file it is about.
pub(crate) fn of_file(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

fn evaluator(path: &Path) -> io::Result<Evaluator> {
    Evaluator::from_bytes(&fs::read(path)?).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}
