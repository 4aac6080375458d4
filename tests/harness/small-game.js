// A game with a small tree, with the interface of the rules.

/** Returns a function that draws reproducible numbers: below `sides`, or from 0 to 1 without `sides`. */
export function dice(seed) {
  let state = Math.imul(seed, 2_654_435_761) + 1;
  return (sides) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const share = state / 2 ** 32;
    return sides === undefined ? share : Math.floor(share * sides);
  };
}

export const EMPTY = `${'-'.repeat(64)}X`;
const PLIES = 7;

const looks = new Map();

/** A game of seven moves: a disc on one of the first three empty squares. Boards are reached in several ways. */
export const smallGame = {
  look(position) {
    if (!looks.has(position)) looks.set(position, smallGame.see(position));
    return looks.get(position);
  },
  see(position) {
    const empty = [...position.slice(0, 64)].flatMap((square, i) => (square === '-' ? [i] : []));
    const over = empty.length === 64 - PLIES;
    let mix = 7;
    for (const square of position) mix = (Math.imul(mix, 31) + square.charCodeAt(0)) >>> 0;
    return { over, side: position[64], legal: over ? [] : empty.slice(0, 3), margin: (mix % 33) * 2 - 32 };
  },
  play(position, move) {
    if (!/^[a-h][1-8]$/.test(move)) throw new Error(`${move} is no move`);
    const at = (move.charCodeAt(1) - 49) * 8 + move.charCodeAt(0) - 97;
    const side = position[64];
    const next = position.slice(0, at) + side + position.slice(at + 1, 64) + (side === 'X' ? 'O' : 'X');
    return { position: next, flips: [], passed: false };
  },
  canonical: (position) => position,
};
