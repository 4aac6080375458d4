// The first visit on a slow network: few requests, and the engine and its weights before everything that the first values do not
// need.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { stage } from '../harness/stage.js';
import { slowNetwork } from '../harness/static.js';

const site = stage();
const MAX_REQUESTS = 24;
const MAX_BYTES = 1_200_000;

test('a slow network brings the first values in few requests, and before the panels', async (t) => {
  const page = await site.open('/version.json', { serviceWorkers: 'block' });
  const slow = await slowNetwork(site.address, { rate: 400_000, latency: 100 });
  t.after(() => slow.stop());
  const asked = [];
  const sizes = [];
  page.context().on('request', (request) => asked.push(request.url()));
  page.context().on('requestfinished', (request) => sizes.push(request.sizes().catch(() => null)));
  await page.goto(slow.address, { waitUntil: 'commit' });
  await page.waitForFunction(
    () =>
      [...document.querySelectorAll('.val b')].filter((value) => /\d/.test(value.textContent)).length === 4,
    null,
    { timeout: 60_000 },
  );
  assert.ok(asked.length <= MAX_REQUESTS, asked.join('\n'));
  // Panels are loaded after the engine.
  assert.ok(!asked.some((url) => /parts\.(js|css)/.test(url)), asked.join('\n'));
  const all = await Promise.all(sizes);
  const bytes = all.reduce((sum, size) => sum + (size?.responseBodySize ?? 0), 0);
  assert.ok(bytes > MAX_BYTES / 2 && bytes <= MAX_BYTES, `${bytes} bytes`);
});
