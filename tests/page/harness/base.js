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

/** A transcript as WTHOR's numbers. @param {string} moves */
export const numbersOf = (moves) =>
  moves.match(/../g).map((move) => (move.charCodeAt(1) - 48) * 10 + move.charCodeAt(0) - 96);

/** The bytes of a file of names, `size` bytes each: 20 for players, 26 for tournaments. */
export function nameFile(names, size) {
  const bytes = Buffer.alloc(16 + size * names.length);
  bytes.set([20, 24, 1, 1]);
  bytes.writeUInt16LE(names.length, 8);
  for (const [i, name] of names.entries()) bytes.write(name, 16 + size * i, size - 1, 'latin1');
  return bytes;
}

/** A file of `games` random games by `players` players. */
export function randomBase({ games, seed, year = 2004, players = 1000, tournaments = 100 }) {
  const below = dice(seed);
  return wtb(
    Array.from({ length: games }, () => ({
      ...randomGame(below),
      black: below(players),
      white: below(players),
      tournament: below(tournaments),
    })),
    { year },
  );
}
