//! Games and their notations.
