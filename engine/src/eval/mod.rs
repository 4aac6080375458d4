//! The static evaluation.
