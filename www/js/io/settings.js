// What a person chose, kept on the device. Stored values that do not fit are passed over.

import { Signal } from '../base/signal.js';
import { isObject, merge } from '../base/validate.js';
import { OVERLAYS } from '../board/overlays.js';

/** More threads than this gain next to nothing over fewer. */
const THREADS_AT_MOST = 16;
/** As many the engine takes by itself. */
const THREADS_BY_ITSELF = 8;

/** Depths that the settings offer, in plies; the last is to the end. */
export const DEPTHS = [12, 16, 20, 24, 30, 60];

/** What the graph can show. */
export const GRAPH_MODES = ['score', 'loss', 'total'];

export const DEFAULTS = {
  engine: true,
  values: true,
  black: false,
  lines: 64,
  depth: 24,
  reviewDepth: 14,
  workers: 0,
  /** What the engine's table may grow to, in MiB; 0 is what the device can bear. */
  hash: 0,
  /** On how many threads the engine searches; 0 is as many as suit the device. */
  threads: 0,
  /** What the engine evaluates with. @type {Network} */
  network: 'small',
  overlay: null,
  graphMode: 'score',
  theme: 'auto',
  language: null,
  singleKeys: true,
  view: 0,
};

const CHECKS = {
  lines: (n) => Number.isInteger(n) && n >= 1 && n <= 64,
  depth: (n) => Number.isInteger(n) && n >= 1 && n <= 60,
  reviewDepth: (n) => Number.isInteger(n) && n >= 4 && n <= 40,
  workers: (n) => Number.isInteger(n) && n >= 0 && n <= 16,
  threads: (n) => Number.isInteger(n) && n >= 0 && n <= THREADS_AT_MOST,
  hash: (n) => [0, 8, 16, 32, 64, 128, 256].includes(n),
  network: (text) => ['small', 'large'].includes(text),
  view: (n) => Number.isInteger(n) && n >= 0 && n <= 7,
  theme: (text) => ['auto', 'light', 'dark'].includes(text),
  graphMode: (text) => GRAPH_MODES.includes(text),
  language: (text) => text === null || typeof text === 'string',
  overlay: (text) => text === null || OVERLAYS.includes(text),
};

const fits = (key, value) =>
  Object.hasOwn(CHECKS, key) ? CHECKS[key](value) : typeof value === typeof DEFAULTS[key];

/** Whether this looks like a phone. A media query would tell as well, but has the page laid out first. */
function isSmall({ navigator, screen } = globalThis) {
  return (
    (navigator?.maxTouchPoints ?? 0) > 0 &&
    Math.min(screen?.width ?? Infinity, screen?.height ?? Infinity) < 700
  );
}

/** MiB that the table of the engine at work on the board may grow to: little on phones. */
export function hashFor(
  chosen,
  memory = /** @type {any} */ (globalThis.navigator)?.deviceMemory ?? 8,
  small = isSmall(),
) {
  if (chosen > 0) return chosen;
  return small || memory < 4 ? 8 : 32;
}

/** On how many threads the engine at work on the board searches, where the browser shares memory: one core is left to
 *  the page, half of a phone's to its battery. `most` is what a line may ask for, `memory` what all may take together,
 *  in MiB. A single core gets along without threads. */
export function threadsFor(
  chosen,
  cores = globalThis.navigator?.hardwareConcurrency ?? 1,
  small = isSmall(globalThis),
) {
  const free = Math.min(cores - 1, THREADS_BY_ITSELF);
  const suited = cores < 2 ? 0 : Math.max(1, small ? free >> 1 : free);
  const threads = chosen || suited;
  return { threads, most: Math.max(threads, cores - 1), memory: small ? 256 : 1024 };
}

/** What belongs to one tab: it is stored for the next visit, and other open tabs keep theirs. */
const OF_A_TAB = ['engine', 'values', 'overlay', 'graphMode', 'view'];

export class Settings {
  /** A setting has another value. @type {Signal<[key: string, value: any]>} */
  changed = new Signal();
  /** Names of stored settings that did not fit. @type {string[]} */
  faulty = [];

  /** @param {Store} store */
  constructor(store) {
    this.store = store;
    this.values = { ...DEFAULTS };
    // What is not known here, as a newer page may have left it, stays where it is.
    for (const [key, value] of this.#stored) {
      if (fits(key, value)) this.values[key] = value;
      else this.faulty.push(key);
    }
    store.elsewhere?.listen((name) => {
      if (name === 'settings') this.#follow();
    });
  }

  /** The known ones among what is stored. @returns {[key: string, value: unknown][]} */
  get #stored() {
    const stored = this.store.get('settings');
    return Object.entries(isObject(stored) ? stored : {}).filter(([key]) => Object.hasOwn(DEFAULTS, key));
  }

  /** Takes what another tab has set. */
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
    if (!fits(key, value) || this.values[key] === value) return;
    this.values[key] = value;
    merge(this.store, 'settings', (kept) => ({ ...(isObject(kept) ? kept : {}), [key]: value }));
    this.changed.send(key, value);
  }

  toggle(key) {
    this.set(key, !this.get(key));
  }
}
