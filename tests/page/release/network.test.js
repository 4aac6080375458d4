// The large network: in reviews, offline, and where its file, its memory or its build are not as expected.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GAME, until } from '../hands.js';
import { launchBrowser } from '../harness/browser.js';
import { line, send, startWorker } from '../harness/engine.js';
import * as network from '../harness/network.js';

const { chooseLarge, LARGE, networkChoice, openedHost, SMALL, untilWeights } = network;

const setting = (page) => page.evaluate(() => outflank.settings.get('network'));

/** The number of large networks that are stored. */
const stored = (page) =>
  page.evaluate(async () => {
    const cache = await caches.open('outflank-files');
    return (await cache.keys()).filter(({ url }) => url.includes('outflank-large')).length;
  });

/** Waits until the service worker is active and its cache has the large network. */
async function untilStored(page) {
  await page.untilOffline();
  await until(() => stored(page), 1);
}

test('a review uses the current network and ends when another one is selected', async (t) => {
  const { page } = await openedHost(t);
  await page.evaluate(() => {
    const { Worker } = window;
    window.made = [];
    window.Worker = class extends Worker {
      constructor(address, options) {
        super(address, options);
        window.made.push(options.name);
      }
    };
  });
  await page.set('workers', 1);
  await chooseLarge(page);
  await page.paste(GAME);
  await page.reviewEnds();
  const made = await page.evaluate(() => window.made);
  assert.ok(made.includes('hash=16&network=large'), made.join());
  assert.ok(!made.includes('hash=16'), made.join());
  // One that is far from its end.
  await page.set('reviewDepth', 40);
  await page.act('review');
  await page.waitForFunction(() =>
    outflank.panels.made.get('report').review.engines.some(({ info }) => info),
  );
  const progress = page.locator('#panel-report [role=progressbar]');
  await progress.waitFor();
  await page.set('network', 'small');
  await untilWeights(page, SMALL);
  await progress.waitFor({ state: 'hidden' });
  const faults = (await page.notices()).filter((text) => /restarted|could not|newer/i.test(text));
  assert.deepEqual(faults, []);
});

test('the large network is stored for reloads and offline use', async (t) => {
  const { page, server, stop } = await openedHost(t);
  await chooseLarge(page);
  // It is stored whether it was chosen before or after the start of the service worker.
  await untilStored(page);
  const asked = () => server.asked.filter(network.isLarge).length;
  const before = asked();
  await page.reload();
  await untilWeights(page, LARGE);
  assert.equal(asked(), before, 'it is not asked for again');
  await stop();
  await page.reload();
  await untilWeights(page, LARGE);
  await page.untilValues();
});

test('offline without the stored file the small network is used with a notice, and the choice stays', async (t) => {
  const { page, stop } = await openedHost(t);
  await page.untilOffline();
  await page.reload();
  await page.untilValues();
  await stop();
  const field = await networkChoice(page);
  await field.large.click();
  await page.untilNotice(/could not be loaded/);
  await until(() => field.small.isChecked(), true);
  assert.equal(await setting(page), 'small');
  // Chosen when it was available, then deleted by the browser.
  await page.set('network', 'large');
  await page.untilNotice(/could not be loaded/);
  await untilWeights(page, SMALL);
  await until(() => field.small.isChecked(), true);
  await page.reload();
  await page.untilNotice(/could not be loaded/);
  await untilWeights(page, SMALL);
  assert.equal(await setting(page), 'large');
});

test('without enough memory the small network is used', async (t) => {
  const narrow = await launchBrowser({ args: ['--js-flags=--wasm-max-mem-pages=300'] });
  t.after(() => narrow.close());
  const { page } = await openedHost(t, { path: '/version.json', browser: narrow });
  const info = await startWorker(page, 'hash=1&network=large');
  assert.equal(info.weights, SMALL);
  assert.match(info.missed, /memory/);
  await send(page, ...network.QUESTION);
  await line(page, network.ANSWERED);
});
