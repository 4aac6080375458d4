//! Files of games: all formats are read to records of one type and written from them.

mod format;
mod names;
mod packed;
mod read;
#[cfg(test)]
mod round_trips;
mod write;

pub(crate) use format::Format;
pub(crate) use names::files as database_files;
pub(crate) use read::{Input, Record, read_line, standard_input};
pub(crate) use write::Writer;
