// Decides which page owns the saved match: two pages would overwrite each other's moves.

import { orNull } from '../base/validate.js';

/** Set in a tab while it plays. */
const MARK = 'outflank.playing';
const LOCK = 'outflank.match';
/** A page that is being reloaded may release the lock only after the new page has requested it. */
const LOCK_TIMEOUT_MS = 2000;

/** @param {boolean} on */
export function markPlaying(on) {
  // If storage is denied, the address identifies the match.
  orNull(() => (on ? sessionStorage.setItem(MARK, 'yes') : sessionStorage.removeItem(MARK)));
}

/** Returns `true` if this page played before it was reloaded. */
export function isReload() {
  const [navigation] = /** @type {PerformanceNavigationTiming[]} */ (
    performance.getEntriesByType('navigation')
  );
  return navigation?.type !== 'navigate' && orNull(() => sessionStorage.getItem(MARK)) !== null;
}

/** Acquires the lock of the saved match. Returns a function that releases it, or `null` if another page holds it. `steal` takes
 *  it from that page, `patient` waits for it. `lost` is called when another page takes it. Without browser support for locks
 *  every page acquires it.
 *  @param {{ steal?: boolean, patient?: boolean, lost: () => void }} how @returns {Promise<(() => void) | null>} */
export function lockMatch({ steal = false, patient = false, lost }) {
  if (!navigator.locks) return Promise.resolve(() => {});
  return new Promise((resolve) => {
    let held = false;
    const options =
      patient && !steal ? { signal: AbortSignal.timeout(LOCK_TIMEOUT_MS) } : { steal, ifAvailable: !steal };
    const hold = () =>
      new Promise((release) => {
        held = true;
        resolve(() => release(undefined));
      });
    const missed = () => (held ? lost() : resolve(null));
    const request = navigator.locks.request(LOCK, options, (lock) => lock && hold());
    request.then(() => resolve(null), missed);
  });
}
