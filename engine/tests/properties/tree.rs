//! Game trees in the notations that hold variations.

use outflank::board::{Move, Position};
use outflank::game::{Game, GameTree, NodeId, Tags};
use outflank::notation::{self, ReadErrorCode, ggf, link, pgn, sgf, transcript};

use crate::random::Random;

const SIGNS: [&str; 18] =
    ["[", "]", "(", ")", "{", "}", "\\", "\\]", "\n", "~", "%", "\"", ";", "f5", "黒の好手", "é", "🟢", " "];

fn text(random: &mut Random) -> String {
    let signs = (0..random.below(12)).map(|_| random.pick(&SIGNS)).collect::<String>();
    // No notation keeps blanks at the ends.
    signs.trim().to_owned()
}

/// A game with variations of up to `nodes` positions, comments and tags.
fn game(random: &mut Random, nodes: usize) -> Game {
    let mut start = Position::START;
    for _ in 0..random.below(2) * random.below(50) {
        let moves = start.moves().into_iter().collect::<Vec<_>>();
        start = if moves.is_empty() {
            start
        } else {
            start.play(Move::Place(random.pick(&moves))).expect("a legal move")
        };
        start = start.after_forced_pass();
    }
    let mut tree = GameTree::new(start);
    let mut at = NodeId::ROOT;
    for _ in 0..nodes {
        at = if random.below(4) == 0 { node(random, &tree) } else { at };
        let moves = tree.position(at).moves().into_iter().collect::<Vec<_>>();
        if !moves.is_empty() {
            at = tree.play(at, Move::Place(random.pick(&moves))).expect("a legal move");
        }
        if random.below(4) == 0 {
            let comment = Some(text(random)).filter(|text| !text.is_empty());
            *tree.comments_mut(at) = comment.into_iter().collect();
        }
    }
    let mut tags =
        Tags { date: Some("2024-05-06".to_owned()), place: Some("Ōsaka".to_owned()), ..Tags::default() };
    tags.black.name = Some("Ann [1] \\ (x)".to_owned());
    tree.game(tags)
}

fn node(random: &mut Random, tree: &GameTree) -> NodeId {
    tree.node(random.below(tree.len())).expect("a number below the length")
}

#[test]
fn variations_pass_through_every_notation() {
    let (mut nodes, mut branching) = (0, 0);
    for seed in 1..=200 {
        let mut random = Random::new(seed);
        let count = random.below(120);
        let game = game(&mut random, count);
        nodes += game.tree().len();
        branching += usize::from(game.variations().is_some());
        let text = sgf::write(&game);
        let read = sgf::games(&text).map(|(.., game)| game).collect::<Vec<_>>();
        assert_eq!(read, [Ok(game.clone())], "seed {seed}: {text}");
        let text = pgn::write(&game);
        let read = pgn::games(&text).map(|(.., game)| game).collect::<Vec<_>>();
        assert_eq!(read, [Ok(game.clone())], "seed {seed}: {text}");
        assert!(text.lines().all(|line| line.starts_with('[') || line.chars().count() < 80), "{text}");
        let tree = game.tree();
        let cursor = node(&mut random, &tree);
        let text = link::write(&tree, Some(cursor));
        let (read, found) = link::read(&text).unwrap();
        assert_eq!(read.game(game.tags.clone()), game, "seed {seed}: {text}");
        let path =
            |tree: &GameTree, node| link::write(tree, Some(node)).rsplit_once('@').map(|(_, p)| p.to_owned());
        assert_eq!(path(&read, found), path(&tree, cursor), "seed {seed}: {text}");
        // GGF has no `]` and no line end in a comment.
        let mut plain = tree.clone();
        tree.main_line().iter().for_each(|&node| plain.comments_mut(node).clear());
        let text = ggf::write_all(&plain.game(Tags::default()));
        let read = ggf::read(&text).unwrap().tree();
        assert_eq!(read.game(Tags::default()), plain.game(Tags::default()), "seed {seed}: {text}");
    }
    assert!(nodes > 8000 && branching > 120, "{nodes} nodes, {branching} trees with variations");
}

#[test]
fn deep_and_long_variations_are_read() {
    let [open, close] = ["(", ")"].map(|bracket| bracket.repeat(50_000));
    for (text, expected) in [
        (format!("(;GM[2];B[f5](;W[d6];B[c3]){open};W[f4]{close})"), "f5d6(f4)c3"),
        (format!("[Event \"?\"]\n\nf5 d6 {open}f4{close} c3 *"), "f5d6(f4)c3"),
        (format!("(;GM[2];B[f5](;W[d6];B[c3]){open};W[f4])"), ""),
        (format!("[Event \"?\"]\n\nf5 d6 c3 {open}c4"), "f5d6c3(c4)"),
    ] {
        let mut read = None;
        let errors = notation::read_each(&text, usize::MAX, &mut |game| read = Some(game)).unwrap();
        let link = link::write(&read.unwrap().tree(), None);
        assert_eq!(link, if expected.is_empty() { "f5d6(f4)c3" } else { expected });
        assert_eq!(errors.count, usize::from(expected.is_empty()));
    }
    assert_eq!(link::read(&open).unwrap_err().code, ReadErrorCode::LinkText);
    assert_eq!(link::read(&"f5(d6".repeat(20_000)).unwrap_err().code, ReadErrorCode::Illegal);
    let long = transcript::read("f5d6c3d3c4").unwrap().tree();
    assert_eq!(long.game(Tags::default()).variations(), None);
}
