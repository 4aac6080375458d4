// A match as text for the device, and back. What is read may be old or broken: it fits in every part, or it is none.

import { isWhole, isWithin } from '../base/validate.js';
import { readLink, writeLink } from './link.js';
import { opponentOf } from './opponents.js';

/** No clock has more seconds. */
const LONGEST = 24 * 3600;
const MOST_AIDS = 10_000;

/** The two numbers of a clock, nothing where there is none, undefined where it makes no sense. @param {any} time
 *  @returns {[number, number] | null | undefined} */
function readTime(time) {
  if (time === null) return null;
  const fits = Array.isArray(time) && isWithin(time[0], 1, LONGEST) && isWithin(time[1], 0, LONGEST);
  return fits ? [time[0], time[1]] : undefined;
}

/** @param {Omit<KeptMatch, 'tree'>} match */
export function serializeMatch({ state, setup, left, used, node }) {
  const tree = { root: node.path[0] };
  return {
    state,
    setup: { ...setup, opponent: setup.opponent.id },
    left,
    used,
    game: writeLink(/** @type {Tree} */ (tree), node),
  };
}

/** The match that is kept, or nothing where it makes no sense. @param {Rules} rules @param {any} stored
 *  @returns {KeptMatch | null} */
export function parseSavedMatch(rules, stored) {
  const { state, setup, left = null, used, game } = Object(stored);
  const { colour, hints, takeBack } = Object(setup);
  const opponent = opponentOf(Object(setup).opponent);
  const time = readTime(Object(setup).time);
  const fits =
    ['on', 'away', 'ended'].includes(state) &&
    ['X', 'O'].includes(colour) &&
    opponent &&
    time !== undefined &&
    (time === null || (isWithin(left?.X, -1, LONGEST) && isWithin(left?.O, -1, LONGEST))) &&
    [Object(used).hints, Object(used).takeBacks].every((n) => isWhole(n, MOST_AIDS)) &&
    typeof game === 'string';
  if (!fits) return null;
  try {
    const { tree, node } = readLink(rules, game);
    if (rules.look(node.position).over) return null;
    return {
      state,
      setup: { colour, opponent, time, hints: hints !== false, takeBack: takeBack !== false },
      left: time && { X: left.X, O: left.O },
      used: { hints: used.hints, takeBacks: used.takeBacks },
      tree,
      node,
    };
  } catch {
    return null;
  }
}
