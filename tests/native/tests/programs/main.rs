//! Tests of whole programs. All are modules of one test program, which links the engine once.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod analyze;
mod breakdown;
mod console;
mod convert;
mod faults;
mod json_fields;
mod live;
mod matches;
mod scripted;
mod serve;
mod slow_reader;
mod soak;
mod store;
mod systems;
