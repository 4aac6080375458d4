// Where a game turned: the move since which its outcome was what it came to be.

/** A guess of less than a disc says nothing of who is ahead. */
const EVEN = 1;

/** @param {Point} point */
const outcomeOf = ({ value, exact }) => (Math.abs(value) < (exact ? 0.5 : EVEN) ? 0 : Math.sign(value));

/**
 * The node that the move led to, or null where there is none: a point is missing, one side was ahead all along, or the
 * outcome was not that of the last position, as where time ran out.
 * @param {TreeNode[]} line @param {Points} points as Black sees them @param {number} result in discs for Black
 */
export function turningPoint(line, points, result) {
  const won = Math.sign(result);
  for (let at = line.length - 1; at >= 0; at--) {
    const point = points.get(line[at]);
    if (!point) return null;
    if (outcomeOf(point) !== won) return line[at + 1] ?? null;
  }
  return null;
}
