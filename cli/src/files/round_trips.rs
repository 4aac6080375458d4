//! Random games and texts through every reader and writer: each difference is reported.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::path::Path;

use clap::ValueEnum;
use outflank::board::Move;
use outflank::game::{Game, GameTree, NodeId, RecordedMove};
use outflank::random::Random;
use outflank_properties::archives::{drawn, spoiled};

use super::{Format, Input, Writer, database_files};

/// Reports of texts that a format holds in another form.
const TEXTS: [&str; 4] = [
    "control characters",
    "line ends at the ends of texts",
    "brackets, line ends and outer blanks of texts",
    "ends or letters of long or foreign names",
];

/// A part of a game in one form, and the reports that explain a difference.
type Part = (String, &'static [&'static str]);

fn parts(game: &Game) -> Vec<Part> {
    let tags = &game.tags;
    let tree = game.tree();
    let line = tree.main_line();
    let of_moves =
        |of: fn(&RecordedMove) -> String| game.moves().iter().map(of).collect::<Vec<_>>().join(" ");
    let players = [&tags.black, &tags.white];
    // These values are unknown or usual.
    let known = |text: &Option<String>| {
        text.clone().filter(|text| !matches!(text.as_str(), "" | "?" | "8")).unwrap_or_default()
    };
    let comments = |nodes: &[NodeId]| {
        let texts = |node: &NodeId| tree.comments(*node).iter().filter(|text| !text.is_empty());
        nodes
            .iter()
            .map(|node| (tree.discs_placed(*node), texts(node).collect::<Vec<_>>()))
            .collect::<Vec<_>>()
    };
    // The name of a tag has the form of the notation.
    let name = |name: &str| {
        let upper = name.to_uppercase().replace(|c: char| !c.is_ascii_alphanumeric(), "_");
        upper.trim_start_matches("X_").to_owned()
    };
    let others = tags.others.iter().filter(|(_, value)| !matches!(value.as_str(), "" | "?" | "-"));
    let mut others: Vec<_> = others.map(|(other, value)| (name(other), value)).collect();
    others.sort();
    vec![
        (
            format!("{:?} {}", game.start(), of_moves(|played| played.mv.to_string())),
            &["moves", "a pass at the end"],
        ),
        (of_moves(|played| format!("{:?}", played.eval)), &["moves", "a pass at the end", "evaluations"]),
        (of_moves(|played| format!("{:?}", played.time)), &["moves", "a pass at the end", "times"]),
        (
            format!("{:?} {:?}", players.map(|player| known(&player.name)), known(&tags.place)),
            &["names and places", "names"],
        ),
        (known(&tags.date), &["dates", "dates except the year", "the year if it is not that of most games"]),
        (
            tags.result.map(|result| format!("{result:?}")).unwrap_or_default(),
            &["results", "how the game ended", "results that are not whole numbers of discs for each side"],
        ),
        (
            format!("{:?} {:?}", tags.clock, players.map(|player| player.clock)),
            &["clocks", "fractions of seconds of clocks"],
        ),
        (format!("{:?}", players.map(|player| player.rating)), &["ratings"]),
        (known(&tags.kind), &["kinds of games"]),
        (format!("{:?}", comments(&line)), &["comments", "moves"]),
        (variations(&tree, &line), &["variations", "moves"]),
        (format!("{:?}", tags.scores), &["scores of moves"]),
        (format!("{others:?}"), &["other tags"]),
    ]
}

/// The moves beside the main line with their comments.
fn variations(tree: &GameTree, line: &[NodeId]) -> String {
    let mut text = String::new();
    let mut rest = vec![NodeId::ROOT];
    while let Some(node) = rest.pop() {
        rest.extend(tree.children(node).iter().rev());
        if !line.contains(&node) {
            let comments: Vec<_> = tree.comments(node).iter().filter(|text| !text.is_empty()).collect();
            text += &format!(
                "{} {:?} {:?} {comments:?} ",
                tree.discs_placed(node),
                tree.played(node),
                tree.pass(node).filter(|pass| pass.eval.is_some() || pass.time.is_some()),
            );
        }
    }
    text
}

/// Writes a game to a file and reads it. Returns it with the reports, or `None` if the format cannot hold it.
fn through(format: Format, game: &Game, path: &Path) -> Option<(Game, BTreeSet<&'static str>)> {
    let [games, players, tournaments] = &database_files(path);
    let mut writer = Writer::new(format, File::create(games).unwrap());
    writer.write(game).unwrap().ok()?;
    let mut names = [File::create(players).unwrap(), File::create(tournaments).unwrap()];
    let [players, tournaments] = &mut names;
    let mut reports: BTreeSet<&str> =
        writer.finish(Some([players, tournaments])).unwrap().into_keys().collect();
    let read = read(format, path);
    let [game] = read.as_slice() else { panic!("{format}: {} records: {}", read.len(), text(path)) };
    let game = game.clone().unwrap_or_else(|error| panic!("{format}: {error}: {}", text(path)));
    reports.extend(game.tags.dropped.iter().map(|(kind, _)| *kind));
    Some((game, reports))
}

fn read(format: Format, path: &Path) -> Vec<Result<Game, String>> {
    match Input::open(path, Some(format)) {
        Ok(input) => input.records().map(|record| record.game).collect(),
        Err(error) => vec![Err(error.to_string())],
    }
}

fn text(path: &Path) -> String {
    String::from_utf8_lossy(&fs::read(path).unwrap()).into_owned()
}

/// Moves as a base and lists of transcripts hold them: from the usual start, with passes only where they are forced.
fn comparable(format: Format, game: &Game) -> Game {
    let whole = matches!(format, Format::Wthor);
    let game = if whole { game.from_usual_start().unwrap_or_else(|| game.clone()) } else { game.clone() };
    let last = game.moves().last().is_some_and(|played| played.mv == Move::Pass);
    if whole && last { game.prefix(game.plies() - 1) } else { game }
}

#[test]
#[ignore = "release: writes 2,000 games and texts in every format"]
fn every_difference_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.wtb");
    let mut random = Random::new(68);
    let mut counts = BTreeMap::<String, [usize; 3]>::new();
    let mut unreported = Vec::new();
    let mut check = |format: Format, game: &Game, unreported: &mut Vec<String>| {
        let (again, reports) = through(format, game, &path)?;
        let count = counts.entry(format.to_string()).or_default();
        count[0] += 1;
        for ((before, kinds), (after, _)) in
            parts(&comparable(format, game)).into_iter().zip(parts(&comparable(format, &again)))
        {
            if before != after && !before.is_empty() {
                count[1] += 1;
                if !kinds.iter().chain(&TEXTS).any(|kind| reports.contains(kind)) {
                    count[2] += 1;
                    unreported.push(format!("{format} {kinds:?}: {before} became {after}: {}", text(&path)));
                }
            }
        }
        Some(again)
    };
    for _ in 0..2_000 {
        let bytes: Vec<u8> = (0..random.below(2_000)).map(|_| random.below(256) as u8).collect();
        let game = drawn(&bytes);
        for format in Format::value_variants() {
            let Some(again) = check(*format, &game, &mut unreported) else { continue };
            let mut games = vec![again];
            if *format != Format::Wthor {
                let source = folder.path().join("spoiled");
                fs::write(&source, spoiled(&bytes, &text(&path))).unwrap();
                games.extend(read(*format, &source).into_iter().flatten());
            }
            let formats = Format::value_variants();
            for game in games {
                check(formats[random.below(formats.len() as u32) as usize], &game, &mut unreported);
            }
        }
    }
    println!("format: games, differences, unreported differences: {counts:?}");
    assert!(
        unreported.is_empty(),
        "{} differences:\n{}",
        unreported.len(),
        unreported[..unreported.len().min(20)].join("\n")
    );
}
