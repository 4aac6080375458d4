//! From a model to a weights file, of the engine's network or its large one.

use std::path::Path;

use crate::args::{Args, Opt};
use crate::error::Error;
use crate::model::Model;
use crate::trial::{LargeModel, Saved};

pub(crate) const OPTIONS: &[Opt] = &[
    Opt("model", "", "model of `fit`, or one of `trial` that has the form of the large network"),
    Opt("out", "", "weights file to write"),
    Opt("step", "2", "the numbers of the embeddings are rounded to multiples of so many 64ths"),
];

pub(crate) fn run(args: &Args) -> Result<(), Error> {
    let step = args.get("step")?;
    let model = Path::new(args.text("model"));
    let bytes = if Saved::is(model)? {
        LargeModel::read(model)?.quantised(step).to_bytes(step)
    } else {
        Model::read(model)?.quantised(step).to_bytes(step)
    };
    let path = Path::new(args.text("out"));
    std::fs::write(path, &bytes).map_err(|error| Error::at(path, error))?;
    println!("{}: {} bytes", path.display(), bytes.len());
    Ok(())
}
