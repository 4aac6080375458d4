// The named openings as lines, which can be searched, and as a tree.

import { finder, folded } from '../base/find.js';
import { loadJson } from '../base/load.js';
import { fromF5 } from './repertoire.js';

/** A line with the lines that continue it. @typedef {{ line: TrainerLine, children: LineNode[] }} LineNode */

/** The named openings, none if they cannot be loaded. @returns {Promise<TrainerLine[]>} */
export const namedLines = () =>
  loadJson('data/openings.json').then(
    ({ lines }) => lines.map(({ moves, ...names }) => ({ moves: fromF5(moves), names })),
    () => [],
  );

/** The lines with a name in any language that contains all words, or with these first moves, the shortest names first.
 *  @param {TrainerLine[]} lines @param {string} query */
export function findLines(lines, query) {
  const moves = fromF5(folded(query).replace(/\s+/g, ''));
  const isFound = finder(query);
  const found = lines.filter(
    ({ moves: own, names }) =>
      Object.values(names ?? {}).some((name) => isFound(folded(name))) ||
      (moves.length > 1 && own.startsWith(moves)),
  );
  const length = ({ names, moves }) => (names?.en ?? moves).length;
  return moves === '' ? [] : found.sort((a, b) => length(a) - length(b));
}

/** The lines as trees: each belongs to the longest line that it continues. @param {TrainerLine[]} lines @returns {LineNode[]} */
export function lineTree(lines) {
  const nodes = lines
    .toSorted((a, b) => a.moves.length - b.moves.length)
    .map((line) => /** @type {LineNode} */ ({ line, children: [] }));
  return nodes.filter((node, i) => {
    const parent = nodes.slice(0, i).findLast((other) => node.line.moves.startsWith(other.line.moves));
    parent?.children.push(node);
    return !parent;
  });
}
