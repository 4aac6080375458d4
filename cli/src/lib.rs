//! What the program `outflank` adds to the engine: [`native`] drives a session on a desktop machine, [`store`] keeps books
//! of millions of positions, [`replacement`] puts whole files in the place of others.

pub mod native;
pub mod replacement;
pub mod store;
