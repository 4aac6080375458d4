// What a move cost: the value before it less the value after it, with its error bar.

import { forBlack, sideOf } from '../base/position.js';
import { isProven } from '../engine/proof.js';

/** Rough standard error of a heuristic value by depth, in discs; proven values have none. */
const ERRORS = [
  [20, 2],
  [14, 3],
  [8, 4],
  [0, 6],
];

/** @param {Pick<Point, 'level' | 'exact' | 'kind'>} point */
export function errorOf(point) {
  if (point.exact) return 0;
  if (point.kind === 'outcome') return 0;
  return ERRORS.find(([depth]) => point.level >= depth)?.[1] ?? 0;
}

/** What is certain, or nearly so, of a point, as Black sees it. @param {Pick<Point, 'value' | 'level' | 'exact' | 'kind'>} point */
export function boundsOf(point) {
  if (point.exact) return { low: point.value, high: point.value };
  if (point.kind === 'outcome') {
    if (point.value > 0) return { low: 2, high: 64 };
    if (point.value < 0) return { low: -64, high: -2 };
    return { low: 0, high: 0 };
  }
  const error = errorOf(point);
  return { low: point.value - error, high: point.value + error };
}

function outcome({ low, high }) {
  if (low > 0) return 'W';
  if (high < 0) return 'L';
  return low === 0 && high === 0 ? 'D' : null;
}

/** Plies by which two searches may differ for their values to be compared. */
const ALIKE = 3;

/** Whether two values differ by more than how far they were searched. @param {Point} a @param {Point} b */
const isComparable = (a, b) => isProven(a) || isProven(b) || Math.abs(a.level - b.level) < ALIKE;

/** @param {Point} now @param {Point} then */
const isDeeper = (now, then) => isProven(now) || now.level > then.level;

const RANK = { L: 0, D: 1, W: 2 };

/**
 * The cost of the move that leads to `node`, or null where a side of it is unknown.
 * @param {TreeNode} node @param {Points} points @returns {Loss | null}
 */
export function lossOf(node, points) {
  if (!node.parent) return null;
  let [before, after] = [points.get(node.parent), points.get(node)];
  if (!before || !after) return null;
  // The values of the report were searched alike: they count until deeper searches know both sides of the move.
  const [was, is] = [points.reviewed?.get(node.parent), points.reviewed?.get(node)];
  const isKnown = was && is && isDeeper(before, was) && isDeeper(after, is) && isComparable(before, after);
  if (was && is && !isKnown) [before, after] = [was, is];
  const side = sideOf(node.parent.position);
  // A move without a choice costs nothing, whatever two searches made of it.
  const loss = before.forced ? 0 : Math.max(0, forBlack(before.value - after.value, side));
  const exact = before.exact && after.exact;
  const own = (point) => {
    const { low, high } = boundsOf(point);
    return side === 'X' ? { low, high } : { low: -high, high: -low };
  };
  const [first, last] = [own(before), own(after)];
  const least = first.low - last.high;
  const atLeast = exact ? loss : least >= 1 && loss > 0 ? least : null;
  const from = outcome(first);
  const to = outcome(last);
  const changed = from && to && RANK[to] < RANK[from] && !before.forced ? `${from}${to}` : null;
  const clear = exact ? loss >= 2 : isComparable(before, after) ? loss > 2 : atLeast !== null;
  const mistake = clear || changed !== null;
  return {
    side,
    loss,
    exact,
    error: errorOf(before) + errorOf(after),
    atLeast,
    proven: !exact && isProven(before) && isProven(after) ? atLeast : null,
    changed,
    best: before.move,
    mistake,
    grade: loss > 6 || changed ? 'grave' : 'slight',
  };
}
