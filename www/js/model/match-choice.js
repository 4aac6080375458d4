// The last choices in the dialog of a match, which are stored on this device.

import { opponentOf, usualOpponent } from './opponents.js';

/** Seconds for the game and seconds added per move, or no clock. @type {MatchSetup['time'][]} */
export const CLOCKS = [null, [60, 0], [180, 2], [300, 0], [900, 5]];

/** Reads the last choices. Invalid values get their defaults. @param {any} stored */
export function chosenBefore(stored) {
  const { colour, opponent, clock, hints, takeBack } = Object(stored);
  return {
    colour: ['X', 'O', '?', 'XO', ''].includes(colour) ? colour : 'X',
    opponent: (opponentOf(opponent) ?? usualOpponent).id,
    clock: Number.isInteger(clock) && clock in CLOCKS ? clock : 0,
    hints: hints !== false,
    takeBack: takeBack !== false,
  };
}

/** @returns {Side} */
const randomSide = () => (crypto.getRandomValues(new Uint8Array(1))[0] % 2 ? 'X' : 'O');

/** @param {ReturnType<typeof chosenBefore>} chosen @returns {MatchSetup} */
export function setupOf({ clock, ...chosen }) {
  const colour = chosen.colour === '?' ? randomSide() : chosen.colour;
  return { ...chosen, colour, opponent: opponentOf(chosen.opponent) ?? usualOpponent, time: CLOCKS[clock] };
}
