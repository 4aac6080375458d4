// Which page has the game that is kept on the device: two would write over each other's moves.

/** Set in a tab as long as it plays. */
const MARK = 'outflank.playing';

/** @param {boolean} on */
export function markPlaying(on) {
  try {
    if (on) sessionStorage.setItem(MARK, 'yes');
    else sessionStorage.removeItem(MARK);
  } catch {
    // Denied: then the address has to tell.
  }
}

/** Whether this is the page that played, loaded again. */
export function isReload() {
  const [navigation] = /** @type {PerformanceNavigationTiming[]} */ (
    performance.getEntriesByType('navigation')
  );
  try {
    return navigation?.type !== 'navigate' && sessionStorage.getItem(MARK) !== null;
  } catch {
    return false;
  }
}

const NAME = 'outflank.match';
/** A page that is reloaded may give the game away only after the new one has asked for it. */
const PATIENCE_MS = 2000;

/**
 * Takes the game for this page; what is answered gives it away again, or null where another page has it. With `steal` it
 * is taken from there, with `patient` it is waited for. `lost` is called where another page takes it. Where the browser has
 * no locks each page has it.
 * @param {{ steal?: boolean, patient?: boolean, lost: () => void }} how @returns {Promise<(() => void) | null>}
 */
export function lockMatch({ steal = false, patient = false, lost }) {
  if (!navigator.locks) return Promise.resolve(() => {});
  return new Promise((resolve) => {
    let held = false;
    const options =
      patient && !steal ? { signal: AbortSignal.timeout(PATIENCE_MS) } : { steal, ifAvailable: !steal };
    navigator.locks
      .request(
        NAME,
        options,
        (lock) =>
          lock &&
          new Promise((release) => {
            held = true;
            resolve(() => release(undefined));
          }),
      )
      .then(
        () => resolve(null),
        () => (held ? lost() : resolve(null)),
      );
  });
}
