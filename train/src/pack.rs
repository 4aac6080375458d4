//! From a model to a weights file.

use std::path::Path;

use crate::args::{Args, Opt};
use crate::error::Error;
use crate::model::Model;

pub(crate) const OPTIONS: &[Opt] = &[
    Opt("model", "", "model of `fit`"),
    Opt("out", "", "weights file to write"),
    Opt("step", "2", "the numbers of the embeddings are rounded to multiples of so many 64ths"),
];

pub(crate) fn run(args: &Args) -> Result<(), Error> {
    let step = args.get("step")?;
    let network = Model::read(Path::new(args.text("model")))?.quantised(step);
    let bytes = network.to_bytes(step);
    let path = Path::new(args.text("out"));
    std::fs::write(path, &bytes).map_err(|error| Error::at(path, error))?;
    println!("{}: {} bytes", path.display(), bytes.len());
    Ok(())
}
