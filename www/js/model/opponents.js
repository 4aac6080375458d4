// The opponents. Most of them make mistakes like people: the engine values every move, and the page draws one. A move that loses
// `l` discs is exp(-l / t) times as likely as the best one. The temperature `t` of an opponent is fitted: the average loss of its
// moves, judged by a deeper search, equals its target. `tests/bench/opponents.js` of commit 7a7afd0e fitted the figures below, with the
// small network. With the large network the same temperatures are used.

import { emptyCount } from '../base/position.js';
import { draw } from './drill.js';

/** With at most this many empty squares people count. The temperature falls to `LAST_SHARE` at the last square, where the losses
 *  of the moves differ by many discs. */
const COUNT_FROM = 12;
const LAST_SHARE = 0.3;

/** From the weakest to the strongest. `loss` is the target in discs per move, including forced moves; `depth` is the depth of the
 *  search. Without a temperature the engine's own move is played, and `loss` is measured.
 *  @type {Opponent[]} */
export const OPPONENTS = [
  { id: 'newcomer', loss: 6, depth: 2, temperature: 10.7 },
  { id: 'beginner', loss: 4.5, depth: 2, temperature: 6.65 },
  { id: 'casual', loss: 3.4, depth: 2, temperature: 4.35 },
  { id: 'hobby', loss: 2.5, depth: 3, temperature: 3.25 },
  { id: 'club', loss: 1.8, depth: 4, temperature: 2.41 },
  { id: 'tournament', loss: 1.3, depth: 5, temperature: 1.87 },
  { id: 'expert', loss: 0.9, depth: 6, temperature: 1.21 },
  { id: 'master', loss: 0.6, depth: 9, temperature: 1.11 },
  { id: 'champion', loss: 0.3, depth: 10 },
  { id: 'engine', loss: 0, depth: 24 },
];

export const usualOpponent = OPPONENTS[2];

/** The opponent with this id, or `null`. @param {unknown} id */
export const opponentOf = (id) => OPPONENTS.find((opponent) => opponent.id === id) ?? null;

/** @param {number} temperature @param {number} empties */
const temperatureAt = (temperature, empties) =>
  temperature * (empties >= COUNT_FROM ? 1 : LAST_SHARE + ((1 - LAST_SHARE) * empties) / COUNT_FROM);

/** The probability of each value. @param {number[]} values in discs for the side to move @param {number} temperature */
function likelihoods(values, temperature) {
  const best = Math.max(...values);
  const weights = values.map((value) => Math.exp((value - best) / temperature));
  const sum = weights.reduce((all, weight) => all + weight, 0);
  return weights.map((weight) => weight / sum);
}

/** Draws a move. `random` returns numbers from 0 to below 1.
 *  @param {{ move: string, value: number }[]} rows at least one @param {number} temperature that of the opponent
 *  @param {string} position @param {() => number} random */
export function choose(rows, temperature, position, random) {
  const values = rows.map(({ value }) => value);
  const chances = likelihoods(values, temperatureAt(temperature, emptyCount(position)));
  const weighted = rows.map(({ move }, i) => ({ move, weight: chances[i] }));
  return /** @type {{ move: string }} */ (draw(weighted, random)).move;
}
