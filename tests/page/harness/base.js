// Invented files of the WTHOR database: random legal games with players, tournaments and results. Equal seeds give equal files.

import { randomGame } from './board.js';
import { dice } from './dice.js';

/** The bytes of a file of games: `{ moves, discs, black, white, tournament }` each. */
export function wtb(games, { year = 2004, records = games.length } = {}) {
  const bytes = Buffer.alloc(16 + 68 * games.length);
  bytes.set([20, 24, 1, 1]);
  bytes.writeUInt32LE(records, 4);
  bytes.writeUInt16LE(year, 10);
  bytes.set([8, 0, 22, 0], 12);
  for (const [i, { moves, discs, black = 0, white = 0, tournament = 0 }] of games.entries()) {
    const at = 16 + 68 * i;
    bytes.writeUInt16LE(tournament, at);
    bytes.writeUInt16LE(black, at + 2);
    bytes.writeUInt16LE(white, at + 4);
    bytes.set([discs, discs, ...moves], at + 6);
  }
  return bytes;
}

export const numbersOf = (moves) =>
  moves.match(/../g).map((move) => (move.charCodeAt(1) - 48) * 10 + move.charCodeAt(0) - 96);

export const game = (moves, discs = 32, black = 0, white = 0, tournament = 0) => ({
  moves: numbersOf(moves),
  ...{ discs, black, white, tournament },
});

/** The bytes of a file of names, `size` bytes each: 20 for players, 26 for tournaments. */
function nameFile(names, size) {
  const bytes = Buffer.alloc(16 + size * names.length);
  bytes.set([20, 24, 1, 1]);
  bytes.writeUInt16LE(names.length, 8);
  for (const [i, name] of names.entries()) bytes.write(name, 16 + size * i, size - 1, 'latin1');
  return bytes;
}

export const NAMES = [
  ['WTHOR.JOU', nameFile(['Ann', 'Bob', 'Jérôme', 'Dee'], 20)],
  ['WTHOR.TRN', nameFile(['Paris', 'Tokyo'], 26)],
];
/** Four games of 2004: three by f5d6, of which two meet by another order of moves, and one by f5f6. */
export const BASE = wtb([
  game('f5d6c3d3c4', 40, 0, 1),
  game('c4e3f6e6f5', 20, 2, 0, 1),
  game('f5d6c3d3c4f4', 32, 1, 2),
  game('f5f6e6f4', 44, 2, 3, 1),
]);

/** A file of random games by 1000 players in 100 tournaments. @param {{ games: number, seed: number }} how */
export function randomBase({ games, seed }) {
  const below = dice(seed);
  const facts = () => ({ black: below(1000), white: below(1000), tournament: below(100) });
  return wtb(Array.from({ length: games }, () => ({ ...randomGame(below), ...facts() })));
}
