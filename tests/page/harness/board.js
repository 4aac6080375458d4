// An Othello board whose rules are separate from the engine's.

const WIDTH = 10;
const STEPS = [-11, -10, -9, -1, 1, 9, 10, 11];
const RIM = 2;
const START = `${'-'.repeat(27)}OX${'-'.repeat(6)}XO${'-'.repeat(27)}`;
/** Number of first moves drawn from few, so that games share openings. */
const OPENING = 10;

/** The squares as row × 10 + column, which are WTHOR's numbers. */
export const SQUARES = Array.from({ length: 64 }, (_, i) => (1 + (i >> 3)) * WIDTH + 1 + (i & 7));
export const nameOf = (square) => 'abcdefgh'[(square % WIDTH) - 1] + Math.floor(square / WIDTH);

/** A board with a rim; black discs are 1, white ones -1. */
export class Board {
  /** @param {string} squares 64 characters: X, O and - */
  constructor(squares = START) {
    this.squares = new Int8Array(WIDTH * WIDTH).fill(RIM);
    SQUARES.forEach((square, i) => {
      this.squares[square] = squares[i] === 'X' ? 1 : squares[i] === 'O' ? -1 : 0;
    });
  }

  get empty() {
    return SQUARES.filter((square) => this.squares[square] === 0);
  }

  /** Places a disc and returns the flipped squares. Returns `null` and changes nothing if that is illegal. */
  place(square, side) {
    const { squares } = this;
    if (squares[square] !== 0) return null;
    const flipped = [];
    for (const step of STEPS) {
      let at = square + step;
      while (squares[at] === -side) at += step;
      if (squares[at] !== side) continue;
      for (at -= step; at !== square; at -= step) flipped.push(at);
    }
    if (flipped.length === 0) return null;
    for (const at of flipped) squares[at] = side;
    squares[square] = side;
    return flipped;
  }

  undo(square, side, flipped) {
    this.squares[square] = 0;
    for (const at of flipped) this.squares[at] = -side;
  }

  legal(side) {
    return this.empty.filter((square) => {
      const flipped = this.place(square, side);
      if (flipped) this.undo(square, side, flipped);
      return flipped !== null;
    });
  }

  /** Discs of a side minus those of the other; empty squares count for the winner. */
  score(side) {
    let difference = 0;
    for (const square of SQUARES) difference += side * this.squares[square];
    return difference + Math.sign(difference) * this.empty.length;
  }

  write() {
    return SQUARES.map((square) => 'O-X'[this.squares[square] + 1]).join('');
  }
}

function plainValue(board, empty, side, alpha, beta, passed = false) {
  let best = -65;
  for (let i = 0; i < empty.length; i++) {
    const square = empty[i];
    const flipped = board.place(square, side);
    if (!flipped) continue;
    best = Math.max(best, -plainValue(board, empty.toSpliced(i, 1), -side, -beta, -Math.max(alpha, best)));
    board.undo(square, side, flipped);
    if (best >= beta) return best;
  }
  if (best > -65) return best;
  return passed ? board.score(side) : -plainValue(board, empty, -side, -beta, -alpha, true);
}

/** Returns the exact value of every move for a side. A pass is the move `pa`. */
export function exactValues(board, side) {
  const values = new Map();
  for (const square of board.legal(side)) {
    const flipped = board.place(square, side);
    values.set(nameOf(square), -plainValue(board, board.empty, -side, -64, 64));
    board.undo(square, side, flipped);
  }
  if (values.size === 0) values.set('pa', -plainValue(board, board.empty, -side, -64, 64, true));
  return values;
}

/** Plays random moves until `stop` squares are empty or the game is over. `discs` are Black's, with the empty squares for the
 *  winner. */
export function randomGame(random, stop = 0) {
  const board = new Board();
  const { empty } = board;
  const moves = [];
  let side = 1;
  for (let passed = 0; passed < 2 && empty.length > stop; side = -side) {
    // In the opening the first legal square is the most likely, later all are equally likely.
    let from = moves.length < OPENING ? Math.floor(-Math.log(1 - random()) * 6) : random() * empty.length;
    from = Math.floor(from) % empty.length;
    const order = [...empty.slice(from), ...empty.slice(0, from)];
    const square = order.find((square) => board.place(square, side));
    passed = square === undefined ? passed + 1 : 0;
    if (square === undefined) continue;
    empty.splice(empty.indexOf(square), 1);
    moves.push(square);
  }
  return { moves, discs: 32 + board.score(1) / 2, board, side };
}
