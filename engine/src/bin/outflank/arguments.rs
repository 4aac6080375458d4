//! The arguments, as types.

use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;

use lexopt::prelude::*;
use outflank::board::Kernel;
use outflank::score::Confidence;
use outflank::search::{Depth, HashSize, Limits};
use outflank::session::Dialect;

use crate::matches::{MatchOptions, MatchWords};

/// What `--help` prints.
pub(crate) const HELP: &str = "\
Outflank, an Othello engine.

Usage: outflank [PROTOCOL] [OPTIONS]      talk to a GUI on standard input and output
       outflank solve FILE [OPTIONS]      solve the positions of a suite (OBF) and check its scores
       outflank match A B [OPTIONS]       play two programs against each other
       outflank perft DEPTH [OPTIONS]     count the leaves of the game tree
       outflank bench [OPTIONS]           run the fixed search, whose node count is the signature
       outflank bench accuracy FILE [OPTIONS]
                                          compare with the scores of a suite (OBF)
       outflank bench depths [FILE] [OPTIONS]
                                          nodes and time of each depth, over the
                                          positions of FILE (OBF) or ten built-in ones

Protocols (without one, the first line tells which is spoken):
  nboard    NBoard, versions 1 and 2
  cassio    Othello Engine Protocol, spoken by Cassio
  hub       Hub, version 2
  xboard    XBoard and WinBoard

Options:
  --threads N      search threads (default 1)
  --hash MB        size of the transposition table in mebibytes (default 64)
  --eval FILE      weights of the evaluation (default: the built-in ones)
  --book FILE      opening book: the engine plays by it, and `learn` adds to it
  --log FILE       record every line both ways with its time in FILE

Options of solve, beside --threads, --hash and --eval:
  --wld            only who wins, which is much faster
  --kernel, --json as below

Options of match, beside --eval (for the choice of openings), --depth and --nodes;
A and B are commands, with nboard:, cassio:, hub: or xboard: before them (default nboard):
  --games N        number of games (default 100)
  --time S[+I]     seconds for a game, and more for each move (whole ones in NBoard)
  --move-time S    seconds for each move (not in NBoard)
                   (in Cassio's protocol a --depth is needed)
  --openings FILE  begin where the games or positions of FILE end, each with both colours
  --plies N        or after N random moves that leave the game balanced (default 8)
  --seed N         other random openings
  --report FILE    record the games in FILE; a match that was interrupted goes on
  --margin S       what of each move is not counted (default 0)
  --patience S     a program that is silent for so long beyond its time hangs (default 10)
A program that crashes, hangs, oversteps its time or plays an illegal move loses
the game and is started again.

Options of bench accuracy, beside --hash, --eval, --kernel and --json:
  --depth D        search to D plies (default 10)
  --nodes N        or to N nodes a position
  --selectivity P  confidence of the cuts in percent, 73 to 100 (default 100: no cuts)
  --static         no search: the evaluation after each move

Options of bench depths: the same without --static, and --threads

Options of perft and bench:
  --kernel NAME    instruction set: portable, avx2, avx512 (default: the best there is)
  --json           print one JSON object

solve ends with status 0 if every position was solved and no score in the file
disagrees, else with 1; a faulty command line or an unreadable file is status 2.

  -h, --help       this text
  -V, --version    the version
";

/// The largest transposition table, in mebibytes.
const MOST_HASH: u32 = 1 << 20;
/// The most threads.
const MOST_THREADS: usize = 256;

/// A whole command line.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Arguments {
    /// What to do.
    pub(crate) command: Command,
    /// With what engine.
    pub(crate) engine: EngineOptions,
}

/// What to do.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Command {
    /// Print the help.
    Help,
    /// Print the version.
    Version,
    /// Talk to a GUI in one dialect, or in whatever the first line tells.
    Speak(Option<Dialect>),
    /// Count leaves.
    Perft(PerftOptions),
    /// Run the fixed search.
    Bench(BenchOptions),
    /// Compare with the scores of a suite.
    Accuracy(AccuracyOptions),
    /// What each ply costs.
    Depths(DepthsOptions),
    /// Solve a suite.
    Solve(SolveOptions),
    /// Play a match.
    Match(Box<MatchOptions>),
}

/// How the engine is set up.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct EngineOptions {
    /// Number of search threads.
    pub(crate) threads: usize,
    /// Size of the transposition table.
    pub(crate) hash: HashSize,
    /// The weights of the evaluation, if not the built-in ones.
    pub(crate) eval: Option<PathBuf>,
    /// The opening book.
    pub(crate) book: Option<PathBuf>,
    /// Where to record the conversation.
    pub(crate) log: Option<PathBuf>,
}

/// How to count leaves.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PerftOptions {
    /// To what depth in plies.
    pub(crate) depth: u32,
    /// With which instruction set.
    pub(crate) kernel: Kernel,
    /// For a program to read.
    pub(crate) json: bool,
}

/// How to run the fixed search.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BenchOptions {
    /// With which instruction set.
    pub(crate) kernel: Kernel,
    /// For a program to read.
    pub(crate) json: bool,
}

/// How to compare with the scores of a suite.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct AccuracyOptions {
    /// The suite.
    pub(crate) file: PathBuf,
    /// How far to search.
    pub(crate) limits: Limits,
    /// Not at all: the static evaluation.
    pub(crate) still: bool,
    /// With which instruction set.
    pub(crate) kernel: Kernel,
    /// For a program to read.
    pub(crate) json: bool,
}

/// How to tell what each ply costs.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct DepthsOptions {
    /// The positions; the built-in ones without it.
    pub(crate) file: Option<PathBuf>,
    /// How far to search.
    pub(crate) limits: Limits,
    /// With which instruction set.
    pub(crate) kernel: Kernel,
    /// For a program to read.
    pub(crate) json: bool,
}

/// How to solve a suite.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SolveOptions {
    /// The suite.
    pub(crate) file: PathBuf,
    /// What to find out.
    pub(crate) wanted: Wanted,
    /// With which instruction set.
    pub(crate) kernel: Kernel,
    /// For a program to read.
    pub(crate) json: bool,
}

/// What to find out of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// The score.
    Score,
    /// Who wins.
    Outcome,
}

/// The command line is wrong.
#[derive(Debug)]
pub(crate) enum ArgumentError {
    /// Something the parser says.
    Syntax(lexopt::Error),
    /// A value that does not fit.
    Value {
        /// What it was given for.
        what: &'static str,
        /// As it was given.
        text: String,
        /// What fits.
        expected: &'static str,
    },
    /// No such command.
    Command(String),
    /// An argument is missing.
    Missing(&'static str),
    /// An option that the command does not have.
    Foreign(&'static str),
}

impl Arguments {
    /// Reads a command line, program name first.
    pub(crate) fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Arguments, ArgumentError> {
        let mut words: Vec<String> = Vec::new();
        let mut engine = EngineOptions { threads: 1, hash: HashSize(64), eval: None, book: None, log: None };
        let mut wanted = Wanted::Score;
        let mut kernel = None;
        let mut json = false;
        let mut search = AccuracyWords::default();
        let mut contest = MatchWords::default();
        let mut parser = lexopt::Parser::from_iter(arguments);
        while let Some(argument) = parser.next()? {
            match argument {
                Short('h') | Long("help") => return Ok(Arguments { command: Command::Help, engine }),
                Short('V') | Long("version") => return Ok(Arguments { command: Command::Version, engine }),
                Long("threads") => engine.threads = threads(&parser.value()?.string()?)?,
                Long("hash") => engine.hash = hash(&parser.value()?.string()?)?,
                Long("eval") => engine.eval = Some(PathBuf::from(parser.value()?)),
                Long("book") => engine.book = Some(PathBuf::from(parser.value()?)),
                Long("wld") => wanted = Wanted::Outcome,
                Long("log") => engine.log = Some(PathBuf::from(parser.value()?)),
                Long("kernel") => kernel = Some(named_kernel(&parser.value()?.string()?)?),
                Long("json") => json = true,
                Long("depth") => search.depth = Some(parser.value()?.string()?),
                Long("nodes") => search.nodes = Some(parser.value()?.string()?),
                Long("selectivity") => search.selectivity = Some(parser.value()?.string()?),
                Long("static") => search.still = true,
                Long("games") => contest.games = Some(parser.value()?.string()?),
                Long("time") => contest.time = Some(parser.value()?.string()?),
                Long("move-time") => contest.move_time = Some(parser.value()?.string()?),
                Long("openings") => contest.openings = Some(PathBuf::from(parser.value()?)),
                Long("plies") => contest.plies = Some(parser.value()?.string()?),
                Long("seed") => contest.seed = Some(parser.value()?.string()?),
                Long("report") => contest.report = Some(PathBuf::from(parser.value()?)),
                Long("margin") => contest.margin = Some(parser.value()?.string()?),
                Long("patience") => contest.patience = Some(parser.value()?.string()?),
                Value(word) => words.push(word.string()?),
                other => return Err(other.unexpected().into()),
            }
        }
        let mut words = words.into_iter().peekable();
        let contest_is_given = contest.is_given();
        let command = match words.next() {
            None => Command::Speak(None),
            Some(word) => match word.as_str() {
                "perft" => Command::Perft(PerftOptions {
                    depth: depth(&words.next().ok_or(ArgumentError::Missing("DEPTH"))?)?,
                    kernel: kernel.unwrap_or_else(Kernel::best),
                    json,
                }),
                "bench" if words.peek().is_some_and(|word| word == "accuracy") => {
                    words.next();
                    Command::Accuracy(AccuracyOptions {
                        file: PathBuf::from(words.next().ok_or(ArgumentError::Missing("FILE"))?),
                        limits: search.limits()?,
                        still: search.still,
                        kernel: kernel.unwrap_or_else(Kernel::best),
                        json,
                    })
                }
                "bench" if words.peek().is_some_and(|word| word == "depths") => {
                    words.next();
                    Command::Depths(DepthsOptions {
                        file: words.next().map(PathBuf::from),
                        limits: search.limits()?,
                        kernel: kernel.unwrap_or_else(Kernel::best),
                        json,
                    })
                }
                "bench" => Command::Bench(BenchOptions { kernel: kernel.unwrap_or_else(Kernel::best), json }),
                "solve" => Command::Solve(SolveOptions {
                    file: PathBuf::from(words.next().ok_or(ArgumentError::Missing("FILE"))?),
                    wanted,
                    kernel: kernel.unwrap_or_else(Kernel::best),
                    json,
                }),
                "match" => {
                    let first = words.next().ok_or(ArgumentError::Missing("A"))?;
                    let second = words.next().ok_or(ArgumentError::Missing("B"))?;
                    let (depth, nodes) = (search.depth.as_deref(), search.nodes.as_deref());
                    let options = contest.options([&first, &second], depth, nodes)?;
                    Command::Match(Box::new(options))
                }
                dialect => match dialect.parse() {
                    Ok(dialect) => Command::Speak(Some(dialect)),
                    Err(_) => return Err(ArgumentError::Command(word)),
                },
            },
        };
        if let Some(extra) = words.next() {
            return Err(lexopt::Error::UnexpectedArgument(extra.into()).into());
        }
        if matches!(command, Command::Speak(_)) {
            if json {
                return Err(ArgumentError::Foreign("--json"));
            }
            if kernel.is_some() {
                return Err(ArgumentError::Foreign("--kernel"));
            }
        }
        let takes_limits = match command {
            Command::Accuracy(_) => true,
            Command::Depths(_) => !search.still,
            Command::Match(_) => search.selectivity.is_none() && !search.still,
            _ => false,
        };
        if search.is_given() && !takes_limits {
            return Err(ArgumentError::Foreign("--depth, --nodes, --selectivity or --static"));
        }
        if contest_is_given && !matches!(command, Command::Match(_)) {
            return Err(ArgumentError::Foreign("an option of match"));
        }
        if wanted == Wanted::Outcome && !matches!(command, Command::Solve(_)) {
            return Err(ArgumentError::Foreign("--wld"));
        }
        if engine.log.is_some() && !matches!(command, Command::Speak(_)) {
            return Err(ArgumentError::Foreign("--log"));
        }
        if engine.book.is_some() && !matches!(command, Command::Speak(_)) {
            return Err(ArgumentError::Foreign("--book"));
        }
        Ok(Arguments { command, engine })
    }
}

/// The options of `bench accuracy` as they were given.
#[derive(Debug, Default)]
struct AccuracyWords {
    depth: Option<String>,
    nodes: Option<String>,
    selectivity: Option<String>,
    still: bool,
}

impl AccuracyWords {
    fn is_given(&self) -> bool {
        self.depth.is_some() || self.nodes.is_some() || self.selectivity.is_some() || self.still
    }

    fn limits(&self) -> Result<Limits, ArgumentError> {
        let fault =
            |what, text: &str, expected| ArgumentError::Value { what, text: text.to_owned(), expected };
        let nodes = match &self.nodes {
            None => None,
            Some(text) => {
                let fits = text.parse().ok().filter(|&nodes: &u64| nodes > 0);
                Some(fits.ok_or_else(|| fault("--nodes", text, "a number from 1"))?)
            }
        };
        let depth = match &self.depth {
            // Nodes alone end the search.
            None => {
                if nodes.is_some() {
                    Depth::MAX
                } else {
                    Depth::new(10)
                }
            }
            Some(text) => {
                let fits = text.parse().ok().filter(|depth| (1..=60).contains(depth));
                Depth::new(fits.ok_or_else(|| fault("--depth", text, "1 to 60"))?)
            }
        };
        let confidence = match &self.selectivity {
            None => Confidence::EXACT,
            Some(text) => {
                let fits = text.parse().ok().filter(|percent| (1..=100).contains(percent));
                Confidence::at_least(fits.ok_or_else(|| fault("--selectivity", text, "1 to 100"))?)
            }
        };
        Ok(Limits { depth, solve_from: 0, confidence, nodes })
    }
}

fn threads(text: &str) -> Result<usize, ArgumentError> {
    let expected = "a number from 1 to 256";
    let fits = text.parse().ok().filter(|number| (1..=MOST_THREADS).contains(number));
    fits.ok_or_else(|| ArgumentError::Value { what: "--threads", text: text.to_owned(), expected })
}

fn hash(text: &str) -> Result<HashSize, ArgumentError> {
    let expected = "a number of mebibytes from 1 to 1048576";
    let fits = text.parse().ok().filter(|number| (1..=MOST_HASH).contains(number)).map(HashSize);
    fits.ok_or_else(|| ArgumentError::Value { what: "--hash", text: text.to_owned(), expected })
}

fn depth(text: &str) -> Result<u32, ArgumentError> {
    let fits = text.parse().ok().filter(|number| (0..=20).contains(number));
    fits.ok_or_else(|| ArgumentError::Value { what: "DEPTH", text: text.to_owned(), expected: "0 to 20" })
}

fn named_kernel(text: &str) -> Result<Kernel, ArgumentError> {
    let named = Kernel::available().iter().copied().find(|kernel| kernel.name() == text);
    let expected = "an instruction set this processor has (portable, avx2, avx512)";
    named.ok_or_else(|| ArgumentError::Value { what: "--kernel", text: text.to_owned(), expected })
}

impl From<lexopt::Error> for ArgumentError {
    fn from(error: lexopt::Error) -> ArgumentError {
        ArgumentError::Syntax(error)
    }
}

impl fmt::Display for ArgumentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ArgumentError::Syntax(error) => error.fmt(f),
            ArgumentError::Value { what, text, expected } => {
                write!(f, "{what}: `{text}` is not {expected}")
            }
            ArgumentError::Command(word) => write!(f, "there is no command `{word}`"),
            ArgumentError::Missing(what) => write!(f, "{what} is missing"),
            ArgumentError::Foreign(option) => write!(f, "{option} does not go with this command"),
        }
    }
}

impl std::error::Error for ArgumentError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Arguments, String> {
        let words = std::iter::once("outflank").chain(line.split_whitespace()).map(OsString::from);
        Arguments::parse(words).map_err(|error| error.to_string())
    }

    #[test]
    fn dialects_and_options() {
        assert_eq!(parsed("").unwrap().command, Command::Speak(None));
        let arguments = parsed("--hash 16 xboard --threads=2 --log a.log").unwrap();
        assert_eq!(arguments.command, Command::Speak(Some(Dialect::WinBoard)));
        assert_eq!((arguments.engine.threads, arguments.engine.hash), (2, HashSize(16)));
        assert_eq!(arguments.engine.log, Some(PathBuf::from("a.log")));
        assert_eq!(parsed("cassio --help").unwrap().command, Command::Help);
    }

    #[test]
    fn the_faulty_argument_is_named() {
        for (line, part) in [
            ("dance", "`dance`"),
            ("perft", "DEPTH"),
            ("perft x", "DEPTH: `x`"),
            ("perft 21", "DEPTH: `21`"),
            ("perft 3 4", "\"4\""),
            ("perft 3 --kernel sse9", "--kernel: `sse9`"),
            ("--threads 0", "--threads: `0`"),
            ("--hash lots", "--hash: `lots`"),
            ("--hash", "--hash"),
            ("--sing", "--sing"),
            ("nboard --json", "--json"),
            ("nboard --wld", "--wld"),
            ("solve", "FILE"),
            ("solve a.obf --log x", "--log"),
            ("bench --book x", "--book"),
            ("bench accuracy", "FILE"),
            ("bench accuracy a.obf --depth 0", "--depth: `0`"),
            ("bench accuracy a.obf --nodes -5", "--nodes: `-5`"),
            ("bench accuracy a.obf --selectivity x", "--selectivity: `x`"),
            ("bench --depth 3", "--depth"),
            ("bench depths --depth 99", "--depth: `99`"),
            ("bench depths --static", "--static"),
            ("bench --games 3", "match"),
            ("match a", "B is missing"),
            ("match a b", "--time"),
            ("match a b --time 0", "--time: `0`"),
            ("match a b --time 1 --move-time 1", "--move-time"),
            ("match a b --move-time 1", "NBoard"),
            ("match a cassio:b --time 1", "Cassio"),
            ("match a b --time 1+0.5", "NBoard"),
            ("match a b --depth 0", "--depth: `0`"),
            ("match a b --nodes 5", "Hub"),
            ("match a b --depth 3 --games -2", "--games: `-2`"),
            ("match a b --depth 3 --plies x", "--plies: `x`"),
            ("match a b --depth 3 --openings f --plies 3", "--plies"),
            ("match a b --depth 3 --static", "--static"),
        ] {
            let error = parsed(line).unwrap_err();
            assert!(error.contains(part), "{line}: {error}");
        }
    }

    #[test]
    fn every_dialect_and_option_is_in_the_help() {
        for dialect in Dialect::ALL {
            assert!(HELP.contains(dialect.name()));
        }
        for option in [
            "--threads",
            "--hash",
            "--log",
            "--book",
            "--kernel",
            "--json",
            "perft",
            "solve",
            "bench",
            "--wld",
            "--eval",
            "accuracy",
            "depths",
            "--depth",
            "--nodes",
            "--selectivity",
            "--static",
            "match",
            "--games",
            "--time",
            "--move-time",
            "--openings",
            "--plies",
            "--seed",
            "--report",
            "--margin",
            "--patience",
        ] {
            assert!(HELP.contains(option), "{option}");
        }
    }
}
