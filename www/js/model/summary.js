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
