// Separate engines for other protocols, used by the console.

import { listenTo, spawnWorker } from './engine.js';

const HASH_MIB = 8;

/** Protocols by name: the first lines, and an example. The page's own engine needs no first lines.
 *  @type {Record<string, { opening?: string[], example: string }>} */
export const DIALECTS = {
  NBoard: { example: 'hint 4' },
  Cassio: { opening: ['ENGINE-PROTOCOL init'], example: 'ENGINE-PROTOCOL get-version' },
  Hub: { opening: ['hub', 'init'], example: 'go think' },
  XBoard: { opening: ['xboard', 'protover 2'], example: 'go' },
};

export class DialectEngine {
  /** @type {Worker | null} */
  #worker = null;

  /** @param {string[]} opening @param {(direction: Direction, line: string) => void} hear called for each line
   *  @param {() => Network} network */
  constructor(opening, hear, network) {
    this.opening = opening;
    this.hear = hear;
    this.network = network;
    this.#start();
  }

  #start() {
    const worker = spawnWorker(HASH_MIB, this.network());
    const crash = (message) => {
      if (worker !== this.#worker) return;
      this.end();
      this.hear('note', message);
    };
    this.#worker = worker;
    listenTo(worker, { line: (line) => this.hear('in', line), crash });
    for (const line of this.opening) this.say(line);
  }

  /** Sends a line, after a crash to a new engine. @param {string} line */
  say(line) {
    if (!this.#worker) this.#start();
    this.hear('out', line);
    this.#worker?.postMessage(line);
  }

  end() {
    this.#worker?.terminate();
    this.#worker = null;
  }
}
