//! An index of several thousand games by the positions they reached.
//!
//! The games are sorted by their first position and then by their moves, square by square, so that games with the same first
//! moves are adjacent. A *node* is a range of games with the same first moves. All nodes together are the move tree of the
//! games. A node is stored as its first game and the number of moves. Its end follows from the number of positions that each
//! game shares with the previous one.
//!
//! Nodes are sorted into buckets by the hash of their canonical position. Positions are not stored. A lookup plays the games of
//! one bucket, one per node, and compares the whole position. If two positions share a hash, the lookup takes longer but is
//! correct.

use outflank::board::{Board, Position, Square, Symmetry};
use outflank::random::scatter;

use super::builder::{Game, IndexBuilder, after};

/// The most games of an index: few enough to sort them in the cache, and to store a game and a number of moves in 32 bits.
pub(super) const MAX_GAMES: usize = 8192;

/// The average number of nodes per bucket.
const BUCKET_NODES: usize = 4;

/// Bits for the number of moves of a node.
const PLY_BITS: u32 = 7;

/// The form that all eight images of a position have, and the symmetry that maps the position to it.
pub(super) fn canonical(position: Position) -> (Position, Symmetry) {
    let (board, symmetry) = position.board().canonical();
    (Position::new(board, position.side()), symmetry)
}

/// The hash by which an index sorts canonical positions. Two positions may share a hash.
fn hash(canonical: Position) -> u64 {
    let Board { player, opponent } = canonical.board();
    scatter(player.0 ^ scatter(opponent.0))
}

/// Games by the positions they reached.
#[derive(Debug, Default)]
pub(super) struct Index {
    pub(super) starts: Vec<Position>,
    squares: Vec<Square>,
    /// Sorted.
    pub(super) games: Vec<Game>,
    /// The number of first positions that each game shares with the previous one.
    shared: Vec<u8>,
    /// The start of each bucket among the nodes, and the end of the last one.
    buckets: Vec<u32>,
    nodes: Vec<u32>,
    /// The shift of a hash that gives its bucket.
    shift: u32,
}

/// Games that reached a position by the same moves.
pub(super) struct IndexNode {
    pub(super) games: std::ops::Range<usize>,
    /// Moves played so far.
    pub(super) ply: usize,
    /// Maps the position in these games to its canonical form.
    pub(super) symmetry: Symmetry,
}

impl Index {
    pub(super) fn new(builder: IndexBuilder) -> Index {
        let IndexBuilder { starts, squares, mut games } = builder;
        debug_assert!(games.len() <= MAX_GAMES);
        games.sort_by(|a, b| {
            (a.start, moves(&squares, a), a.facts.number).cmp(&(b.start, moves(&squares, b), b.facts.number))
        });
        let mut sorted = Vec::with_capacity(squares.len());
        for game in &mut games {
            let first = sorted.len() as u32;
            sorted.extend_from_slice(moves(&squares, game));
            game.first = first;
        }
        let shared = shared(&sorted, &games);
        let mut index = Index { starts, squares: sorted, games, shared, ..Index::default() };
        index.fill();
        index
    }

    /// Plays all games and sorts their nodes into buckets.
    fn fill(&mut self) {
        let mut hashes: Vec<u32> = Vec::new();
        let mut nodes: Vec<u32> = Vec::new();
        self.walk(usize::MAX, |number, first, path| {
            for (ply, &position) in path.iter().enumerate().skip(first) {
                hashes.push((hash(canonical(position).0) >> 32) as u32);
                nodes.push((number as u32) << PLY_BITS | ply as u32);
            }
        });
        let bits = (nodes.len() / BUCKET_NODES).checked_ilog2().unwrap_or(0).clamp(1, 31);
        self.shift = 64 - bits;
        let bucket = |hash: u32| (hash >> (32 - bits)) as usize;
        let mut buckets = vec![0_u32; (1 << bits) + 1];
        for &hash in &hashes {
            buckets[bucket(hash) + 1] += 1;
        }
        let mut sum = 0;
        for count in &mut buckets {
            sum += *count;
            *count = sum;
        }
        let mut sorted = vec![0; nodes.len()];
        // In reverse order, so that each bucket's end moves to its start.
        for (&hash, &node) in hashes.iter().zip(&nodes).rev() {
            let end = &mut buckets[bucket(hash) + 1];
            *end -= 1;
            sorted[*end as usize] = node;
        }
        buckets.remove(0);
        buckets.push(nodes.len() as u32);
        self.buckets = buckets;
        self.nodes = sorted;
    }

    /// Visits each game with the positions of its first `plies` moves. The positions before the given number are those of the
    /// previous game.
    pub(super) fn walk(&self, plies: usize, mut visit: impl FnMut(usize, usize, &[Position])) {
        let mut path: Vec<Position> = Vec::with_capacity(65);
        for (number, game) in self.games.iter().enumerate() {
            path.truncate(usize::from(self.shared[number]));
            let first = path.len();
            let moves = moves(&self.squares, game);
            for ply in first..=moves.len().min(plies) {
                let position = match path.last() {
                    Some(&before) => after(before, moves[ply - 1]),
                    None => Ok(self.starts[usize::from(game.start)]),
                };
                // All moves are legal.
                let Ok(position) = position else { break };
                path.push(position);
            }
            visit(number, first, &path);
        }
    }

    /// The nodes of a position in canonical form.
    pub(super) fn reached(&self, position: Position) -> impl Iterator<Item = IndexNode> {
        let bucket = (hash(position) >> self.shift) as usize;
        let range = self.buckets[bucket] as usize..self.buckets[bucket + 1] as usize;
        self.nodes[range].iter().filter_map(move |&node| {
            let (number, ply) = ((node >> PLY_BITS) as usize, (node & ((1 << PLY_BITS) - 1)) as usize);
            let game = self.games.get(number)?;
            // A move adds one disc. This rejects most other nodes without playing.
            if self.starts[usize::from(game.start)].empties() != position.empties() + ply as u32 {
                return None;
            }
            let (found, symmetry) = canonical(self.position(number, ply));
            (found == position).then(|| IndexNode { games: number..self.end(number, ply), ply, symmetry })
        })
    }

    /// The end of the games that share `ply` moves with game `number`.
    fn end(&self, number: usize, ply: usize) -> usize {
        let rest = &self.shared[number + 1..];
        number + 1 + rest.iter().position(|&shared| usize::from(shared) <= ply).unwrap_or(rest.len())
    }

    pub(super) fn moves(&self, number: usize) -> &[Square] {
        self.games.get(number).map_or(&[], |game| moves(&self.squares, game))
    }

    pub(super) fn start(&self, number: usize) -> Position {
        self.games.get(number).map_or(Position::START, |game| self.starts[usize::from(game.start)])
    }

    /// A game after some moves.
    pub(super) fn position(&self, number: usize, ply: usize) -> Position {
        let moves = self.moves(number).iter().take(ply);
        moves.fold(self.start(number), |position, &square| after(position, square).unwrap_or(position))
    }

    /// Returns `true` if a game has exactly these moves.
    pub(super) fn has(&self, start: Position, played: &[Square]) -> bool {
        let Some(start) = self.starts.iter().position(|&known| known == start) else { return false };
        let key = (start as u16, played);
        self.games.binary_search_by(|game| (game.start, moves(&self.squares, game)).cmp(&key)).is_ok()
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.squares[..])
            + size_of_val(&self.games[..])
            + size_of_val(&self.shared[..])
            + size_of_val(&self.buckets[..])
            + size_of_val(&self.nodes[..])
    }
}

fn moves<'a>(squares: &'a [Square], game: &Game) -> &'a [Square] {
    let first = game.first as usize;
    squares.get(first..first + usize::from(game.length)).unwrap_or_default()
}

fn shared(squares: &[Square], games: &[Game]) -> Vec<u8> {
    let common = |a: &Game, b: &Game| {
        if a.start != b.start {
            return 0;
        }
        let alike = moves(squares, a).iter().zip(moves(squares, b)).take_while(|(a, b)| a == b);
        1 + alike.count() as u8
    };
    std::iter::once(0)
        .chain(games.windows(2).map(|pair| common(&pair[0], &pair[1])))
        .take(games.len())
        .collect()
}
