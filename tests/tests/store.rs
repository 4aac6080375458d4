//! `outflank book` and stored books: created, queried, expanded, used by sessions, and killed during a change.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::fs;
use std::path::Path;
use std::process::Output;
use std::thread;
use std::time::Instant;

use outflank::notation::{ggf, transcript};
use outflank::random::Random;
use outflank_tests::engine::Engine;
use outflank_tests::folder::Folder;
use outflank_tests::games::random_game;
use outflank_tests::spawned::{self, Spawned, kill_after, program};

fn outflank(arguments: &[&str]) -> Output {
    spawned::output(arguments).unwrap()
}

/// Returns the output of a command that must succeed.
fn well(arguments: &[&str]) -> String {
    let output = outflank(arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

fn positions(book: &str) -> u64 {
    let output = well(&["book", "check", "--book", book]);
    assert!(output.ends_with(" 0 wrong\n"), "{output}");
    output.split(' ').next().unwrap().parse().unwrap()
}

/// Returns whole games that have many positions in common.
fn games(count: usize, seed: u64, choices: u32) -> String {
    let mut random = Random::new(seed);
    (0..count).map(|_| transcript::write(&random_game(&mut random, 99, choices)) + "\n").collect()
}

#[test]
fn books_are_built_queried_expanded_merged_and_exported() {
    let folder = Folder::new("books-commands").unwrap();
    let (games_file, book) = (folder.name("games.txt"), folder.name("a.book"));
    fs::write(&games_file, games(12, 1, 3)).unwrap();
    let build =
        ["book", "build", &games_file, "--book", &book, "--plies", "5", "--depth", "1", "--hash", "1"];
    well(&build);
    let built = positions(&book);
    assert!(built > 15, "{built}");
    // Nothing is new.
    let again = outflank(&build);
    assert!(String::from_utf8_lossy(&again.stderr).contains("0 games added, 12 known already"));
    assert_eq!(positions(&book), built);

    let answer = query(&book, "");
    assert_eq!((answer["known"].as_bool(), answer["games"].as_u64()), (Some(true), Some(12)));
    assert!(!answer["moves"].as_array().unwrap().is_empty() && answer["value"].is_number());
    assert_eq!(outflank(&["book", "query", "f5f4", "--book", &folder.name("none")]).status.code(), Some(2));

    let expand =
        ["book", "expand", "--book", &book, "--positions", "8", "--depth", "2", "--hash", "1", "--jobs", "2"];
    well(&expand);
    let grown = positions(&book);
    assert_eq!(grown, built + 8);

    // Exported and imported, the book has the same values.
    let (text, other) = (folder.name("a.txt"), folder.name("b.book"));
    well(&["book", "export", &text, "--book", &book]);
    well(&["book", "import", &text, "--book", &other]);
    assert_eq!(positions(&other), grown);
    let values = |book: &str, moves: &str| {
        let answer = query(book, moves);
        let rows = answer["moves"].as_array().unwrap().iter();
        let mut rows: Vec<_> = rows.map(|row| (row["move"].to_string(), row["value"].to_string())).collect();
        rows.sort();
        (answer["value"].to_string(), rows)
    };
    for moves in ["", "f5", "f5d6", "f5d6c3"] {
        if outflank(&["book", "query", moves, "--book", &book]).status.success() {
            assert_eq!(values(&book, moves), values(&other, moves), "{moves}");
        }
    }

    // Games of merged books are added.
    let more = folder.name("more.txt");
    fs::write(&more, games(10, 2, 3)).unwrap();
    let third = folder.name("c.book");
    well(&["book", "build", &more, "--book", &third, "--plies", "5", "--no-search"]);
    well(&["book", "merge", &book, "--book", &third]);
    assert!(positions(&third) >= grown);
    assert_eq!(games_of(&third), 22);

    // No game counts twice.
    let imported = games_of(&other);
    well(&["book", "merge", &book, "--book", &third]);
    well(&["book", "import", &text, "--book", &other]);
    for (book, games) in [(&third, 22), (&other, imported)] {
        let output = outflank(&["book", "merge", book, "--book", book]);
        assert_eq!(output.status.code(), Some(2));
        assert_eq!(games_of(book), games);
    }
    let empty = folder.name("empty.egbk3");
    fs::write(&empty, "").unwrap();
    assert_eq!(outflank(&["book", "import", &empty, "--book", &third]).status.code(), Some(2));
    for option in ["--ply", "--error"] {
        for value in ["nan", "inf", "-inf", "-1", "1e9"] {
            let value = format!("{option}={value}");
            let output = outflank(&["book", "expand", "--book", &third, "--positions", "1", &value]);
            assert_eq!(output.status.code(), Some(2), "{value}");
        }
    }

    // Errors name the file and the argument.
    let faulty = folder.name("faulty.txt");
    fs::write(&faulty, "f5d6\nf5a1\n").unwrap();
    let output = outflank(&["book", "build", &faulty, "--book", &third, "--no-search"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("record 2 (line 2): move 2 (a1) is illegal"));
    for (arguments, part) in [
        (&["book", "query", "--book", "/nowhere/x"][..], "/nowhere/x"),
        (&["book", "query", "--book", &faulty], "faulty.txt"),
        (&["book", "import", &faulty, "--book", &third], "line 1"),
        (&["book", "merge", &faulty, "--book", &third], "faulty.txt"),
        (&["book", "query", "zz", "--book", &third], "zz"),
    ] {
        let output = outflank(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(part), "{arguments:?}: {output:?}");
    }
    assert_eq!(fs::read_to_string(&faulty).unwrap(), "f5d6\nf5a1\n");
}

/// Returns the answer of `outflank book query`.
fn query(book: &str, moves: &str) -> serde_json::Value {
    serde_json::from_str(&well(&["book", "query", moves, "--json", "--book", book])).unwrap()
}

fn games_of(book: &str) -> u64 {
    query(book, "")["games"].as_u64().unwrap()
}

/// Sends lines and returns the replies up to the first one that starts with `end`, including it.
fn ask(engine: &mut Spawned, lines: &[&str], end: &str) -> Vec<String> {
    lines.iter().for_each(|line| engine.send(line));
    engine.until(end)
}

/// A book that version 2 of the format has written, with proven, estimated and unknown values.
#[test]
fn stored_format_is_unchanged() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/books");
    let read = |name: &str| fs::read_to_string(data.join(name)).unwrap();
    let folder = Folder::new("books-format").unwrap();
    let (book, other) = (folder.name("stored.book"), folder.name("other.book"));
    fs::copy(data.join("stored.book"), &book).unwrap();
    assert_eq!(positions(&book), 23);
    let without_head = |text: &str| text.lines().skip(1).map(str::to_owned).collect::<Vec<_>>();
    let text = well(&["book", "export", "--book", &book]);
    assert_eq!(without_head(&text), without_head(&read("stored.txt")));
    for (moves, expected) in
        ["", "f5", "f5d6", "f5f4", "f5d6c4", "e6f4e3f6"].iter().zip(read("stored.jsonl").lines())
    {
        let output = outflank(&["book", "query", moves, "--json", "--book", &book]);
        assert_eq!(String::from_utf8(output.stdout).unwrap().trim_end(), expected, "{moves}");
    }
    // Its games and sources are recognized.
    let (games, lines) = (folder.name("games.txt"), folder.name("lines.txt"));
    fs::write(&games, "f5d6c4d3e6f4e3\nf5f4e3d6\ne6f4e3f6g5d6e7f5c5\n").unwrap();
    fs::write(&lines, "f5d6c3 +1.00\nf5d6c5 +0\nf5f6e6 +3.00\nf5f4 +5.00\n").unwrap();
    well(&["book", "build", &games, "--book", &book, "--plies", "6", "--no-search"]);
    well(&["book", "import", &lines, "--book", &book]);
    assert_eq!(well(&["book", "export", "--book", &book]), text);
    well(&["book", "merge", &book, "--book", &other]);
    well(&["book", "merge", &book, "--book", &other]);
    assert_eq!(games_of(&other), games_of(&book));
}

#[test]
fn engines_learn_into_one_book_without_loss() {
    const GAMES: usize = 10;
    let folder = Folder::new("books-shared").unwrap();
    let (text, book) = (folder.name("lines.txt"), folder.name("a.book"));
    fs::write(&text, "f5 +0.10\n").unwrap();
    well(&["book", "import", &text, "--book", &book]);
    thread::scope(|scope| {
        for seed in 1..4 {
            let book = &book;
            scope.spawn(move || {
                let options = ["nboard", "--hash", "1", "--eval", "small", "--book", book];
                let mut engine = Spawned::new(program().unwrap(), options).unwrap();
                for game in games(GAMES, seed, 9).lines() {
                    let game = ggf::write(&transcript::read(game).unwrap());
                    assert_eq!(
                        ask(&mut engine, &[&format!("set game {game}"), "learn"], "learned"),
                        ["learned"]
                    );
                }
            });
        }
    });
    let checked = well(&["book", "check", "--book", &book]);
    assert!(checked.ends_with(&format!("of {} games, 0 wrong\n", 3 * GAMES)), "{checked}");
}

#[cfg(unix)]
#[test]
fn export_keeps_mode_owner_and_link() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
    let folder = Folder::new("books-mode").unwrap();
    let (lines, book, path, link) =
        (folder.name("lines.txt"), folder.name("a.book"), folder.path("out.txt"), folder.name("link"));
    fs::write(&lines, "f5 +0.10\n").unwrap();
    fs::write(&path, "").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    // Only root can change the owner.
    let owner = chown(&path, Some(1234), Some(4321)).is_ok().then_some((1234, 4321));
    symlink("out.txt", &link).unwrap();
    well(&["book", "import", &lines, "--book", &book]);
    well(&["book", "export", &link, "--book", &book]);
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    let data = fs::metadata(&path).unwrap();
    assert!(data.mode() & 0o777 == 0o640 && data.len() > 0);
    assert!(owner.is_none_or(|owner| owner == (data.uid(), data.gid())));
}

#[test]
fn sessions_share_a_book_and_its_new_games() {
    let folder = Folder::new("books-sessions").unwrap();
    let (text, book) = (folder.name("lines.txt"), folder.name("a.book"));
    fs::write(&text, "f5d6c3 +1.00\nf5d6c5 +0\nf5f6e6 +3.00\nf5f4 +5.00\n").unwrap();
    well(&["book", "import", &text, "--book", &book]);
    let start = || Spawned::new(program().unwrap(), ["nboard", "--hash", "1", "--book", &book]).unwrap();
    let (mut one, mut other) = (start(), start());
    let game = "(;GM[Othello]PB[a]PW[b]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[F5];)";
    for engine in [&mut one, &mut other] {
        let said = ask(engine, &["nboard 2", "set depth 2", &format!("set game {game}"), "hint 3"], "status");
        let said = [said, ask(engine, &["ping 1"], "pong")].concat();
        let books: Vec<&String> = said.iter().filter(|line| line.starts_with("book ")).collect();
        assert_eq!(books.len(), 3, "{said:?}");
        assert!(books[0].starts_with("book D6C3 -1.00 2 "), "{books:?}");
        assert!(books[2].starts_with("book F4 -5.00 1 "), "{books:?}");
        let played = ask(engine, &["go"], "===");
        assert!(played.last().unwrap().starts_with("=== D6/-1.00"), "{played:?}");
        // If a draw is a win of White, Black avoids it.
        let before_draw = game.replace(";)", "W[D6];)");
        let held = ask(engine, &["set contempt -100", &format!("set game {before_draw}"), "go"], "===");
        assert!(held.last().unwrap().starts_with("=== C3/1.00"), "{held:?}");
        let held = ask(engine, &["set contempt 100", &format!("set game {before_draw}"), "go"], "===");
        assert!(held.last().unwrap().starts_with("=== C5/64.00"), "{held:?}");
        ask(engine, &["set contempt 0", "ping 2"], "pong 2");
    }
    // A game learned by one session is known to the other at once.
    let whole = "(;GM[Othello]PB[a]PW[b]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]\
        B[E6]W[F4]B[E3]W[F6]B[G5]W[D6]B[E7]W[F5]B[C5];)";
    let asked = "(;GM[Othello]PB[a]PW[b]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[E6]W[F4]B[E3]W[F6];)";
    let hint = |engine: &mut Spawned| {
        let said = ask(engine, &[&format!("set game {asked}"), "hint 1", "ping 3"], "pong 3");
        said.into_iter().find(|line| line.starts_with("book "))
    };
    assert_eq!(hint(&mut other), None);
    ask(&mut one, &[&format!("set game {whole}"), "learn", "learn", "ping 4"], "pong 4");
    let known = hint(&mut other).expect("a line of the book");
    assert!(known.starts_with("book G5D6E7F5C5 64.00 1 "), "{known}");
    assert_eq!(hint(&mut one), Some(known));
    for engine in [&mut one, &mut other] {
        engine.send("quit");
        assert!(engine.close().is_some());
    }
    positions(&book);
}

/// The program is killed at random times while it writes. The book is valid each time, and in the end it is equal to one of a
/// program that was not killed.
#[test]
fn killed_fifty_times_while_writing() {
    let folder = Folder::new("books-killed").unwrap();
    let (games_file, book, whole) = (folder.name("games.txt"), folder.name("a.book"), folder.name("b.book"));
    fs::write(&games_file, games(1_200, 3, 9)).unwrap();
    let words = |book| ["book", "build", &games_file, "--book", book, "--plies", "14", "--no-search"];
    // The time must not include the build of the program.
    program().unwrap();
    let began = Instant::now();
    well(&words(&whole));
    let took = began.elapsed();
    let all = positions(&whole);
    let mut random = Random::new(4);
    let (mut before, mut kills) = (0, 0);
    while kills < 50 {
        kill_after(&words(&book), took.mul_f64(f64::from(random.below(1000)) / 1000.0)).unwrap();
        kills += 1;
        if fs::metadata(&book).is_ok_and(|data| data.len() > 0) {
            let there = positions(&book);
            assert!(there >= before, "{there} positions of {before}");
            before = there;
        }
        // A complete book is started again.
        if before == all {
            fs::remove_file(&book).unwrap();
            before = 0;
        }
    }
    well(&words(&book));
    assert_eq!(positions(&book), all);
    let text =
        |book: &str| well(&["book", "export", "--book", book]).lines().skip(1).collect::<Vec<_>>().join("\n");
    assert_eq!(text(&book), text(&whole));
    println!("killed {kills} times, {all} positions");
}

/// The program is killed while it creates the file. There is a complete book, or none.
#[test]
fn killed_while_creating() {
    let folder = Folder::new("books-made").unwrap();
    let games_file = folder.name("games.txt");
    fs::write(&games_file, "f5d6c3\n").unwrap();
    // The time must not include the build of the program.
    program().unwrap();
    let began = Instant::now();
    well(&["book", "build", &games_file, "--book", &folder.name("whole.book"), "--no-search"]);
    let took = began.elapsed();
    let mut random = Random::new(7);
    let (mut none, mut some) = (0, 0);
    for round in 0..150 {
        let book = folder.name(&format!("{round}.book"));
        let words = ["book", "build", &games_file, "--book", &book, "--no-search"];
        kill_after(&words, took.mul_f64(f64::from(random.below(1200)) / 1000.0)).unwrap();
        if fs::metadata(&book).is_ok() {
            some += 1;
            assert!(positions(&book) <= 4);
        } else {
            none += 1;
        }
        well(&words);
    }
    let files = fs::read_dir(folder.as_path()).unwrap().map(|entry| entry.unwrap().file_name());
    let other: Vec<_> = files.filter(|name| !name.to_string_lossy().ends_with(".book")).collect();
    assert_eq!(other, ["games.txt"], "the next program removes leftover files");
    assert!(none > 0 && some > 0, "{none} without a book, {some} with one");
    println!("{none} without a book, {some} with one");
}
