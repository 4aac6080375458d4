// The first visit: modules that are compiled during their download, and on a slow network few requests, with the engine and its
// weights before everything that the first values do not need.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { stage } from '../harness/stage.js';
import { slowNetwork } from '../harness/static.js';
import { reviewEnds } from './hands.js';

const site = stage();
const MAX_REQUESTS = 24;
const MAX_BYTES = 1_200_000;

/** Waits until exactly the four first moves have values. */
const untilFour = (page) =>
  page.waitForFunction(
    () =>
      [...document.querySelectorAll('.val b')].filter((value) => /\d/.test(value.textContent)).length === 4,
    null,
    { timeout: 60_000 },
  );

test('a slow network brings the first values in few requests, and before the panels', async (t) => {
  const page = await site.open('/version.json', { serviceWorkers: 'block' });
  const slow = await slowNetwork(site.address, { rate: 400_000, latency: 100 });
  t.after(() => slow.stop());
  const asked = [];
  const sizes = [];
  page.context().on('request', (request) => asked.push(request.url()));
  page.context().on('requestfinished', (request) => sizes.push(request.sizes().catch(() => null)));
  await page.goto(slow.address, { waitUntil: 'commit' });
  await untilFour(page);
  assert.ok(asked.length <= MAX_REQUESTS, asked.join('\n'));
  // Panels are loaded after the engine.
  assert.ok(!asked.some((url) => /parts\.(js|css)/.test(url)), asked.join('\n'));
  const all = await Promise.all(sizes);
  const bytes = all.reduce((sum, size) => sum + (size?.responseBodySize ?? 0), 0);
  assert.ok(bytes > MAX_BYTES / 2 && bytes <= MAX_BYTES, `${bytes} bytes`);
});

test('both modules are compiled during their download, and sent compressed', async () => {
  const page = await site.open('/version.json');
  const said = [];
  page.on('console', (message) => said.push(message.text()));
  await page.goto(`${site.address}/`);
  await untilFour(page);
  // The glue warns if a module is compiled only after its download.
  assert.ok(!said.some((text) => /instantiateStreaming/.test(text)), said.join('\n'));
  for (const name of ['outflank', 'rules']) {
    const answer = await page.request.get(`${site.address}/engine/${name}_bg.wasm`, {
      headers: { 'accept-encoding': 'br' },
    });
    assert.equal(answer.headers()['content-type'], 'application/wasm');
    assert.equal(answer.headers()['content-encoding'], 'br');
  }
});

test('a slow network shows values of the coarse network before the weights, and replaces them', async (t) => {
  const page = await site.open('/version.json', { serviceWorkers: 'block' });
  const slow = await slowNetwork(site.address, { rate: 80_000, latency: 500 });
  t.after(() => slow.stop());
  /** Requests for weights, and whether they are finished. */
  const weights = new Map();
  const isWeights = (request) => request.url().endsWith('.weights');
  const nameOf = (request) =>
    request
      .url()
      .split('/')
      .at(-1)
      .replace(/-[^-]*$/, '');
  page.context().on('request', (request) => isWeights(request) && weights.set(nameOf(request), false));
  page.context().on('requestfinished', (request) => isWeights(request) && weights.set(nameOf(request), true));
  await page.goto(slow.address, { waitUntil: 'commit' });
  await untilFour(page);
  assert.deepEqual(
    [...weights],
    [
      ['outflank-coarse', true],
      ['outflank', false],
    ],
  );
  const infoOf = () => page.evaluate(() => window.outflank.engine.info);
  const coarse = await infoOf();
  assert.equal(coarse.coarse, true);
  // The analysis of a game waits for the weights.
  await page.evaluate(async () => {
    window.outflank.settings.set('reviewDepth', 4);
    await (await window.outflank.taking()).takeText(window.outflank, 'f5d6c3d3c4f4f6');
  });
  await page.waitForFunction(
    () => window.outflank.engine.info?.coarse === undefined && window.outflank.engine.info,
  );
  const whole = await infoOf();
  assert.notEqual(whole.weights, coarse.weights);
  await reviewEnds(page);
  const done = await page.evaluate(() => {
    const { X, O } = window.outflank.scores.summary(window.outflank.study.tree.main);
    return X.known + O.known;
  });
  assert.equal(done, 7);
  assert.deepEqual(
    [...weights],
    [
      ['outflank-coarse', true],
      ['outflank', true],
    ],
  );
});
