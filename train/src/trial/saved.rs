//! What a trial has learnt, as a file: a mark, the form in three lines (width, stages, patterns), then the numbers.

use std::fs;
use std::path::Path;

use crate::error::Error;

const MARK: &str = "OFTRIAL1";

/// A network that was learnt.
pub(crate) struct Saved {
    /// `--width`, `--stages` and `--more` of the trial.
    pub(crate) form: [String; 3],
    /// The rows of all stages, the biases by empty squares, then the heads, each with its matrix (input by input), the biases
    /// of its neurons, what sums and neurons give to the value, and its own bias.
    pub(crate) numbers: Vec<f32>,
}

impl Saved {
    /// Whether a file is one, by its first bytes.
    pub(crate) fn is(path: &Path) -> Result<bool, Error> {
        let bytes = fs::read(path).map_err(|error| Error::at(path, error))?;
        Ok(bytes.starts_with(MARK.as_bytes()))
    }

    pub(crate) fn write(&self, path: &Path) -> Result<(), Error> {
        let [width, stages, more] = &self.form;
        let mut bytes = format!("{MARK}\n{width}\n{stages}\n{more}\n").into_bytes();
        bytes.extend(self.numbers.iter().flat_map(|number| number.to_le_bytes()));
        fs::write(path, bytes).map_err(|error| Error::at(path, error))
    }

    pub(crate) fn read(path: &Path) -> Result<Saved, Error> {
        let bytes = fs::read(path).map_err(|error| Error::at(path, error))?;
        let wrong = || Error::at(path, "not a model of `trial`");
        let mut rest = bytes.as_slice();
        let mut line = || {
            let end = rest.iter().position(|&byte| byte == b'\n').ok_or_else(wrong)?;
            let text = std::str::from_utf8(&rest[..end]).map_err(|_| wrong())?;
            rest = &rest[end + 1..];
            Ok::<_, Error>(text.to_owned())
        };
        if line()? != MARK {
            return Err(wrong());
        }
        let form = [line()?, line()?, line()?];
        let (numbers, odd) = rest.as_chunks::<4>();
        if !odd.is_empty() {
            return Err(wrong());
        }
        Ok(Saved { form, numbers: numbers.iter().map(|&number| f32::from_le_bytes(number)).collect() })
    }
}
