//! Options of a subcommand: `--name value` pairs, and plain words.

use std::collections::HashMap;
use std::str::FromStr;

use crate::error::Error;

/// An option: its name without the dashes, its default (an empty one must be given where it is needed), and
/// what it means.
pub(crate) struct Opt(pub(crate) &'static str, pub(crate) &'static str, pub(crate) &'static str);

/// The options of this call.
pub(crate) struct Args {
    values: HashMap<&'static str, String>,
    /// Words that belong to no option.
    pub(crate) words: Vec<String>,
}

impl Args {
    /// Reads the words after the subcommand; nothing when help is asked for.
    pub(crate) fn parse(
        options: &'static [Opt],
        mut words: impl Iterator<Item = String>,
    ) -> Result<Option<Args>, Error> {
        let mut args =
            Args { values: options.iter().map(|opt| (opt.0, opt.1.to_owned())).collect(), words: Vec::new() };
        while let Some(word) = words.next() {
            if word == "--help" || word == "-h" {
                return Ok(None);
            }
            let Some(name) = word.strip_prefix("--") else {
                args.words.push(word);
                continue;
            };
            let opt = options
                .iter()
                .find(|opt| opt.0 == name)
                .ok_or_else(|| Error::new(format!("there is no option --{name}")))?;
            let value = words.next().ok_or_else(|| Error::new(format!("--{name} needs a value")))?;
            args.values.insert(opt.0, value);
        }
        Ok(Some(args))
    }

    /// The value of an option.
    pub(crate) fn get<T: FromStr>(&self, name: &str) -> Result<T, Error> {
        let text = self.text(name);
        text.parse().map_err(|_| Error::new(format!("--{name}: `{text}` is not valid")))
    }

    /// Two numbers and a dash, the first not the larger.
    pub(crate) fn range(&self, name: &str) -> Result<(u32, u32), Error> {
        let text = self.text(name);
        let wrong = || Error::new(format!("--{name}: `{text}` is not two numbers and a dash"));
        let (from, to) = text.split_once('-').ok_or_else(wrong)?;
        let (from, to) = (from.parse().map_err(|_| wrong())?, to.parse().map_err(|_| wrong())?);
        if from <= to { Ok((from, to)) } else { Err(wrong()) }
    }

    /// The value of an option as it was written.
    pub(crate) fn text(&self, name: &str) -> &str {
        self.values.get(name).map_or("", String::as_str)
    }
}

/// Prints the options with their defaults.
pub(crate) fn print_help(options: &[Opt]) {
    for Opt(name, default, meaning) in options {
        let default = if default.is_empty() { String::new() } else { format!(" [{default}]") };
        println!("  --{name:<14} {meaning}{default}");
    }
}
