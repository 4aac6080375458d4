// What was kept on the device is read like any other input: it may be old, or odd, or not ours at all.

/** Whether a value has fields of its own, as an object of JSON has. @param {unknown} value */
export const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** @param {any} number @param {number} least @param {number} most */
export const isWithin = (number, least, most) => Number.isFinite(number) && number >= least && number <= most;

/** A whole number from 0 to `most`. @param {any} number @param {number} most */
export const isWhole = (number, most) => Number.isInteger(number) && isWithin(number, 0, most);

/** Whether a text is a position as `base/position.js` writes it. @param {unknown} value */
export const isPosition = (value) => typeof value === 'string' && /^[-XO]{64}[XO]$/.test(value);

/** How long a change is watched, and how often it is made again. */
const WATCH_MS = 2000;
const MAX_REPEATS = 3;
/** Changes of the last seconds by key. @type {Map<string, { change: (kept: any) => any, until: number, left: number }[]>} */
const recent = new Map();

/** Changes a small value that other tabs change as well. `change` must come to the same when it is repeated.
 *  @param {Pick<Store, 'get' | 'set'>} store @param {string} key @param {(kept: any) => any} change */
export function merge(store, key, change) {
  const changes = (recent.get(key) ?? []).filter(({ until }) => until > Date.now());
  recent.set(key, [...changes, { change, until: Date.now() + WATCH_MS, left: MAX_REPEATS }]);
  store.set(key, change(store.get(key)));
}

/** Makes the recent changes of a small value again which another tab has overwritten without knowing them.
 *  @param {Pick<Store, 'get' | 'set'>} store @param {string} key */
export function mergeAgain(store, key) {
  const before = store.get(key);
  let after = before;
  for (const made of recent.get(key) ?? []) {
    if (made.until < Date.now() || made.left-- <= 0) continue;
    after = made.change(after);
  }
  if (JSON.stringify(after) !== JSON.stringify(before)) store.set(key, after);
}
