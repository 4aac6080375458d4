//! Packed books: small files that a program contains and a page loads.
//!
//! ```text
//!  0  8  OUTFLBK1
//!  8  4  number of positions, little-endian as all numbers
//! 12  8  checksum of what follows
//! 20     the positions, through the coder
//! ```
//!
//! The file contains no boards. Positions follow from the start: in the order of their discs, then of their keys, each position
//! states which of its moves lead to positions of the book. Values are rounded to tenths of a disc. A value is coded as its
//! distance from the bound that the values of the positions before it set, so the value of a best move takes almost no space.
//! Rounding is monotone and odd: backed-up values are those of the whole book, rounded.
//!
//! A book that must be smaller loses the positions that are farthest from best play. A position from which moves were removed
//! has the value of the best of them as its own value.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::hash::BuildHasherDefault;

use super::book::MemoryStore;
use super::changes::{Changes, Nodes};
use super::entry::{BackedUpValue, Entry, Key, KeyHasher, OwnValue, rounded};
use crate::board::{Bitboard, Position, Square};
use crate::coder::{Coder, Decoder, Encoder, checksum};
use crate::score::Score;

const MARK: [u8; 8] = *b"OUTFLBK1";
const HEAD_LENGTH: usize = 20;
/// Centidiscs of a step of the values.
const STEP: i32 = 10;
/// The highest value in steps.
const MAX_STEPS: i32 = 6400 / STEP;
/// Most positions of a file. This bounds the memory of a reader.
const MAX_POSITIONS: usize = 1 << 21;
/// Most positions per byte. A file with more is damaged.
const MAX_PER_BYTE: usize = 8;
/// Price of a ply in centidiscs when the least valuable positions are found.
const PLY: i32 = 10;

// The first context of each field. Positions in a stage of the game share contexts.
const STAGES: usize = 4;
/// Classes of the loss of the move to a position.
const LOSSES: usize = 6;
const VALUE: usize = 0;
const FREE_VALUE: usize = VALUE + STAGES;
const INNER: usize = FREE_VALUE + 1;
const CHILD: usize = INNER + LOSSES * STAGES;
const BEHIND: usize = CHILD + 4 * STAGES;
/// Fields of the own value, for leaves, then for inner positions.
const KIND: usize = BEHIND + 2 * STAGES;
const OWN: usize = KIND + 2 * STAGES;
const BEST: usize = OWN + 2;
const DEPTH: usize = BEST + 2 * STAGES;
const CONTEXTS: usize = DEPTH + 2;

/// Error: the bytes are not a valid packed book.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PackedError {
    /// The bytes do not start with the mark of a packed book.
    Mark,
    /// The number of positions is not possible for the length of the file.
    Count(usize),
    /// The checksum does not match: the file is damaged.
    Checksum,
    /// The file does not contain the number of positions that its header states.
    Positions {
        /// The number in the header.
        stated: usize,
        /// The number of positions found before the error.
        found: usize,
    },
}

impl fmt::Display for PackedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PackedError::Mark => f.write_str("mark: not a packed book"),
            PackedError::Count(count) => {
                write!(f, "number of positions: {count} are too many for the length of the file")
            }
            PackedError::Checksum => f.write_str("checksum: the packed book is damaged"),
            PackedError::Positions { stated, found } => {
                write!(f, "positions: {found} found, but the header states {stated}")
            }
        }
    }
}

impl std::error::Error for PackedError {}

/// A position of the file.
#[derive(Clone, Copy, Debug, Default)]
struct Record {
    own: Option<OwnValue>,
    /// The backed-up value in steps.
    value: i32,
    /// The moves that lead to positions of the file.
    children: Bitboard,
    /// Number of positions of the whole book that it leads to, itself included.
    behind: u32,
}

/// Returns `true` if `bytes` start like a packed book.
pub fn is_packed(bytes: &[u8]) -> bool {
    bytes.starts_with(&MARK)
}

impl MemoryStore {
    /// Reads a packed book. The number of games of a position is the number of positions of the whole book that it leads to,
    /// itself included.
    ///
    /// # Errors
    /// The invalid field.
    pub fn unpack(bytes: &[u8]) -> Result<MemoryStore, PackedError> {
        let (head, body) = bytes.split_at_checked(HEAD_LENGTH).ok_or(PackedError::Mark)?;
        if !is_packed(head) {
            return Err(PackedError::Mark);
        }
        let number =
            |at: usize| u64::from(u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]));
        let stated = number(8) as usize;
        if stated > MAX_POSITIONS.min(MAX_PER_BYTE * body.len()) {
            return Err(PackedError::Count(stated));
        }
        if checksum(body) != number(12) | number(16) << 32 {
            return Err(PackedError::Checksum);
        }
        let mut changes = Changes::new(MemoryStore::default());
        let mut inner = Vec::new();
        let mut decoder = Decoder::new(body, CONTEXTS);
        let take = |key: &Key, Record { own, children, behind: games, .. }: Record| {
            if !children.is_empty() {
                inner.push((*key, children));
            }
            let value = own.map(OwnValue::backed_up);
            let Ok(()) = changes.nodes.put(key, &Entry { own, value, games });
        };
        code(&mut decoder, stated, |_| Record::default(), take)?;
        // Children come before parents.
        for (key, children) in inner.iter().rev() {
            let Ok(_) = changes.back_up_from(key, key.children_by(*children));
        }
        Ok(changes.nodes)
    }
}

/// Codes `count` positions, which are passed to `take`. An encoder gets them from `known`.
fn code(
    coder: &mut impl Coder,
    count: usize,
    known: impl Fn(&Key) -> Record,
    mut take: impl FnMut(&Key, Record),
) -> Result<(), PackedError> {
    let mut found = 0;
    // The next positions, with the lowest values that the positions before them allow.
    let mut layer = BTreeMap::from([(start(), None)]);
    while !layer.is_empty() {
        let mut next: BTreeMap<Key, Option<i32>> = BTreeMap::new();
        found += layer.len();
        for (key, bound) in layer {
            let record = code_position(coder, &key, bound, known(&key));
            for child in key.children_by(record.children) {
                let bound = (!child.same_side).then_some(-record.value);
                let known = next.entry(child.key).or_default();
                *known = (*known).max(bound);
                if found + next.len() > count {
                    return Err(PackedError::Positions { stated: count, found: found + next.len() });
                }
            }
            take(&key, record);
        }
        layer = next;
    }
    if found == count { Ok(()) } else { Err(PackedError::Positions { stated: count, found }) }
}

fn code_position(coder: &mut impl Coder, key: &Key, bound: Option<i32>, mut record: Record) -> Record {
    let board = key.board();
    if board.is_over() {
        let own = OwnValue::of_end(board);
        return Record {
            own: Some(own),
            value: steps(own.score.centidiscs()),
            behind: 1,
            ..Record::default()
        };
    }
    let discs = usize::from(key.discs());
    let stage = (discs / 8).min(STAGES - 1);
    let value = match bound {
        Some(bound) => {
            let over = coder.unsigned(VALUE + stage, (record.value - bound).max(0) as u32);
            bound + over.min(2 * MAX_STEPS as u32) as i32
        }
        None => coder.number(FREE_VALUE, record.value),
    };
    record.value = value.clamp(-MAX_STEPS, MAX_STEPS);
    let loss = (bound.map_or(0, |bound| record.value - bound) / 6).clamp(0, LOSSES as i32 - 1) as usize;
    let is_inner = coder.number(INNER + LOSSES * stage + loss, i32::from(!record.children.is_empty())) != 0;
    let mut children = Bitboard::default();
    if is_inner {
        for square in board.moves() {
            let context = CHILD + 4 * stage + children.count().min(3) as usize;
            if coder.number(context, i32::from(record.children.contains(square))) != 0 {
                children |= Bitboard::of(square);
            }
        }
    }
    record.children = children;
    let kind = 2 * stage + usize::from(is_inner);
    record.behind = coder.unsigned(BEHIND + kind, record.behind.max(1) - 1).saturating_add(1);
    record.own = match coder.number(KIND + kind, record.own.map_or(0, |own| 1 + i32::from(own.exact))) {
        0 => None,
        known => Some(code_own(coder, &record, kind, known > 1)),
    };
    record
}

/// Codes the own value of a position. `kind` is the stage, and `1` for inner positions.
fn code_own(coder: &mut impl Coder, record: &Record, kind: usize, exact: bool) -> OwnValue {
    let old =
        record.own.unwrap_or(OwnValue { score: Score::from_centidiscs(0), exact, best: None, depth: 0 });
    let under = coder.number(OWN + kind % 2, record.value - steps(old.score.centidiscs()));
    let own = record.value.saturating_sub(under).clamp(-MAX_STEPS, MAX_STEPS);
    let best = coder.unsigned(BEST + kind, old.best.map_or(0, |best| 1 + best.index() as u32));
    let depth = coder.unsigned(DEPTH + kind % 2, old.depth.into()).min(60) as u8;
    let score = Score::from_centidiscs(STEP * own);
    OwnValue {
        score,
        exact,
        best: best.checked_sub(1).and_then(|best| Square::new(best.min(64) as u8)),
        depth,
    }
}

fn start() -> Key {
    Key::of(Position::START.board()).0
}

/// Returns a value in steps.
fn steps(centidiscs: i32) -> i32 {
    rounded(centidiscs, STEP)
}

/// A book in memory, sorted by keys: positions come before those that they lead to.
struct Graph {
    nodes: Vec<Node>,
    indices: HashMap<Key, usize, BuildHasherDefault<KeyHasher>>,
}

struct Node {
    key: Key,
    own: Option<OwnValue>,
    value: BackedUpValue,
    children: Vec<Link>,
    /// Loss of both sides on the best line to the position, and the price of its plies.
    cost: i32,
    /// Depth of the search that its value comes from, from this position on.
    depth: u8,
    behind: u32,
}

#[derive(Clone, Copy)]
struct Link {
    mv: Square,
    to: usize,
    same_side: bool,
}

/// Returns the packed form of the book with the start, in at most `limit` bytes: positions with values that follow from the
/// start. `None` if the start has no value, or if no position fits. The number of positions is limited as well.
///
/// # Errors
/// Those of `look_up`.
pub fn pack<E>(
    look_up: impl FnMut(&Key) -> Result<Option<Entry>, E>,
    limit: usize,
) -> Result<Option<Vec<u8>>, E> {
    let graph = Graph::collect(look_up)?;
    let mut order: Vec<usize> = (0..graph.nodes.len()).collect();
    order.sort_by_key(|&node| (graph.nodes[node].cost, node));
    let try_first = |count: usize| {
        let bytes = graph.write(&order[..count]);
        (bytes.len() <= limit && count <= MAX_PER_BYTE * (bytes.len() - HEAD_LENGTH)).then_some(bytes)
    };
    let all = order.len().min(MAX_POSITIONS);
    if all == 0 {
        return Ok(None);
    }
    if let Some(bytes) = try_first(all) {
        return Ok(Some(bytes));
    }
    // The largest number that fits, by bisection.
    let (mut best, mut fits, mut exceeds) = (None, 0, all);
    while exceeds - fits > 1 {
        let count = fits.midpoint(exceeds);
        match try_first(count) {
            Some(bytes) => (best, fits) = (Some(bytes), count),
            None => exceeds = count,
        }
    }
    Ok(best)
}

impl Graph {
    fn collect<E>(mut look_up: impl FnMut(&Key) -> Result<Option<Entry>, E>) -> Result<Graph, E> {
        let mut graph = Graph { nodes: Vec::new(), indices: HashMap::default() };
        let mut add = |graph: &mut Graph, keys: Vec<Key>| {
            for key in keys {
                if let Some(Entry { own, value: Some(value), .. }) = look_up(&key)? {
                    graph.indices.insert(key, graph.nodes.len());
                    let (children, cost) = (Vec::new(), i32::MAX);
                    graph.nodes.push(Node { key, own, value, children, cost, depth: 0, behind: 0 });
                }
            }
            Ok(())
        };
        add(&mut graph, vec![start()])?;
        // The positions after those of one number of discs have one disc more.
        let mut first = 0;
        while first < graph.nodes.len() {
            let layer = first..graph.nodes.len();
            first = layer.end;
            let mut next: Vec<Key> = graph.nodes[layer.clone()]
                .iter()
                .flat_map(|node| node.key.children())
                .map(|child| child.key)
                .collect();
            next.sort_unstable();
            next.dedup();
            add(&mut graph, next)?;
            for node in layer {
                let link = |child: super::Child| {
                    let to = *graph.indices.get(&child.key)?;
                    Some(Link { mv: child.mv, to, same_side: child.same_side })
                };
                let links = graph.nodes[node].key.children().filter_map(link).collect();
                graph.nodes[node].children = links;
            }
        }
        graph.evaluate();
        Ok(graph)
    }

    /// Finds the costs, the depths and the numbers of positions behind each position.
    fn evaluate(&mut self) {
        for node in 0..self.nodes.len() {
            let cost = if node == 0 { 0 } else { self.nodes[node].cost };
            self.nodes[node].cost = cost;
            for at in 0..self.nodes[node].children.len() {
                let link = self.nodes[node].children[at];
                let loss = (self.nodes[node].value.centidiscs() - self.after(link)).max(0);
                let next = &mut self.nodes[link.to].cost;
                *next = (*next).min(cost + loss + PLY);
            }
        }
        let (mut seen, mut open) = (vec![usize::MAX; self.nodes.len()], Vec::new());
        for node in (0..self.nodes.len()).rev() {
            self.nodes[node].depth = self.best(node, |_| true).map_or(0, |own| own.depth);
            open.push(node);
            while let Some(at) = open.pop() {
                if std::mem::replace(&mut seen[at], node) != node {
                    self.nodes[node].behind += 1;
                    open.extend(self.nodes[at].children.iter().map(|link| link.to));
                }
            }
        }
    }

    /// Returns the value of a move, for the side that plays it.
    fn after(&self, link: Link) -> i32 {
        let value = self.nodes[link.to].value.centidiscs();
        if link.same_side { value } else { -value }
    }

    /// Returns the best of the own value of a position and of those of some of its moves.
    fn best(&self, node: usize, is_included: impl Fn(&Link) -> bool) -> Option<OwnValue> {
        let Node { key, own, ref children, .. } = self.nodes[node];
        // If all moves have values, the own value does not count.
        let complete = children.len() == key.board().moves().count() as usize;
        let mut best = own.filter(|own| own.exact || !complete);
        for &link in children.iter().filter(|link| is_included(link)) {
            let score = Score::from_centidiscs(self.after(link));
            if best.is_none_or(|best| !best.exact && score > best.score) {
                let depth = (1 + self.nodes[link.to].depth).min(60);
                best = Some(OwnValue { score, exact: false, best: Some(link.mv), depth });
            }
        }
        best
    }

    /// Returns the file with these positions.
    fn write(&self, kept: &[usize]) -> Vec<u8> {
        let mut is_kept = vec![false; self.nodes.len()];
        for &node in kept {
            is_kept[node] = true;
        }
        let record = |key: &Key| {
            let node = self.indices[key];
            let Node { value, behind, ref children, .. } = self.nodes[node];
            let (inner, removed): (Vec<&Link>, Vec<&Link>) =
                children.iter().partition(|link| is_kept[link.to]);
            let mut own = self.best(node, |link| !is_kept[link.to]);
            if value.proven && !removed.is_empty() {
                let score = Score::from_centidiscs(value.centidiscs());
                own = self.best(node, |_| true).map(|best| OwnValue { score, exact: true, ..best });
            }
            let children = inner.iter().map(|link| link.mv).collect();
            Record { own, value: steps(value.centidiscs()), children, behind }
        };
        let mut encoder = Encoder::new(CONTEXTS);
        // The positions are as many as stated.
        let _ = code(&mut encoder, kept.len(), record, |_, _| ());
        let body = encoder.finish();
        let mut bytes = MARK.to_vec();
        bytes.extend((kept.len() as u32).to_le_bytes());
        bytes.extend(checksum(&body).to_le_bytes());
        bytes.extend(body);
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::BookStore;
    use crate::notation::transcript;
    use crate::random::Random;
    use crate::samples::random_game;

    /// Returns a book of random lines with values, and of some finished games.
    fn random_book(random: &mut Random, lines: u32) -> MemoryStore {
        let mut text = String::new();
        for line in 0..lines {
            let plies = if line % 10 == 9 { usize::MAX } else { 1 + random.below(14) as usize };
            let game = random_game(random, plies, 2);
            text += &transcript::write(&game);
            let tenths = random.below(200) as i32 - 100;
            text += &match random.below(5) {
                _ if game.is_over() => String::new(),
                0 => format!(" {:+}", tenths / 20),
                _ => format!(" {:+.2}", f64::from(tenths) / 10.0 + 0.04),
            };
            text.push('\n');
        }
        MemoryStore::read(&text).unwrap()
    }

    fn packed(book: &MemoryStore, limit: usize) -> Vec<u8> {
        let Ok(bytes) = pack(|key| Ok::<_, ()>(book.look_up(key)), limit) else { panic!() };
        bytes.unwrap()
    }

    /// The rounded value of a position.
    fn value(entry: &Entry) -> Option<i32> {
        entry.value.map(|value| steps(value.centidiscs()))
    }

    #[test]
    fn values_are_those_of_the_book() {
        let mut random = Random::new(5);
        let mut removed = 0;
        for lines in 1..60 {
            let book = random_book(&mut random, lines);
            let bytes = packed(&book, usize::MAX);
            assert_eq!(bytes, packed(&book, usize::MAX));
            let read = MemoryStore::unpack(&bytes).unwrap();
            let reached = read.entries().count();
            let valued = book.entries().filter(|(_, entry)| entry.value.is_some()).count();
            assert!(reached <= valued);
            assert_eq!(read.look_up(&start()).unwrap().games as usize, reached);
            for (key, entry) in read.entries() {
                let whole = book.look_up(&key).unwrap();
                assert_eq!(value(&entry), value(&whole), "{}", whole.line(&key));
                let complete = key.children().all(|child| read.look_up(&child.key).is_some());
                let own = |entry: &Entry| {
                    let own = entry.own.filter(|own| own.exact || !complete);
                    own.map(|own| {
                        let depth = if key.board().is_over() { 0 } else { own.depth };
                        (steps(own.score.centidiscs()), own.exact, own.best, depth)
                    })
                };
                assert_eq!(own(&entry), own(&whole));
                let proven = |entry: &Entry| entry.value.is_some_and(|value| value.proven);
                assert_eq!(proven(&entry), proven(&whole));
            }
            // A packed book is packed as itself.
            assert_eq!(packed(&read, usize::MAX), bytes);
            // A smaller file has the same values.
            let limit = bytes.len() * 2 / 3;
            let Ok(Some(bytes)) = pack(|key| Ok::<_, ()>(book.look_up(key)), limit) else { continue };
            assert!(bytes.len() <= limit);
            let small = MemoryStore::unpack(&bytes).unwrap();
            for (key, entry) in small.entries() {
                let whole = read.look_up(&key).unwrap();
                assert_eq!(
                    (value(&entry), entry.games),
                    (value(&whole), whole.games),
                    "{}",
                    whole.line(&key)
                );
            }
            removed += reached - small.len();
        }
        assert!(removed > 1000, "{removed}");
    }

    #[test]
    fn damaged_files_give_errors_that_name_the_field() {
        let bytes = packed(&random_book(&mut Random::new(1), 30), usize::MAX);
        let error = |bytes: &[u8]| MemoryStore::unpack(bytes).unwrap_err();
        for length in 0..bytes.len() {
            error(&bytes[..length]);
        }
        for at in 0..bytes.len() {
            for bit in 0..8 {
                let mut bytes = bytes.clone();
                bytes[at] ^= 1 << bit;
                let error = error(&bytes);
                let expected = match at {
                    0..8 => error == PackedError::Mark,
                    8..12 => matches!(error, PackedError::Count(_) | PackedError::Positions { .. }),
                    _ => error == PackedError::Checksum,
                };
                assert!(expected, "byte {at}: {error}");
            }
        }
        for foreign in [&b"f5d6 +2.50\n"[..], b"XADEKOOB", b"OUTFLANK", b"", &[0; 4096]] {
            assert_eq!(error(foreign), PackedError::Mark);
        }
        // With a valid checksum, any content is read or refused.
        let mut random = Random::new(8);
        let (mut read, mut refused) = (0, 0);
        for _ in 0..3000 {
            let mut bytes = bytes.clone();
            for _ in 0..1 + random.below(8) {
                let at = HEAD_LENGTH + random.below((bytes.len() - HEAD_LENGTH) as u32) as usize;
                bytes[at] = random.bits() as u8;
            }
            bytes.truncate(HEAD_LENGTH + random.below(bytes.len() as u32) as usize);
            let sum = checksum(&bytes[HEAD_LENGTH..]).to_le_bytes();
            bytes[12..HEAD_LENGTH].copy_from_slice(&sum);
            let count = random.below(8 * bytes.len() as u32);
            bytes[8..12].copy_from_slice(&count.to_le_bytes());
            match MemoryStore::unpack(&bytes) {
                Ok(book) => read += usize::from(book.len() == count as usize),
                Err(PackedError::Positions { stated, found }) => {
                    assert!(stated == count as usize && found <= stated + 32, "{stated} {found}");
                    refused += 1;
                }
                Err(error) => assert_eq!(error, PackedError::Count(count as usize)),
            }
        }
        assert!(refused > 1000, "{read} {refused}");
    }
}
