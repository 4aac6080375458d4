// Engines of their own for the other protocols: the console speaks to them, beside the one that the page talks to.

import { workerWith } from './engine.js';

const HASH_MIB = 8;

/** By name: the lines that open the conversation, and one to try. The page's own engine has no opening.
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

  /** @param {string[]} opening @param {(direction: Direction, line: string) => void} hear takes both sides
   *  @param {() => Network} network */
  constructor(opening, hear, network) {
    this.opening = opening;
    this.hear = hear;
    this.network = network;
    this.#start();
  }

  #start() {
    const worker = workerWith(HASH_MIB, this.network())();
    /** @param {string} message */
    const die = (message) => {
      if (worker !== this.#worker) return;
      this.end();
      this.hear('note', message);
    };
    this.#worker = worker;
    worker.onmessage = ({ data }) => {
      if (typeof data === 'string') this.hear('in', data);
      else if (data?.type === 'fatal') die(data.message);
    };
    worker.onerror = (event) => die(event.message ?? '');
    for (const line of this.opening) this.say(line);
  }

  /** Sends a line; after a crash to a new engine. @param {string} line */
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
