// The client, and the messages of the worker `outflank/worker`.

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

/**
 * A position: 64 squares from a1 row by row (`X` black, `O` white, `-` empty) and the side to move, or the moves from the start
 * without passes, such as `f5d6c3` or `['f5', 'd6']`. A game is given in the same way.
 */
export type Game = string | string[];

export interface Value {
  /** `pa` if the side to move must pass. */
  move: string;
  /** Discs for the side to move. */
  value: number;
  /** Depth in plies, with a confidence such as `20@73%`; `100%` for an exact score, `100%W` for a proven winner. */
  depth: string;
  /** The value is proven. */
  exact: boolean;
  /** The expected moves, without passes. */
  pv: string[];
}

/** A move of an analyzed game. Values are discs for its side. */
export interface Row {
  ply: number;
  side: 'black' | 'white';
  move: string;
  /** Value after the move, by all searches of the game. */
  value: number;
  /** Loss against the best move; 0 without a choice. */
  loss: number;
  /** The best move by all searches: the move itself if its search found it better than the others. */
  best: string | null;
  bestValue: number;
  /** Both values are proven. */
  exact: boolean;
  /** The expected moves from `best` on, without passes. */
  pv: string[];
}

export interface Request {
  /** Depth in plies, 12 by default. Endgames with few empty squares are solved. */
  depth?: number;
  /** Ends the search. The promise is rejected with the reason. */
  signal?: AbortSignal;
}

/** A running engine. Requests run in sequence. */
export class Outflank {
  private constructor();
  static start(options?: Options & { signal?: AbortSignal }): Promise<Outflank>;
  readonly info: Ready;
  /** Returns the best moves, the best one first; an empty list if the game is over. */
  hint(
    position: Game,
    options?: Request & { moves?: number; onProgress?(values: Value[]): void },
  ): Promise<Value[]>;
  /** Returns the best move with its exact score; `null` if the game is over. */
  solve(
    position: Game,
    options?: { signal?: AbortSignal; onProgress?(values: Value[]): void },
  ): Promise<Value | null>;
  /** Returns a row for each move. `onProgress` gets each row when it is complete. */
  analyse(game: Game, options?: Request & { onProgress?(row: Row, moves: number): void }): Promise<Row[]>;
  /** Ends the running request, which returns the results so far. Without one, does nothing. */
  stop(): void;
  /** Ends the worker and rejects the running request. */
  close(): void;
}
