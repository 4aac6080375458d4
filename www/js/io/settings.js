// The settings of the user, stored on this device. Invalid stored values are ignored.

import { Signal } from '../base/signal.js';
import { isObject, isWhole, merge } from '../base/validate.js';
import { OVERLAYS } from '../board/overlays.js';
import { GRAPH_MODES } from '../model/values.js';

/** More threads gain almost nothing. */
const MAX_THREADS = 16;
/** Most threads without a choice of the user. */
const MAX_AUTO_THREADS = 8;

/** Depths of the settings, in plies. The last one searches to the end. */
export const DEPTHS = [12, 16, 20, 24, 30, 60];

/** Sides from which values can be shown. */
export const VIEWERS = ['own', 'mover', 'black'];

/** Colours of the board. */
export const BOARD_COLOURS = ['green', 'blue', 'wood', 'grey'];

const isFlag = (value) => typeof value === 'boolean';
const oneOf = (values) => (value) => values.includes(value);
const whole = (least, most) => (n) => isWhole(n, most) && n >= least;

/** The default of each setting, and the check of a value. */
const SETTINGS = {
  engine: [true, isFlag],
  values: [true, isFlag],
  /** The values of the opening book of the page. */
  book: [true, isFlag],
  /** All values have a decimal, not only that of the best move. */
  decimals: [false, isFlag],
  /** Whose view the values are: the user's side or else Black, the side to move, always Black. */
  viewer: ['own', oneOf(VIEWERS)],
  lines: [64, whole(1, 64)],
  depth: [24, whole(1, 60)],
  reviewDepth: [14, whole(4, 40)],
  workers: [0, whole(0, 16)],
  /** Most memory of the engine's table, in MiB. 0 selects it automatically. */
  hash: [0, oneOf([0, 8, 16, 32, 64, 128, 256])],
  /** Threads of the engine. 0 selects them automatically. */
  threads: [0, whole(0, MAX_THREADS)],
  /** The native engine is used, if there is one. */
  program: [true, isFlag],
  network: ['small', oneOf(['small', 'large'])],
  overlay: [null, oneOf([null, ...OVERLAYS])],
  graphMode: ['score', oneOf(GRAPH_MODES)],
  theme: ['auto', oneOf(['auto', 'light', 'dark'])],
  boardColour: ['green', oneOf(BOARD_COLOURS)],
  /** The board shows the discs of the line of a move that is pointed at. */
  ghosts: [true, isFlag],
  language: [null, (text) => text === null || typeof text === 'string'],
  singleKeys: [true, isFlag],
  view: [0, whole(0, 7)],
  /** The user's names in games; see `model/own-names.js`. */
  names: [[], (list) => Array.isArray(list) && list.every((name) => typeof name === 'string')],
  sound: [false, isFlag],
  /** Least pause before a move of an opponent, in milliseconds. The longest one is twice as long. */
  pace: [400, oneOf([0, 400, 1500])],
};

const fits = (key, value) => SETTINGS[key][1](value);

/** Returns `true` on phones. A media query would force a layout. */
const isSmall = () => navigator.maxTouchPoints > 0 && Math.min(screen.width, screen.height) < 700;

/** Most memory of the table of the page's engine, in MiB. */
export function hashFor(chosen) {
  if (chosen > 0) return chosen;
  const { deviceMemory = 8 } = /** @type {any} */ (navigator);
  return isSmall() || deviceMemory < 4 ? 8 : 32;
}

/** Threads of the page's engine, if the browser shares memory. One core is left to the page; on phones half of the others is used.
 *  `most` is the limit for a command, `memory` the limit of the shared memory, in MiB. A single core uses no threads. */
export function threadsFor(chosen) {
  const cores = navigator.hardwareConcurrency ?? 1;
  const free = Math.min(cores - 1, MAX_AUTO_THREADS);
  const suited = cores < 2 ? 0 : Math.max(1, isSmall() ? free >> 1 : free);
  const threads = chosen || suited;
  return { threads, most: Math.max(threads, cores - 1), memory: isSmall() ? 256 : 1024 };
}

/** Settings of one tab: they are stored for the next visit and do not change other open tabs. */
const OF_A_TAB = ['engine', 'values', 'decimals', 'overlay', 'graphMode', 'view'];

export class Settings {
  /** A setting has another value. @type {Signal<[key: string, value: any]>} */
  changed = new Signal();
  /** Names of invalid stored settings. @type {string[]} */
  faulty = [];

  /** @param {Store} store */
  constructor(store) {
    this.store = store;
    /** @type {Record<string, any>} */
    this.values = Object.fromEntries(Object.entries(SETTINGS).map(([key, [value]]) => [key, value]));
    // Unknown settings of a newer page stay stored.
    for (const [key, value] of this.#stored) {
      if (fits(key, value)) this.values[key] = value;
      else this.faulty.push(key);
    }
    store.elsewhere?.listen((name) => {
      if (name === 'settings') this.#follow();
    });
  }

  /** The known stored settings. @returns {[key: string, value: unknown][]} */
  get #stored() {
    const stored = this.store.get('settings');
    return Object.entries(isObject(stored) ? stored : {}).filter(([key]) => Object.hasOwn(SETTINGS, key));
  }

  #follow() {
    for (const [key, value] of this.#stored) {
      if (OF_A_TAB.includes(key) || !fits(key, value) || this.values[key] === value) continue;
      this.values[key] = value;
      this.changed.send(key, value);
    }
  }

  get(key) {
    return this.values[key];
  }

  set(key, value) {
    this.change(key, () => value);
  }

  /** Changes a setting depending on its stored value, which another tab may have changed. `make` must be idempotent.
   *  @param {string} key @param {(value: any) => any} make */
  change(key, make) {
    const value = make(this.values[key]);
    if (!fits(key, value) || this.values[key] === value) return;
    this.values[key] = value;
    merge(this.store, 'settings', (kept) => {
      const stored = Object(kept)[key];
      return { ...(isObject(kept) ? kept : {}), [key]: make(fits(key, stored) ? stored : value) };
    });
    this.changed.send(key, value);
  }

  toggle(key) {
    this.set(key, !this.get(key));
  }
}
