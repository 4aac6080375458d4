// The rules façade of the wasm module as the page uses it. The page itself knows no rule of the game:
// what is legal, what flips and how a game is written all come from there.

import { load } from '../base/load.js';
import { squareIndex } from '../base/position.js';

/** The squares of a transcript as the façade writes it. */
export const splitMoves = (moves) => moves.match(/../g) ?? [];

/** A fault in what was read: `code` names it for the translations, `args` fill the sentence. */
export class RulesError extends Error {
  /** @param {{ code: string, message?: string, [arg: string]: unknown }} fault */
  constructor({ code, message, ...args }) {
    super(message ?? code);
    this.code = code;
    this.args = { ...args, detail: message };
  }
}

/** Remembers what was asked lately; the oldest half goes when it is full. */
class BoundedCache {
  constructor(limit) {
    this.limit = limit;
    this.map = new Map();
  }

  get(key, make) {
    let value = this.map.get(key);
    if (value === undefined) {
      value = make();
      if (this.map.size >= this.limit) {
        let drop = this.limit >> 1;
        for (const old of this.map.keys()) {
          if (drop-- === 0) break;
          this.map.delete(old);
        }
      }
      this.map.set(key, value);
    }
    return value;
  }
}

export class Rules {
  /** `wasm` holds the façade's exports; tests pass the same module instantiated in node. */
  constructor(wasm) {
    this.wasm = wasm;
    this.looks = new BoundedCache(4096);
    this.plays = new BoundedCache(8192);
    this.canon = new BoundedCache(8192);
  }

  #checked(value) {
    if (value?.error) throw new RulesError(value.error);
    return value;
  }

  /** @param {string} position @returns {Look} */
  look(position) {
    return this.looks.get(position, () => this.#checked(this.wasm.position_look(position)));
  }

  /** How many moves each side has, or would have if it were its turn. @param {string} position */
  mobility(position) {
    const moves = (side) => this.look(position.slice(0, 64) + side).legal.length;
    return { X: moves('X'), O: moves('O') };
  }

  isLegal(position, move) {
    return this.look(position).legal.includes(squareIndex(move));
  }

  /** The discs that a move turns, as square numbers. */
  flips(position, move) {
    return this.play(position, move).flips;
  }

  /** `{ position, flips, passed }`: the position after the move and, where the other side cannot
   *  move but the mover can, after its pass. Throws where the move is illegal. */
  play(position, move) {
    return this.plays.get(position + move, () => this.#checked(this.wasm.position_play(position, move)));
  }

  /** The same for all eight symmetric forms of a position. */
  canonical(position) {
    return this.canon.get(position, () => this.#checked(this.wasm.position_canonical(position)));
  }

  /** `{ mobility, frontier, stable, regions, threats }` as lists of squares. */
  overlays(position) {
    return this.#checked(this.wasm.position_overlays(position));
  }

  /** What was read, its faults as errors. @returns {Imported} */
  #read(value) {
    const { faults, ...read } = this.#checked(value);
    return { ...read, faults: faults.map((fault) => new RulesError(fault)) };
  }

  /** Games out of any text: `{ games: [{ start, moves, black, white, date, result, place, comments, scores }],
   *  skipped, faults }`, the moves as one string; `faults` says what was wrong with what was skipped. */
  readGames(text) {
    return this.#read(this.wasm.games_read(text));
  }

  /** The same for the text of a file, which may be longer. */
  readGamesOfFile(text) {
    return this.#read(this.wasm.games_read_file(text));
  }

  writeGgf(game) {
    return this.#checked(this.wasm.game_write_ggf(game)).text;
  }
}

/** Loads the wasm module for the page's main thread. */
export async function loadRules() {
  const wasm = await load('engine/rules.js');
  await wasm.default({ module_or_path: new URL('../../engine/rules_bg.wasm', import.meta.url) });
  return new Rules(wasm);
}
