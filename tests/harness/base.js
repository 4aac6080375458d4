// Invented files of the WTHOR database: random legal games with players, tournaments and results. Equal seeds give equal files. The
// rules are a separate implementation, on a board with a rim.

import { dice } from './small-game.js';

const WIDTH = 10;
const STEPS = [-11, -10, -9, -1, 1, 9, 10, 11];
const EMPTY = 0;
const RIM = 2;
/** Number of first moves drawn from few, so that games share openings. */
const OPENING = 10;

/** The squares in the order of the search for a move, as row × 10 + column, which are WTHOR's numbers. */
const SQUARES = Array.from({ length: 64 }, (_, i) => (1 + (i >> 3)) * WIDTH + 1 + (i & 7));
const START = new Int8Array(WIDTH * WIDTH).fill(RIM);
for (const square of SQUARES) START[square] = EMPTY;
START[44] = START[55] = -1;
START[45] = START[54] = 1;

/** Places a disc and flips discs. Returns `false` if no disc is flipped. */
function place(board, square, side) {
  if (board[square] !== EMPTY) return false;
  let turned = false;
  for (const step of STEPS) {
    let at = square + step;
    while (board[at] === -side) at += step;
    if (at === square + step || board[at] !== side) continue;
    for (let back = at - step; back !== square; back -= step) board[back] = side;
    turned = true;
  }
  if (turned) board[square] = side;
  return turned;
}

/** Plays one random game: its moves as WTHOR's numbers, and Black's discs with the empty squares for the winner. */
export function randomGame(random) {
  const board = START.slice();
  const empty = SQUARES.filter((square) => board[square] === EMPTY);
  const moves = [];
  let side = 1;
  for (let passed = 0; passed < 2 && empty.length > 0; ) {
    // In the opening the first legal square is the most likely, later all are equally likely.
    let from = moves.length < OPENING ? Math.floor(-Math.log(1 - random()) * 6) : random() * empty.length;
    from = Math.floor(from) % empty.length;
    let at = -1;
    for (let i = 0; i < empty.length; i++) {
      const k = (from + i) % empty.length;
      if (place(board, empty[k], side)) {
        at = k;
        break;
      }
    }
    if (at < 0) passed++;
    else {
      passed = 0;
      moves.push(...empty.splice(at, 1));
    }
    side = -side;
  }
  let black = 0;
  let white = 0;
  for (const square of SQUARES) {
    if (board[square] === 1) black++;
    else if (board[square] === -1) white++;
  }
  const discs = black > white ? 64 - white : black < white ? black : 32;
  return { moves, discs };
}

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
