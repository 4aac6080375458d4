// The messages of the worker. The module is the worker itself and exports only these types.

/** Options of the engine: the `name` of a worker in a browser, the `workerData` of a worker in Node. */
export interface Options {
  /** Maximum size of the transposition table in MiB. */
  hash?: number;
  /**
   * Number of search threads, in addition to the worker itself. In a browser the page must be cross-origin isolated.
   * On other pages, and without this option, reading lines and searching alternate in the worker.
   */
  threads?: number;
  /** Maximum number of search threads that a line may request later. */
  most?: number;
  /** Maximum size of the memory shared by the threads in MiB; 1024 by default. */
  memory?: number;
}

/** The engine accepts lines. Lines posted before this message are not lost. */
export interface Ready {
  type: 'ready';
  /** Name of the engine. */
  name: string;
  version: string;
  /** A fingerprint of the weights. */
  weights: string;
  /** Number of separate search threads; 0 if reading lines and searching alternate. */
  threads: number;
  /** The reason if threads were requested and none are used: no shared memory, or threads that do not start. */
  lacks?: 'memory' | 'threads';
}

/** The engine crashed or received `quit`. It ignores further lines; a new worker must replace it. */
export interface Fatal {
  type: 'fatal';
  message: string;
}

/** A message from the worker. A string is one line of the engine. */
export type Message = string | Ready | Fatal;
