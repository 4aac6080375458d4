// Checks of stored data, which may be old, invalid, or written by another program; and merging of values that several tabs change.

/** Returns the result of `read`, or `null` if it throws. @template T @param {() => T} read */
export function orNull(read) {
  try {
    return read();
  } catch {
    return null;
  }
}

/** Returns `true` for a JSON object. @param {unknown} value */
export const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** @param {any} number @param {number} least @param {number} most */
export const isWithin = (number, least, most) => Number.isFinite(number) && number >= least && number <= most;

/** Returns `true` for a whole number from 0 to `most`. @param {any} number @param {number} most */
export const isWhole = (number, most) => Number.isInteger(number) && isWithin(number, 0, most);

/** Returns `true` for a position (see `base/position.js`). @param {unknown} value */
export const isPosition = (value) => typeof value === 'string' && /^[-XO]{64}[XO]$/.test(value);

/** Time during which a change is repeated if another tab overwrites it, and most repetitions with an effect. */
const WATCH_MS = 2000;
const MAX_REPEATS = 3;
/** Recent changes by key. @type {Map<string, { change: (kept: any) => any, until: number, left: number }[]>} */
const recent = new Map();

/** Changes a small value that other tabs also change. `change` must be idempotent.
 *  @param {Pick<Store, 'get' | 'set'>} store @param {string} key @param {(kept: any) => any} change */
export function merge(store, key, change) {
  const changes = (recent.get(key) ?? []).filter(({ until }) => until > Date.now());
  recent.set(key, [...changes, { change, until: Date.now() + WATCH_MS, left: MAX_REPEATS }]);
  store.set(key, change(store.get(key)));
}

/** Repeats the recent changes of a small value that another tab has overwritten.
 *  @param {Pick<Store, 'get' | 'set'>} store @param {string} key */
export function mergeAgain(store, key) {
  const found = store.get(key);
  let kept = found;
  for (const made of recent.get(key) ?? []) {
    if (made.until < Date.now() || made.left <= 0) continue;
    const changed = made.change(kept);
    if (JSON.stringify(changed) === JSON.stringify(kept)) continue;
    made.left--;
    kept = changed;
  }
  if (kept !== found) store.set(key, kept);
}
