//! Signals that end programs which do not ask for them.

/// Makes a write beyond the limit of file sizes (`ulimit -f`) an error like that of a full disk: its signal would end the
/// program in the middle of a game.
#[cfg(unix)]
pub fn catch_file_size_signal() {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use signal_hook::consts::SIGXFSZ;

    // Caught, not ignored: programs that are started from here would inherit that. Where it cannot be caught things are
    // as they were.
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
}

/// Elsewhere there is no such signal.
#[cfg(not(unix))]
pub fn catch_file_size_signal() {}
