// Invented opening books of Egaroucid: positions of random games with small values. Equal seeds give equal files.

import { Board, randomGame } from './board.js';
import { dice } from './dice.js';

const HEADER = 14;
const RECORD = 25;
/** Plies of a game whose positions are in the book. */
const PLIES = 40;

/** The bytes of a `.egbk3` file. */
export function egaroucidBook({ positions, seed }) {
  const random = dice(seed);
  const bytes = Buffer.alloc(HEADER + RECORD * positions);
  bytes.write('DICUORAGE');
  bytes[9] = 3;
  bytes.writeInt32LE(positions, 10);
  for (let at = 0; at < positions; ) {
    const board = new Board();
    let side = 1;
    for (const square of randomGame(random).moves.slice(0, PLIES)) {
      const before = board.write();
      if (!board.place(square, side)) {
        // The side had to pass.
        side = -side;
        board.place(square, side);
      }
      if (at < positions) bytes.set(recordOf(before, side, random(33) - 16), HEADER + RECORD * at++);
      side = -side;
    }
  }
  return bytes;
}

/** A position: the discs of both sides (a1 is bit 63), value and level, number of games, no other move. */
function recordOf(squares, side, value) {
  const record = Buffer.alloc(RECORD);
  const own = side === 1 ? 'X' : 'O';
  for (let i = 0; i < 64; i++) {
    if (squares[i] === '-') continue;
    const bit = 63 - i;
    record[(squares[i] === own ? 0 : 8) + (bit >> 3)] |= 1 << (bit & 7);
  }
  record.writeInt8(value, 16);
  record.set([21, 1, 0, 0, 0, 130, 125, 0], 17);
  return record;
}
