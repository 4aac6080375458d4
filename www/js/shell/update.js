// Offline use: registers the service worker, and tells when a newer page is ready. Nothing is reloaded
// before the person says so.

import { loadLarge } from './network.js';

const LOOK_AGAIN_MS = 15 * 60_000;

async function newest() {
  try {
    const answer = await fetch(new URL('../../version.json', import.meta.url), { cache: 'no-store' });
    return answer.ok ? (await answer.json()).version : null;
  } catch {
    return null;
  }
}

/** @param {App} app */
export async function keepOffline(app) {
  // Typing follows `/` and the console's key at once: what is typed into has to be there by then.
  Promise.all([
    import('./dialogs.js'),
    app.words.load('dialogs'),
    app.panels.get('console'),
    app.taking(),
  ]).catch(() => {});
  if (!('serviceWorker' in navigator)) return;
  // What was loaded before there was a service worker it has not kept.
  if (!navigator.serviceWorker.controller) {
    const keepLarge = () => app.settings.get('network') === 'large' && loadLarge().catch(() => {});
    navigator.serviceWorker.addEventListener('controllerchange', keepLarge, { once: true });
  }
  navigator.serviceWorker.register(new URL('../../sw.js', import.meta.url)).catch(() => {});
  const ours = await newest();
  let looked = Date.now();
  document.addEventListener('visibilitychange', async () => {
    if (document.hidden || ours === null || Date.now() - looked < LOOK_AGAIN_MS) return;
    looked = Date.now();
    const now = await newest();
    if (now !== null && now !== ours) app.offerUpdate();
  });
}
