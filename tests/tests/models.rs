//! The sessions against the models of what each dialect owes.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use outflank_tests::corpus::SMALL_TALK;
use outflank_tests::model::cassio::Cassio;
use outflank_tests::model::hub::Hub;
use outflank_tests::model::nboard::NBoard;
use outflank_tests::model::play::{Pair, Step};
use outflank_tests::model::walk::{Stumble, walk};
use outflank_tests::model::xboard::XBoard;
use outflank_tests::model::{self, Happening, Model, News, State};

/// What the table begins with.
const HEAD: &str = "\
# What a session owes, line by line and state by state

Made by `tests/tests/models.rs`, which tries every line and all news of the search in every state below, with a book and
without, lets each conversation go on until its searches have ended, or broken down, and asks for a sign of life.
`OUTFLANK_WRITE_TABLES=1 cargo nextest run -p outflank-tests --test models` writes it anew.

Told here is an engine without a book. `search` starts one, `stop` ends it; what stands in backticks is said (`{n}` is a
number, `{w}` a word, `{e}` a value, `{t}` a time, `{sq}` a square, `{*}` anything). \"The other 26\" are all states that
the rows beside do not name, of those in which such a thing can happen: only a search that somebody waits for has news.
";

/// Walks of each dialect, and their steps.
const WALKS: u64 = 2000;
const LENGTH: usize = 80;

#[test]
fn every_line_in_every_state_gets_what_is_owed() {
    let mut text = HEAD.to_owned();
    part::<NBoard>(&mut text);
    part::<Cassio>(&mut text);
    part::<Hub>(&mut text);
    part::<XBoard>(&mut text);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/sessions.md");
    if std::env::var_os("OUTFLANK_WRITE_TABLES").is_some() {
        fs::write(&path, &text).unwrap();
    }
    let committed = fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    let differs = text.lines().zip(committed.lines()).find(|(new, old)| new != old);
    assert!(
        text == committed,
        "{} tells something else, first {differs:?}: OUTFLANK_WRITE_TABLES=1 writes it anew",
        path.display()
    );
}

fn part<M: Model>(text: &mut String) {
    let tried = model::table::table::<M>().unwrap_or_else(|fault| panic!("{fault}"));
    println!("{}: {} pairs", M::DIALECT, tried.pairs);
    let _ = write!(text, "\n## {}: {} pairs\n\n{}", M::DIALECT, tried.pairs, tried.table);
}

#[test]
fn all_pairs_of_lines_without_a_wait_get_what_is_owed() {
    fn all<M: Model>() {
        let say = |line: &'static str| Step { what: Happening::Say(line), after: 0, dice: 0 };
        let busy = |state: &State| {
            ["at the start", "started", "stopped"].iter().any(|end| state.name.ends_with(end))
        };
        let mut tried = 0;
        for state in M::states().iter().filter(|state| busy(state)) {
            for (first, second) in
                M::LINES.iter().flat_map(|first| M::LINES.iter().map(move |second| (first, second)))
            {
                let mut pair = Pair::<M>::new(None);
                let steps = state.way.iter().map(|&what| Step { what, after: 0, dice: 0 });
                let steps = steps.chain([say(first.text), say(second.text)]);
                let all_owed = steps.into_iter().try_for_each(|step| pair.step(step).map(drop));
                if let Err(fault) = all_owed.and_then(|()| pair.conclude(News::Done)) {
                    panic!("{}, {}: {fault}\n{}", M::DIALECT, state.name, pair.sent().join("\n"));
                }
                tried += 1;
            }
        }
        println!("{}: {tried} pairs without a wait", M::DIALECT);
    }
    all::<NBoard>();
    all::<Cassio>();
    all::<Hub>();
    all::<XBoard>();
}

/// Whoever types into a console may change the dialect at any time.
#[test]
fn every_dialect_opens_in_every_state_of_the_others() {
    all::<NBoard>();
    all::<Cassio>();
    all::<Hub>();
    all::<XBoard>();

    fn all<M: Model>() {
        for state in M::states() {
            to::<M, NBoard>(&state);
            to::<M, Cassio>(&state);
            to::<M, Hub>(&state);
            to::<M, XBoard>(&state);
        }
    }

    fn to<M: Model, N: Model>(state: &State) {
        if M::DIALECT == N::DIALECT {
            return;
        }
        let opening = |dialect| SMALL_TALK.iter().find(|talk| talk.protocol == dialect).unwrap().opening;
        let step = |what| Step { what, after: 10, dice: 0 };
        let mut pair = Pair::<M>::open();
        for &what in [Happening::Say(opening(M::DIALECT))].iter().chain(&state.way) {
            pair.step(step(what)).unwrap();
        }
        let before = pair.sent().to_vec();
        let changed = pair.change::<N>(opening(N::DIALECT)).and_then(|mut pair| pair.conclude(News::Done));
        if let Err(fault) = changed {
            panic!("{} to {}: {fault}\n{}", M::DIALECT, N::DIALECT, before.join("\n"));
        }
    }
}

#[test]
fn no_command_of_a_dialect_is_missing_in_its_model() {
    fn all<M: Model>(some: &[&str]) {
        let words = model::words(M::DIALECT);
        for word in some {
            assert!(
                words.iter().any(|known| known == word),
                "{}: `{word}` is not found: {words:?}",
                M::DIALECT
            );
        }
        let missing = model::missing::<M>();
        assert!(missing.is_empty(), "{}: no line of the model has {missing:?}", M::DIALECT);
    }
    all::<NBoard>(&["nboard", "set", "contempt", "ping", "quit"]);
    all::<Cassio>(&["init", "feed-hash", "quit"]);
    all::<Hub>(&["hub", "set-param", "analyse", "quit"]);
    all::<XBoard>(&["protover", "reversi", "Margin", "egtpath", "quit"]);
}

#[test]
fn random_walks_in_nboards_protocol_get_what_is_owed() {
    walks::<NBoard>();
}

#[test]
fn random_walks_in_cassios_protocol_get_what_is_owed() {
    walks::<Cassio>();
}

#[test]
fn random_walks_in_hubs_protocol_get_what_is_owed() {
    walks::<Hub>();
}

#[test]
fn random_walks_in_xboards_protocol_get_what_is_owed() {
    walks::<XBoard>();
}

fn walks<M: Model>() {
    let long = std::env::var_os("OUTFLANK_LONG_TESTS").is_some();
    let walks = if long { 10 * WALKS } else { WALKS };
    let mut made = 0;
    for seed in 1..=walks {
        match walk::<M>(seed, LENGTH) {
            Ok(steps) => made += steps,
            Err(Stumble { seed, fault, way }) => {
                panic!("{}, seed {seed}: {fault}\n{}", M::DIALECT, way.join("\n"))
            }
        }
    }
    println!("{}: {walks} walks, {made} steps", M::DIALECT);
}
