// The rules of the game, from the wasm module. The page itself contains no rule: legal moves, flipped discs and notations come from
// the module.

import { CodedError } from '../base/coded-error.js';
import { load } from '../base/load.js';
import { START, squareIndex, squareName } from '../base/position.js';

/** The moves of a transcript. @param {string} moves @returns {string[]} */
export const splitMoves = (moves) => moves.match(/../g) ?? [];

/** Returns a value of the module, or throws its error. @template T @param {T | Failed} value @returns {T} */
export function checked(value) {
  const error = /** @type {Failed} */ (value)?.error;
  if (error) throw new CodedError(error);
  return /** @type {T} */ (value);
}

/** Returns a function with a cache, which is emptied when it is full.
 *  @template {string[]} A @template T @param {number} limit @param {(...args: A) => T | Failed} make @returns {(...args: A) => T} */
function cached(limit, make) {
  /** @type {Map<string, T>} */
  const known = new Map();
  return (...args) => {
    const key = args.join('');
    const before = known.get(key);
    if (before !== undefined) return before;
    const value = checked(make(...args));
    if (known.size >= limit) known.clear();
    known.set(key, value);
    return value;
  };
}

export class Rules {
  /** @param {Parts['engine/rules.js']} wasm */
  constructor(wasm) {
    this.wasm = wasm;
    this.look = cached(4096, wasm.position_look);
    /** The position after a move and a forced pass. Throws if the move is illegal. */
    this.play = cached(8192, wasm.position_play);
    /** The canonical form of a position, equal for all eight symmetries. */
    this.canonical = cached(8192, wasm.position_canonical);
  }

  /** The legal moves. @param {string} position @returns {string[]} */
  moves(position) {
    return this.look(position).legal.map(squareName);
  }

  isLegal(position, move) {
    return this.look(position).legal.includes(squareIndex(move));
  }

  /** `{ mobility, frontier, stable, regions, threats }` as lists of squares. */
  overlays(position) {
    return checked(this.wasm.position_overlays(position));
  }

  /** Reads games from a text in any notation; that of a file may be longer. `faults` has the errors of the `skipped` games.
   *  @returns {Imported} */
  readGames(text, isFile = false) {
    const read = isFile ? this.wasm.games_read_file : this.wasm.games_read;
    const { faults, ...games } = checked(read(text));
    return { ...games, faults: faults.map((fault) => new CodedError(fault)) };
  }

  /** The lines that ask an engine about a position. `clock` is the remaining time of the side to move.
   *  @param {string} position @param {number} depth in plies @param {string} command `hint N` or `go`
   *  @param {{ seconds: number, increment: number } | null} [clock] @returns {string[]} */
  searchLines(position, depth, command, clock) {
    return this.wasm.search_lines(position, depth, command, clock?.seconds, clock?.increment);
  }

  /** The rows in lines of an engine. @param {string[]} lines @returns {Row[]} */
  readValues(lines) {
    return this.wasm.values_read(lines.join('\n'));
  }

  /** The plies to which a position is searched at a depth, to the end of the game with at most `exact` empty squares.
   *  @param {string} position @param {number} depth @param {number} exact @returns {number} */
  planDepth(position, depth, exact) {
    return this.wasm.plan_depth(position, depth, exact);
  }

  /** The study of a link or a game, for `Tree`. Throws a `CodedError`. @param {string | Game} source */
  tree(source) {
    const { Study } = this.wasm;
    try {
      return typeof source === 'string' ? Study.read(source) : Study.of(source);
    } catch (/** @type {any} */ fault) {
      throw fault.code ? new CodedError(fault) : fault;
    }
  }

  /** A game as text. GGF has variations as comments; `moves` are those of the main line.
   *  @param {Game} game @param {'sgf' | 'pgn' | 'ggf' | 'moves'} notation @returns {string} */
  write(game, notation) {
    return checked(this.wasm.game_write(game, notation));
  }
}

/** Returns the positions of a line, the start first. Throws if a move is illegal.
 *  @param {Pick<Rules, 'play'>} rules @param {string} moves @param {string} start */
export function positionsOf(rules, moves, start = START) {
  const positions = [start];
  for (const move of splitMoves(moves))
    positions.push(rules.play(positions[positions.length - 1], move).position);
  return positions;
}

/** Returns the legal moves at the start of a line, each with what it leads to.
 *  @param {Rules} rules @param {string} position @param {string[]} moves */
export function statesOf(rules, position, moves) {
  const states = [];
  for (const move of moves) {
    if (!rules.isLegal(position, move)) break;
    states.push({ ...rules.play(position, move), move });
    position = states[states.length - 1].position;
  }
  return states;
}

export async function loadRules() {
  const wasm = await load('engine/rules.js');
  await wasm.default({ module_or_path: new URL('../../engine/rules_bg.wasm', import.meta.url) });
  return new Rules(wasm);
}
