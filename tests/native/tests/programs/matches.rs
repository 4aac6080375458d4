//! `outflank match` on every system: games of programs in all protocols, and faulty programs. `tests/native/console` contains
//! more.

use std::fs;

use outflank_tests::folder::Folder;
use outflank_tests::spawned::{program, run};

/// Protocols of the program, or errors of `fake_engine` after `!`; options; games that the two programs lose by an error. The margin
/// covers any delay of the machine.
const MATCHES: &str = "\
nboard cassio | --depth 2 | first 0, second 0
hub xboard | --depth 2 | first 0, second 0
nboard gtp | --time 1 --margin 900 | first 0, second 0
hub xboard | --time 0.2 --margin 900 | first 0, second 0
xboard hub | --move-time 0.01 --margin 900 | first 0, second 0
hub hub | --nodes 1000 | first 0, second 0
gtp nboard | --depth 2 | first 0, second 0
!crash !honest | --depth 1 | first 2, second 0
!honest !illegal | --depth 1 | first 0, second 2
!late !honest | --depth 1 | first 0, second 0";

#[test]
fn programs_play_and_faulty_ones_lose() {
    let (program, folder) = (program().display(), Folder::new("matches"));
    let openings = folder.name("openings.txt");
    fs::write(&openings, "f5d6").unwrap();
    let command = |name: &str| match name.strip_prefix('!') {
        Some(mode) => format!("{} {mode}", env!("CARGO_BIN_EXE_fake_engine")),
        None => format!("{name}:{program} {name} --hash 2 --eval small --book none"),
    };
    for row in MATCHES.lines() {
        let [names, options, expected] = row.split(" | ").collect::<Vec<_>>()[..] else { panic!("{row}") };
        let players: Vec<String> = names.split(' ').map(command).collect();
        let words = ["match", &players[0], &players[1], "--games", "2", "--openings", &openings];
        let ended = run(&words.into_iter().chain(options.split(' ')).collect::<Vec<_>>());
        let line = format!("games lost by an error: {expected}\n");
        assert!(ended.code == Some(0) && ended.out.ends_with(&line), "{row}: {ended:?}");
    }
}
