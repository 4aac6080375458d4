//! The worker driver: feeds protocol lines from a page to the engine's sessions and runs its search in slices.
