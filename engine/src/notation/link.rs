//! Links of the page: a game tree as the fragment of an address, `[position:]moves[@cursor]`.
//!
//! Moves are written as in a transcript. Variations follow the move they replace in brackets, a comment follows its move between
//! tildes: `f5d6(f4~too early~)c3@2`. The cursor is a list of numbers joined by dots: moves along first children, the index of a
//! child, moves, and so on. Without a cursor a link opens at the end. A plain transcript is also a link.

use std::fmt::Write as _;

use super::ReadErrorCode::{LinkComment, LinkCursor, LinkOpen, LinkPosition, LinkText, TooLong};
use super::branches::Branches;
use super::{ReadError, moves, squares};
use crate::board::{Move, Position, Square};
use crate::game::{Game, GameTree, RecordedMove};

/// The most bytes of a link. A character of a Japanese comment takes nine.
pub const MAX_BYTES: usize = 16_000_000;

/// Writes a tree, with the cursor at a node. A tree without moves and comments from the usual start is empty.
pub fn write(tree: &GameTree, cursor: Option<usize>) -> String {
    let mut link = String::new();
    if tree.position(0) != Position::START {
        link = squares::write(&tree.position(0)).replace(' ', "") + ":";
    }
    write_comment(tree, 0, &mut link);
    write_line(tree, 0, &mut link);
    if let Some(node) = cursor.filter(|_| !link.is_empty()) {
        link.push('@');
        write_path(tree, node, &mut link);
    }
    link
}

/// Writes the moves after a node. No line is longer than a game.
fn write_line(tree: &GameTree, mut node: usize, link: &mut String) {
    while let Some(&first) = tree.children(node).first() {
        write_node(tree, first, link);
        write_others(tree, node, link);
        node = first;
    }
}

fn write_node(tree: &GameTree, node: usize, link: &mut String) {
    let square = tree.played(node).and_then(|played| played.mv.square());
    square.iter().for_each(|square| _ = write!(link, "{square}"));
    write_comment(tree, node, link);
}

/// Writes the variations after a node: all children but the first.
fn write_others(tree: &GameTree, node: usize, link: &mut String) {
    for &other in tree.children(node).iter().skip(1) {
        link.push('(');
        write_node(tree, other, link);
        write_line(tree, other, link);
        link.push(')');
    }
}

fn write_comment(tree: &GameTree, node: usize, link: &mut String) {
    if tree.comments(node).iter().all(String::is_empty) {
        return;
    }
    link.push('~');
    for byte in tree.comments(node).join("\n").bytes() {
        match byte {
            b' ' => link.push('+'),
            b'-' | b'_' | b'.' => link.push(char::from(byte)),
            _ if byte.is_ascii_alphanumeric() => link.push(char::from(byte)),
            _ => _ = write!(link, "%{byte:02X}"),
        }
    }
    link.push('~');
}

fn write_path(tree: &GameTree, node: usize, link: &mut String) {
    let mut path = vec![node];
    path.extend(std::iter::successors(tree.parent(node), |&node| tree.parent(node)));
    let mut run = 0;
    for pair in path.iter().rev().collect::<Vec<_>>().windows(2) {
        match tree.children(*pair[0]).iter().position(|child| child == pair[1]) {
            Some(0) | None => run += 1,
            Some(index) => {
                _ = write!(link, "{run}.{index}.");
                run = 0;
            }
        }
    }
    _ = write!(link, "{run}");
}

/// Reads a link: the tree and the node of the cursor.
pub fn read(link: &str) -> Result<(GameTree, usize), ReadError> {
    let link = link.strip_prefix('#').unwrap_or(link);
    if link.len() > MAX_BYTES {
        return Err(ReadError::new(TooLong, format!("the link has more than {MAX_BYTES} bytes")));
    }
    let (body, path) = link.rsplit_once('@').map_or((link, None), |(body, path)| (body, Some(path)));
    let (start, text) = match body.split_once(':') {
        Some((start, text)) => {
            let read = squares::read(&start.to_ascii_uppercase()).ok().filter(|_| start.len() == 65);
            let invalid = |text: &str| format!("`{text}` is not a position of 64 squares and a side");
            (read.ok_or_else(|| ReadError::quoting(LinkPosition, start, invalid))?, text)
        }
        None => (Position::START, body),
    };
    let mut branches = Branches::new(text, GameTree::new(start));
    play(&mut branches, text)?;
    let tree = branches.tree;
    let invalid = |path| ReadError::quoting(LinkCursor, path, |path| format!("there is no node `{path}`"));
    let cursor = match path {
        Some(path) => node_at(&tree, path).ok_or_else(|| invalid(path))?,
        None => tree.main_line().last().copied().unwrap_or(0),
    };
    Ok((tree, cursor))
}

/// The node at the end of a path.
fn node_at(tree: &GameTree, path: &str) -> Option<usize> {
    let mut node = 0;
    for (index, number) in path.split('.').enumerate() {
        let digits = matches!(number.len(), 1..=3) && number.bytes().all(|byte| byte.is_ascii_digit());
        let number: usize = number.parse().ok().filter(|_| digits)?;
        let (steps, child) = if index % 2 == 0 { (number, 0) } else { (1, number) };
        for _ in 0..steps {
            node = *tree.children(node).get(child)?;
        }
    }
    Some(node)
}

/// Plays moves with their variations and comments.
fn play(branches: &mut Branches<'_>, text: &str) -> Result<(), ReadError> {
    let fault = |code, at: usize| {
        let number = text[..at].encode_utf16().count() + 1;
        ReadError::quoting(code, &text[at..], |text| format!("character {number}: `{text}`")).at_move(number)
    };
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let square = rest.get(..2).and_then(|square| square.parse::<Square>().ok());
        let mut length = first.len_utf8();
        match (first, square) {
            (_, Some(square)) => {
                branches.play(RecordedMove::from(Move::Place(square)))?;
                length = 2;
            }
            ('~', _) => {
                let comment = rest[1..].split('~').next().unwrap_or_default();
                length = comment.len() + 2;
                if length > rest.len() {
                    return Err(fault(LinkText, at));
                }
                let invalid = |text: &str| format!("the comment `{text}` is not UTF-8 in percent signs");
                let decoded =
                    decode(comment).ok_or_else(|| ReadError::quoting(LinkComment, comment, invalid))?;
                *branches.tree.comments_mut(branches.at) =
                    Some(decoded).filter(|text| !text.is_empty()).into_iter().collect();
            }
            ('(', _) => {
                let parent = branches.tree.parent(branches.at).ok_or_else(|| fault(LinkText, at))?;
                branches.open(parent);
            }
            (')', _) if branches.depth() > 0 => branches.close(at),
            ('-' | '_' | '.' | ',' | ';', _) => {}
            (blank, _) if blank.is_whitespace() => {}
            _ => return Err(fault(LinkText, at)),
        }
        at += length;
    }
    if branches.depth() > 0 {
        return Err(ReadError::new(LinkOpen, "a variation does not end with `)`"));
    }
    Ok(())
}

/// A comment without `+` for spaces and `%` before bytes.
fn decode(text: &str) -> Option<String> {
    let mut parts = text.split('%');
    let mut bytes = parts.next()?.replace('+', " ").into_bytes();
    for part in parts {
        let (code, rest) = part.split_at_checked(2)?;
        bytes.push(u8::from_str_radix(code, 16).ok().filter(|_| !code.starts_with('+'))?);
        bytes.extend(rest.replace('+', " ").bytes());
    }
    String::from_utf8(bytes).ok()
}

/// The comments of a notation that holds one line: each with the number of discs before it. Variations are written as in a link.
pub(super) fn comments(game: &Game) -> Vec<(usize, String)> {
    let Some(tree) = game.variations() else { return game.tags.comments.clone() };
    let mut comments = game.tags.comments.clone();
    for (discs, &node) in
        tree.main_line().iter().enumerate().filter(|(_, node)| tree.children(**node).len() > 1)
    {
        let mut others = String::new();
        write_others(tree, node, &mut others);
        comments.push((discs, others));
    }
    comments.sort_by_key(|(discs, _)| *discs);
    comments
}

/// The game with the variations of its [`comments`].
pub(super) fn with_variations(game: Game) -> Game {
    let begins = |text: &str| {
        text.strip_prefix('(').is_some_and(|rest| moves::parse(rest.get(..2).unwrap_or_default()).is_some())
    };
    if !game.tags.comments.iter().any(|(_, text)| begins(text)) {
        return game;
    }
    let mut tree = game.tree();
    let line = tree.main_line();
    for pair in line.windows(2) {
        for text in std::mem::take(tree.comments_mut(pair[0])) {
            let nodes = tree.len();
            let mut branches = Branches::new(&text, tree);
            branches.at = pair[1];
            let read = begins(&text) && play(&mut branches, &text).is_ok();
            tree = branches.tree;
            if !read {
                tree.truncate(nodes);
                tree.comments_mut(pair[0]).push(text);
            }
        }
    }
    tree.game(game.tags)
}
