//! The C library. `cargo xtask package` makes its header from this file.
#![allow(
    unsafe_code,
    unsafe_op_in_unsafe_fn,
    clippy::missing_safety_doc,
    clippy::undocumented_unsafe_blocks,
    reason = "the callers are written in C: the head of the header, in cbindgen.toml, states what they ensure"
)]

use std::ffi::{CStr, CString, c_char};
use std::ptr::null_mut;
use std::thread;

use outflank_cli::library::{self, Engine};

/// An engine. Its functions can be called from several threads: requests run in sequence.
pub struct OutflankEngine(Engine);

/// Starts an engine with the options --threads N, --hash MB, --eval small|large|FILE and --kernel NAME of the program.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn outflank_start(
    options: *const c_char,
    error: *mut *mut c_char,
) -> *mut OutflankEngine {
    let options = words(options);
    let engine = finish(error, || Engine::start(options?));
    engine.map_or(null_mut(), |engine| Box::into_raw(Box::new(OutflankEngine(engine))))
}

/// Values the best moves at the end of a game, with the options --count N, --depth D, --time SECONDS, --nodes N and --only MOVES
/// of `outflank hint`. Returns its JSON. After a stop, returns the values so far.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn outflank_hint(
    engine: *const OutflankEngine,
    game: *const c_char,
    options: *const c_char,
    error: *mut *mut c_char,
) -> *mut c_char {
    ask(Engine::hint, engine, game, options, error)
}

/// Solves the position at the end of a game, with the option --wld of `outflank solve`. Returns one of its JSON entries. A stop is
/// an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn outflank_solve(
    engine: *const OutflankEngine,
    game: *const c_char,
    options: *const c_char,
    error: *mut *mut c_char,
) -> *mut c_char {
    ask(Engine::solve, engine, game, options, error)
}

/// Analyzes a game, with the options --depth D, --exact N, --reasons, --time SECONDS, --nodes N, --given N and --book FILE of
/// `outflank analyze`. Returns its line of JSON. A stop is an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn outflank_analyze(
    engine: *const OutflankEngine,
    game: *const c_char,
    options: *const c_char,
    error: *mut *mut c_char,
) -> *mut c_char {
    ask(Engine::analyze, engine, game, options, error)
}

/// Reads all games and positions of a text. Returns a JSON list.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn outflank_read(text: *const c_char, error: *mut *mut c_char) -> *mut c_char {
    let text = read("text", text);
    finish(error, || Ok(library::read(text?))).map_or(null_mut(), owned)
}

/// Ends the running request of another thread. A request that begins later is not stopped.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn outflank_stop(engine: *const OutflankEngine) {
    if let Some(engine) = engine.as_ref() {
        engine.0.stop();
    }
}

/// Ends an engine. No other function may use it then or later.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn outflank_close(engine: *mut OutflankEngine) {
    if !engine.is_null() {
        drop(Box::from_raw(engine));
    }
}

/// Frees an answer or an error message.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn outflank_free(text: *mut c_char) {
    if !text.is_null() {
        drop(CString::from_raw(text));
    }
}

unsafe fn ask(
    request: fn(&Engine, &str, &str) -> Result<String, String>,
    engine: *const OutflankEngine,
    game: *const c_char,
    options: *const c_char,
    error: *mut *mut c_char,
) -> *mut c_char {
    let (engine, game, options) = (engine.as_ref(), read("game", game), words(options));
    let request = || request(&engine.ok_or("engine: NULL")?.0, game?, options?);
    finish(error, request).map_or(null_mut(), owned)
}

/// Returns the result of a request, or stores its error. The threads of some GUIs have stacks that are too small for a search, so
/// the request has a separate one.
unsafe fn finish<T: Send>(
    error: *mut *mut c_char,
    request: impl FnOnce() -> Result<T, String> + Send,
) -> Option<T> {
    let result = thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(16 << 20).spawn_scoped(scope, request);
        let thread = thread.map_err(|error| format!("could not start a thread: {error}"))?;
        thread.join().unwrap_or_else(|_| Err("the request panicked".to_owned()))
    });
    let (result, message) = match result {
        Ok(result) => (Some(result), null_mut()),
        Err(message) => (None, owned(message)),
    };
    if error.is_null() {
        outflank_free(message);
    } else {
        error.write(message);
    }
    result
}

unsafe fn read<'a>(name: &str, text: *const c_char) -> Result<&'a str, String> {
    if text.is_null() {
        return Err(format!("{name}: NULL"));
    }
    CStr::from_ptr(text).to_str().map_err(|_| format!("{name}: not UTF-8"))
}

unsafe fn words<'a>(options: *const c_char) -> Result<&'a str, String> {
    if options.is_null() { Ok("") } else { read("options", options) }
}

fn owned(text: String) -> *mut c_char {
    // JSON escapes NUL, and texts of C contain none.
    CString::new(text).unwrap_or_default().into_raw()
}

#[cfg(test)]
mod tests {
    use std::ptr::null;

    use super::*;

    type Error = *mut *mut c_char;
    type Request =
        unsafe extern "C" fn(*const OutflankEngine, *const c_char, *const c_char, Error) -> *mut c_char;

    /// Returns the answer of a request, or its error.
    fn result(request: impl FnOnce(Error) -> *mut c_char) -> Result<String, String> {
        let mut error = null_mut();
        let answer = request(&raw mut error);
        assert_ne!(answer.is_null(), error.is_null());
        let text = if answer.is_null() { error } else { answer };
        let copy = unsafe { CStr::from_ptr(text) }.to_str().unwrap().to_owned();
        unsafe { outflank_free(text) };
        if answer.is_null() { Err(copy) } else { Ok(copy) }
    }

    fn ask(request: Request, engine: &OutflankEngine, game: &CStr, options: &CStr) -> Result<String, String> {
        result(|error| unsafe { request(engine, game.as_ptr(), options.as_ptr(), error) })
    }

    fn engine(options: &str) -> OutflankEngine {
        OutflankEngine(Engine::start(options).unwrap())
    }

    #[test]
    fn invalid_argument_is_named() {
        let engine = engine("--hash 1");
        let errors = [
            (c"\xff", c"", "game: not UTF-8"),
            (c"", c"\xff", "options: not UTF-8"),
            (c"f5f6a1", c"", "move 3 (a1) is illegal: a1 flips nothing"),
            (c"f5\nf5d6", c"", "several games: expected one"),
            (c" # ", c"", "no game or position found"),
            (c"f5", c"--depth 61", "invalid value '61' for '--depth <D>': 61 is not in 1..=60"),
            (c"f5", c"--depth -1", "invalid value '-1' for '--depth <D>': -1 is not in 1..=60"),
            (c"f5", c"--help", "unexpected argument '--help' found"),
            (c"f5", c"--only a1", "--only: a1 is not a legal move"),
        ];
        for (game, options, error) in errors {
            assert_eq!(ask(outflank_hint, &engine, game, options).unwrap_err(), error);
        }
        let without_game = result(|error| unsafe { outflank_solve(&engine, null(), null(), error) });
        let without_engine = result(|error| unsafe { outflank_solve(null(), c"".as_ptr(), null(), error) });
        let without_text = result(|error| unsafe { outflank_read(null(), error) });
        let errors = [without_game, without_engine, without_text].map(Result::unwrap_err);
        assert_eq!(errors, ["game: NULL", "engine: NULL", "text: NULL"]);
        let no_file = result(|error| unsafe { outflank_start(c"--eval \"no file\"".as_ptr(), error) }.cast());
        // The systems have different words for it.
        let no_file = no_file.unwrap_err();
        assert!(no_file.starts_with("no file: ") && no_file.ends_with("(os error 2)"), "{no_file}");
        unsafe { outflank_stop(null()) };
        unsafe { outflank_close(null_mut()) };
        unsafe { outflank_hint(&engine, null(), null(), null_mut()) };
    }

    #[test]
    fn panic_is_an_error() {
        let panics = |error| unsafe { finish(error, || panic!("x")) }.map_or(null_mut(), owned);
        assert_eq!(result(panics), Err("the request panicked".to_owned()));
    }

    #[test]
    fn request_is_stopped_by_another_thread() {
        let engine = engine("--hash 1 --threads 2");
        let stopped = |request: Request| {
            thread::scope(|scope| {
                let asked = scope.spawn(|| ask(request, &engine, c"", c""));
                // A request that waits begins as soon as the other one ends.
                let next = scope.spawn(|| ask(outflank_hint, &engine, c"", c"--depth 1"));
                while !(asked.is_finished() && next.is_finished()) {
                    unsafe { outflank_stop(&engine) };
                    thread::yield_now();
                }
                asked.join().unwrap()
            })
        };
        for request in [outflank_solve, outflank_analyze] {
            assert_eq!(stopped(request), Err("stopped".to_owned()));
        }
    }
}
