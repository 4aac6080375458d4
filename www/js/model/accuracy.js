// How well a side played, as one figure out of 100.

/**
 * A loss of so many discs a move halves the figure. A halving is one sentence to explain, never goes below zero, and
 * spreads the field: without loss 100, a strong player's third of a disc a move 94, one disc 84, a good amateur's two
 * discs 71, a beginner's four 50, and eight, about what random moves cost, 25.
 */
export const HALVING = 4;

/** What is not written as a loss is none. */
const NOTHING = 0.05;

/** The share of a side's moves whose cost must be known. */
const MIN_KNOWN = 0.9;

/**
 * A whole number from 0 to 100, or null if the cost of too few moves is known. 100 is for a side that lost nothing.
 * @param {Pick<SideSummary, 'total' | 'known' | 'moves'>} side @returns {number | null}
 */
export function accuracy({ total, known, moves }) {
  if (known === 0 || known < MIN_KNOWN * moves) return null;
  if (total < NOTHING) return 100;
  return Math.min(99, Math.round(100 * 2 ** (-total / known / HALVING)));
}
