//! The commands.

pub(crate) mod analyze;
pub(crate) mod bench;
pub(crate) mod book;
pub(crate) mod convert;
pub(crate) mod doctor;
pub(crate) mod hint;
pub(crate) mod manual;
pub(crate) mod matches;
pub(crate) mod play;
pub(crate) mod protocol;
pub(crate) mod read;
pub(crate) mod serve;
pub(crate) mod session;
pub(crate) mod solve;
pub(crate) mod welcome;
