// Written from web/src/rules/layout.rs: reads the numbers of nodes.

import { squareName } from '../base/position.js';

/** @param {number} number */
const known = (number) => (Number.isNaN(number) ? null : number);
/** @param {number} number */
const square = (number) => (Number.isNaN(number) ? null : squareName(number));

/** @param {Float64Array} n @param {number} at @returns {Point | null} */
export const readPoint = (n, at = 0) =>
  Number.isNaN(n[at])
    ? null
    : {
        value: n[at],
        level: n[at + 1],
        kind: /** @type {const} */ (['heuristic', 'selective', 'book', 'outcome', 'exact'])[n[at + 2]],
        exact: n[at + 3] === 1,
        move: square(n[at + 4]),
        forced: n[at + 5] === 1,
      };

/** @param {Float64Array} n @param {number} at @returns {Loss | null} */
export const readLoss = (n, at = 0) =>
  Number.isNaN(n[at])
    ? null
    : {
        side: /** @type {const} */ (['X', 'O'])[n[at]],
        loss: n[at + 1],
        exact: n[at + 2] === 1,
        error: n[at + 3],
        atLeast: known(n[at + 4]),
        proven: known(n[at + 5]),
        changed: /** @type {const} */ ([null, 'WD', 'WL', 'DL'])[n[at + 6]],
        best: square(n[at + 7]),
        mistake: n[at + 8] === 1,
        grade: /** @type {const} */ (['slight', 'grave'])[n[at + 9]],
      };

/** @param {Float64Array} n @param {number} at @returns {SideSums | null} */
export const readSideSums = (n, at = 0) =>
  Number.isNaN(n[at])
    ? null
    : {
        loss: n[at],
        phases: [n[at + 1], n[at + 2], n[at + 3]],
        moves: n[at + 4],
        known: n[at + 5],
        exact: n[at + 6] === 1,
        changed: { WD: n[at + 7], WL: n[at + 8], DL: n[at + 9] },
        accuracy: known(n[at + 10]),
      };

/** Returns what is known of the node with a number. @param {Float64Array} n @param {number} node @returns {NodeAnalysis} */
export function readNode(n, node) {
  const at = 39 * node;
  return {
    point: readPoint(n, at),
    loss: readLoss(n, at + 6),
    get sums() {
      const [X, O] = [readSideSums(n, at + 16), readSideSums(n, at + 27)];
      return /** @type {Record<Side, SideSums>} */ ({ X, O });
    },
    level: known(n[at + 38]),
  };
}
