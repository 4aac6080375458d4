//! The form of a network: its width, its stages and its patterns.

use anyhow::{Context, Result, bail};
use outflank::board::{Bitboard, Board};
use outflank::eval::indices::weight_indices;
use outflank::eval::mobility::{MOBILITY_COUNT, mobility_indices};
use outflank::eval::moves::{MOVE_PATTERNS, move_start, move_states};
use outflank::eval::network::HEADS;
use outflank::eval::patterns::INSTANCE_COUNT;
use outflank::eval::{Features, MOVES_START};
use outflank::kernel::{Kernels, NEURONS};

use crate::pattern::{Pattern, Seen};

/// Features of the engine's own patterns and mobility.
const OWN_FEATURES: usize = INSTANCE_COUNT + MOBILITY_COUNT;

/// The form of a network, and where the numbers of a model are.
///
/// The numbers are the rows of all stages, the biases by empty squares, then the heads by pairs of empty squares. A head has
/// its matrix input by input, the biases of its neurons, the direct weights of the sums, the output weights of the neurons,
/// and its own bias.
pub(crate) struct Form {
    /// Numbers of a row.
    pub(crate) width: usize,
    /// Fewest empty squares of each stage, descending, as text.
    pub(crate) stages: String,
    /// The patterns besides the engine's, as text.
    pub(crate) more: String,
    fewest: Vec<usize>,
    /// By feature index of the engine: the row that mirror images share.
    pub(crate) weight_indices: Vec<u32>,
    /// Rows of the engine's features. Those of `patterns` follow.
    own_rows: usize,
    pub(crate) patterns: Vec<Pattern>,
    pub(crate) rows_of_stage: usize,
}

/// The input of a network.
pub(crate) struct Sample<'a> {
    pub(crate) empties: usize,
    pub(crate) rows: &'a [usize],
}

impl Form {
    pub(crate) fn new(width: usize, stages: &str, more: &str) -> Result<Form> {
        if ![16, 32, 64, 128].contains(&width) {
            bail!("--width: `{width}` is not 16, 32, 64 or 128");
        }
        let numbers: Option<Vec<usize>> = stages.split(',').map(|text| text.parse().ok()).collect();
        let fewest = numbers.with_context(|| format!("--stages: `{stages}` are not numbers"))?;
        if !fewest.is_sorted_by(|a, b| a > b) || fewest.last() != Some(&0) || fewest[0] > 60 {
            bail!("--stages: `{stages}` do not descend from 60 or less to 0");
        }
        let texts = more.split(';').map(str::trim).filter(|text| !text.is_empty());
        let patterns: Vec<Pattern> = texts.map(Pattern::parse).collect::<Result<_>>()?;
        let weight_indices = weight_indices();
        let own_rows = weight_indices.iter().max().map_or(0, |&last| last as usize + 1);
        Ok(Form {
            width,
            stages: stages.to_owned(),
            more: more.to_owned(),
            fewest,
            weight_indices,
            own_rows,
            rows_of_stage: own_rows + patterns.iter().map(|pattern| pattern.rows).sum::<usize>(),
            patterns,
        })
    }

    pub(crate) fn stage_of(&self, empties: usize) -> usize {
        self.fewest.iter().position(|&fewest| fewest <= empties).unwrap_or(self.fewest.len() - 1)
    }

    pub(crate) fn stages(&self) -> usize {
        self.fewest.len()
    }

    /// Fewest and most empty squares of a stage.
    pub(crate) fn range(&self, stage: usize) -> (usize, usize) {
        (self.fewest[stage], if stage == 0 { 63 } else { self.fewest[stage - 1] - 1 })
    }

    pub(crate) fn features(&self) -> usize {
        OWN_FEATURES + self.patterns.iter().map(Pattern::instances).sum::<usize>()
    }

    pub(crate) fn rows(&self) -> usize {
        self.stages() * self.rows_of_stage
    }

    /// The row of the first state of a pattern, within its stage.
    pub(crate) fn first_row(&self, pattern: usize) -> usize {
        self.own_rows + self.patterns[..pattern].iter().map(|pattern| pattern.rows).sum::<usize>()
    }

    /// Returns the rows in the engine's network of this form: their indices there and here.
    pub(crate) fn engine_rows(&self) -> impl Iterator<Item = (usize, usize)> {
        let of_moves = self.patterns.iter().enumerate().flat_map(move |(number, pattern)| {
            let squares = MOVE_PATTERNS[number].split(' ').count();
            (0..move_states(number)).map(move |state| {
                let bit = |place: usize| (state >> place & 1) as u64;
                let row = pattern.row(|place| bit(place) + 2 * bit(squares + place));
                (MOVES_START + move_start(number) + state, self.first_row(number) + row)
            })
        });
        self.weight_indices.iter().map(|&weight| weight as usize).enumerate().chain(of_moves)
    }

    /// Inputs of the neurons: the sums, and the products of their halves.
    pub(crate) fn inputs(&self) -> usize {
        self.width + self.width / 2
    }

    /// Numbers of a head.
    pub(crate) fn head(&self) -> usize {
        self.inputs() * NEURONS + NEURONS + self.width + NEURONS + 1
    }

    /// Where the heads begin.
    pub(crate) fn heads_start(&self) -> usize {
        (self.rows() + 64) * self.width
    }

    /// All numbers of a model.
    pub(crate) fn numbers(&self) -> usize {
        self.heads_start() + HEADS * self.head()
    }

    /// Returns the input of a board. `rows` is the buffer of its rows.
    #[inline(always)]
    pub(crate) fn look<'a, K: Kernels>(&self, board: Board, rows: &'a mut Vec<usize>) -> Sample<'a> {
        let empties = board.empties() as usize & 63;
        let (player, opponent) = (board.player.0, board.opponent.0);
        let (own, other) = (K::moves(player, opponent), K::moves(opponent, player));
        let stage = self.stage_of(empties) * self.rows_of_stage;
        let of_patterns = Features::of(board).indices().map(|index| index as usize);
        let features = of_patterns.into_iter().chain(mobility_indices(own, other, board.empty().0));
        rows.clear();
        rows.extend(features.take(OWN_FEATURES).map(|index| stage + self.weight_indices[index] as usize));
        if !self.patterns.is_empty() {
            let seen = Seen::of(board, Bitboard(own), Bitboard(other));
            let mut first = stage + self.own_rows;
            for pattern in &self.patterns {
                rows.extend(pattern.look(&seen).map(|row| first + row));
                first += pattern.rows;
            }
        }
        Sample { empties, rows }
    }
}
