// The opponents: most err as people do. The engine tells the value of every move, and dice choose among them: a move that
// loses `l` discs is exp(-l / t) times as likely as the best one. The temperature `t` of an opponent is fitted so that its
// moves cost, on average and as a deeper search judges them, just what it says. `node tests/bench/opponents.js` fits
// and writes the figures below; nothing of them is guessed but the targets. They are those of the small network. Where the
// large one was chosen opponents have it, too: the dice are the same, and fall among values that are a little better.

import { emptyCount } from '../base/position.js';

/**
 * From so many empty squares on people begin to count. Till the last square the temperature falls to the share below:
 * there the losses of moves lie far apart, and unhurried dice would throw away a corner region once in every game.
 */
const COUNT_FROM = 12;
const LAST_SHARE = 0.3;

/**
 * From the weakest to the strongest. `loss` is the target in discs a move, forced moves counted as well; `depth` what the
 * engine looks ahead before the dice fall. Without a temperature the engine's own move is played, and `loss` is measured.
 * @type {Opponent[]}
 */
export const OPPONENTS = [
  { id: 'newcomer', loss: 6, depth: 2, temperature: 11 },
  { id: 'beginner', loss: 4.5, depth: 2, temperature: 6.3 },
  { id: 'casual', loss: 3.4, depth: 2, temperature: 4.13 },
  { id: 'hobby', loss: 2.5, depth: 3, temperature: 3.03 },
  { id: 'club', loss: 1.8, depth: 4, temperature: 2.33 },
  { id: 'tournament', loss: 1.3, depth: 5, temperature: 1.8 },
  { id: 'expert', loss: 0.9, depth: 6, temperature: 1.45 },
  { id: 'master', loss: 0.6, depth: 9, temperature: 1.04 },
  { id: 'champion', loss: 0.3, depth: 10 },
  { id: 'engine', loss: 0, depth: 24 },
];

/** For whom none was chosen. */
export const usualOpponent = OPPONENTS[2];

/** Older versions kept a level from 1 to 10, a depth each. What plays about as well: */
const LEVELS = [
  'club',
  'tournament',
  'expert',
  'expert',
  'master',
  'champion',
  'champion',
  'champion',
  'engine',
  'engine',
];

/** The opponent of that name, or of the level that an older version kept; nothing where it is neither.
 *  @param {unknown} id @param {unknown} [level] */
export function opponentOf(id, level) {
  const wanted = typeof id === 'string' ? id : typeof level === 'number' ? LEVELS[level - 1] : null;
  return OPPONENTS.find((opponent) => opponent.id === wanted) ?? null;
}

/** The temperature of an opponent with so many squares empty. @param {number} temperature @param {number} empties */
export const temperatureAt = (temperature, empties) =>
  temperature * (empties >= COUNT_FROM ? 1 : LAST_SHARE + ((1 - LAST_SHARE) * empties) / COUNT_FROM);

/** How likely each of the values is chosen. @param {number[]} values in discs for the side to move @param {number} temperature */
export function likelihoods(values, temperature) {
  const best = Math.max(...values);
  const weights = values.map((value) => Math.exp((value - best) / temperature));
  const sum = weights.reduce((all, weight) => all + weight, 0);
  return weights.map((weight) => weight / sum);
}

/**
 * The move that the dice choose. `random` gives numbers from 0 to below 1.
 * @param {{ move: string, value: number }[]} rows at least one @param {number} temperature that of the opponent
 * @param {string} position @param {() => number} random
 */
export function choose(rows, temperature, position, random) {
  const chances = likelihoods(
    rows.map(({ value }) => value),
    temperatureAt(temperature, emptyCount(position)),
  );
  let left = random();
  const at = chances.findIndex((chance) => {
    left -= chance;
    return left < 0;
  });
  // Sums of shares may end a little below 1.
  return rows[at < 0 ? chances.indexOf(Math.max(...chances)) : at].move;
}
