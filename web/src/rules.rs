//! The rules of the game for the page's main thread.
