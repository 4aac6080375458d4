// The built page on a separate host, which a test may change and stop.

import { after, before } from 'node:test';

import { sharedBrowser } from './browser.js';
import { newContext } from './stage.js';
import { startStatic } from './static.js';

/**
 * Call at the top of a test file: provides a browser for its tests. `open` creates a host and a page in a new browser context; both
 * are closed when the test ends. `host.instead` and `host.change` are those of `startStatic` and may be set at any time.
 */
export function hosting() {
  let browser;
  before(async () => (browser = await sharedBrowser()));
  after(() => browser?.close());

  return {
    get browser() {
      return browser;
    },

    /** `below` is the path of the page on the host; `browser` replaces the common one. A device with `cores` goes to `path` at once.
     *  Other options are those of `newContext`.
     *  @param {import('node:test').TestContext} t
     *  @param {{ headers?: Record<string, string>, below?: string, change?: object, types?: Record<string, string>, cores?: number, path?: string, browser?: any,
     *    [option: string]: unknown }} [how] */
    async open(t, how = {}) {
      const {
        headers = {},
        below = '',
        change = {},
        types = {},
        cores,
        path = '/',
        browser: chosen = browser,
        ...options
      } = how;
      const host = { instead: null, change };
      const server = await startStatic({
        headers,
        below,
        change: host.change,
        types,
        instead: (path, address) => host.instead?.(path, address),
      });
      const context = await newContext(chosen, options);
      t.after(async () => {
        await context.close();
        await server.stop();
      });
      const page = await context.newPage();
      if (cores) {
        await page.withCores(cores);
        await page.goto(server.address + path);
      }
      return { host, server, page, stop: server.stop };
    },
  };
}
