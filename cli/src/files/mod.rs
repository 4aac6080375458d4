//! Files of games: every format becomes records of one type and is written from it.

mod format;
mod names;
mod read;
mod write;

pub(crate) use format::Format;
pub(crate) use names::files as database_files;
pub(crate) use read::{Input, Record, standard_input};
pub(crate) use write::Writer;
