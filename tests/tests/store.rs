//! Opening books that sessions use and change, and programs that are killed while they write a book.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::fs;
use std::thread;
use std::time::Instant;

use outflank::notation::{ggf, transcript};
use outflank::random::Random;
use outflank_tests::engine::Engine;
use outflank_tests::folder::Folder;
use outflank_tests::games::random_game;
use outflank_tests::spawned::{Ended, Spawned, kill_after, program, run};

const START: &str = "---------------------------OX------XO---------------------------";

/// Returns the line of NBoard that sets a game.
fn set_game(moves: &str) -> String {
    format!("set game (;GM[Othello]TY[8]BO[8 {START} *]{moves};)")
}

/// Returns the output of a command that must succeed.
fn well(arguments: &[&str]) -> String {
    let Ended { code, out, err } = run(arguments, b"");
    assert_eq!(code, Some(0), "{arguments:?}: {err}");
    out
}

/// Starts a session with a book.
fn session(protocol: &str, book: &str) -> Spawned {
    let options = [protocol, "--hash", "1", "--eval", "small", "--book", book];
    Spawned::new(program().unwrap(), options).unwrap()
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

/// Sends lines and returns the replies up to the first one that starts with `end`, including it.
fn ask(engine: &mut Spawned, lines: &[&str], end: &str) -> Vec<String> {
    lines.iter().for_each(|line| engine.send(line));
    engine.until(end)
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
                let mut engine = session("nboard", book);
                for game in games(GAMES, seed, 9).lines() {
                    let game = format!("set game {}", ggf::write(&transcript::read(game).unwrap()));
                    assert_eq!(ask(&mut engine, &[&game, "learn"], "learned"), ["learned"]);
                }
            });
        }
    });
    let checked = well(&["book", "check", "--book", &book]);
    assert!(checked.ends_with(&format!("of {} games, 0 wrong\n", 3 * GAMES)), "{checked}");
}

#[test]
fn sessions_share_a_book_and_its_new_games() {
    let folder = Folder::new("books-sessions").unwrap();
    let (text, book) = (folder.name("lines.txt"), folder.name("a.book"));
    fs::write(&text, "f5d6c3 +1.00\nf5d6c5 +0\nf5f6e6 +3.00\nf5f4 +5.00\n").unwrap();
    well(&["book", "import", &text, "--book", &book]);
    let (mut one, mut other) = (session("nboard", &book), session("nboard", &book));
    for engine in [&mut one, &mut other] {
        let said = ask(engine, &["nboard 2", "set depth 2", &set_game("B[F5]"), "hint 3"], "status");
        let said = [said, ask(engine, &["ping 1"], "pong")].concat();
        let books: Vec<&String> = said.iter().filter(|line| line.starts_with("book ")).collect();
        assert_eq!(books.len(), 3, "{said:?}");
        assert!(books[0].starts_with("book D6C3 -1.00 2 "), "{books:?}");
        assert!(books[2].starts_with("book F4 -5.00 1 "), "{books:?}");
        let played = ask(engine, &["go"], "===");
        assert!(played.last().unwrap().starts_with("=== D6/-1.00"), "{played:?}");
        // If a draw is a win of White, Black avoids it.
        for (contempt, expected) in
            [("set contempt -100", "=== C3/1.00"), ("set contempt 100", "=== C5/64.00")]
        {
            let held = ask(engine, &[contempt, &set_game("B[F5]W[D6]"), "go"], "===");
            assert!(held.last().unwrap().starts_with(expected), "{held:?}");
        }
        ask(engine, &["set contempt 0", "ping 2"], "pong 2");
    }
    // A game learned by one session is known to the other at once.
    let hint = |engine: &mut Spawned| {
        let said = ask(engine, &[&set_game("B[E6]W[F4]B[E3]W[F6]"), "hint 1", "ping 3"], "pong 3");
        said.into_iter().find(|line| line.starts_with("book "))
    };
    assert_eq!(hint(&mut other), None);
    ask(&mut one, &[&set_game(WHOLE), "learn", "learn", "ping 4"], "pong 4");
    let known = hint(&mut other).expect("a line of the book");
    assert!(known.starts_with("book G5D6E7F5C5 64.00 1 "), "{known}");
    assert_eq!(hint(&mut one), Some(known));
    for engine in [&mut one, &mut other] {
        engine.send("quit");
        assert!(engine.close().is_some());
    }
    positions(&book);
}

/// Moves of a game without a white disc at its end.
const WHOLE: &str = "B[E6]W[F4]B[E3]W[F6]B[G5]W[D6]B[E7]W[F5]B[C5]";

#[test]
fn nboard_plays_and_hints() {
    let folder = Folder::new("book-nboard").unwrap();
    let text = "f5d6c3 +0.50\nf5f6 +2.25\nf5d6c5 +0\nf5f4e3 +64\n";
    let path = folder.name("book.txt");
    fs::write(&path, text).unwrap();
    let mut engine = session("nboard", &path);
    let lines = ask(&mut engine, &["nboard 2", "set depth 4", &set_game("B[F5]"), "go"], "=== ");
    assert_eq!(lines[1..], ["book D6C3 -0.50 2 2@book", "=== D6/-0.50/0.00"]);
    engine.until("status Outflank is waiting");
    // All moves are in the book: no search is needed.
    let lines = ask(&mut engine, &["hint 64"], "status Outflank is waiting");
    let known = ["book D6C3 -0.50 2 2@book", "book F6 -2.25 1 1@book", "book F4E3 -64.00 1 2@book"];
    assert_eq!(lines[1..4], known, "{lines:?}");
    assert_eq!(lines.len(), 5);
    // One of five moves is in the book, the others are searched.
    let lines = ask(&mut engine, &[&set_game("B[F5]W[F6]"), "hint 3"], "status Outflank is waiting");
    let has = |start: &str| lines.iter().any(|line| line.starts_with(start));
    assert!(has("search ") && !has("book"), "{lines:?}");
    // A game that is not over cannot be learned, and a text cannot learn.
    let nothing = ["status the game is not over: nothing to learn", "learned"];
    assert_eq!(ask(&mut engine, &["learn"], "learned"), nothing);
    let error = format!(
        "status Error: book: {path}: cannot learn into a text: `outflank book import` makes a stored book of it"
    );
    assert_eq!(ask(&mut engine, &[&set_game(WHOLE), "learn"], "learned"), [error.as_str(), "learned"]);
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
}

#[test]
fn hub_opens_the_book_of_its_parameter() {
    let folder = Folder::new("book-hub").unwrap();
    let path = folder.name("book.txt");
    fs::write(&path, "f5d6 +0.50\n").unwrap();
    let mut engine = Spawned::new(program().unwrap(), ["hub", "--hash", "1"]).unwrap();
    let parameter = "param name=book value=\"\" type=string".to_owned();
    assert!(ask(&mut engine, &["hub"], "wait").contains(&parameter));
    let open = |path: &str| format!("set-param name=book value=\"{path}\"");
    let lines = ask(&mut engine, &[&open(&folder.name("none.txt")), "init"], "ready");
    assert!(lines[0].starts_with("error message=\"book: ") && lines[0].contains("none.txt"), "{lines:?}");
    assert_eq!(ask(&mut engine, &[&open(&path), "init"], "ready"), ["ready"]);
    let position =
        format!("pos pos=B{} moves=f5", START.replace('X', "b").replace('O', "w").replace('-', "e"));
    let lines = ask(&mut engine, &[&position, "level depth=3", "go think"], "done");
    assert_eq!(lines, ["info score=-0.50 proof=book pv=d6", "done move=d6"]);
    // An analysis does not use the book.
    assert!(ask(&mut engine, &["go analyze"], "done")[0].contains("proof=heuristic"));
}

/// The program is killed at random times while it writes. The book is valid each time, and in the end it is equal to one of a
/// program that was not killed.
#[test]
fn killed_many_times_while_writing() {
    let folder = Folder::new("books-killed").unwrap();
    let (games_file, book, whole) = (folder.name("games.txt"), folder.name("a.book"), folder.name("b.book"));
    fs::write(&games_file, games(800, 3, 9)).unwrap();
    let words = |book| ["book", "build", &games_file, "--book", book, "--plies", "14", "--no-search"];
    // The time must not include the build of the program.
    program().unwrap();
    let began = Instant::now();
    well(&words(&whole));
    let took = began.elapsed();
    let all = positions(&whole);
    let mut random = Random::new(4);
    let (mut before, mut kills, mut partial) = (0, 0, 0);
    while kills < 25 {
        kill_after(&words(&book), took.mul_f64(f64::from(random.below(1000)) / 1000.0)).unwrap();
        kills += 1;
        if fs::metadata(&book).is_ok_and(|data| data.len() > 0) {
            let there = positions(&book);
            assert!(there >= before, "{there} positions of {before}");
            before = there;
            partial += usize::from((1..all).contains(&there));
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
    assert!(partial > 0, "no program was killed between two changes");
    println!("killed {kills} times, {partial} times between two changes, {all} positions");
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
    // Under Wine each start takes a quarter of a second.
    for round in 0..if cfg!(windows) { 40 } else { 150 } {
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
