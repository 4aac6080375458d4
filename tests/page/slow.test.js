// The first visit on a slow network: few requests, the engine and its weights before everything that the first values do not need, and
// values of the start position before the weights.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { game } from '../harness/engine.js';
import { askNative } from '../harness/native.js';
import { stage } from '../harness/stage.js';
import { slowNetwork } from '../harness/static.js';

const site = stage();
const MAX_REQUESTS = 24;
const MAX_BYTES = 1_200_000;

test('a slow network brings the board, its values and the engine, in this order and in few requests', async (t) => {
  const page = await site.open('/version.json', { serviceWorkers: 'block' });
  const slow = await slowNetwork(site.address, { rate: 400_000, latency: 100 });
  t.after(() => slow.stop());
  const asked = [];
  const sizes = [];
  page.context().on('request', (request) => asked.push(request.url()));
  page.context().on('requestfinished', (request) => sizes.push(request.sizes().catch(() => null)));
  await page.goto(slow.address, { waitUntil: 'commit' });
  const shown = await page.waitForFunction(() => {
    const values = [...document.querySelectorAll('.val b')].filter((value) => /\d/.test(value.textContent));
    if (values.length < 4) return null;
    const { engine, evaluations, study } = window.outflank;
    const rows = [...evaluations.get(study.position).rows.values()];
    return { state: engine.state, rows: rows.map(({ value, pv }) => `${pv.join('')} ${value}`).sort() };
  });
  const { state, rows } = await shown.jsonValue();
  assert.equal(state, 'starting', 'the values are shown while the engine loads');
  await page.waitForFunction(() => window.outflank.engine.info, null, { timeout: 60_000 });
  assert.ok(asked.length <= MAX_REQUESTS, asked.join('\n'));
  // Panels are loaded after the engine.
  assert.ok(!asked.some((url) => /parts\.(js|css)/.test(url)), asked.join('\n'));
  const all = await Promise.all(sizes);
  const bytes = all.reduce((sum, size) => sum + (size?.responseBodySize ?? 0), 0);
  assert.ok(bytes > MAX_BYTES / 2 && bytes <= MAX_BYTES, `${bytes} bytes`);

  const lines = ['nboard 2', game(''), 'set depth 4', 'hint 64'];
  const said = await askNative(['--eval', 'small'], lines, /^status .* is waiting/);
  const last = said.filter((line) => line.startsWith('search') && line.endsWith(' 0 4')).slice(-4);
  const own = last.map((line) => line.split(' ')).map(([, pv, value]) => `${pv.toLowerCase()} ${value}`);
  assert.deepEqual(rows, own.sort(), 'FIRST_ROWS of start.js are the values of the engine');
});
