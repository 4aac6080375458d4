//! What the program `outflank` adds to the engine: [`native`] drives a session on a desktop machine.

pub mod native;
