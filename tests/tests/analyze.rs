//! `outflank analyze` and `solve` with files and lines: committed figures, order of the output, and no loss after a kill.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use outflank::kernel::Kernel;
use outflank::notation::{ggf, transcript};
use outflank::random::Random;
use outflank_tests::folder::Folder;
use outflank_tests::games::random_game;
use outflank_tests::spawned::{self, Spawned, program};

fn data(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("data/report").join(name)
}

fn outflank(arguments: &[&str]) -> Output {
    spawned::output(arguments).unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// `tests/page/analysis.test.js` compares the report of the page with the same file.
///
/// After an intended change of values: `outflank analyze data/report/games.txt --depth 6 > data/report/analysis.jsonl` in the
/// folder of the tests.
#[test]
fn figures_are_the_committed_ones() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let run = |arguments: &[&str]| {
        let mut command = Command::new(program().unwrap());
        let output = command.args(arguments).current_dir(&folder).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    let expected = fs::read_to_string(data("analysis.jsonl")).unwrap();
    let arguments = ["analyze", "data/report/games.txt", "--depth", "6"];
    for (line, expected) in run(&arguments).lines().zip(expected.lines()) {
        assert_eq!(line, expected);
    }
    assert_eq!(expected.lines().count(), 3);
    // In parallel, with the same output in the same order.
    assert_eq!(run(&[&arguments[..], &["--jobs", "3"]].concat()), expected);
    assert_eq!(run(&[&arguments[..], &["--kernel", "portable"]].concat()), expected);
}

/// Returns the last line of a hint of NBoard with these options.
fn hint(options: &[&str]) -> String {
    let arguments = [&["nboard"], options].concat();
    let mut engine = Spawned::new(program().unwrap(), &arguments).unwrap();
    engine.send_bytes(
        b"nboard 2\nset game (;GM[Othello]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]\
        B[D3]W[C5]B[F6]W[F5]B[E6]W[E3];)\nset depth 8\nhint 1\n",
    );
    engine.until("status Outflank is analyzing");
    let lines = engine.until("status Outflank is waiting");
    lines.into_iter().rfind(|line| line.starts_with("search ")).unwrap()
}

#[test]
fn default_network_depends_on_the_command() {
    let games = data("games.txt");
    let games = games.to_str().unwrap();
    let analysis =
        |options: &[&str]| text(&outflank(&[&["analyze", games, "--depth", "3"], options].concat()).stdout);
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../cli/weights/outflank-large.weights");
    let [small, large, of_a_file] =
        ["small", "large", file.to_str().unwrap()].map(|eval| analysis(&["--eval", eval]));
    assert_eq!(large, of_a_file);
    assert_ne!(large, small);
    assert_eq!(analysis(&["--kernel", "portable", "--eval", "large"]), large);
    assert_eq!(analysis(&[]), small, "the same on every machine and on the page");
    let is_quick = Kernel::best() != Kernel::Portable;
    let [small, large] = ["small", "large"].map(|eval| hint(&["--eval", eval]));
    assert_ne!(small, large);
    assert_eq!(hint(&[]), if is_quick { large } else { small });
}

#[test]
fn as_ggf_and_as_a_report() {
    let games = data("games.txt");
    let games = games.to_str().unwrap();
    let output = outflank(&["analyze", games, "--depth", "2", "--format", "ggf"]);
    let read = ggf::read_all(&text(&output.stdout)).unwrap();
    assert_eq!(read.len(), 3);
    for game in &read {
        assert!(
            game.moves()
                .iter()
                .filter(|played| played.mv.square().is_some())
                .all(|played| played.eval.is_some())
        );
        assert!(game.tags.other("ANALYSIS").unwrap().ends_with("depth 2"));
    }
    // The last move leads to the result.
    let end = read[0].position().board().final_score();
    let last = read[0].moves().last().unwrap().eval.unwrap().centidiscs();
    assert_eq!(last.abs(), 100 * end.abs());

    let output = outflank(&["analyze", games, "--depth", "6", "--format", "text"]);
    let report = text(&output.stdout);
    for part in ["discs lost", "moves 1 to 20", "win became loss", "accuracy", "lost about", "better"] {
        assert!(report.contains(part), "{part}: {report}");
    }
    // Names cannot send control characters to a terminal.
    let folder = Folder::new("analyze-names").unwrap();
    fs::write(folder.path("names.ggf"), "(;GM[Othello]PB[\u{1b}[31mred\u{202e}]TY[8]B[F5]W[D6];)").unwrap();
    let names = outflank(&["analyze", &folder.name("names.ggf"), "--depth", "1", "--format", "text"]);
    assert!(
        text(&names.stdout).contains(": \\u{1b}[31mred\\u{202e} (black) - ? (white)"),
        "{}",
        text(&names.stdout)
    );
    let missing = outflank(&["analyze", "/nowhere/\u{1b}[31m"]);
    assert!(text(&missing.stderr).contains(": /nowhere/\\u{1b}[31m: "), "{}", text(&missing.stderr));
    // Without a terminal there is no progress bar.
    assert!(output.stderr.is_empty(), "{}", text(&output.stderr));
}

#[test]
fn each_line_is_answered_at_once() {
    for (arguments, faults) in [
        (&["analyze", "-", "--depth", "2"][..], "\"error\":"),
        (&["analyze", "-", "--depth", "2", "--format", "ggf", "--jobs", "3"], "% "),
        (&["solve", "-", "--json"], "\"error\":"),
        (&["solve", "-"], " | "),
    ] {
        let mut child = Command::new(program().unwrap())
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap()).lines();
        // A client that waits for each answer receives it.
        for line in [
            "e6f4e3f6g5d6e7f5c5",
            "",
            "hello",
            "-XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXO X; ",
            "(;GM[Othello]TY[8]B[E6]W[F4]B[E3]W[F6]B[G5]W[D6]B[E7]W[F5]B[C5];)",
            "OXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX- O",
        ] {
            writeln!(input, "{line}").unwrap();
            let answer = output.next().unwrap().unwrap();
            let is_invalid = line.is_empty() || line == "hello";
            if is_invalid {
                assert!(answer.contains(faults), "{arguments:?}: {line}: {answer}");
            }
            if arguments[0] == "analyze" {
                assert_eq!(
                    answer.contains("error") || answer.starts_with('%'),
                    is_invalid,
                    "{line}: {answer}"
                );
            }
        }
        drop(input);
        assert!(output.next().is_none());
        // Two lines could not be read.
        assert_eq!(child.wait().unwrap().code(), Some(1));
    }
}

fn random_games(count: usize, seed: u64) -> Vec<String> {
    let mut random = Random::new(seed);
    (0..count).map(|_| transcript::write(&random_game(&mut random, 30, 64))).collect()
}

#[test]
fn resumed_output_is_complete_after_kills() {
    let folder = Folder::new("analyze-resumed").unwrap();
    let games = folder.name("games.txt");
    // Some games twice, and some invalid ones.
    let mut lines = random_games(40, 9);
    lines.extend_from_within(0..10);
    lines.insert(20, "f5a1".to_owned());
    lines.insert(50, "hello".to_owned());
    fs::write(&games, lines.join("\n")).unwrap();
    for format in ["jsonl", "ggf"] {
        let out = folder.name(format);
        let options = ["analyze", &games, "--depth", "3", "--hash", "1", "--jobs", "2", "--format", format];
        let arguments = [&options[..], &["--resume", &out]].concat();
        let mut before = String::new();
        let mut kills = 0;
        let status = loop {
            let mut child = Command::new(program().unwrap())
                .args(&arguments)
                .stdin(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            // Until the output has more games, or the program has ended.
            let status = loop {
                if let Some(status) = child.try_wait().unwrap() {
                    break Some(status);
                }
                let there = fs::read_to_string(&out).unwrap_or_default();
                if kills < 8 && there.lines().count() >= before.lines().count() + 4 {
                    break None;
                }
                thread::sleep(Duration::from_millis(3));
            };
            if let Some(status) = status {
                break status;
            }
            child.kill().unwrap();
            child.wait().unwrap();
            kills += 1;
            let there = fs::read_to_string(&out).unwrap();
            // Whole lines remain.
            let whole = &before[..before.rfind('\n').map_or(0, |at| at + 1)];
            assert!(there.starts_with(whole));
            // As after a kill in the middle of a line.
            before = there[..there.len() - 5].to_owned();
            fs::write(&out, &before).unwrap();
        };
        assert_eq!(status.code(), Some(1));
        assert!(kills >= 5, "{kills}");
        let mut there: Vec<String> = fs::read_to_string(&out).unwrap().lines().map(str::to_owned).collect();
        let mut expected: Vec<String> = text(&outflank(&options).stdout).lines().map(str::to_owned).collect();
        there.sort();
        expected.sort();
        assert_eq!(there, expected, "{format}");
        // All records are done. The exit status still reports the invalid ones. Records of another file count as the same.
        let other = folder.name("other.txt");
        fs::copy(&games, &other).unwrap();
        for games in [&games, &other] {
            let mut arguments = arguments.clone();
            arguments[1] = games;
            assert_eq!(outflank(&arguments).status.code(), Some(1));
            assert_eq!(fs::read_to_string(&out).unwrap().lines().count(), expected.len());
        }
        // Other limits make another analysis.
        let mut deeper = arguments;
        deeper[3] = "1";
        outflank(&deeper);
        let games = fs::read_to_string(&out).unwrap().lines().count();
        assert!((2 * 50..=2 * 52).contains(&games), "{games}");
    }
}

#[test]
fn foreign_outputs_stay_unchanged() {
    let folder = Folder::new("analyze-foreign").unwrap();
    let out = folder.name("out");
    let games = data("games.txt");
    let games = games.to_str().unwrap();
    let resume = |format: &str, out: &str| {
        let output = outflank(&["analyze", games, "--depth", "1", "--format", format, "--resume", out]);
        (output.status.code(), text(&output.stderr))
    };
    let game = "(;GM[Othello]PC[a]PB[b]PW[c]TY[8]BO[8 ---------------------------O*------*O--------------------------- *];)";
    for (content, line) in [
        ("my diary\n", 1),
        ("my diary", 1),
        ("Dear diary,\nnothing happened", 1),
        (game, 1),
        (&format!("{game}\n{game}"), 1),
        (&game[..20], 1),
        ("{\"file\":\"my own\"}", 1),
        ("{\"file\":\"a\",\"record\":1,\"error\":\"b\"}\nmy diary", 2),
    ] {
        fs::write(&out, content).unwrap();
        for format in ["jsonl", "ggf"] {
            let (status, errors) = resume(format, &out);
            assert_eq!((status, fs::read_to_string(&out).unwrap().as_str()), (Some(2), content), "{format}");
            let line = if format == "ggf" { 1 } else { line };
            assert!(errors.contains(&format!(": line {line} ")), "{content}: {errors}");
            assert!(errors.contains("is not an analysis of a game"), "{content}: {errors}");
        }
    }
    // A file that another program has locked is refused.
    fs::write(&out, "").unwrap();
    let file = fs::File::open(&out).unwrap();
    file.lock().unwrap();
    let refused = resume("jsonl", &out);
    assert_eq!(refused, (Some(2), format!("outflank: {out}: another program keeps it locked\n")));
    drop(file);
    fs::remove_file(&out).unwrap();
    #[cfg(unix)]
    {
        assert!(Command::new("mkfifo").arg(&out).status().unwrap().success());
        for (path, kind) in [(out.as_str(), "a pipe"), ("/dev/full", "a device"), ("/dev/zero", "a device")] {
            let refused = (Some(2), format!("outflank: {path}: {kind}, not a file\n"));
            assert_eq!(resume("jsonl", path), refused);
        }
        let output = outflank(&["analyze", "/dev/zero"]);
        assert!(text(&output.stderr).contains("/dev/zero: a device, not a file"));
    }
    for (arguments, part) in [
        (&["analyze"][..], "FILE"),
        (&["analyze", "/nowhere.ggf"], "/nowhere.ggf"),
        (&["analyze", "-", "a.ggf"], "cannot be combined with other files"),
        (&["analyze", "-", "--format", "text"], "--format jsonl or --format ggf"),
        (&["analyze", games, "--resume", "/nowhere/x"], "/nowhere/x"),
        (&["analyze", games, "--resume", "x", "--format", "text"], "--format jsonl or --format ggf"),
        (&["analyze", games, "--time", "0"], "above 0"),
        (&["analyze", games, "--depth", "0"], "--depth"),
        (&["analyze", games, "--eval", "/nowhere"], "/nowhere"),
    ] {
        let output = outflank(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(text(&output.stderr).contains(part), "{arguments:?}: {}", text(&output.stderr));
    }
}

#[test]
fn time_and_exact_limit_a_search() {
    let folder = Folder::new("analyze-time").unwrap();
    let name = &folder.name("lines.txt");
    fs::write(name, "e6f4e3f6g5d6e7f5c5\n").unwrap();
    program().unwrap();
    let begun = std::time::Instant::now();
    let output = outflank(&["analyze", name, "--depth", "40", "--time", "0.05"]);
    let took = begun.elapsed();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(took < Duration::from_secs(20), "{took:?}");
    assert_eq!(text(&output.stdout).matches("\"value\":null").count(), 0);
    // 9 squares are empty: depth 1 proves nothing, --exact does.
    fs::write(name, "-XXXXXX--OOOOOO-XXXOXXXXXXOXXXXXXOXXXXXXOXXXXXXXXOOOOOO--XXXXXX- X\n").unwrap();
    let proof = |options: &[&str]| {
        let output = outflank(&[&["analyze", name, "--depth", "1"], options].concat());
        text(&output.stdout).contains("\"proof\":\"exact\"")
    };
    assert!(!proof(&[]) && proof(&["--exact", "20"]));
}

/// The table is so small that entries are replaced often, and there are more searches than its generations can count.
#[test]
fn output_does_not_depend_on_earlier_games() {
    let mut random = Random::new(1);
    let games: Vec<String> = (0..12).map(|_| transcript::write(&random_game(&mut random, 99, 64))).collect();
    let backward: Vec<String> = games.iter().rev().cloned().collect();
    let folder = Folder::new("analyze-orders").unwrap();
    let analysis = |games: &[String]| {
        let path = folder.name("games.txt");
        fs::write(&path, games.join("\n")).unwrap();
        let output =
            text(&outflank(&["analyze", &path, "--depth", "6", "--hash", "1", "--jobs", "1"]).stdout);
        let of_game = |line: &str| line.split_once("\"positions\"").unwrap().1.to_owned();
        output.lines().map(of_game).collect::<Vec<_>>()
    };
    let lines = analysis(&games);
    assert!(lines.iter().map(|line| line.matches("\"empties\":").count()).sum::<usize>() >= 600);
    assert!(lines.iter().eq(analysis(&backward).iter().rev()));
}

#[test]
fn suite_without_positions_fails() {
    let folder = Folder::new("analyze-empty").unwrap();
    let path = folder.name("empty");
    for content in ["", "% only words\n", "\u{feff}\n"] {
        fs::write(&path, content).unwrap();
        let output = outflank(&["solve", &path]);
        assert_eq!(output.status.code(), Some(1));
        let errors = text(&output.stderr);
        assert!(errors.contains(&format!("{path}: no positions found")), "{errors}");
    }
    // A byte order mark is skipped.
    let wrong = "OOOOOOXXOOXOOXXXOXOXOXXXOOXXXOXXOOXXXXOX-OXXXXOXO--XXOOX--XXX-OO X; A6:+4;";
    fs::write(&path, format!("\u{feff}{wrong}\n")).unwrap();
    for output in [outflank(&["solve", &path]), solve_lines(&fs::read(&path).unwrap())] {
        assert!(text(&output.stdout).contains("WRONG: the file says +4"), "{}", text(&output.stdout));
        assert_eq!(output.status.code(), Some(1));
    }
    // An invalid line does not end the suite.
    fs::write(&path, format!("{wrong}\n{}\n", wrong.replace("X-OX", "X?OX"))).unwrap();
    let suite = |options: &[&str]| text(&outflank(&[&["solve", path.as_str()], options].concat()).stdout);
    let table = suite(&[]);
    assert!(table.trim_end().ends_with(" nodes/s, 1 disagree with the file, 1 invalid lines"), "{table}");
    let json: serde_json::Value = serde_json::from_str(&suite(&["--json"])).unwrap();
    let [one, other] = [&json["positions"][0], &json["positions"][1]];
    assert_eq!((one["expected"].as_i64(), one["agrees"].as_bool()), (Some(4), Some(false)), "{json}");
    assert!(one["nodes"] == json["nodes"] && other["error"].is_string(), "{json}");
    // The report has a head and the same entries.
    let report = folder.name("report.jsonl");
    let again = outflank(&["solve", &path, "--threads", "2", "--hash", "3", "--report", &report]);
    assert_eq!(again.status.code(), Some(1));
    let lines = fs::read_to_string(&report).unwrap();
    let lines: Vec<serde_json::Value> =
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let [head, first, second] = &lines[..] else { panic!("{lines:?}") };
    assert_eq!(
        (&head["suite"], head["threads"].as_u64(), head["hash_mib"].as_u64()),
        (&"empty".into(), Some(2), Some(3))
    );
    assert_eq!((&first["score"], &first["agrees"], second), (&one["score"], &one["agrees"], other));
    // A file that has contents stays as it is.
    let refused = outflank(&["solve", &path, "--report", &path]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("is not empty"), "{}", text(&refused.stderr));
    assert!(fs::read_to_string(&path).unwrap().contains(";"));
}

#[test]
fn too_long_line_is_an_error_and_the_next_one_is_solved() {
    let mut input = vec![b'-'; 32 << 20];
    input.extend_from_slice(b"\nOOOOOOXXOOXOOXXXOXOXOXXXOOXXXOXXOOXXXXOX-OXXXXOXO--XXOOX--XXX-OO X;\n");
    let output = solve_lines(&input);
    let lines = text(&output.stdout);
    let lines: Vec<&str> = lines.lines().collect();
    assert_eq!((lines.len(), lines[0]), (2, "   1 | the line is longer than 1048576 bytes"));
    assert!(lines[1].contains("a6 f8 c7 b7 b8 a8"), "{lines:?}");
}

#[cfg(unix)]
#[test]
fn unreadable_input_ends_the_lines() {
    for command in ["solve", "analyze"] {
        let folder = fs::File::open(std::env::temp_dir()).unwrap();
        let output = Command::new(program().unwrap()).args([command, "-"]).stdin(folder).output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        let lines = text(&output.stdout);
        assert!(lines.lines().count() == 1 && lines.contains("standard input: Is a directory"), "{lines}");
    }
}

/// Runs `solve -` with these lines.
fn solve_lines(input: &[u8]) -> Output {
    let mut command = Command::new(program().unwrap());
    let command = command.args(["solve", "-", "--hash", "1"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    child.wait_with_output().unwrap()
}
