//! The opening book, through the program.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use outflank::board::Move;
use outflank::game::Game;
use outflank::notation::ggf;
use outflank::random::Random;
use outflank_tests::engine::Engine;
use outflank_tests::folder::Folder;
use outflank_tests::spawned::{Spawned, program};

const START: &str = "---------------------------OX------XO---------------------------";

fn book(folder: &Folder, text: &str) -> PathBuf {
    let path = folder.path("book.txt");
    fs::write(&path, text).unwrap();
    path
}

fn start(dialect: &str, book: &Path) -> Spawned {
    let arguments = [dialect.as_ref(), "--hash".as_ref(), "4".as_ref(), "--book".as_ref(), book.as_os_str()];
    Spawned::new(program().unwrap(), arguments).unwrap()
}

/// The lines up to the first that begins with `end`, that one included.
fn until(engine: &mut Spawned, end: &str) -> Vec<String> {
    let mut lines = Vec::new();
    while !lines.last().is_some_and(|line: &String| line.starts_with(end)) {
        lines.push(engine.next_line().unwrap_or_else(|| panic!("no `{end}` after {lines:?}")));
    }
    lines
}

fn game(moves: &str) -> String {
    format!("set game (;GM[Othello]TY[8]BO[8 {START} *]{moves};)")
}

/// Six squares are empty: a draw, or losses by 16 and by 2.
const DRAW: &str = "OOOOOOXXOOXOOXXXOXOXOXXXOOXXXOXXOOXXXXOX-OXXXXOXO--XXOOX--XXX-OO";
const AFTER_F5: &str = "B[F5]";

#[test]
fn nboard_plays_hints_and_learns() {
    let folder = Folder::new("book-nboard").unwrap();
    let path = book(&folder, "f5d6c3 +0.50\nf5f6 +2.25\nf5d6c5 +0\nf5f4e3 +64\n");
    let mut engine = start("nboard", &path);
    for line in ["nboard 2", "set depth 4", &game(AFTER_F5), "go"] {
        engine.send(line);
    }
    let lines = until(&mut engine, "=== ");
    assert_eq!(lines[1..], ["book D6C3 -0.50 2 2@book", "=== D6/-0.50/0.00"]);
    until(&mut engine, "status Outflank is waiting");

    // The whole position is in the book: nothing is searched.
    engine.send("hint 64");
    assert_eq!(
        until(&mut engine, "status Outflank is waiting"),
        [
            "status Outflank is analyzing",
            "book D6C3 -0.50 2 2@book",
            "book F6 -2.25 1 1@book",
            "book F4E3 -64.00 1 2@book",
            "status Outflank is waiting"
        ]
    );
    // Here one move of five is known; the search tells of the others.
    engine.send(&game("B[F5]W[F6]"));
    engine.send("hint 3");
    let lines = until(&mut engine, "status Outflank is waiting");
    assert!(
        lines.iter().any(|line| line.starts_with("search ")) && !lines.iter().any(|l| l.starts_with("book"))
    );

    // A game that is not over teaches nothing.
    engine.send("learn");
    assert_eq!(until(&mut engine, "learned"), ["status the game is not over: nothing to learn", "learned"]);
    let before = fs::read_to_string(&path).unwrap();
    engine.send(&game("B[E6]W[F4]B[E3]W[F6]B[G5]W[D6]B[E7]W[F5]B[C5]"));
    engine.send("learn");
    assert_eq!(until(&mut engine, "learned"), ["learned"]);
    engine.send("learn");
    engine.send("ping 1");
    until(&mut engine, "pong 1");
    let after = fs::read_to_string(&path).unwrap();
    let learnt = after.strip_prefix(&before).unwrap();
    assert_eq!(learnt.lines().count(), 1, "{learnt}");
    assert!(learnt.starts_with("(;GM[Othello]") && learnt.contains("B[E6]W[F4]"), "{learnt}");
    // It is used at once, and after a new start.
    for engine in [&mut engine, &mut start("nboard", &path)] {
        engine.send("nboard 2");
        engine.send(&game("B[E6]W[F4]B[E3]W[F6]"));
        engine.send("go");
        let lines = until(engine, "=== ");
        assert!(lines.contains(&"book G5D6E7F5C5 64.00 1 5@book".to_owned()), "{lines:?}");
    }
    assert_eq!(fs::read_dir(folder.as_path()).unwrap().count(), 1, "nothing is left beside the book");
}

/// Games of random moves to their end, all different.
fn random_games(count: usize, seed: u64) -> Vec<Game> {
    let mut random = Random::new(seed);
    let play = |random: &mut Random| {
        let mut game = Game::default();
        while !game.is_over() {
            let moves: Vec<_> = game.position().moves().into_iter().collect();
            let mv = match moves.len() {
                0 => Move::Pass,
                count => Move::Place(moves[random.below(count as u32) as usize]),
            };
            game.play(mv).unwrap();
        }
        game
    };
    (0..count).map(|_| play(&mut random)).collect()
}

#[test]
fn engines_that_learn_into_one_book_lose_no_game() {
    const GAMES: usize = 40;
    let folder = Folder::new("book-shared").unwrap();
    let path = book(&folder, "% shared\n");
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        let learners: Vec<_> = (0..3)
            .map(|seed| {
                let path = &path;
                scope.spawn(move || {
                    let mut engine = start("nboard", path);
                    for game in random_games(GAMES, seed) {
                        engine.send(&format!("set game {}", ggf::write(&game)));
                        engine.send("learn");
                        assert_eq!(until(&mut engine, "learned"), ["learned"]);
                        // It is on the disk by now.
                        let text = fs::read_to_string(path).unwrap();
                        assert!(text.lines().any(|line| line == ggf::write(&game)));
                    }
                })
            })
            .collect();
        // Whoever reads meanwhile never meets half a book.
        let reader = scope.spawn(|| {
            let mut engine = start("xboard", &path);
            while !done.load(Ordering::SeqCst) {
                engine.send("option Book=");
                engine.send(&format!("option Book={}", path.display()));
                engine.send("ping 1");
                assert_eq!(until(&mut engine, "pong"), ["pong 1"]);
            }
        });
        let ends: Vec<_> = learners.into_iter().map(|learner| learner.join()).collect();
        done.store(true, Ordering::SeqCst);
        reader.join().unwrap();
        assert!(ends.iter().all(Result::is_ok));
    });
    let text = fs::read_to_string(&path).unwrap();
    let mut lines: Vec<&str> = text.lines().collect();
    assert_eq!((lines.len(), lines[0]), (1 + 3 * GAMES, "% shared"));
    lines.sort();
    lines.dedup();
    assert_eq!(lines.len(), 1 + 3 * GAMES);
    assert_eq!(fs::read_dir(folder.as_path()).unwrap().count(), 1, "nothing is left beside the book");
}

#[test]
fn what_others_wrote_into_the_book_is_kept_and_used() {
    let folder = Folder::new("book-others").unwrap();
    let path = book(&folder, "f5d6 +0.50\n");
    let mut engine = start("nboard", &path);
    engine.send("nboard 2");
    engine.send("ping 1");
    until(&mut engine, "pong 1");
    fs::write(&path, b"f5f6 -2.00\n% \xe9crit \xe0 la main\n").unwrap();
    engine.send(&game("B[E6]W[F4]B[E3]W[F6]B[G5]W[D6]B[E7]W[F5]B[C5]"));
    engine.send("learn");
    until(&mut engine, "learned");
    let bytes = fs::read(&path).unwrap();
    assert!(
        bytes.starts_with(b"f5f6 -2.00\n% \xe9crit \xe0 la main\n(;GM[Othello]"),
        "Latin-1 stays what it is"
    );
    engine.send(&game(AFTER_F5));
    engine.send("hint 1");
    until(&mut engine, "book F6 2.00");
    // What is faulty by now is told of and left alone.
    fs::write(&path, "f5a1 +1\n").unwrap();
    engine.send(&format!("set game {}", ggf::write(&random_games(1, 9)[0])));
    engine.send("learn");
    engine.send("ping 2");
    let lines = until(&mut engine, "pong 2");
    let error =
        format!("status Error: book: {}: line 1: move 2 (a1) is illegal: a1 flips nothing", path.display());
    assert!(lines.contains(&error) && lines.contains(&"learned".to_owned()), "{lines:?}");
    assert_eq!(fs::read(&path).unwrap(), b"f5a1 +1\n");
}

#[cfg(unix)]
#[test]
fn a_book_keeps_its_mode_its_owner_and_its_link_and_no_planted_link_is_followed() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
    let folder = Folder::new("book-mode").unwrap();
    let path = book(&folder, "% mine\n");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    // Root alone gives files away.
    let owner = if chown(&path, Some(1234), Some(4321)).is_ok() { Some((1234, 4321)) } else { None };
    let [link, victim] = ["link", "victim"].map(|name| folder.path(name));
    symlink("book.txt", &link).unwrap();
    fs::write(&victim, "precious").unwrap();
    symlink("victim", folder.path("book.txt.new")).unwrap();
    let mut engine = start("nboard", &link);
    // The names that this engine will use.
    for number in 0..3 {
        symlink("victim", folder.path(&format!("book.txt.new-{}-{number}", engine.id()))).unwrap();
    }
    engine.send(&game("B[E6]W[F4]B[E3]W[F6]B[G5]W[D6]B[E7]W[F5]B[C5]"));
    engine.send("learn");
    until(&mut engine, "learned");
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 2);
    assert_eq!(fs::read_to_string(&victim).unwrap(), "precious");
    let data = fs::metadata(&path).unwrap();
    assert_eq!(data.mode() & 0o777, 0o640);
    assert!(owner.is_none_or(|owner| owner == (data.uid(), data.gid())));
}

#[test]
fn contempt_decides_about_draws_of_the_book() {
    let folder = Folder::new("book-contempt").unwrap();
    let path = book(&folder, "f5d6 +0\nf5f6 +1.00\nf5f4 +4\n");
    let mut engine = start("nboard", &path);
    engine.send("nboard 2");
    engine.send(&game(AFTER_F5));
    let mut goes = |contempt: &str| {
        engine.send(contempt);
        engine.send("go");
        let lines = until(&mut engine, "=== ");
        until(&mut engine, "status Outflank is waiting");
        lines[lines.len() - 2..].to_vec()
    };
    // White to move.
    assert_eq!(goes("set contempt 0"), ["book D6 0.00 1 100%", "=== D6/0.00/0.00"]);
    assert_eq!(goes("set contempt 2"), ["book F6 -1.00 1 1@book", "=== F6/-1.00/0.00"]);
    assert_eq!(goes("set contempt -100"), ["book D6 64.00,-64.00 1 100%", "=== D6/64.00/0.00"]);
}

/// A position that is solved at once: the best move draws, another loses by little.
#[test]
fn contempt_decides_about_proven_draws() {
    let folder = Folder::new("book-proven").unwrap();
    let mut engine = start("nboard", &book(&folder, ""));
    engine.send("nboard 2");
    engine.send("set depth 10");
    engine.send(&format!("set game (;GM[Othello]TY[8]BO[8 {DRAW} *];)"));
    let mut goes = |contempt: &str| {
        engine.send(contempt);
        engine.send("go");
        let lines = until(&mut engine, "=== ");
        lines[lines.len() - 1].clone()
    };
    let neutral = goes("set contempt 0");
    assert!(neutral.starts_with("=== ") && neutral.contains("/0.00/"), "{neutral}");
    let proud = goes("set contempt -100");
    assert!(!proud.contains("/0.00/"), "{proud}");
    let content = goes("set contempt 100");
    assert!(content.contains("/0.00/"), "{content}");
}

#[test]
fn hub_opens_the_book_of_its_parameter() {
    let folder = Folder::new("book-hub").unwrap();
    let path = book(&folder, "f5d6 +0.50\n");
    let mut engine = Spawned::new(program().unwrap(), ["hub", "--hash", "4"]).unwrap();
    engine.send("hub");
    assert!(until(&mut engine, "wait").contains(&"param name=book value=\"\" type=string".to_owned()));
    engine.send(&format!("set-param name=book value=\"{}\"", folder.path("none.txt").display()));
    engine.send("init");
    let lines = until(&mut engine, "ready");
    assert!(lines[0].starts_with("error message=\"book: ") && lines[0].contains("none.txt"), "{lines:?}");
    engine.send(&format!("set-param name=book value=\"{}\"", path.display()));
    engine.send("init");
    assert_eq!(until(&mut engine, "ready"), ["ready"]);
    let squares: String = START
        .chars()
        .map(|c| {
            if c == 'X' {
                'b'
            } else if c == 'O' {
                'w'
            } else {
                'e'
            }
        })
        .collect();
    engine.send(&format!("pos pos=B{squares} moves=f5"));
    engine.send("level depth=3");
    engine.send("go think");
    assert_eq!(until(&mut engine, "done"), ["info score=-0.50 proof=book pv=d6", "done move=d6"]);
    // Whoever analyses wants to know more.
    engine.send("go analyze");
    assert!(until(&mut engine, "done")[0].contains("proof=heuristic"));
}

#[test]
fn xboard_plays_and_shows_the_book() {
    let folder = Folder::new("book-xboard").unwrap();
    let path = book(&folder, "f5d6c3 +0.50\n");
    let mut engine = start("xboard", &path);
    for line in ["xboard", "protover 2"] {
        engine.send(line);
    }
    let features = until(&mut engine, "feature done=1");
    assert!(features.contains(&format!("feature option=\"Book -file {}\"", path.display())), "{features:?}");
    for line in ["new", "force", "f5", "bk", "post", "go"] {
        engine.send(line);
    }
    assert_eq!(
        until(&mut engine, "move"),
        [" D@d6 D@c3  -0.50  1 games", "", "0 -50 0 0 D@d6 D@c3 (book)", "move D@d6"]
    );
    engine.send("option Book=");
    engine.send("bk");
    assert_eq!(until(&mut engine, " This")[0], " This position is not in the book.");
    engine.send("option Book=/none/of/this");
    engine.send("ping 1");
    assert!(
        until(&mut engine, "pong 1").iter().any(|line| line.starts_with("Error (the book): /none/of/this: "))
    );
}

#[test]
fn a_faulty_book_is_named_by_file_and_line() {
    let folder = Folder::new("book-faulty").unwrap();
    let path = book(&folder, "f5d6 +0.5\n\nf5d6c3\n");
    let told = |path: &Path| {
        let output = Command::new(program().unwrap()).args(["nboard", "--book"]).arg(path).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8(output.stderr).unwrap()
    };
    let expected = format!("{}: line 3: the value is missing, and the game is not over", path.display());
    assert!(told(&path).contains(&expected), "{}", told(&path));
    assert!(told(&folder.path("none")).contains("none"));
}
