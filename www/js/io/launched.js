// What other programs hand to the installed page: files opened with it, and what was shared with it. Both are taken as if
// they had been dropped.

import { RulesError } from '../model/rules.js';

/** Where the service worker leaves what was shared, for the page that it then sends to; see `sw.js`. */
const SHARED = 'outflank-shared';

/** Takes what was shared with the page, if it was opened for that. @param {App} app */
export async function takeShared(app) {
  const url = new URL(location.href);
  url.searchParams.delete('shared');
  // A reload takes nothing a second time.
  history.replaceState(null, '', url);
  try {
    const cache = await caches.open(SHARED);
    const [key] = await cache.keys();
    const answer = key && (await cache.match(key));
    await caches.delete(SHARED);
    // Too much to be kept, or no room for it.
    if (!answer) throw new RulesError({ code: 'file' });
    const form = await answer.formData();
    const files = form.getAll('files').filter((file) => file instanceof File && (file.name || file.size));
    const texts = ['text', 'url', 'title'].map((name) => form.get(name));
    const text = String(texts.find((text) => typeof text === 'string' && text.trim()) ?? '');
    await receive(app, { text, files: /** @type {File[]} */ (files) });
  } catch (error) {
    app.fail(error);
  }
}

/** Takes the files that the page is opened with, now and later. @param {App} app */
export function takeLaunched(app) {
  window.launchQueue?.setConsumer(async ({ files: handles }) => {
    if (handles.length === 0) return;
    try {
      await receive(app, { text: '', files: await Promise.all(handles.map((handle) => handle.getFile())) });
    } catch (error) {
      app.fail(error);
    }
  });
}

/** @param {App} app @param {Received} received */
const receive = async (app, received) => (await app.taking()).takeReceived(app, received);
