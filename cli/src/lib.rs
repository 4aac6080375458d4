//! What the program `outflank` adds to the engine: [`native`] drives a session on a desktop machine, [`store`] keeps books
//! of millions of positions.

pub mod native;
pub mod store;
