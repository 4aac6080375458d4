// What the worker takes and tells. The module itself is the worker: nothing is exported from it but these types.

/** What is wanted of the engine at its start: the `name` of a worker in a browser, the `workerData` of one in Node. */
export interface Options {
  /** What its table may grow to, in mebibytes. */
  hash?: number;
  /**
   * On how many threads to search, beside the worker itself. In a browser this takes a page that is cross-origin
   * isolated; elsewhere, and without this option, lines and search take turns in the worker.
   */
  threads?: number;
  /** On how many threads it may be told to search later. */
  most?: number;
  /** What the memory that threads share may grow to, in mebibytes: 1024 where nothing is said. */
  memory?: number;
}

/** The engine takes lines. What was posted to it before was kept for it. */
export interface Ready {
  type: 'ready';
  /** Of the engine. */
  name: string;
  version: string;
  /** A fingerprint of the weights. */
  weights: string;
  /** On how many threads of its own it searches, 0 where lines and search take turns. */
  threads: number;
  /** What is missing where threads were wanted and there are none: memory to share, or threads that start. */
  lacks?: 'memory' | 'threads';
}

/** The engine has died, or was told to quit: it hears nothing more, and a new worker is to take its place. */
export interface Fatal {
  type: 'fatal';
  message: string;
}

/** What the worker posts: a string is one line from the engine. */
export type Message = string | Ready | Fatal;
