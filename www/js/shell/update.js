// Offline use: registers the service worker, and tells when a newer page is ready. Nothing is reloaded
// before the person says so.

import { load } from '../base/load.js';
import { loadLarge } from './network.js';

const LOOK_AGAIN_MS = 15 * 60_000;

/** The version of the newest build, or with `?shown` of the build that this page is of; `null` if it is unknown. */
async function version(query = '') {
  try {
    const answer = await fetch(new URL(`../../version.json${query}`, import.meta.url), { cache: 'no-store' });
    return answer.ok ? (await answer.json()).version : null;
  } catch {
    return null;
  }
}

/** @param {App} app */
export async function registerServiceWorker(app) {
  // Typing follows `/` and the console's key at once: what is typed into has to be there by then.
  Promise.all([
    load('js/shell/dialogs.js'),
    app.words.load('dialogs'),
    app.panels.get('console'),
    app.taking(),
  ]).catch(() => {});
  if (!('serviceWorker' in navigator)) return;
  navigator.serviceWorker.register(new URL('../../sw.js', import.meta.url)).catch(() => {});
  takeControl(app).catch(() => {});
  const ours = await version('?shown');
  let looked = Date.now();
  document.addEventListener('visibilitychange', async () => {
    if (document.hidden || ours === null || Date.now() - looked < LOOK_AGAIN_MS) return;
    looked = Date.now();
    const now = await version();
    if (now !== null && now !== ours) app.offerUpdate();
  });
}

/** On the first visit: has the service worker answer this page too, unless the page has threads, whose workers could not
 *  answer it. What was loaded before there was a service worker it has not stored. @param {App} app */
async function takeControl({ settings }) {
  const { serviceWorker } = navigator;
  if (serviceWorker.controller) return;
  const { active } = await serviceWorker.ready;
  if (!window.crossOriginIsolated) active?.postMessage('claim');
  if (settings.get('network') === 'large') await loadLarge();
}
