//! Opening books that sessions use and change, and programs that are killed while they write a book.

use std::collections::HashMap;
use std::fs;
use std::thread;

use outflank::board::{Bitboard, Board, Color, Move, Position, Square, Status, Symmetry};
use outflank::notation::foreign::{Foreign, ForeignEntry};
use outflank::notation::{ggf, transcript};
use outflank_cli::store::Store;
use outflank_tests::folder::Folder;
use outflank_tests::games::{random_games, set_game};
use outflank_tests::spawned::{Spawned, kill_once, succeed};

/// Starts a session with a book.
fn session(book: &str) -> Spawned {
    Spawned::new(["nboard", "--hash", "1", "--eval", "small", "--book", book])
}

/// Creates a book from text.
fn imported(folder: &Folder, lines: &str) -> String {
    let (text, book) = (folder.name("lines.txt"), folder.name("a.book"));
    fs::write(&text, lines).unwrap();
    succeed(&["book", "import", &text, "--book", &book]);
    book
}

fn positions(book: &str) -> u64 {
    let output = succeed(&["book", "check", "--book", book]);
    assert!(output.ends_with(" 0 wrong\n"), "{output}");
    output.split(' ').next().unwrap().parse().unwrap()
}

/// Sends lines and returns the replies up to the first one that starts with `end`, including it.
fn ask(engine: &mut Spawned, lines: &[&str], end: &str) -> Vec<String> {
    lines.iter().for_each(|line| engine.send(line));
    engine.until(end)
}

#[test]
fn engines_learn_into_one_book_without_loss() {
    const GAMES: usize = 10;
    let folder = Folder::new("books-shared");
    let book = imported(&folder, "f5 +0.10\n");
    thread::scope(|scope| {
        for seed in 1..4 {
            let book = &book;
            scope.spawn(move || {
                let mut engine = session(book);
                for game in random_games(GAMES, seed, 99, 9) {
                    let game = format!("set game {}", ggf::write(&transcript::read(&game).unwrap()));
                    assert_eq!(ask(&mut engine, &[&game, "learn"], "learned"), ["learned"]);
                }
            });
        }
    });
    let checked = succeed(&["book", "check", "--book", &book]);
    assert!(checked.ends_with(&format!("of {} games, 0 wrong\n", 3 * GAMES)), "{checked}");
}

#[test]
fn sessions_share_a_book_and_its_new_games() {
    let folder = Folder::new("books-sessions");
    let book = imported(&folder, "f5d6c3 +1.00\n");
    let (mut one, mut other) = (session(&book), session(&book));
    for engine in [&mut one, &mut other] {
        let played = ask(engine, &["nboard 2", "set depth 2", &set_game("B[F5]"), "go"], "===");
        assert!(played.last().unwrap().starts_with("=== D6/-1.00"), "{played:?}");
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
        assert_eq!(engine.leave(), Some(0));
    }
    positions(&book);
}

/// Moves of a game without a white disc at its end.
const WHOLE: &str = "B[E6]W[F4]B[E3]W[F6]B[G5]W[D6]B[E7]W[F5]B[C5]";

/// The program is killed between two changes of the book. The book is valid each time, and in the end it is equal to one of a
/// program that was not killed.
#[test]
#[ignore = "release: starts many programs"]
fn killed_many_times_while_writing() {
    let folder = Folder::new("books-killed");
    let (games_file, book, whole) = (folder.name("games.txt"), folder.name("a.book"), folder.name("b.book"));
    fs::write(&games_file, random_games(800, 3, 99, 9).join("\n")).unwrap();
    let words = |book| ["book", "build", &games_file, "--book", book, "--plies", "14", "--no-search"];
    succeed(&words(&whole));
    let all = positions(&whole);
    let (mut before, mut kills) = (0, 0);
    while kills < 10 {
        // The book of a running program can be read.
        let count = || Store::open(book.as_ref(), false, 1)?.snapshot()?.count();
        let has_grown = || count().is_ok_and(|count| count > before);
        kills += usize::from(kill_once(&words(&book), has_grown));
        let there = positions(&book);
        assert!(there > before, "{there} positions after {before}");
        before = there;
        // A complete book is started again.
        if before == all {
            fs::remove_file(&book).unwrap();
            before = 0;
        }
    }
    succeed(&words(&book));
    assert_eq!(positions(&book), all);
    // The first line names the book.
    let text =
        |book: &str| succeed(&["book", "export", "--book", book]).split_once('\n').unwrap().1.to_owned();
    assert_eq!(text(&book), text(&whole));
}

/// The program is killed while it creates the file. There is a complete book, or none.
#[test]
#[ignore = "release: starts many programs"]
fn killed_while_creating() {
    let folder = Folder::new("books-made");
    let games_file = folder.name("games.txt");
    fs::write(&games_file, "f5d6c3\n").unwrap();
    let files = || fs::read_dir(folder.as_path()).unwrap().map(|entry| entry.unwrap().file_name());
    // Under Wine each start takes a quarter of a second.
    for round in 0..if cfg!(windows) { 20 } else { 100 } {
        let book = folder.name(&format!("{round}.book"));
        let words = ["book", "build", &games_file, "--book", &book, "--no-search"];
        // At its start, when the new file has a temporary name or its own, and some checks later.
        let (old, mut checks) = (files().count(), 0);
        let is_reached = || {
            checks += usize::from(usize::is_multiple_of(round, 4) || files().count() > old);
            checks > round / 4
        };
        kill_once(&words, is_reached);
        if fs::metadata(&book).is_ok() {
            assert!(positions(&book) <= 4);
        }
        succeed(&words);
    }
    let other: Vec<_> = files().filter(|name| !name.to_string_lossy().ends_with(".book")).collect();
    assert_eq!(other, ["games.txt"], "the next program removes leftover files");
}

/// A record of Edax's `book.dat`: value, lines, links and the best other move, by the boards.
struct Record {
    value: i8,
    lines: u32,
    links: Vec<(u8, i8)>,
    leaf: (u8, i8),
}

/// Reads a `book.dat` by the layout that Edax's source gives.
fn read_edax(bytes: &[u8]) -> HashMap<Board, Record> {
    assert_eq!(&bytes[..9], b"XADEKOOB\x04");
    let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    let bits = |at: usize| Bitboard(u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()));
    let pair = |at: usize| (bytes[at + 1], bytes[at] as i8);
    let (mut records, mut at) = (HashMap::new(), 42);
    while at < bytes.len() {
        let board = Board { player: bits(at), opponent: bits(at + 8) };
        let count = usize::from(bytes[at + 38]);
        let links = (0..count).map(|link| pair(at + 40 + 2 * link)).collect();
        let leaf = pair(at + 40 + 2 * count);
        let record = Record { value: bytes[at + 32] as i8, lines: number(at + 28), links, leaf };
        assert!(records.insert(board, record).is_none(), "{board:?} twice");
        at += 42 + 2 * count;
    }
    assert_eq!(records.len(), number(38) as usize);
    records
}

#[test]
fn books_of_other_programs_hold_what_the_book_holds() {
    const PASS: u8 = 64;
    const NO_MOVE: u8 = 65;
    let folder = Folder::new("books-exported");
    let (games, book, again) = (folder.name("games.txt"), folder.name("a.book"), folder.name("b.book"));
    let (edax, egaroucid) = (folder.name("a.dat"), folder.name("a.egbk3"));
    // Whole games, some of which have passes.
    fs::write(&games, random_games(30, 5, 99, 60).join("\n")).unwrap();
    succeed(&["book", "build", &games, "--book", &book, "--plies", "60", "--no-search"]);
    let options = "--depth 2 --positions 40 --hash 1 --eval small".split(' ');
    succeed(&["book", "expand", "--book", &book].into_iter().chain(options).collect::<Vec<_>>());
    let exported = |out: &str| {
        succeed(&["book", "export", out, "--book", &book]);
        fs::read(out).unwrap()
    };
    let records = read_edax(&exported(&edax));
    let mut passes = 0;
    for (board, Record { value, lines, links, leaf }) in &records {
        assert!(Symmetry::all().all(|symmetry| *board <= symmetry.board(*board)));
        let here = Position::new(*board, Color::Black);
        let mut best = (leaf.0 != NO_MOVE).then_some(leaf.1);
        assert!(leaf.0 == NO_MOVE || here.moves().contains(Square::new(leaf.0).unwrap()));
        for (square, score) in links {
            let mv = Square::new(*square).map_or(Move::Pass, Move::Place);
            let after = here.play(mv).unwrap().board().canonical().0;
            assert_eq!(records[&after].value, -score, "{board:?} {mv}");
            assert_ne!(*square, leaf.0);
            best = best.max(Some(*score));
        }
        let is_pass = here.status() == Status::MustPass;
        assert_eq!(is_pass, links.first().is_some_and(|(square, _)| *square == PASS));
        passes += usize::from(is_pass);
        match best {
            Some(best) => assert_eq!(best, *value, "{board:?}"),
            None => assert!(here.status() == Status::Over && i32::from(*value) == board.final_score()),
        }
        assert!(is_pass || *lines < 31);
    }
    assert!(passes > 0);
    // Egaroucid's book has the same, without passes.
    let entries = |bytes: &[u8]| {
        let (entries, errors) = Foreign::of(bytes).unwrap().read(bytes).unwrap();
        assert_eq!(errors, [""; 0]);
        let value = |entry: ForeignEntry| (entry.board, (entry.value, entry.other, entry.games));
        entries.into_iter().map(value).collect::<HashMap<_, _>>()
    };
    let found = entries(&exported(&egaroucid));
    assert_eq!(found.len(), records.len() - passes);
    assert_eq!(found, entries(&fs::read(&edax).unwrap()));
    // Read again and written again, the books are the same.
    for out in [&edax, &egaroucid] {
        let first = fs::read(out).unwrap();
        drop(fs::remove_file(&again));
        succeed(&["book", "import", out, "--book", &again]);
        succeed(&["book", "export", out, "--book", &again]);
        assert!(fs::read(out).unwrap() == first, "{out}");
    }
}
