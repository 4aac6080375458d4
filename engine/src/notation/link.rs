//! Links of the page: a game tree as the fragment of an address, `[position:]moves[@cursor]`.
//!
//! Moves are written as in a transcript. Variations follow the move they replace in brackets, a comment follows its move between
//! tildes: `f5d6(f4~too early~)c3@2`. The cursor is a list of numbers joined by dots: moves along first children, the index of a
//! child, moves, and so on. Without a cursor a link opens at the end. A plain transcript is also a link.

use std::fmt::Write as _;

use super::ReadErrorCode::{LinkComment, LinkCursor, LinkOpen, LinkPosition, LinkText, TooLong};
use super::branches::Branches;
use super::{ReadError, moves, squares, words};
use crate::board::Position;
use crate::game::{Game, GameTree, NodeId, RecordedMove};

/// The most bytes of a link. A character of a Japanese comment takes nine.
pub const MAX_BYTES: usize = 16_000_000;

/// Writes a tree, with the cursor at a node. A tree without moves and comments from the usual start is empty.
pub fn write(tree: &GameTree, cursor: Option<NodeId>) -> String {
    let mut link = String::new();
    if tree.position(NodeId::ROOT) != Position::START {
        link = squares::write(&tree.position(NodeId::ROOT)).replace(' ', "") + ":";
    }
    write_comment(tree, NodeId::ROOT, &mut link);
    write_line(tree, NodeId::ROOT, Values::Omitted, &mut link);
    if let Some(node) = cursor.filter(|_| !link.is_empty()) {
        link.push('@');
        write_path(tree, node, &mut link);
    }
    link
}

/// The values and times of moves.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Values {
    Omitted,
    Written,
}

/// Writes a variation with the values and times of its moves, `f4/-3.00/5;e3)`, without its opening bracket.
pub(super) fn variation(tree: &GameTree, node: NodeId) -> String {
    let mut text = String::new();
    write_node(tree, node, Values::Written, &mut text);
    write_line(tree, node, Values::Written, &mut text);
    text.push(')');
    text
}

/// Writes the moves after a node, each variation after the move that it replaces. No line is longer than a game.
fn write_line(tree: &GameTree, mut node: NodeId, values: Values, link: &mut String) {
    while let [first, others @ ..] = tree.children(node) {
        write_node(tree, *first, values, link);
        for &other in others {
            link.push('(');
            write_node(tree, other, values, link);
            write_line(tree, other, values, link);
            link.push(')');
        }
        node = *first;
    }
}

fn write_node(tree: &GameTree, node: NodeId, values: Values, link: &mut String) {
    let is_valued = |played: &RecordedMove| played.eval.is_some() || played.time.is_some();
    // Passes before moves are omitted unless they have values.
    let pass = tree.pass(node).filter(|pass| is_valued(pass) || tree.children(node).is_empty());
    for played in tree.played(node).into_iter().chain(pass.filter(|_| values == Values::Written)) {
        if values == Values::Written && is_valued(&played) {
            _ = write!(link, "{};", moves::write_played(&played).to_ascii_lowercase());
        } else {
            _ = write!(link, "{}", played.mv.square().map_or("pa".to_owned(), |square| square.to_string()));
        }
    }
    write_comment(tree, node, link);
}

fn write_comment(tree: &GameTree, node: NodeId, link: &mut String) {
    for text in tree.comments(node).iter().filter(|text| !text.is_empty()) {
        link.push('~');
        for byte in text.bytes() {
            match byte {
                b' ' => link.push('+'),
                b'-' | b'_' | b'.' => link.push(char::from(byte)),
                _ if byte.is_ascii_alphanumeric() => link.push(char::from(byte)),
                _ => _ = write!(link, "%{byte:02X}"),
            }
        }
        link.push('~');
    }
}

fn write_path(tree: &GameTree, node: NodeId, link: &mut String) {
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
pub fn read(link: &str) -> Result<(GameTree, NodeId), ReadError> {
    let link = link.strip_prefix('#').unwrap_or(link);
    if link.len() > MAX_BYTES {
        return Err(ReadError::new(TooLong, format!("the link has more than {MAX_BYTES} bytes")));
    }
    let (body, path) = link.rsplit_once('@').map_or((link, None), |(body, path)| (body, Some(path)));
    let (start, text) = match body.split_once(':') {
        Some((start, text)) => {
            let read = squares::read(&start.to_ascii_uppercase()).ok().filter(|_| start.len() == 65);
            let invalid = "{} is not a position of 64 squares and a side";
            (read.ok_or_else(|| ReadError::quoting(LinkPosition, start, invalid))?, text)
        }
        None => (Position::START, body),
    };
    let mut branches = Branches::new(text, GameTree::new(start));
    play(&mut branches, text)?;
    let tree = branches.tree;
    let invalid = |path| ReadError::quoting(LinkCursor, path, "there is no node {}");
    let cursor = match path {
        Some(path) => node_at(&tree, path).ok_or_else(|| invalid(path))?,
        None => tree.main_line().last().copied().unwrap_or_default(),
    };
    Ok((tree, cursor))
}

/// The node at the end of a path.
fn node_at(tree: &GameTree, path: &str) -> Option<NodeId> {
    let mut node = NodeId::ROOT;
    for (index, number) in path.split('.').enumerate() {
        let is_number = number.len() < 4 && words::digits(number) == number.len();
        let number: usize = number.parse().ok().filter(|_| is_number)?;
        let (steps, child) = if index % 2 == 0 { (number, 0) } else { (1, number) };
        for _ in 0..steps {
            node = *tree.children(node).get(child)?;
        }
    }
    Some(node)
}

/// Plays moves with their variations and comments.
fn play(branches: &mut Branches<'_>, text: &str) -> Result<(), ReadError> {
    let invalid = |at: usize| {
        let number = text[..at].encode_utf16().count() + 1;
        ReadError::quoting(LinkText, &text[at..], &format!("character {number}: {{}}")).at_move(number)
    };
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let mv = rest.get(..2).and_then(moves::parse).filter(|_| first.is_ascii_alphabetic());
        let mut length = first.len_utf8();
        match (first, mv) {
            (_, Some(mv)) => {
                length = 2;
                let mut played = RecordedMove::from(mv);
                if rest[2..].starts_with('/') {
                    length = rest.find(|c| ";~()@".contains(c)).unwrap_or(rest.len());
                    played = moves::read_played(&rest[..length]).map_err(|_| invalid(at))?;
                }
                branches.play(played)?;
            }
            ('~', _) => {
                let comment = rest[1..].split('~').next().unwrap_or_default();
                length = comment.len() + 2;
                if length > rest.len() {
                    return Err(invalid(at));
                }
                let message = "the comment {} is not UTF-8 in percent signs";
                let decoded =
                    decode(comment).ok_or_else(|| ReadError::quoting(LinkComment, comment, message))?;
                if !decoded.is_empty() {
                    branches.comment(decoded)?;
                }
            }
            ('(', _) => {
                let parent = branches.tree.parent(branches.at).ok_or_else(|| invalid(at))?;
                branches.open(parent);
            }
            (')', _) if branches.depth() > 0 => branches.close(at)?,
            ('-' | '_' | '.' | ',' | ';', _) => {}
            (blank, _) if blank.is_whitespace() => {}
            _ => return Err(invalid(at)),
        }
        at += length;
    }
    if branches.depth() > 0 {
        return Err(ReadError::new(LinkOpen, "a variation does not end with `)`"));
    }
    Ok(())
}

/// A text without `+` for spaces and `%` before bytes.
pub(super) fn decode(text: &str) -> Option<String> {
    let mut parts = text.split('%');
    let mut bytes = parts.next()?.replace('+', " ").into_bytes();
    for part in parts {
        let (code, rest) = part.split_at_checked(2)?;
        bytes.push(u8::from_str_radix(code, 16).ok().filter(|_| !code.starts_with('+'))?);
        bytes.extend(rest.replace('+', " ").bytes());
    }
    String::from_utf8(bytes).ok()
}

/// The game with variations, each with the number of discs before the move that it replaces. One that cannot be read is a comment.
pub(super) fn with_variations(game: Game, variations: Vec<(usize, String)>) -> Game {
    if variations.is_empty() {
        return game;
    }
    let mut tree = game.tree();
    let line = tree.main_line();
    for (discs, text) in variations {
        let nodes = tree.len();
        let mut branches = Branches::new(&text, tree);
        branches.at = line.get(discs + 1).copied().unwrap_or_default();
        let read = play(&mut branches, &text);
        tree = branches.tree;
        if read.is_err() {
            tree.truncate(nodes);
            tree.comments_mut(line[discs.min(line.len() - 1)]).push(format!("variation {text}"));
        }
    }
    tree.game(game.tags)
}
