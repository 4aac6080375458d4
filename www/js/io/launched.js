// Files opened with the installed page, and content shared with it. Both are read like dropped files.

import { CodedError } from '../base/coded-error.js';

/** The cache in which the service worker stores shared content; see `sw.js`. */
const SHARED = 'outflank-shared';

/** Opens the content that was shared with the page. @param {App} app */
export function takeShared(app) {
  const url = new URL(location.href);
  url.searchParams.delete('shared');
  // A reload does not open it again.
  history.replaceState(null, '', url);
  return app.attempt(async () => {
    const cache = await caches.open(SHARED);
    const [key] = await cache.keys();
    const answer = key && (await cache.match(key));
    await caches.delete(SHARED);
    // The content was too large to be stored.
    if (!answer) throw new CodedError({ code: 'file' });
    const form = await answer.formData();
    const files = form.getAll('files').filter((file) => file instanceof File && (file.name || file.size));
    const texts = ['text', 'url', 'title'].map((name) => form.get(name));
    const text = String(texts.find((text) => typeof text === 'string' && text.trim()) ?? '');
    await receive(app, { text, files: /** @type {File[]} */ (files) });
  });
}

/** Opens the files that the page is opened with, now and later. @param {App} app */
export function takeLaunched(app) {
  window.launchQueue?.setConsumer(({ files: handles }) =>
    app.attempt(async () => {
      const files = await Promise.all(handles.map((handle) => handle.getFile()));
      if (files.length > 0) await receive(app, { text: '', files });
    }),
  );
}

/** @param {App} app @param {Received} received */
const receive = async (app, received) => (await app.taking()).takeReceived(app, received);
