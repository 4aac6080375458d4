// Endings: positions of games with few empty squares, which are graded by the number of moves that win.

import { emptyCount, sideOf } from '../base/position.js';
import { orNull } from '../base/validate.js';
import { positionsOf } from './rules.js';

/** Empty squares of an ending of the user's games: after 40 moves, or up to four moves later. */
export const MAX_EMPTIES = 20;
const MIN_EMPTIES = 16;
/** Most games whose endings are used. */
const MAX_GAMES = 200;

/** The grades, the easiest first. */
export const GRADES = ['easy', 'medium', 'hard'];

/** The number of moves that win, or keep the best result. @param {Record<string, number>} scores */
export function winners(scores) {
  const all = Object.values(scores);
  const best = Math.max(...all);
  return all.filter((score) => (best > 0 ? score > 0 : score === best)).length;
}

/** The grade of an ending, `own` for that of a game. @param {Puzzle} ending */
export function gradeOf({ scores }) {
  const n = scores ? winners(scores) : 0;
  return n > 3 ? 'easy' : n > 1 ? 'medium' : n > 0 ? 'hard' : 'own';
}

/** The endings of games: the first position of each with few empty squares at which the user is to move, or any player if the user is
 *  not known. @param {Rules} rules @param {GameRecord[]} games @param {(game: GameRecord) => Side | null} sideIn @returns {Puzzle[]} */
export function endingsOf(rules, games, sideIn) {
  const found = games.slice(0, MAX_GAMES).flatMap((game) => {
    const side = sideIn(game);
    const positions = orNull(() => positionsOf(rules, game.moves, game.start)) ?? [];
    const isEnding = (/** @type {string} */ position) =>
      emptyCount(position) <= MAX_EMPTIES &&
      !rules.look(position).over &&
      (!side || sideOf(position) === side);
    const position = positions.find(isEnding);
    return position && emptyCount(position) >= MIN_EMPTIES ? [position] : [];
  });
  return [...new Set(found)].map((position) => ({ id: position, position, scores: null, own: true }));
}
