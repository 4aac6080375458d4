//! `outflank convert`: to all formats and back, with invalid records among the others.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::fs;
use std::path::Path;
use std::time::Duration;

use outflank::game::{Game, RecordedMove};
use outflank::notation::{ggf, wthor};
use outflank::random::Random;
use outflank::score::Score;
use outflank_tests::folder::Folder;
use outflank_tests::games::random_game;
use outflank_tests::spawned::{Ended, kill_after, run};

fn convert(arguments: &[&str], input: &[u8]) -> (i32, String, String) {
    let Ended { code, out, err } = run(&[&["convert"], arguments].concat(), input);
    (code.unwrap(), out, err)
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
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
        let omitted = format!("{ending} cannot hold evaluations: omitted from 200 records");
        assert!(status == 0 && errors.contains(&omitted), "{errors}");
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
    (output, files.count())
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
