// Selects the evaluation of the engine: the network that comes with the page, or the large one. The file of the large network
// is downloaded when the user selects it. The engine uses the other network until the download is complete.

import { choices } from '../base/dialog.js';
import { h, text } from '../base/dom.js';
import { load } from '../base/load.js';

/** The download in progress. @type {AbortController | null} */
let loading = null;
/** Updates the choice in the open dialog. */
let redraw = () => {};

/** The file of the large network, or `null` if the page has none.
 *  @returns {Promise<{ address: URL, bytes: number, digest: string } | null>} */
const largeFile = async () => (await load('engine/build.js')).LARGE;

/** Downloads the file, so that it is available to every engine: the service worker stores it. Throws if the file is not available
 *  or not the one that was built. @param {AbortSignal} [signal] */
export async function loadLarge(signal) {
  const large = await largeFile();
  if (!large) throw new Error('404');
  const answer = await fetch(large.address, { signal });
  if (!answer.ok) throw new Error(String(answer.status));
  const bytes = await answer.arrayBuffer();
  // An error is found here, before an engine is ended for the file.
  const digest = await crypto.subtle?.digest('SHA-256', bytes);
  const digits = digest && Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0'));
  const isWhole = digits ? digits.join('') === large.digest : bytes.byteLength === large.bytes;
  if (!isWhole) throw new Error('the file is damaged');
  // The service worker does not see the requests of a page that it does not control.
  const { serviceWorker } = navigator;
  if (serviceWorker && !serviceWorker.controller)
    (await serviceWorker.getRegistration())?.active?.postMessage({ keep: large.address.href });
}

/** @param {Pick<App, 'control' | 'notices' | 'settings' | 'words'>} app @param {Network} network */
async function choose(app, network) {
  const { notices, settings, words } = app;
  loading?.abort();
  const mine = network === 'large' ? new AbortController() : null;
  loading = mine;
  redraw();
  try {
    if (mine) await loadLarge(mine.signal);
    // Another choice was made during the download.
    if (loading !== mine) return;
    loading = null;
    // If the network was selected before and not available, the setting does not change.
    if (mine && settings.get('network') === 'large') app.control.restart();
    else settings.set('network', network);
  } catch (/** @type {any} */ error) {
    if (loading !== mine) return;
    loading = null;
    const message = words.t('settings.networkFailed', { detail: error.message });
    notices.show(message, { kind: 'fault', key: 'network' });
  }
  redraw();
}

/** The choice for the settings dialog, or `null` if there is only one network.
 * @param {Pick<App, 'control' | 'network' | 'notices' | 'screen' | 'settings' | 't' | 'words'>} app */
export async function networkChoices(app) {
  const { t, words } = app;
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
  const update = () => {
    const chosen = loading ? 'large' : app.network;
    for (const input of field.querySelectorAll('input')) input.checked = input.value === chosen;
    text(state, loading ? t('settings.networkLoading') : '');
  };
  update();
  redraw = update;
  // The network of an engine is known when the engine is ready.
  const unlisten = app.screen.drawn.listen(() => (field.isConnected ? update() : unlisten()));
  return field;
}
