//! Signals that would end the program.

/// Makes a write beyond the limit of file sizes (`ulimit -f`) an error, like a write to a full disk. The signal would end the
/// program during a game. Does nothing on systems without this signal.
pub fn catch_file_size_signal() {
    #[cfg(unix)]
    {
        // Caught, not ignored: started programs would inherit an ignored signal. If it cannot be caught, nothing changes.
        let caught = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
        let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, caught);
    }
}
