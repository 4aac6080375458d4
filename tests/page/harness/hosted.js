// The built page on a separate host, which a test may change and stop.

import { newContext, site } from './stage.js';
import { startStatic } from './static.js';

/** Creates a host and opens a page in a new browser profile; both are closed when the test ends. `host.instead` is that of `startStatic`
 *  and may be set at any time. `below` is the path of the page on the host; `browser` replaces the common one. A device with `cores`
 *  goes to `path` at once. Other options are those of `newContext`. */
export async function openHosted(t, how = {}) {
  const { headers, below, change, types, cores, path = '/', browser = site.browser, ...options } = how;
  const host = { instead: null };
  const instead = (path) => host.instead?.(path);
  const server = await startStatic({ headers, below, change, types, instead });
  const context = await newContext(browser, options);
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
}
