// The large network: offline, and where its file, its memory or its build are not as expected.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../hands.js';
import { launchBrowser } from '../harness/browser.js';
import { game, line, send, startWorker } from '../harness/engine.js';
import * as network from '../harness/network.js';

const { chooseLarge, LARGE, networkChoice, openedHost, SMALL, untilWeights } = network;

test('the large network is stored for offline use; without its file the small one is used, and the choice stays', async (t) => {
  const { page, server, stop } = await openedHost(t);
  await chooseLarge(page);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => {}));
  const change = (act) =>
    page.evaluate(async (act) => {
      const cache = await caches.open('outflank-files');
      const large = (await cache.keys()).filter(({ url }) => url.includes('outflank-large'));
      if (act === 'delete') for (const key of large) await cache.delete(key);
      return large.length;
    }, act);
  // It is stored whether it was chosen before or after the start of the service worker.
  await until(() => change('count'), 1);
  const asked = () => server.asked.filter(network.isLarge).length;
  const before = asked();
  await page.reload();
  await untilWeights(page, LARGE);
  assert.equal(asked(), before, 'it is not asked for again');
  await stop();
  await page.reload();
  await untilWeights(page, LARGE);
  await page.untilValues();
  // The browser has deleted it.
  await change('delete');
  await page.reload();
  await page.untilNotice(/could not be loaded/);
  await untilWeights(page, SMALL);
  const field = await networkChoice(page);
  await until(() => field.small.isChecked(), true);
  assert.equal(await page.evaluate(() => outflank.settings.get('network')), 'large');
});

test('without enough memory the small network is used', async (t) => {
  const narrow = await launchBrowser({ args: ['--js-flags=--wasm-max-mem-pages=300'] });
  t.after(() => narrow.close());
  const { page } = await openedHost(t, { path: '/version.json', browser: narrow });
  const info = await startWorker(page, 'hash=1&network=large');
  assert.equal(info.weights, SMALL);
  assert.match(info.missed, /memory/);
  await send(page, 'nboard 2', game(''), 'set depth 8', 'hint 64');
  await line(page, /^status .* is waiting/);
});
