// The choice of what the engine evaluates with: the network that comes with the page, or the large one, whose file is
// loaded when somebody chooses it. The engine goes on with what it has until that file is here, whole.

import { choices } from '../base/dialog.js';
import { h, text } from '../base/dom.js';
import { load } from '../base/load.js';

/** The loading under way. @type {AbortController | null} */
let loading = null;
/** Draws the choice anew, where a dialog has it. */
let redraw = () => {};
/** The page whose drawings are followed. @type {App | null} */
let followed = null;

/** The large network's file, where the page has one.
 *  @returns {Promise<{ address: URL, bytes: number, digest: string } | null>} */
async function largeFile() {
  const { LARGE } = await load('engine/build.js');
  return LARGE;
}

/** Asks for the file, so that it is at hand for every engine; the service worker keeps it. Throws where it is not to be
 *  had as it was built. @param {AbortSignal} [signal] */
export async function loadLarge(signal) {
  const large = await largeFile();
  if (!large) throw new Error('404');
  const answer = await fetch(large.address, { signal });
  if (!answer.ok) throw new Error(String(answer.status));
  const bytes = await answer.arrayBuffer();
  // What an engine would find is found before one is ended for it.
  const digest = await crypto.subtle?.digest('SHA-256', bytes);
  const digits = digest && Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0'));
  const isWhole = digits ? digits.join('') === large.digest : bytes.byteLength === large.bytes;
  if (!isWhole) throw new Error('the file is damaged');
  // It has not seen the request of a page that it does not control.
  const { serviceWorker } = navigator;
  if (serviceWorker && !serviceWorker.controller)
    (await serviceWorker.getRegistration())?.active?.postMessage({ keep: large.address.href });
}

/** @param {App} app @param {Network} network */
async function choose(app, network) {
  const { notices, settings, words } = app;
  loading?.abort();
  loading = null;
  if (network === 'small') {
    settings.set('network', 'small');
    redraw();
    return;
  }
  const mine = new AbortController();
  loading = mine;
  redraw();
  try {
    await loadLarge(mine.signal);
    if (loading !== mine) return;
    loading = null;
    // It may have been chosen before and not been there.
    if (settings.get('network') === 'large') app.control.restart();
    else settings.set('network', 'large');
  } catch (/** @type {any} */ error) {
    // Another choice was made meanwhile.
    if (loading !== mine) return;
    loading = null;
    notices.show(words.t('settings.networkFailed', { detail: error.message }), {
      kind: 'fault',
      key: 'network',
    });
  }
  redraw();
}

/** The choice for the settings dialog; nothing where there is but one network. @param {App} app */
export async function networkChoices(app) {
  const { words } = app;
  const { t } = words;
  const large = await largeFile().catch(() => null);
  if (!large) return null;
  const state = h('p.muted', { role: 'status' });
  const field = choices({
    name: 'network',
    legend: t('settings.network'),
    value: app.network,
    options: [
      ['small', t('settings.network.small')],
      ['large', t('settings.network.large', { size: words.number(large.bytes / 1e6) })],
    ],
    onchange: (network) => choose(app, network),
  });
  field.append(state);
  redraw = () => {
    const chosen = loading ? 'large' : app.network;
    for (const input of field.querySelectorAll('input')) input.checked = input.value === chosen;
    text(state, loading ? t('settings.networkLoading') : '');
  };
  redraw();
  // Which one an engine has is known when it is ready.
  if (followed !== app) app.screen.drawn.listen(() => redraw());
  followed = app;
  return field;
}
