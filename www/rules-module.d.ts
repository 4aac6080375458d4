/* tslint:disable */
/* eslint-disable */

/**
 * A study. Positions are 65 characters, nodes are their numbers. An unknown position or node has no values.
 */
export class Study {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    add_book_values(values: PositionBooked[]): void;
    adopt(other: Study): void;
    arrange(node: number, children: Uint32Array | number[]): void;
    begin(last: number, depth: number, exact?: number | null, reasons?: boolean | null): number;
    clear_book_values(): void;
    clear(): void;
    comment(node: number, text: string): void;
    explanation(position: string, square: string): Explanation | undefined;
    forget(position: string): void;
    hear(position: string, lines: string): boolean;
    is_known(position: string, depth: number, exact: number): boolean;
    link(cursor?: number | null): string;
    loss(position: string, square: string): Float64Array;
    network(is_large: boolean): void;
    next_task(): Task | undefined;
    nodes(): NodeValue[];
    numbers(): Float64Array;
    static of(game: Game): Study;
    play(node: number, square: string): NodeValue | Failed;
    point(position: string): Float64Array;
    prove(position: string, scores: Record<string, number>): void;
    put_back(id: number): void;
    static read(text: string): Study;
    restore(position: string, saved: Partial<SavedSearches>): boolean;
    rows(position: string, with_book: boolean): { rows: Row[]; best: Row | null; complete: boolean };
    saved(position: string, plies: number): SavedSearches | undefined;
    stop(): void;
    take(id: number, lines: string): boolean;
    readonly cursor: number;
    readonly left: number;
    readonly revision: number;
    set given(value: number);
}

/**
 * A game of `games_read` in a notation: `sgf`, `pgn`, `ggf` or `moves`.
 */
export function game_write(game: Game, notation: string): string | Failed;

/**
 * The games of a pasted text in any notation.
 */
export function games_read(text: string): GamesRead | Failed;

/**
 * The games of the text of a file, which may be longer.
 */
export function games_read_file(text: string): GamesRead | Failed;

/**
 * The plies to which a position is searched at a depth: the leaves have an even number of empty squares, and positions with at most
 * `exact` empty squares are solved.
 */
export function plan_depth(position: string, depth: number, exact: number): number;

/**
 * The canonical form of a position: the same for all eight symmetric positions.
 */
export function position_canonical(position: string): string | Failed;

/**
 * Discs, side to move, legal moves and result of a position.
 */
export function position_look(position: string): Look | Failed;

/**
 * Mobility, frontier, stable discs, empty regions and threatened discs.
 */
export function position_overlays(position: string): Overlays | Failed;

/**
 * The position after a move such as `f5`, the discs it flips, and whether the other side must pass.
 */
export function position_play(position: string, square: string): Played | Failed;

/**
 * The lines that ask an engine about a position: at a depth in plies, with a clock of the side to move in seconds.
 */
export function search_lines(position: string, depth: number, command: string, seconds?: number | null, increment?: number | null): string[];

export function set_hook(): void;

/**
 * The values in lines of an engine.
 */
export function values_read(lines: string): (Row & { depth: string })[];

export type InitInput = RequestInfo | URL | Response | BufferSource | WebAssembly.Module;

export type InitOutput = object;

export type SyncInitInput = BufferSource | WebAssembly.Module;

/**
 * Instantiates the given `module`, which can either be bytes or
 * a precompiled `WebAssembly.Module`.
 *
 * @param {{ module: SyncInitInput }} module - Passing `SyncInitInput` directly is deprecated.
 *
 * @returns {InitOutput}
 */
export function initSync(module: { module: SyncInitInput } | SyncInitInput): InitOutput;

/**
 * If `module_or_path` is {RequestInfo} or {URL}, makes a request and
 * for everything else, calls `WebAssembly.instantiate` directly.
 *
 * @param {{ module_or_path: InitInput | Promise<InitInput> }} module_or_path - Passing `InitInput` directly is deprecated.
 *
 * @returns {Promise<InitOutput>}
 */
export default function __wbg_init (module_or_path?: { module_or_path: InitInput | Promise<InitInput> } | InitInput | Promise<InitInput>): Promise<InitOutput>;
