// Offline use: registers the service worker, and reports a newer page. The page is reloaded only on request.

import { load } from '../base/load.js';
import { loadLarge } from './network.js';

const CHECK_INTERVAL_MS = 15 * 60_000;

/** The version of the newest build, or with `?shown` of the build of this page. `null` if it is unknown. */
const version = (query = '') =>
  fetch(new URL(`../../version.json${query}`, import.meta.url), { cache: 'no-store' })
    .then(async (answer) => (answer.ok ? (await answer.json()).version : null))
    .catch(() => null);

/** @param {Pick<App, 'engine' | 'offerUpdate' | 'panels' | 'settings' | 'taking'>} app */
export async function registerServiceWorker(app) {
  // Parts with input fields: the user types right after the key that opens them.
  Promise.all([load('js/shell/dialogs.js'), app.panels.get('console'), app.taking()]).catch(() => {});
  if (!('serviceWorker' in navigator)) return;
  navigator.serviceWorker.register(new URL('../../sw.js', import.meta.url)).catch(() => {});
  takeControl(app).catch(() => {});
  const ours = await version('?shown');
  let checked = Date.now();
  document.addEventListener('visibilitychange', async () => {
    if (document.hidden || ours === null || Date.now() - checked < CHECK_INTERVAL_MS) return;
    checked = Date.now();
    const now = await version();
    if (now !== null && now !== ours) app.offerUpdate();
  });
}

/** On the first visit: lets the service worker control this page, unless the page has threads, whose workers could not answer it.
 *  With the engine of the program it has none, and the browser's engine can start after the end of the program, which is the host.
 *  Files loaded before are not stored. @param {Pick<App, 'engine' | 'settings'>} app */
async function takeControl({ engine, settings }) {
  const { serviceWorker } = navigator;
  if (serviceWorker.controller) return;
  const { active } = await serviceWorker.ready;
  if (!window.crossOriginIsolated || engine.info?.hash) active?.postMessage('claim');
  if (settings.get('network') === 'large') await loadLarge();
}
