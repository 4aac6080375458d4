// The first visit of the page as it is released: modules that are compiled during their download, few requests and bytes, and the
// engine before everything that the first values do not need.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { site } from '../harness/stage.js';

const MAX_REQUESTS = 24;
const MAX_BYTES = 1_200_000;
/** Without the modules and their weights. */
const MAX_SHELL_BYTES = 60_000;

/** Notes the time of the first values of the engine on the board. */
const noteValues = (page) =>
  page.addInitScript(() => {
    let lines = 0;
    const { Worker } = window;
    window.Worker = function NotedWorker(...all) {
      const worker = new Worker(...all);
      // The values of the start position are known: the engine reports all four moves.
      worker.addEventListener('message', ({ data }) => {
        if (!String(data).startsWith('search') || ++lines !== 4) return;
        requestAnimationFrame(() => (window.valued = performance.timeOrigin + performance.now()));
      });
      return worker;
    };
  });

test('the first values need few requests, before the panels, and modules are compiled during their download', async () => {
  const page = await site.open('/version.json', { engine: 'real' });
  await noteValues(page);
  const requests = [];
  const said = [];
  page.context().on('requestfinished', (request) => requests.push(request));
  page.on('console', (message) => said.push(message.text()));
  await page.goto(`${site.address}/`);
  const valued = await (await page.waitForFunction(() => window.valued)).jsonValue();
  await page.locator('#graph svg').waitFor({ state: 'attached' });
  const before = requests.filter((request) => request.timing().startTime < valued);
  const asked = before.map((request) => request.url());
  assert.ok(asked.length <= MAX_REQUESTS, asked.join('\n'));
  // Panels are loaded after the engine.
  assert.ok(!asked.some((url) => /parts\.(js|css)/.test(url)), asked.join('\n'));
  assert.ok(requests.length > before.length, 'the panels follow');
  let [bytes, shell] = [0, 0];
  for (const request of before) {
    const size = (await request.sizes().catch(() => null))?.responseBodySize ?? 0;
    bytes += size;
    if (!/\.(wasm|weights)$/.test(request.url())) shell += size;
  }
  assert.ok(bytes > MAX_BYTES / 2 && bytes <= MAX_BYTES, `${bytes} bytes`);
  assert.ok(shell <= MAX_SHELL_BYTES, `${shell} bytes without the engine`);
  // The glue warns if a module is compiled only after its download.
  assert.ok(!said.some((text) => /instantiateStreaming/.test(text)), said.join('\n'));
  const headers = { 'accept-encoding': 'br' };
  for (const name of ['outflank', 'rules']) {
    const answer = await page.request.get(`${site.address}/engine/${name}_bg.wasm`, { headers });
    assert.equal(answer.headers()['content-type'], 'application/wasm');
    assert.equal(answer.headers()['content-encoding'], 'br');
  }
});
