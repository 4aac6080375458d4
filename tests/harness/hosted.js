// The built page on a host of its own, which a test may change and stop.

import { startStatic } from './static.js';

/**
 * A host, and a page of it in a browser context of its own, both gone when the test ends. `host.instead` and
 * `host.change` are those of `startStatic` and may be set at any time.
 * @param {import('node:test').TestContext} t @param {import('playwright-core').Browser} browser
 * @param {Record<string, string>} [headers]
 */
export async function hosted(t, browser, headers = {}) {
  const host = { instead: null, change: {} };
  const server = await startStatic({
    headers,
    change: host.change,
    instead: (path, address) => host.instead?.(path, address),
  });
  const context = await browser.newContext({ locale: 'en-GB' });
  let stopped = false;
  const stop = async () => {
    if (!stopped) await server.stop();
    stopped = true;
  };
  t.after(async () => {
    await context.close();
    await stop();
  });
  const page = await context.newPage();
  return { host, server, page, stop };
}
