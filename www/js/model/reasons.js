// Sentences that explain a mistake, as the report and the card of a move show them.

import { SIDES, squareIndex } from '../base/position.js';
import { playerTag } from './perspective.js';

/** Kinds whose squares are named. Of the others the squares are counted. */
const NAMED = ['corner', 'pass'];

/** Returns the sentences on a mistake, none if it was not explained.
 *  @param {Pick<App, 'values' | 'words'>} app @param {Mistake} mistake */
export function sentencesOf({ values, words: { t } }, { node, side }) {
  const why = values.why(node);
  if (!why) return [];
  const [own, other] = [side, ...SIDES.filter((of) => of !== side)].map((of) => t(playerTag(of)));
  const { better, fallsAt, played, reasons } = why;
  if (played.length > 1 && fallsAt !== null) return [t('why.none', { n: node.ply + fallsAt - 1 })];
  return reasons.map((reason) => {
    const told = (/** @type {string[]} */ squares) =>
      NAMED.includes(reason.kind) ? squares.join(' ') || '–' : String(squares.length);
    const [one, two] = [reason.played, reason.better];
    const figures = {
      own: told(one.own),
      other: told(one.other),
      own2: told(two.own),
      other2: told(two.other),
    };
    const region = one.other.join(' ');
    const at = node.ply + one.plies - 1;
    const names = { region, side: own, rival: other, move: better[0], n: at };
    return t(`why.${reason.kind.replace(' ', '-')}`, { ...names, ...figures });
  });
}

/** Returns the squares to mark at the turning points of a line, by number of moves. @param {Explanation | undefined} why
 *  @param {'played' | 'better'} line @returns {Map<number, Map<number, string[]>>} */
export function marksOf(why, line) {
  const marks = new Map();
  for (const reason of why?.reasons ?? []) {
    const { plies, own, other } = reason[line];
    if (!marks.has(plies))
      marks.set(plies, new Map([...own, ...other].map((square) => [squareIndex(square), ['threat']])));
  }
  if (line === 'played' && why?.fallsAt) marks.set(why.fallsAt, new Map());
  return marks;
}
