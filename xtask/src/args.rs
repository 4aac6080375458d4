//! The command line: words become a [`Task`] here and nowhere else.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use lexopt::prelude::*;

/// What `cargo xtask help` prints.
pub(crate) const USAGE: &str = "\
usage: cargo xtask <task>

  serve [--port N] [--no-build]   build the page and the native engine, serve the page on 127.0.0.1
                                  (port 8064 unless told; 0 takes a free one)
  build                           build the page into dist/ without serving it
  package                         build everything and pack it for people without a compiler, in target/package/
  test [STEP...]                  run every check, or the named steps (`test list` names them)
  tools                           build wasm-bindgen and wasm-bindgen-test-runner for wasm-pack
  bench perft [--depth N]         perft: leaves and time, native and wasm
  bench search                    the fixed search: nodes and time, native and wasm with one thread; and a deep one
                                  with 1 and 2 threads in wasm
  bench endgame [--file F] [--hash MB]
                                  exact solving: native and wasm with 1 and 2 threads
  bench page                      the budgets of the page, measured in a fresh browser
  bench opponents                 fits what the page's opponents lose, and writes it down; half an hour
  fuzz [--minutes N] [--jobs N] [TARGET...]
                                  any bytes at every parser and session, 10 minutes over all targets unless told;
                                  `fuzz list` names them; needs a nightly toolchain
  fuzz --distill [TARGET...]      makes the inputs in tests/fuzz/corpus anew from what was found
  soak [--minutes N] [--dialect NAME]... [--seed N]
                                  games between running engines in each dialect, disturbed in every way, for 10
                                  minutes unless told; then what was played, how soon replies came, and memory
  differential [--minutes N] [--seed N] [--native]
                                  the same positions to every build, kernel and number of threads and to plain
                                  solvers, for 20 minutes unless told; --native leaves the browser out
  help                            this text";

/// Port that `serve` takes when none is named.
const DEFAULT_PORT: u16 = 8064;

/// Table size of `bench endgame` in mebibytes when none is named: the native program's default.
const DEFAULT_HASH: u32 = 64;

/// Minutes that `soak` takes when none are named.
const SOAK_MINUTES: u32 = 10;
/// Minutes of `differential` when none are named.
const DIFFERENTIAL_MINUTES: u32 = 20;

/// A task with its options.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Task {
    Help,
    Build,
    Package,
    Serve(Serve),
    Test(Vec<String>),
    Tools,
    Bench(Bench),
    Fuzz(Fuzz),
    Soak(Soak),
    Differential(Differential),
}

/// Options of `fuzz`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Fuzz {
    /// How long, over all targets.
    pub minutes: u32,
    /// How many targets run side by side.
    pub jobs: u32,
    /// Whether the inputs in the tree are made anew instead.
    pub distill: bool,
    /// Which; all where none is named.
    pub targets: Vec<String>,
}

/// Options of `soak`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Soak {
    /// How long it goes on.
    pub minutes: u32,
    /// The dialects by their names; none are all.
    pub dialects: Vec<String>,
    /// For everything that is drawn.
    pub seed: u64,
}

/// Options of `serve`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Serve {
    /// Port on 127.0.0.1; 0 lets the system choose.
    pub port: u16,
    /// Whether the page and the engine are built first, or `dist/` is served as it is.
    pub content: Content,
}

/// Where the served files come from.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// Built just before.
    Fresh,
    /// What `dist/` holds already.
    AsBuilt,
}

/// What to measure.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Bench {
    /// Leaf counts to this depth in plies.
    Perft { depth: u32 },
    /// The fixed search whose node count is the signature.
    Search,
    /// Exact solving of the positions of an OBF file (FFO 40-49 when none is named).
    Endgame {
        file: Option<PathBuf>,
        /// Size of the table on all sides, in mebibytes.
        hash: u32,
    },
    /// The budgets of the page.
    Page,
    /// What the opponents of the page lose.
    Opponents,
}

/// Options of `differential`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Differential {
    /// How long, as whole rounds take.
    pub minutes: u32,
    /// Where the random positions begin: the same number, the same positions.
    pub seed: u64,
    pub sides: Sides,
}

/// Which builds are compared.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Sides {
    /// The native one with its kernels and threads.
    Native,
    /// The browser's, too.
    All,
}

/// Parses the arguments of this process.
pub(crate) fn parse() -> Result<Task> {
    parse_from(lexopt::Parser::from_env())
}

fn parse_from(mut parser: lexopt::Parser) -> Result<Task> {
    let task = match parser.next()? {
        None | Some(Short('h') | Long("help")) => return Ok(Task::Help),
        Some(Value(word)) => word.string()?,
        Some(other) => return Err(other.unexpected().into()),
    };
    match task.as_str() {
        "help" => nothing_more(parser, Task::Help),
        "build" => nothing_more(parser, Task::Build),
        "package" => nothing_more(parser, Task::Package),
        "tools" => nothing_more(parser, Task::Tools),
        "serve" => serve(parser),
        "test" => steps(parser),
        "bench" => bench(parser),
        "fuzz" => fuzz(parser),
        "soak" => soak(parser),
        "differential" => differential(parser),
        other => bail!("there is no task `{other}`"),
    }
}

fn nothing_more(mut parser: lexopt::Parser, task: Task) -> Result<Task> {
    match parser.next()? {
        None => Ok(task),
        Some(other) => Err(other.unexpected().into()),
    }
}

fn serve(mut parser: lexopt::Parser) -> Result<Task> {
    let mut options = Serve { port: DEFAULT_PORT, content: Content::Fresh };
    while let Some(argument) = parser.next()? {
        match argument {
            Short('p') | Long("port") => {
                let text = parser.value()?.string()?;
                options.port = text
                    .parse()
                    .with_context(|| format!("--port wants a number from 0 to 65535, not `{text}`"))?;
            }
            Long("no-build") => options.content = Content::AsBuilt,
            other => return Err(other.unexpected().into()),
        }
    }
    Ok(Task::Serve(options))
}

fn steps(mut parser: lexopt::Parser) -> Result<Task> {
    let mut steps = Vec::new();
    while let Some(argument) = parser.next()? {
        match argument {
            Value(step) => steps.push(step.string()?),
            other => return Err(other.unexpected().into()),
        }
    }
    Ok(Task::Test(steps))
}

fn fuzz(mut parser: lexopt::Parser) -> Result<Task> {
    let mut options = Fuzz { minutes: 10, jobs: 1, distill: false, targets: Vec::new() };
    while let Some(argument) = parser.next()? {
        match argument {
            Long("minutes") => options.minutes = minutes(&mut parser)?,
            Short('j') | Long("jobs") => {
                let text = parser.value()?.string()?;
                options.jobs = match text.parse() {
                    Ok(jobs @ 1..=256) => jobs,
                    _ => bail!("--jobs wants a number from 1 to 256, not `{text}`"),
                };
            }
            Long("distill") => options.distill = true,
            Value(target) => options.targets.push(target.string()?),
            other => return Err(other.unexpected().into()),
        }
    }
    Ok(Task::Fuzz(options))
}

fn bench(mut parser: lexopt::Parser) -> Result<Task> {
    let what = match parser.next()? {
        Some(Value(word)) => word.string()?,
        Some(other) => return Err(other.unexpected().into()),
        None => bail!("bench wants one of: perft, search, endgame, page, opponents"),
    };
    let mut bench = match what.as_str() {
        "perft" => Bench::Perft { depth: 11 },
        "search" => Bench::Search,
        "endgame" => Bench::Endgame { file: None, hash: DEFAULT_HASH },
        "page" => Bench::Page,
        "opponents" => Bench::Opponents,
        other => bail!("there is no bench `{other}`"),
    };
    while let Some(argument) = parser.next()? {
        match (&mut bench, argument) {
            (Bench::Perft { depth }, Long("depth")) => {
                let text = parser.value()?.string()?;
                *depth = match text.parse() {
                    Ok(plies @ 1..=14) => plies,
                    _ => bail!("--depth wants a number from 1 to 14, not `{text}`"),
                };
            }
            (Bench::Endgame { file, .. }, Long("file")) => *file = Some(parser.value()?.into()),
            (Bench::Endgame { hash, .. }, Long("hash")) => {
                let text = parser.value()?.string()?;
                *hash = match text.parse() {
                    Ok(mebibytes @ 1..=1024) => mebibytes,
                    _ => bail!("--hash wants a number from 1 to 1024, not `{text}`"),
                };
            }
            (_, other) => return Err(other.unexpected().into()),
        }
    }
    Ok(Task::Bench(bench))
}

fn soak(mut parser: lexopt::Parser) -> Result<Task> {
    let mut options = Soak { minutes: SOAK_MINUTES, dialects: Vec::new(), seed: 1 };
    while let Some(argument) = parser.next()? {
        match argument {
            Long("minutes") => options.minutes = minutes(&mut parser)?,
            Long("dialect") => options.dialects.push(parser.value()?.string()?),
            Long("seed") => options.seed = seed(&mut parser)?,
            other => return Err(other.unexpected().into()),
        }
    }
    Ok(Task::Soak(options))
}

fn differential(mut parser: lexopt::Parser) -> Result<Task> {
    let mut options = Differential { minutes: DIFFERENTIAL_MINUTES, seed: 1, sides: Sides::All };
    while let Some(argument) = parser.next()? {
        match argument {
            Long("minutes") => options.minutes = minutes(&mut parser)?,
            Long("seed") => options.seed = seed(&mut parser)?,
            Long("native") => options.sides = Sides::Native,
            other => return Err(other.unexpected().into()),
        }
    }
    Ok(Task::Differential(options))
}

/// The value of `--minutes`.
fn minutes(parser: &mut lexopt::Parser) -> Result<u32> {
    let text = parser.value()?.string()?;
    match text.parse() {
        Ok(minutes @ 1..=100_000) => Ok(minutes),
        _ => bail!("--minutes wants a number from 1 to 100000, not `{text}`"),
    }
}

/// The value of `--seed`.
fn seed(parser: &mut lexopt::Parser) -> Result<u64> {
    let text = parser.value()?.string()?;
    text.parse().with_context(|| format!("--seed wants a whole number, not `{text}`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(words: &[&str]) -> Result<Task> {
        parse_from(lexopt::Parser::from_args(words))
    }

    #[test]
    fn tasks_and_their_options_are_understood() {
        assert_eq!(parsed(&[]).unwrap(), Task::Help);
        assert_eq!(
            parsed(&["serve", "--port", "0", "--no-build"]).unwrap(),
            Task::Serve(Serve { port: 0, content: Content::AsBuilt })
        );
        assert_eq!(
            parsed(&["serve"]).unwrap(),
            Task::Serve(Serve { port: DEFAULT_PORT, content: Content::Fresh })
        );
        assert_eq!(parsed(&["package"]).unwrap(), Task::Package);
        assert_eq!(
            parsed(&["soak", "--minutes", "30", "--dialect", "hub"]).unwrap(),
            Task::Soak(Soak { minutes: 30, dialects: vec!["hub".into()], seed: 1 })
        );
        assert_eq!(parsed(&["test", "page"]).unwrap(), Task::Test(vec!["page".into()]));
        let targets = vec!["ggf".to_owned()];
        assert_eq!(
            parsed(&["fuzz", "--minutes", "5", "-j2", "ggf"]).unwrap(),
            Task::Fuzz(Fuzz { minutes: 5, jobs: 2, distill: false, targets })
        );
        assert_eq!(parsed(&["bench", "perft", "--depth=9"]).unwrap(), Task::Bench(Bench::Perft { depth: 9 }));
        assert_eq!(
            parsed(&["differential", "--minutes", "3", "--native"]).unwrap(),
            Task::Differential(Differential { minutes: 3, seed: 1, sides: Sides::Native })
        );
    }

    #[test]
    fn faults_are_named() {
        for (words, fault) in [
            (&["dance"][..], "dance"),
            (&["serve", "--port", "65536"], "65536"),
            (&["serve", "--port", "-1"], "-1"),
            (&["serve", "--port"], "port"),
            (&["serve", "8000"], "8000"),
            (&["bench"], "perft"),
            (&["bench", "perft", "--depth", "0"], "`0`"),
            (&["bench", "search", "--depth", "3"], "depth"),
            (&["bench", "endgame", "--hash", "0"], "`0`"),
            (&["soak", "--minutes", "0"], "`0`"),
            (&["soak", "--seed", "x"], "`x`"),
            (&["tools", "more"], "more"),
            (&["fuzz", "--minutes", "0"], "`0`"),
            (&["differential", "--minutes", "0"], "`0`"),
            (&["differential", "--seed", "x"], "`x`"),
            (&["differential", "20"], "20"),
            (&["package", "page"], "page"),
        ] {
            let message = format!("{:#}", parsed(words).unwrap_err());
            assert!(message.contains(fault), "{words:?}: {message}");
        }
    }
}
