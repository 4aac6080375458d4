// A match as it is stored on this device. Stored data may be old or invalid: a match is read only if every part is valid.

import { SIDES } from '../base/position.js';
import { isWhole, isWithin, orNull } from '../base/validate.js';
import { readLink, writeLink } from './link.js';
import { opponentOf } from './opponents.js';

/** Most seconds of a clock. */
const MAX_SECONDS = 24 * 3600;
const MAX_AIDS = 10_000;

/** The two numbers of a clock, `null` without a clock, `undefined` if they are invalid. @param {any} time
 *  @returns {[number, number] | null | undefined} */
function readTime(time) {
  if (time === null) return null;
  const fits = Array.isArray(time) && isWithin(time[0], 1, MAX_SECONDS) && isWithin(time[1], 0, MAX_SECONDS);
  return fits ? [time[0], time[1]] : undefined;
}

/** @param {Omit<KeptMatch, 'tree'>} match */
export function serializeMatch({ state, setup, left, used, first, node }) {
  const plain = { ...setup, opponent: setup.opponent.id };
  return { state, setup: plain, left, used, first, game: writeLink(node.tree, node) };
}

/** Returns the stored match, or `null` if it is invalid. @param {Rules} rules @param {any} stored
 *  @returns {KeptMatch | null} */
export function parseSavedMatch(rules, stored) {
  const { state, setup, left = null, used, first = 0, game } = Object(stored);
  const { colour, hints, takeBack } = Object(setup);
  const opponent = opponentOf(Object(setup).opponent);
  const time = readTime(Object(setup).time);
  const fits =
    ['on', 'away', 'ended'].includes(state) &&
    [...SIDES, 'XO', ''].includes(colour) &&
    isWhole(first, MAX_AIDS) &&
    opponent &&
    time !== undefined &&
    (time === null || (isWithin(left?.X, -1, MAX_SECONDS) && isWithin(left?.O, -1, MAX_SECONDS))) &&
    [Object(used).hints, Object(used).takeBacks].every((n) => isWhole(n, MAX_AIDS)) &&
    typeof game === 'string';
  if (!fits) return null;
  return orNull(() => {
    const tree = readLink(rules, game);
    const node = tree.cursor;
    if (rules.look(node.position).over || first > node.ply) return null;
    return {
      state,
      setup: { colour, opponent, time, hints: hints !== false, takeBack: takeBack !== false },
      left: time && { X: left.X, O: left.O },
      used: { hints: used.hints, takeBacks: used.takeBacks },
      first,
      tree,
      node,
    };
  });
}
