// What was kept on the device is read like any other input: it may be old, or odd, or not ours at all.

/** Whether a value has fields of its own, as an object of JSON has. @param {unknown} value */
export const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** @param {any} number @param {number} least @param {number} most */
export const isWithin = (number, least, most) => Number.isFinite(number) && number >= least && number <= most;

/** A whole number from 0 to `most`. @param {any} number @param {number} most */
export const isWhole = (number, most) => Number.isInteger(number) && isWithin(number, 0, most);

/** Whether a text is a position as `base/position.js` writes it. @param {unknown} value */
export const isPosition = (value) => typeof value === 'string' && /^[-XO]{64}[XO]$/.test(value);

/** Changes a small value that other tabs change as well: at once, and again under a lock, in case another tab was between
 *  reading and writing. `change` must come to the same when it is repeated.
 *  @param {Pick<Store, 'get' | 'set'>} store @param {string} key @param {(kept: any) => any} change */
export function merge(store, key, change) {
  const write = () => store.set(key, change(store.get(key)));
  write();
  globalThis.navigator?.locks?.request(`outflank.${key}`, write).catch(() => {});
}
