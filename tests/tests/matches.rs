//! `outflank match`: games between programs, correct and faulty ones.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use outflank::game::{Ending, Figures, Game, MatchStats};
use outflank::notation::{pgn, transcript};
use outflank_tests::folder::Folder;
use outflank_tests::spawned::program;

/// Returns the command of a program with this error.
fn fake(mode: &str) -> String {
    format!("{} {mode}", env!("CARGO_BIN_EXE_fake_engine"))
}

/// Returns the command of this program in a protocol.
fn own(protocol: &str) -> String {
    format!("{protocol}:{} {protocol} --hash 2 --eval small", program().unwrap().display())
}

fn run(first: &str, second: &str, options: &[&str]) -> Output {
    Command::new(program().unwrap()).args(["match", first, second]).args(options).output().unwrap()
}

fn play(first: &str, second: &str, options: &[&str]) -> Result<String, String> {
    let output = run(first, second, options);
    let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    if output.status.success() { Ok(out) } else { Err(err) }
}

fn last(text: &str, count: usize) -> Vec<&str> {
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(count)..].to_vec()
}

#[test]
fn faulty_program_loses_the_game_and_is_restarted() {
    for (mode, expected) in [
        ("crash", if cfg!(windows) { "crashed (exit code: 3)" } else { "crashed (exit status: 3)" }),
        ("hang", "hung: no answer within 1.000 s"),
        ("illegal", "played an illegal move: d4, d4 is occupied"),
        ("babble", "answered with no move: === whatever"),
    ] {
        let options = ["--games", "2", "--depth", "1", "--patience", "1"];
        let text = play(&fake(mode), &fake("honest"), &options).unwrap();
        for game in 1..=2 {
            let line = format!("game {game}: first {expected}; it loses the game and is restarted");
            assert!(text.contains(&line), "{mode}: {text}");
        }
        assert!(text.contains("2 games: 0 won, 0 drawn, 2 lost"), "{mode}: {text}");
        assert_eq!(last(&text, 1), ["games lost by an error: first 2, second 0"]);
    }
    // The second program, with a clock.
    let text = play(&fake("honest"), &fake("slow"), &["--games", "2", "--time", "1"]).unwrap();
    assert!(text.contains("game 1: second overstepped its time by 0."), "{text}");
    assert!(text.contains("2 games: 2 won, 0 drawn, 0 lost"), "{text}");
}

#[test]
fn flooding_program_hangs_and_its_bytes_are_escaped() {
    for (mode, expected) in [
        ("flood", "game 1: first hung: no answer within 1.000 s"),
        ("endless", "game 1: first hung: no answer within 1.000 s"),
        ("escape", "game 1: first answered with no move: === \\u{1b}[31m\\u{7}"),
        ("late", "games lost by an error: first 0, second 0"),
    ] {
        let began = std::time::Instant::now();
        let text =
            play(&fake(mode), &fake("honest"), &["--games", "1", "--depth", "1", "--patience", "1"]).unwrap();
        assert!(text.contains(expected) && !text.contains('\x1b'), "{mode}: {text}");
        assert!(began.elapsed().as_secs() < 60, "{mode}");
    }
}

#[test]
fn start_is_not_timed_and_standard_error_is_shown() {
    let text =
        play(&fake("cold"), &fake("cold"), &["--games", "2", "--time", "1", "--margin", "0.3"]).unwrap();
    assert_eq!(last(&text, 1), ["games lost by an error: first 0, second 0"], "{text}");
    let error = play(&fake("fails"), &fake("honest"), &["--depth", "1"]).unwrap_err();
    assert!(error.contains("standard error: no weights\\u{1b}[31m here"), "{error}");
}

#[cfg(target_os = "linux")]
#[test]
fn children_of_a_program_end_with_it() {
    let folder = Folder::new("match-family").unwrap();
    let file = folder.path("child");
    let family = fake(&format!("family {}", file.display()));
    play(&family, &fake("honest"), &["--games", "1", "--depth", "1"]).unwrap();
    let stat = PathBuf::from(format!("/proc/{}/stat", fs::read_to_string(&file).unwrap()));
    let ended = || fs::read_to_string(&stat).map_or(true, |stat| stat.contains(") Z "));
    for _ in 0..100 {
        if ended() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    panic!("the child still runs");
}

#[test]
fn missing_program_ends_the_match() {
    // No game is counted.
    for games in ["1", "2", "9"] {
        let options = ["--games", games, "--depth", "1", "--patience", "0.2"];
        for (first, second, expected) in [
            (
                "/none/of/this".to_owned(),
                fake("honest"),
                "the first program (`/none/of/this`) cannot be started: ",
            ),
            (fake("honest"), "nope2 -x".to_owned(), "the second program (`nope2 -x`) cannot be started: "),
            (fake("honest"), fake("mute"), "did not start: hung: no answer within 0.200 s"),
        ] {
            let output = run(&first, &second, &options);
            let error = String::from_utf8(output.stderr).unwrap();
            assert!(error.contains(expected), "{error}");
            assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{expected}");
        }
    }
}

#[test]
fn result_as_json() {
    let options = ["--games", "2", "--depth", "1", "--patience", "1", "--json"];
    let output = run(&fake("crash"), &fake("honest"), &options);
    let result: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let expected = serde_json::json!({
        "first": fake("crash"), "second": fake("honest"),
        "games": 2, "won": 0, "drawn": 0, "lost": 2, "discs": -64.0,
        "share": 0.0, "share_error": 0.8801, "share_low": 0.0, "share_high": 0.8801,
        "elo": null, "elo_low": null, "elo_high": 346.3,
        "first_faults": 2, "second_faults": 0,
    });
    assert_eq!(result, expected);
    let events = String::from_utf8(output.stderr).unwrap();
    assert!(
        events.contains("game 1: first crashed (exit ") && events.contains(": 3); it loses the game"),
        "{events}"
    );
}

#[test]
fn interrupted_match_resumes() {
    let folder = Folder::new("match-report").unwrap();
    let report = folder.path("report.txt");
    let path = report.to_str().unwrap();
    let options = |games| ["--games", games, "--depth", "1", "--seed", "7", "--report", path];
    let [first, second] = [fake("honest"), fake("illegal")];
    let whole = play(&first, &second, &options("4")).unwrap();
    let text = fs::read_to_string(&report).unwrap();
    assert_eq!(text.lines().filter(|line| line.starts_with("game ")).count(), 4, "{text}");
    assert!(text.contains("game 1: first is black, score +64, second played an illegal move"), "{text}");

    // Cut in the middle of the third game.
    let cut = text.find("game 3").unwrap() + 30;
    fs::write(&report, &text[..cut]).unwrap();
    let rest = play(&first, &second, &options("4")).unwrap();
    assert!(rest.starts_with("2 games are in the report already\n"), "{rest}");
    assert_eq!(last(&rest, 2), last(&whole, 2));
    let without_times = |text: &str| {
        let lines = text.lines().map(|line| line.split_once("; (;").map_or(line, |parts| parts.0).to_owned());
        lines.collect::<Vec<_>>()
    };
    assert_eq!(without_times(&fs::read_to_string(&report).unwrap()), without_times(&text));

    // No game is left to play; then more games are requested.
    assert_eq!(last(&play(&first, &second, &options("4")).unwrap(), 2), last(&whole, 2));
    assert!(play(&first, &second, &options("5")).unwrap().contains("5 games: "));
    let error = play(&first, &fake("honest"), &options("4")).unwrap_err();
    assert!(error.contains("line 3: another match: "), "{error}");
    let head = text.find("game 1").unwrap();
    for (content, part) in [
        (text.replace("score +64", "score 640").as_str(), "line 6: the score is not -64 to 64"),
        (
            "my diary",
            "its last line has no end and belongs to no match: `my diary`, not `% A match of Outflank.",
        ),
        ("Dear diary,\nnothing happened", "line 1: another match: `Dear diary,`"),
        (
            &format!("{}my diary", &text[..head]),
            "its last line has no end and belongs to no match: `my diary`",
        ),
    ] {
        fs::write(&report, content).unwrap();
        let error = play(&first, &second, &options("4")).unwrap_err();
        assert!(error.contains(part), "{error}");
        assert_eq!(fs::read_to_string(&report).unwrap(), content);
    }
    // Cut in the head, and before its last line end; then a file that another program writes to.
    for cut in [0, 10, head / 2, head - 1, head, head + 10] {
        fs::write(&report, &text[..cut]).unwrap();
        play(&first, &second, &options("1")).unwrap();
        let written = fs::read_to_string(&report).unwrap();
        assert_eq!(without_times(&written), without_times(&text)[..6], "{cut}");
    }
    let file = fs::File::open(&report).unwrap();
    file.lock().unwrap();
    for option in ["--report", "--pgn"] {
        let error = play(&first, &second, &["--depth", "1", option, path]).unwrap_err();
        assert_eq!(error, format!("outflank: {path}: another program keeps it locked\n"));
    }
    #[cfg(unix)]
    for (path, kind) in [("/dev/full", "a device"), (".", "a directory")] {
        let error = play(&first, &second, &["--depth", "1", "--report", path]).unwrap_err();
        assert_eq!(error, format!("outflank: {path}: {kind}, not a file\n"));
    }
}

#[test]
fn openings_of_a_file() {
    let folder = Folder::new("match-openings").unwrap();
    let file = folder.path("openings.txt");
    let path = file.to_str().unwrap();
    fs::write(&file, "f5d6c3\nf5f6e6\n").unwrap();
    let options = ["--games", "4", "--depth", "1", "--openings", path];
    let text = play(&fake("honest"), &fake("honest"), &options).unwrap();
    // Both play the same moves, so each opening is won once by each.
    assert!(text.contains("+0.00 discs a game, 50.0 % (14.2 to 85.8)"), "{text}");
    fs::write(&file, "f5d6a1\n").unwrap();
    let error = play(&fake("honest"), &fake("honest"), &options).unwrap_err();
    assert!(error.contains("move 3 (a1) is illegal"), "{error}");
}

#[test]
fn every_protocol_plays() {
    for (first, second, options) in [
        ("nboard", "cassio", &["--depth", "2"] as &[&str]),
        ("hub", "xboard", &["--depth", "2"]),
        ("nboard", "xboard", &["--time", "1", "--margin", "9"]),
        ("xboard", "hub", &["--time", "1+0.01", "--margin", "9"]),
        ("xboard", "hub", &["--move-time", "0.03", "--margin", "9"]),
        ("hub", "hub", &["--nodes", "1000"]),
    ] {
        // A busy machine delays programs. The test only checks that they understand each other.
        let options: Vec<&str> =
            options.iter().copied().chain(["--games", "2", "--patience", "60"]).collect();
        let text = play(&own(first), &own(second), &options).unwrap();
        assert_eq!(
            last(&text, 1),
            ["games lost by an error: first 0, second 0"],
            "{first}, {second}: {text}"
        );
    }
}

/// Reads the games of a file, which may contain nothing else.
fn games(path: &Path) -> Vec<Game> {
    let text = fs::read_to_string(path).unwrap();
    pgn::games(&text).map(|(.., game)| game.unwrap()).collect()
}

#[test]
fn games_are_written_in_pgn() {
    let folder = Folder::new("match-games").unwrap();
    let [pgn, openings] = ["games.pgn", "openings.txt"].map(|name| folder.path(name));
    fs::write(&openings, "f5d6c3d3\nf5f6e6\n").unwrap();
    let [pgn_text, openings] = [&pgn, &openings].map(|path| path.to_str().unwrap());
    let (first, second) = (own("nboard"), own("hub"));
    let options = ["--games", "4", "--time", "20+1", "--margin", "9", "--depth", "2", "--patience", "60"];
    let files = ["--openings", openings, "--pgn", pgn_text];
    let text = play(&first, &second, &[&options[..], &files].concat()).unwrap();
    let games = games(&pgn);
    assert_eq!(games.len(), 4, "{text}");
    let commands = [&first, &second].map(|player| player.split_once(':').unwrap().1.to_owned());
    let mut tally = MatchStats::default();
    for (index, game) in games.iter().enumerate() {
        // Whole games, with their opening and their result.
        let opening = ["f5d6c3d3", "f5f6e6"][index / 2];
        assert!(transcript::write(game).starts_with(opening) && game.is_over(), "{game:?}");
        assert_eq!(game.tags.result, game.final_score());
        let first_is_black = index % 2 == 0;
        let mut names = commands.clone();
        if !first_is_black {
            names.reverse();
        }
        assert_eq!([&game.tags.black, &game.tags.white].map(|player| player.name.clone().unwrap()), names);
        let clock = game.tags.clock.unwrap();
        assert_eq!((clock.main.as_secs(), clock.increment.as_secs()), (20, 1));
        // Moves of the opening have no time.
        assert!(game.moves().iter().take(opening.len() / 2).all(|played| played.time.is_none()));
        let known = |name| game.tags.other(name).unwrap().to_owned();
        assert_eq!(
            ["Round", "Opening", "Depth", "Termination"].map(known),
            [&(index + 1).to_string(), opening, "2", "normal"]
        );
        assert_eq!((game.tags.date.clone().unwrap().len(), known("UTCTime").len()), (10, 8));
        let score = game.tags.result.unwrap().score.centidiscs() / 100;
        tally.add(if first_is_black { score } else { -score });
    }
    assert!(text.contains(&tally.to_string()), "{tally}: {text}");
    // The table contains the same numbers.
    let Figures { won, drawn, lost, .. } = tally.figures();
    let row: Vec<&str> =
        text.lines().find(|line| line.starts_with("in all")).unwrap().split_whitespace().collect();
    assert_eq!(row[2..6], ["4".to_owned(), won.to_string(), drawn.to_string(), lost.to_string()]);
}

#[test]
fn interrupted_match_writes_each_game_once() {
    let folder = Folder::new("match-once").unwrap();
    let files = ["report.txt", "games.pgn"].map(|name| folder.path(name));
    let [report, pgn] = files.each_ref().map(|path| path.to_str().unwrap());
    let [first, second] = [fake("honest"), fake("illegal")];
    let go = |games| {
        let options = ["--games", games, "--depth", "1", "--report", report, "--pgn", pgn];
        play(&first, &second, &options).unwrap()
    };
    let check = |count: usize| {
        let games = games(&files[1]);
        let rounds: Vec<_> = games.iter().map(|game| game.tags.other("Round").unwrap().to_owned()).collect();
        assert_eq!(rounds, (1..=count).map(|round| round.to_string()).collect::<Vec<_>>());
        for (index, game) in games.iter().enumerate() {
            let result = game.tags.result.unwrap();
            let score = if index % 2 == 0 { 6400 } else { -6400 };
            assert_eq!((result.score.centidiscs(), result.ending), (score, Ending::Left));
            assert_eq!(game.tags.other("Termination"), Some("rules infraction"));
            let comment = &game.tags.comments.last().unwrap().1;
            assert_eq!(comment, "second played an illegal move: d4, d4 is occupied");
        }
    };
    let contents = || files.each_ref().map(|path| fs::read_to_string(path).unwrap());
    go("2");
    check(2);
    // No game is left to play: nothing is written twice.
    let whole = contents();
    go("2");
    assert_eq!(contents(), whole);
    // Cut in the middle of a game, at its start, and before its last line end.
    for cut in [whole[1].len() - 60, whole[1].len() / 2 + 3, whole[1].len() - 1, 2] {
        fs::write(&files[1], &whole[1][..cut]).unwrap();
        go("2");
        assert_eq!(contents(), whole, "{cut}");
    }
    go("3");
    check(3);
    // Without a report it is another match, and the content of the file stays.
    play(&first, &second, &["--games", "1", "--depth", "1", "--pgn", pgn]).unwrap();
    assert_eq!(games(&files[1]).len(), 4);
    // A file of another program is continued, and no file is used for two purposes.
    fs::write(&files[1], "[Event \"a\"]\n[Result \"*\"]\n\n1. f5 d6 *").unwrap();
    go("3");
    assert_eq!(games(&files[1]).len(), 4);
    let options = ["--games", "1", "--depth", "1", "--pgn", pgn, "--report", pgn];
    let error = play(&first, &second, &options).unwrap_err();
    assert!(error.contains("--report and --pgn name the same file"), "{error}");
    let error =
        play(&first, &second, &["--depth", "1", "--pgn", folder.as_path().to_str().unwrap()]).unwrap_err();
    assert!(error.contains("not a file"), "{error}");
}
