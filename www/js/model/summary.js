// What each side of a game lost, by phase and by kind.

import { emptyCount, sideOf } from '../base/position.js';
import { lossOf } from './losses.js';

/** The third of the game a move belongs to, by the discs on the board before it. */
function phaseOf(node) {
  const move = 61 - emptyCount(node.parent.position);
  return move <= 20 ? 0 : move <= 40 ? 1 : 2;
}

/** Sums of a line by side. @param {TreeNode[]} line @param {Points} points */
export function summary(line, points) {
  /** @returns {SideSummary} */
  const empty = () => ({
    total: 0,
    phases: [0, 0, 0],
    changed: { total: 0, WD: 0, WL: 0, DL: 0 },
    moves: 0,
    known: 0,
    exact: true,
    mistakes: [],
  });
  const sides = { X: empty(), O: empty() };
  for (const node of line) {
    if (!node.parent) continue;
    const sums = sides[sideOf(node.parent.position)];
    sums.moves++;
    const cost = lossOf(node, points);
    if (!cost) {
      sums.exact = false;
      continue;
    }
    sums.known++;
    sums.total += cost.loss;
    sums.phases[phaseOf(node)] += cost.loss;
    if (!cost.exact) sums.exact = false;
    if (cost.changed) {
      sums.changed.total++;
      sums.changed[cost.changed]++;
    }
    if (cost.mistake) sums.mistakes.push({ node, ...cost });
  }
  return sides;
}

/** The cost of each move of a line, and what each side has lost up to there. A cost that is not known yet counts as none.
 *  @param {TreeNode[]} line @param {Points} points @returns {{ cost: Loss | null, sums: Record<Side, LossSize> }[]} */
export function runningLosses(line, points) {
  /** @type {Record<Side, LossSize>} */
  let sums = { X: { loss: 0, exact: true }, O: { loss: 0, exact: true } };
  return line.map((node) => {
    if (!node.parent) return { cost: null, sums };
    const side = sideOf(node.parent.position);
    const cost = lossOf(node, points);
    const { loss, exact } = sums[side];
    sums = {
      ...sums,
      [side]: { loss: loss + (cost?.loss ?? 0), exact: exact && (cost?.exact ?? false) },
    };
    return { cost, sums };
  });
}
