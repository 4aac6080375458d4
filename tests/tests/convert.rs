//! `outflank convert`: to all formats and back, with invalid records among the others.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use outflank::game::{Game, RecordedMove};
use outflank::notation::{ggf, wthor};
use outflank::random::Random;
use outflank::score::Score;
use outflank_tests::folder::Folder;
use outflank_tests::games::random_game;
use outflank_tests::spawned::{kill_after, program};

fn convert(arguments: &[&str], input: &[u8]) -> (i32, Vec<u8>, String) {
    let mut child = Command::new(program().unwrap())
        .arg("convert")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let _ = child.stdin.take().unwrap().write_all(input);
    let output = child.wait_with_output().unwrap();
    (output.status.code().unwrap(), output.stdout, String::from_utf8(output.stderr).unwrap())
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn byte_order_marks_and_utf_16_are_read() {
    let folder = Folder::new("convert-mark").unwrap();
    let start = "---------------------------OX------XO--------------------------- X;";
    for (name, content) in [
        ("a.obf", format!("{start}\n")),
        ("b.txt", "% Opéra\nf5d6c3\n".to_owned()),
        ("c.ggf", "(;GM[Othello]PB[é]PW[b]TY[8]B[F5]W[D6];)\n".to_owned()),
        ("d.pgn", "[Event \"a\"]\n\n1. f5 d6 *\n".to_owned()),
        ("e.sgf", "(;GM[2]FF[4];B[f5];W[d6])\n".to_owned()),
    ] {
        let wide = |bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
            format!("\u{feff}{content}").encode_utf16().flat_map(bytes).collect()
        };
        let path = folder.path(name);
        fs::write(&path, &content).unwrap();
        let plain = convert(&[text(&path), "-", "--to", "ggf"], b"");
        assert_eq!(plain.0, 0, "{name}: {}", plain.2);
        for bytes in
            [format!("\u{feff}{content}").into_bytes(), wide(u16::to_le_bytes), wide(u16::to_be_bytes)]
        {
            fs::write(&path, bytes).unwrap();
            assert_eq!(convert(&[text(&path), "-", "--to", "ggf"], b""), plain, "{name}");
        }
    }
}

#[test]
fn prose_and_binary_files_are_errors() {
    let folder = Folder::new("convert-prose").unwrap();
    let path = folder.path("notes.txt");
    let rules = ["*".repeat(65), "-".repeat(80), format!("# {}", "*".repeat(64)), "=".repeat(70)].join("\n");
    fs::write(&path, format!("{rules}\n# Heading\nf5d6c3\n{rules}\nBetter not begin like this.\n")).unwrap();
    let (status, output, errors) = convert(&[text(&path), "-", "--to", "txt"], b"");
    assert_eq!((status, output.as_slice()), (1, b"f5d6c3\n".as_slice()), "{errors}");
    assert!(errors.contains("record 2 (line 11): `Better not begin like th...` begins neither"), "{errors}");
    fs::write(&path, b"\x7fELF\0\0\0\nf5d6\n").unwrap();
    let (status, output, errors) = convert(&[text(&path), "-", "--to", "txt"], b"");
    assert_eq!((status, output.len()), (2, 0), "{errors}");
    assert!(errors.contains("notes.txt: neither a text nor a file of the WTHOR database"), "{errors}");
}

#[cfg(unix)]
#[test]
fn devices_are_written_and_not_replaced() {
    use std::os::unix::fs::symlink;
    let folder = Folder::new("convert-device").unwrap();
    let [source, link, victim] = ["a.txt", "null", "victim"].map(|name| folder.path(name));
    fs::write(&source, "f5d6c3\n").unwrap();
    // Root could replace the device itself: a link shows the same.
    symlink("/dev/null", &link).unwrap();
    for format in ["ggf", "wtb"] {
        assert_eq!(convert(&[text(&source), text(&link), "--to", format], b"").0, 0);
    }
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
    assert_eq!(fs::read_dir(folder.as_path()).unwrap().count(), 2, "no files of names");
    // A file at the place where a new file was once written.
    fs::write(&victim, "precious").unwrap();
    symlink("victim", folder.path("out.ggf.new")).unwrap();
    assert_eq!(convert(&[text(&source), text(&folder.path("out.ggf"))], b"").0, 0);
    assert_eq!(fs::read_to_string(&victim).unwrap(), "precious");
    assert!(fs::read_to_string(folder.path("out.ggf")).unwrap().contains("B[F5]"));
}

/// Complete random games with names and evaluations.
fn games(count: usize, seed: u64) -> Vec<Game> {
    let mut random = Random::new(seed);
    let names = ["Ann", "Bob", "Jérôme", "Dee"];
    let mut random_tagged = || {
        let mut game = Game::default();
        for played in random_game(&mut random, 128, 64).moves() {
            let eval = Some(Score::from_centidiscs(random.below(1000) as i32 - 500));
            game.play(RecordedMove { eval, ..*played }).unwrap();
        }
        game.tags.result = game.final_score();
        let mut name = || Some(names[random.below(4) as usize].to_owned());
        (game.tags.black.name, game.tags.white.name) = (name(), name());
        (game.tags.place, game.tags.date) = (Some("Paris".to_owned()), Some("2019".to_owned()));
        game.from_usual_start().unwrap()
    };
    (0..count).map(|_| random_tagged()).collect()
}

#[test]
fn games_are_converted_to_every_format_and_back() {
    let folder = Folder::new("convert-formats").unwrap();
    let games = games(200, 5);
    let ggf: String = games.iter().map(|game| ggf::write_all(game) + "\n").collect();
    fs::write(folder.path("a.ggf"), &ggf).unwrap();
    let (from, all) = (folder.path("a.ggf"), ["sgf", "pgn", "ggf"]);
    for ending in all {
        let (there, back) = (folder.path(&format!("b.{ending}")), folder.path("c.ggf"));
        let (status, _, errors) = convert(&[text(&from), text(&there)], b"");
        assert_eq!((status, errors.as_str()), (0, "outflank: 200 records written, 0 invalid\n"), "{ending}");
        assert_eq!(convert(&[text(&there), text(&back)], b"").0, 0, "{ending}");
        assert_eq!(fs::read_to_string(back).unwrap(), ggf, "{ending}");
    }
    // The database and transcripts hold less.
    for ending in ["wtb", "txt"] {
        let (there, back) = (folder.path(&format!("b.{ending}")), folder.path("c.ggf"));
        let (status, _, errors) = convert(&[text(&from), text(&there)], b"");
        assert_eq!(status, 0);
        assert!(
            errors.contains(&format!("{ending} cannot hold evaluations: omitted from 200 records")),
            "{errors}"
        );
        assert_eq!(convert(&[text(&there), text(&back)], b"").0, 0);
        let again = ggf::read_all(&fs::read_to_string(back).unwrap()).unwrap();
        for (game, again) in games.iter().zip(&again) {
            let moves = |game: &Game| game.moves().iter().map(|played| played.mv).collect::<Vec<_>>();
            assert_eq!(moves(game), moves(again));
            if ending == "wtb" {
                assert_eq!(game.tags.black.name, again.tags.black.name);
                assert_eq!(game.tags.white.name, again.tags.white.name);
                assert_eq!((game.tags.result, &game.tags.date), (again.tags.result, &again.tags.date));
            }
        }
        assert_eq!(again.len(), games.len());
    }
    let names = wthor::read_names(&fs::read(folder.path("b.jou")).unwrap(), wthor::Names::Players).unwrap();
    assert_eq!(names.len(), 4);
    assert!(folder.path("b.trn").exists());
}

/// The games of a base, and the number of files in its folder.
fn base(folder: &Folder, path: &Path) -> (String, usize) {
    let (status, output, errors) = convert(&[text(path), "-", "--to", "ggf", "--quiet"], b"");
    assert_eq!((status, errors.contains(" 0 invalid")), (0, true), "{errors}");
    let files = fs::read_dir(folder.as_path()).unwrap();
    let files = files.filter(|file| !file.as_ref().unwrap().file_name().to_string_lossy().ends_with(".ggf"));
    (String::from_utf8(output).unwrap(), files.count())
}

#[test]
fn the_files_of_a_base_are_replaced_together() {
    let folder = Folder::new("convert-together").unwrap();
    let sources = [("a.ggf", 11, ""), ("b.ggf", 12, "New")].map(|(name, seed, new)| {
        let path = folder.path(name);
        let lines = games(60, seed).iter().map(|game| ggf::write_all(game) + "\n").collect::<String>();
        fs::write(&path, lines.replace("PB[", &format!("PB[{new}")).replace("Paris", &format!("{new}Paris")))
            .unwrap();
        path
    });
    let wtb = folder.path("x.wtb");
    let states = sources.each_ref().map(|source| {
        assert_eq!(convert(&[text(source), text(&wtb), "--quiet"], b"").0, 0);
        base(&folder, &wtb)
    });
    assert_eq!(states.each_ref().map(|(_, files)| *files), [3, 3]);
    assert_ne!(states[0], states[1]);
    // Killed at any time, then read or written again.
    let mut random = Random::new(13);
    let mut seen = [0, 0];
    for number in 0..32 {
        let arguments = ["convert", text(&sources[number % 2]), text(&wtb), "--quiet"];
        kill_after(&arguments, Duration::from_micros(u64::from(random.below(20_000)))).unwrap();
        if number % 4 < 2 {
            let (read, _) = base(&folder, &wtb);
            seen[states.iter().position(|(state, _)| *state == read).expect("one of the two states")] += 1;
        }
    }
    assert_eq!(seen[0] + seen[1], 16);
    assert_eq!(convert(&[text(&sources[0]), text(&wtb)], b"").0, 0);
    assert_eq!(base(&folder, &wtb), states[0], "no rest of the killed programs");
    // Killed between the first and the last of the new names.
    let other = folder.path("y.wtb");
    assert_eq!(convert(&[text(&sources[1]), text(&other)], b"").0, 0);
    fs::rename(folder.path("y.jou"), folder.path("x.jou")).unwrap();
    fs::rename(folder.path("y.trn"), folder.path("x.trn.new-77-0")).unwrap();
    fs::rename(&other, folder.path("x.wtb.new-77-0")).unwrap();
    fs::write(folder.path("x.wtb.new-files"), "77-0\n").unwrap();
    assert_eq!(base(&folder, &wtb), states[1]);
    // Killed while it wrote the note.
    fs::write(folder.path("x.wtb.new-files"), "77-").unwrap();
    assert_eq!(base(&folder, &wtb), states[1]);
    // A directory in the place of one of them.
    let trn = folder.path("x.trn");
    fs::remove_file(&trn).unwrap();
    fs::create_dir(&trn).unwrap();
    let before = ["x.wtb", "x.jou"].map(|name| fs::read(folder.path(name)).unwrap());
    let (status, _, errors) = convert(&[text(&sources[0]), text(&wtb)], b"");
    assert!(status == 2 && errors.contains("x.trn: a directory, not a file"), "{errors}");
    assert_eq!(["x.wtb", "x.jou"].map(|name| fs::read(folder.path(name)).unwrap()), before);
    fs::remove_dir(&trn).unwrap();
    // The names of its own files.
    for name in ["x.jou", "z.TRN"] {
        let (status, _, errors) = convert(&[text(&sources[0]), text(&folder.path(name)), "--to", "wtb"], b"");
        assert!(status == 2 && errors.contains("the ending must be neither jou nor trn"), "{errors}");
    }
    assert_eq!(fs::read(folder.path("x.jou")).unwrap(), before[1]);
    // Names in capital letters are replaced.
    fs::rename(folder.path("x.jou"), folder.path("x.JOU")).unwrap();
    assert_eq!(convert(&[text(&sources[0]), text(&wtb)], b"").0, 0);
    assert_eq!(base(&folder, &wtb), states[0]);
}

#[cfg(unix)]
#[test]
fn private_files_and_links_are_kept() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = Folder::new("convert-private").unwrap();
    let [secret, pipe, link, left] =
        ["secret.sgf", "pipe", "link.sgf", "secret.sgf.new-4-2"].map(|name| folder.path(name));
    for (path, content) in [(&secret, "old"), (&left, "of a program that was killed")] {
        fs::write(path, content).unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(0o600)).unwrap();
    }
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    // A program that is still reading has already created its file.
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let mut child = Command::new(program().unwrap())
        .args(["convert", text(&pipe), text(&secret)])
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    fs::write(&pipe, "f5d6\n".repeat(2000)).unwrap();
    let modes = || -> Vec<u32> {
        let files = fs::read_dir(folder.as_path()).unwrap().filter_map(|file| file.ok()?.metadata().ok());
        files.filter(|data| data.is_file()).map(|data| data.permissions().mode() & 0o777).collect()
    };
    while child.try_wait().unwrap().is_none() {
        assert!(modes().iter().all(|mode| *mode == 0o600), "{:?}", modes());
    }
    assert_eq!((mode(&secret), fs::read_to_string(&secret).unwrap().lines().count()), (0o600, 2000));
    assert!(!left.exists());
    symlink("there.sgf", &link).unwrap();
    assert_eq!(convert(&["-", text(&link)], b"f5d6").0, 0);
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(fs::read_to_string(folder.path("there.sgf")).unwrap().starts_with("(;"));
    // A link at the place of a note.
    fs::write(folder.path("source.txt"), "f5d6").unwrap();
    symlink("secret.sgf", folder.path("a.wtb.new-files")).unwrap();
    let (status, _, errors) = convert(&[text(&folder.path("source.txt")), text(&folder.path("a.wtb"))], b"");
    assert!(status == 2 && errors.contains("a.wtb.new-files: a link, not a file"), "{errors}");
    assert_eq!(fs::read_to_string(&secret).unwrap().lines().count(), 2000);
    symlink("around", folder.path("around")).unwrap();
    assert_eq!(convert(&["-", text(&folder.path("around")), "--to", "sgf"], b"f5d6").0, 2);
}

#[test]
fn invalid_records_are_reported_and_the_others_are_converted() {
    let folder = Folder::new("convert-faults").unwrap();
    let games = games(3, 6);
    let mut lines: Vec<String> = games.iter().map(ggf::write_all).collect();
    lines[1] = lines[1].replacen("DT[2019]", "TI[soon]", 1);
    let from = folder.path("a.ggf");
    fs::write(&from, lines.join("\n")).unwrap();
    let (status, output, errors) = convert(&[text(&from), "-", "--to", "txt", "--quiet"], b"");
    assert_eq!((status, output.split(|&byte| byte == b'\n').count()), (1, 3));
    let expected = format!("outflank: {}: record 2 (line 2): TI: `soon` cannot be read\n", text(&from));
    assert!(errors.starts_with(&expected), "{errors}");

    // At most 200 errors are printed.
    fs::write(&from, "(;GM[Othello]TI[soon];)\n".repeat(250)).unwrap();
    let (status, _, errors) = convert(&[text(&from), "-", "--to", "txt", "--quiet"], b"");
    assert_eq!((status, errors.matches("cannot be read").count()), (1, 200));
    assert!(errors.contains("50 more records cannot be converted"), "{errors}");

    // A database that ends in the middle of a game.
    let database = folder.path("b.wtb");
    fs::write(&from, games.iter().map(|game| ggf::write_all(game) + "\n").collect::<String>()).unwrap();
    assert_eq!(convert(&[text(&from), text(&database)], b"").0, 0);
    let mut bytes = fs::read(&database).unwrap();
    bytes.truncate(bytes.len() - 10);
    bytes[16 + 68 + 8 + 20] = 99;
    fs::write(&database, &bytes).unwrap();
    let (status, output, errors) = convert(&[text(&database), "-", "--to", "txt", "--quiet"], b"");
    assert_eq!((status, output.iter().filter(|&&byte| byte == b'\n').count()), (1, 1), "{errors}");
    assert!(
        errors.contains("b.wtb: record 2: move 21 cannot be read: 99 is not row x 10 + column"),
        "{errors}"
    );
    assert!(errors.contains("b.wtb: record 3: the file ends after 2 of 3 records"), "{errors}");

    // A record that a format cannot hold.
    let start = b"------------------XO------XXX------OXX-----O-------------------- O";
    let (status, output, errors) = convert(&["-", "-", "--to", "wtb"], start);
    assert_eq!(status, 1);
    assert_eq!(wthor::read(&output).unwrap().games.len(), 0);
    assert!(errors.contains("wtb cannot hold it: it does not begin at the usual start"), "{errors}");
}

#[test]
fn omitted_fields_are_reported() {
    let folder = Folder::new("convert-left-out").unwrap();
    let long = "x".repeat(30);
    let ggf = format!(
        "(;GM[Othello]PC[Paris]DT[2019-01-02]PB[{long}]PW[Bob]RE[+4.000:r]TheoreticalScore[36-28]TY[8]\
         BO[8 ---------------------------O*------*O--------------------------- *]\
         CO[a}}b\u{a0}c\u{2028}d]B[F5]CO[+0.50/3]W[D6];)\n"
    );
    let from = folder.path("a.ggf");
    fs::write(&from, ggf.replace("PW[Bob]", &format!("PW[{long}]")) + &ggf + &ggf).unwrap();
    let (_, _, errors) = convert(&[text(&from), text(&folder.path("a.wtb"))], b"");
    for expected in [
        "dates except the year: omitted from 3",
        "how the game ended: omitted from 3",
        "ends or letters of long or foreign names: omitted from 3",
        "comments: omitted from 3",
    ] {
        assert!(errors.contains(expected), "{expected}: {errors}");
    }
    let (_, output, errors) = convert(&[text(&from), "-", "--to", "nboard"], b"");
    assert!(
        !errors.contains("comments") && String::from_utf8(output).unwrap().contains("CO[a}b"),
        "{errors}"
    );
    // The tournament of a database is the event.
    let pgn = convert(&[text(&folder.path("a.wtb")), "-", "--to", "pgn"], b"").1;
    assert!(pgn.starts_with(b"[Event \"Paris\"]\n[Site \"?\"]\n"));
    for ending in ["pgn", "sgf"] {
        let there = folder.path(&format!("b.{ending}"));
        assert_eq!(convert(&[text(&from), text(&there)], b"").0, 0);
        assert!(fs::read_to_string(&there).unwrap().contains("TheoreticalScore"), "{ending}");
        let (_, again, _) = convert(&[text(&there), "-", "--to", "ggf"], b"");
        let [again, whole] = [again, fs::read(&from).unwrap()]
            .map(|bytes| ggf::read_all(&String::from_utf8(bytes).unwrap()).unwrap());
        assert_eq!(again, whole, "{ending}");
    }
}

#[test]
fn standard_streams_and_invalid_command_lines() {
    let (status, output, _) = convert(&["-", "-", "--to", "sgf"], b"F5 D6 C3\nf4d3\n");
    assert_eq!(status, 0);
    assert_eq!(String::from_utf8(output).unwrap().lines().count(), 2);
    for (arguments, part) in [
        (&["-", "-"][..], "--to"),
        (&["-", "a.xyz"], "--to"),
        (&["-", "-", "--to", "xyz"], "possible values: ggf"),
        (&["/nowhere/a.ggf", "-", "--to", "sgf"], "/nowhere/a.ggf"),
        (&["-", "/nowhere/a.ggf"], "/nowhere/a.ggf"),
    ] {
        let (status, _, errors) = convert(arguments, b"f5");
        assert_eq!(status, 2, "{arguments:?}");
        assert!(errors.contains(part), "{arguments:?}: {errors}");
    }
    // A file that cannot be completed leaves the old one unchanged, and no other files.
    let folder = Folder::new("convert-streams").unwrap();
    let out = folder.path("a.sgf");
    fs::write(&out, "old").unwrap();
    assert_eq!(convert(&["/nowhere/a.ggf", text(&out)], b"").0, 2);
    assert_eq!(convert(&["-", text(&out)], b"nothing of this can be read").0, 1);
    assert_eq!(fs::read_to_string(&out).unwrap(), "old");
    assert_eq!(convert(&["-", text(&out)], b"f5d6").0, 0);
    assert!(fs::read_to_string(&out).unwrap().starts_with("(;GM[2]"));
    assert_eq!(fs::read_dir(folder.as_path()).unwrap().count(), 1);
}
