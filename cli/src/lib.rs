//! What the program `outflank` adds to the engine: [`native`] drives a session on a desktop machine, [`store`] keeps books
//! of millions of positions, [`atomic_file`] puts whole files in the place of others.

pub mod atomic_file;
pub mod native;
pub mod store;
