// Where a game turned: the move since which its outcome was what it came to be.

/** A guess of less than a disc says nothing of who is ahead. */
const EVEN = 1;

/** @param {Point} point */
const outcomeOf = ({ value, exact }) => (Math.abs(value) < (exact ? 0.5 : EVEN) ? 0 : Math.sign(value));

/**
 * The node that the move led to, null if one side was ahead all along, `undefined` if a point is missing. The outcome is
 * that of the last position: resigning and running out of time turn nothing on the board.
 * @param {TreeNode[]} line @param {Points} points as Black sees them
 */
export function turningPoint(line, points) {
  const found = line.map((node) => points.get(node));
  if (found.some((point) => !point)) return undefined;
  const outcomes = found.map((point) => outcomeOf(/** @type {Point} */ (point)));
  const at = outcomes.findLastIndex((outcome) => outcome !== outcomes.at(-1));
  return at < 0 ? null : line[at + 1];
}
