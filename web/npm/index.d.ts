/// <reference lib="esnext.disposable" />

// The client, and the messages of the worker `outflank/worker`.

/** Options of the engine: the `name` of a worker in a browser, the `workerData` of a worker in Node. */
export interface Options {
  /** Maximum size of the transposition table in MiB: 8 by default in a worker, 64 in the client. */
  hash?: number;
  /**
   * Number of search threads, at most 256, in addition to the worker itself. In a browser the page must be cross-origin isolated.
   * On other pages, and without this option, reading lines and searching alternate in the worker.
   */
  threads?: number;
  /** Maximum number of search threads that a line may request later. */
  most?: number;
  /** Maximum size of the memory shared by the threads in MiB; 1024 by default. */
  memory?: number;
  /** `small` by default: the network of the page and of the other clients. `large` is the one of the program under a GUI. */
  network?: Network;
}

export type Network = 'small' | 'large';

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
  /** The reason if the large network was requested and the small one is used. */
  missed?: string;
}

/** What a client was granted. */
export interface Info extends Ready {
  /** Size of the transposition table in MiB. */
  hash: number;
  network: Network;
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
  /** A search without forward pruning, a search with it, a proven winner, or a proven score. */
  proof: 'heuristic' | 'selective' | 'outcome' | 'exact';
  /** Depth in plies; all empty squares if the winner or the score is proven. */
  plies: number;
  /** Confidence of the forward pruning in percent, 100 without it. */
  confidence: number;
  /** Depth in plies, with a confidence such as `20@73%`; `100%` for an exact score, `100%W` for a proven winner. */
  depth: string;
  /** The value is proven. */
  exact: boolean;
  /** The expected moves, without passes. */
  pv: string[];
}

/** A move of an analyzed game. */
export interface Row {
  ply: number;
  side: 'black' | 'white';
  move: string;
  /** Discs for Black after the move, by all searches of the game. */
  value: number;
  /** Loss of the move for its side against the best move; 0 without a choice. */
  loss: number;
  /** The best move by all searches. The move itself if none is better, or if the best one is equal to it by symmetry. */
  best: string;
  /** Discs for Black before the move. */
  bestValue: number;
  /** Both values are proven. */
  exact: boolean;
  /** A loss that is almost certain. `null` if it is not exact and less than a disc. */
  atLeast: number | null;
  /** A win became a draw or a loss, or a draw a loss. */
  changed: 'WD' | 'WL' | 'DL' | null;
  /** The outcome changed, or the loss is clear. */
  mistake: boolean;
  /** A mistake of more than 6 discs, or of the outcome. */
  grave: boolean;
  /** The expected moves from `best` on, without passes. */
  pv: string[];
  /** Of a mistake, with `reasons`. */
  explanation?: Explanation;
}

/** Squares of the side that moved and of the other side, on the board after so many moves of a line. */
export interface Facts {
  plies: number;
  own: string[];
  other: string[];
}

/** Why a move is a mistake: at most two differences between the best lines after it and after the better move. */
export interface Explanation {
  reasons: {
    kind: 'corner' | 'pass' | 'last move' | 'mobility' | 'safe moves' | 'potential' | 'exposed' | 'stable';
    played: Facts;
    better: Facts;
  }[];
  played: string[];
  better: string[];
  /** Without reasons, the number of moves of `played` after which the value falls, or `null`. */
  fallsAt: number | null;
}

export interface Request {
  /** Depth in plies, 12 by default. Endgames with few empty squares are solved. */
  depth?: number;
  /** Most milliseconds of a search. */
  time?: number;
  /** Most positions of a search. */
  nodes?: number;
  /** Ends the search. The promise is rejected with the reason. */
  signal?: AbortSignal;
}

/** An error of the engine. An invalid option is a `TypeError` or a `RangeError`, and an aborted request has the reason of its signal. */
export class OutflankError extends Error {
  /** `refused`: the engine refused a line, such as an illegal move. `network`: it cannot be loaded. */
  readonly code: 'refused' | 'stopped' | 'closed' | 'network';
}

/** The request was stopped before it had a result. */
export class StoppedError extends OutflankError {
  readonly code: 'stopped';
}

/** A game of a text. */
export interface GameRead {
  /** 64 squares from a1 and the side to move. */
  start: string;
  /** Without passes. */
  moves: string;
  black?: string;
  white?: string;
  date?: string;
  place?: string;
  /** Disc difference for Black. */
  result?: number;
  /** Comments, each with the number of moves before it. */
  comments?: [number, string][];
  /** Parts of the text that the game does not contain: kinds, each with the first part. */
  notKept?: [string, string][];
}

export interface StartOptions extends Options {
  /** Ends the start. The promise is rejected with the reason. */
  signal?: AbortSignal;
  /** Starts the worker, for hosts that need another address of `outflank/worker`. It gets the name of the worker. */
  worker?(name: string): unknown;
}

/** A running engine. Requests run in sequence. An unknown option is rejected with a `TypeError`. */
export class Outflank {
  private constructor();
  static start(options?: StartOptions): Promise<Outflank>;
  readonly info: Info;
  /** Changes options for the requests that begin later, which another worker answers, with an empty table. After an error, the
   *  old worker continues. */
  configure(options: StartOptions): Promise<void>;
  /**
   * Returns the best moves, the best one first; an empty list if the game is over. With `time` or `nodes`, `depth` is no limit
   * by default. `only` lists the moves to value.
   */
  hint(
    position: Game,
    options?: Request & { moves?: number; only?: Game; onProgress?(values: Value[]): void },
  ): Promise<Value[]>;
  /**
   * Returns a move, `pa` for a pass, `null` if the game is over. `level` is the name or number (1 to 10) of a weaker player, who has its
   * own depth instead of the limits.
   */
  play(position: Game, options?: Request & { level?: string | number }): Promise<string | null>;
  /** Returns the best move with its exact score; `null` if the game is over. */
  solve(
    position: Game,
    options?: { signal?: AbortSignal; onProgress?(values: Value[]): void },
  ): Promise<Value | null>;
  /**
   * Returns a row for each move. Positions with at most `exact` empty squares are solved. They are searched from the last to the
   * first, with an empty table: with one thread, a game always has the same rows. `onProgress` gets each row when it is first
   * known; earlier positions may change it. With `reasons`, mistakes are explained.
   */
  analyse(
    game: Game,
    options?: Request & { exact?: number; reasons?: boolean; onProgress?(row: Row, moves: number): void },
  ): Promise<Row[]>;
  /** Returns the position at the end of a game: 64 squares and the side to move. */
  position(game: Game): string;
  /** Returns the legal moves; `['pa']` for a forced pass, an empty list if the game is over. */
  legalMoves(game: Game): string[];
  /** Returns the disc difference of a finished game for Black, with the empty squares for the winner. `null` before the end. */
  result(game: Game): number | null;
  /** Returns the games in a text: SGF, GGF, PGN, transcripts, positions and other notations. Invalid games are skipped. */
  read(text: string): GameRead[];
  /**
   * Ends the running request, which returns the results so far: the last complete values of `hint`, the last rows of `analyse`.
   * Without results, and in `solve` without a proven score, it is rejected with a `StoppedError`. Without a request, does nothing.
   */
  stop(): void;
  /** Ends the worker and rejects the unfinished requests. */
  close(): void;
  /** Closes the engine at the end of `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}
