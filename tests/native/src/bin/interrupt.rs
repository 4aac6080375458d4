//! Starts a program in a console of its own and presses Ctrl+C there once a file exists: `interrupt FILE PROGRAM ARGUMENT...`.
//! Fails if the program continues. Windows only: other systems have `kill`.

use std::io;

#[cfg(not(windows))]
fn main() -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(windows)]
#[expect(unsafe_code, reason = "the standard library has no consoles")]
fn main() -> io::Result<()> {
    use std::process::{Command, Stdio};
    use std::thread::sleep;
    use std::time::Duration;

    #[link(name = "kernel32")]
    unsafe extern "system" {
        fn AllocConsole() -> i32;
        fn FreeConsole() -> i32;
        fn GenerateConsoleCtrlEvent(event: u32, group: u32) -> i32;
        fn SetConsoleCtrlHandler(handler: usize, adds: i32) -> i32;
    }

    let words: Vec<_> = std::env::args_os().skip(1).collect();
    let [file, program, arguments @ ..] = &words[..] else { return Err(io::ErrorKind::InvalidInput.into()) };
    // SAFETY: these functions have no preconditions.
    unsafe { (FreeConsole(), AllocConsole()) };
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn()?;
    while !std::fs::exists(file)? {
        sleep(Duration::from_millis(10));
    }
    // SAFETY: without a handler, this process ignores Ctrl+C. The group 0 is all processes of the console.
    if unsafe { SetConsoleCtrlHandler(0, 1) == 0 || GenerateConsoleCtrlEvent(0, 0) == 0 } {
        return Err(io::Error::last_os_error());
    }
    for _ in 0..60_000 {
        if child.try_wait()?.is_some() {
            return Ok(());
        }
        sleep(Duration::from_millis(10));
    }
    child.kill()?;
    Err(io::ErrorKind::TimedOut.into())
}
