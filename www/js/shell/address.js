// The address of the page contains the study, so that a link, a reload or a bookmark restores it.

import { orNull } from '../base/validate.js';
import { writeLink } from '../model/link.js';
import { keepStudy, keptName, MAX_HASH, readStudy } from '../model/saved-studies.js';
import { Tree } from '../model/tree.js';

const DELAY_MS = 400;
/** Key of the address at the end of the page, of the hash it should have had, and of what begins the mode again. */
const LEFT = 'outflank.left';

/** The address of a study. @param {{ study: Pick<Study, 'tree' | 'node'>, t: App['t'] }} app */
export function linkOf({ study, t }) {
  const url = new URL(location.href);
  url.hash = writeLink(study.tree, study.node, t('match.you'));
  return url;
}

/** The address of the position on the board, with its comment and marks: a question unless the game is over.
 *  @param {Pick<App, 'rules' | 'study' | 't'>} app */
export function questionOf({ rules, study, t }) {
  const { comment, position } = study.node;
  const tree = new Tree(rules, position, rules.look(position).over ? {} : { ask: 'best' });
  tree.root.comment = comment;
  return linkOf({ study: { tree, node: tree.root }, t });
}

/** Returns the hash with which this tab left the page, and what begins its mode again; for a new visit, the hash of the address. */
function takeLeft() {
  const beforeHash = (/** @type {string} */ address) => address.split('#', 1)[0];
  try {
    const [address, hash, mode] = JSON.parse(sessionStorage.getItem(LEFT) ?? '[]');
    sessionStorage.removeItem(LEFT);
    const [visit] = performance.getEntriesByType('navigation');
    const { type } = /** @type {PerformanceNavigationTiming} */ (visit);
    // A reload shows the address of its start: the page may have written another one since then.
    const isSame =
      type === 'reload'
        ? beforeHash(address) === beforeHash(location.href)
        : type === 'back_forward' && address === location.href;
    if (isSame) return { hash: String(hash), mode };
  } catch {}
  return { hash: location.hash };
}

/** Opens the study of the address, and updates the address from then on. Returns `true` if the mode before a reload begins again.
 * @param {App} app */
export async function attachAddress(app) {
  let [written, timer] = ['', 0];
  /** The name of this tab's study, if it is stored. */
  let own = '';
  let requests = 0;
  /** Opens a study, unless another address is typed during the loading. The hash is read before, since the page may write another
   *  one meanwhile. If the address is invalid, that of the study replaces it. @param {string} hash */
  const read = async (hash) => {
    const request = ++requests;
    if (hash.length <= 1) return;
    const { takeLink } = await app.taking();
    const take = async (/** @type {string} */ link) => {
      if (request === requests && (await takeLink(app, link)) === false) await write();
    };
    const kept = keptName(hash);
    if (kept === null) await take(hash.slice(1));
    else await app.attempt(async () => take(await readStudy(app.store, kept)));
  };
  /** Stores a study whose link is too long, and returns its short address. @param {URL} url @returns {Promise<URL>} */
  const shortened = async (url) => {
    if (!own) {
      // Another tab may use the study that this tab started with.
      own = crypto.randomUUID();
      app.notices.show(app.t('link.long', { n: url.hash.length }), { key: 'link' });
    }
    await keepStudy(app.store, own, url.hash.slice(1));
    url.hash = `kept=${own}`;
    return url;
  };
  const write = async () => {
    clearTimeout(timer);
    timer = 0;
    const whole = linkOf(app);
    const url = whole.hash.length > MAX_HASH ? await shortened(whole) : whole;
    written = url.hash.slice(1);
    if (url.href !== location.href)
      history.replaceState(null, '', written ? url : location.pathname + location.search);
  };
  window.addEventListener('hashchange', ({ newURL }) => {
    const { hash } = new URL(newURL);
    if (hash.slice(1) === written) return;
    clearTimeout(timer);
    timer = 0;
    read(hash);
  });
  const { hash, mode } = takeLeft();
  await read(hash);
  if (hash !== location.hash) write().catch(() => {});
  app.study.changed.listen(() => {
    clearTimeout(timer);
    timer = window.setTimeout(() => write().catch(() => {}), DELAY_MS);
  });
  window.addEventListener('pagehide', () => {
    const { begun, current } = app.modes;
    const study = current?.game ?? app.study;
    const hash = timer || study !== app.study ? linkOf({ study, t: app.t }).hash : location.hash;
    orNull(() => sessionStorage.setItem(LEFT, JSON.stringify([location.href, hash, begun])));
    if (timer) write();
  });
  // A page restored from the browser's memory does not need the stored hash.
  window.addEventListener('pageshow', ({ persisted }) => persisted && takeLeft());
  if (!mode) return false;
  // The analysis of the game ends every mode when it begins.
  await app.panels.get('report').catch(() => {});
  return app.modes.resume(mode);
}
