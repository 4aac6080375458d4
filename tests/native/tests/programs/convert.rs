//! `outflank convert`, killed while it replaces the files of a WTHOR base. `tests/native/console` contains the rest.

use std::fs;

use outflank_tests::folder::Folder;
use outflank_tests::games::random_games;
use outflank_tests::spawned::{kill_once, succeed};

#[test]
#[ignore = "release: starts many programs"]
fn killed_while_replacing_a_base() {
    let folder = Folder::new("convert-together");
    let wtb = folder.name("x.wtb");
    let convert = |source| ["convert", source, &wtb, "--quiet"];
    let read = || succeed(&["convert", &wtb, "-", "--to", "txt", "--quiet"]);
    let sources = [11, 12].map(|seed| {
        let name = folder.name(&format!("{seed}.txt"));
        fs::write(&name, random_games(60, seed, 99, 64).join("\n")).unwrap();
        name
    });
    let states = sources.each_ref().map(|source| {
        succeed(&convert(source));
        read()
    });
    assert_ne!(states[0], states[1]);
    let files = || fs::read_dir(folder.as_path()).unwrap().count();
    assert_eq!(files(), 5);
    for number in 0..32 {
        // Once there is a new file, and some checks later.
        let mut checks = 0;
        let is_reached = || {
            checks += usize::from(files() > 5);
            checks > number / 2
        };
        kill_once(&convert(&sources[number % 2]), is_reached);
        // Read, or written again.
        assert!(number % 4 > 1 || states.contains(&read()));
    }
    succeed(&convert(&sources[0]));
    assert_eq!((read(), files()), (states[0].clone(), 5), "no rest of the killed programs");
}
