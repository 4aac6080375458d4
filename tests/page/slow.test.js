// A visit on a slow network.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { paste, reviewEnds, until } from './hands.js';
import { stage } from './harness/stage.js';

const site = stage();

test('a slow network shows values of the coarse network before the weights, and replaces them', async () => {
  const page = await site.open('/version.json', { settings: { reviewDepth: 4 } });
  // The start has found a slow network.
  await page.addInitScript(() => {
    performance.getEntriesByType = () => /** @type {any} */ ([{ duration: 2000 }]);
  });
  let release = () => {};
  const released = new Promise((resolve) => {
    release = resolve;
  });
  const asked = [];
  await page.context().route(/\.weights$/, async (route) => {
    const isCoarse = route.request().url().includes('coarse');
    asked.push(isCoarse ? 'coarse' : 'small');
    if (!isCoarse) await released;
    await route.continue();
  });
  await page.goto(`${site.address}/`);
  const infoOf = () => page.evaluate(() => outflank.engine.info);
  await page.locator('#lines-body tr').nth(3).waitFor();
  await until(async () => (await infoOf())?.coarse, true);
  await until(() => asked.join(), 'coarse,small');
  const coarse = await infoOf();
  // The analysis of a game waits for the weights.
  await paste(page, 'f5d6c3d3c4f4f6');
  await page.locator('#panel-report [role=progressbar]').waitFor();
  assert.equal(await page.locator('#panel-report [role=progressbar]').getAttribute('aria-valuenow'), '0');
  release();
  await until(async () => (await infoOf())?.coarse ?? 'none', 'none');
  await reviewEnds(page);
  await until(async () => Boolean(await infoOf()), true);
  assert.notEqual((await infoOf()).weights, coarse.weights);
  const moves = await page.locator('#moves .mv small').allTextContents();
  assert.ok(moves.length === 7 && moves.every(Boolean), moves.join());
});
