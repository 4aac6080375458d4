//! Signals that would end the program.

/// Makes a write beyond the limit of file sizes (`ulimit -f`) an error, like a write to a full disk. The signal would end the
/// program during a game.
#[cfg(unix)]
pub fn catch_file_size_signal() {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use signal_hook::consts::SIGXFSZ;

    // Caught, not ignored: started programs would inherit an ignored signal. If it cannot be caught, nothing changes.
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
}

/// Other systems have no such signal.
#[cfg(not(unix))]
pub fn catch_file_size_signal() {}
