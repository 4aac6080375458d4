// The page with the engine of `outflank serve`, which served it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BROWSER, COMPUTER, until } from './hands.js';
import { TOKEN } from './harness/server.js';
import { site } from './harness/stage.js';
import { startStatic } from './harness/static.js';

test('the page names the engine of the program, and changes to that of the browser and back during an analysis', async () => {
  const page = await site.open(`/?engine=${TOKEN}#f5d6`, { settings: { depth: 60 } });
  await page.engineNamed(COMPUTER);
  await page.untilValues();
  assert.ok(!page.url().includes(TOKEN), 'a copied link does not contain the token');
  for (const text of [BROWSER, COMPUTER]) {
    await page.engineOf().click();
    await page.engineNamed(text);
    await until(() => page.evaluate(() => outflank.analysis.running && outflank.analysis.nodes > 0), true);
  }
  // Another tab finds the token.
  const other = await page.context().newPage();
  await other.goto(site.address);
  await other.engineNamed(COMPUTER);
});

test('a page without a token, or with a wrong one, has the engine of the browser', async () => {
  const plain = await site.open();
  await plain.untilValues();
  assert.equal(await plain.engineOf().isVisible(), false);
  site.expectProblem(/WebSocket/);
  const wrong = await site.open('/?engine=0123456789abcdef0123');
  await wrong.untilNotice(/engine of this computer cannot be reached/);
  await wrong.untilValues();
  await wrong.engineNamed(BROWSER);
});

test('a page of another origin cannot start a session, even with the token', async (t) => {
  const host = await startStatic();
  t.after(() => host.stop());
  site.expectProblem(/WebSocket/);
  const page = await site.open('/version.json');
  const connects = (/** @type {string} */ address) =>
    page.evaluate(
      (address) =>
        new Promise((resolve) => {
          const socket = new WebSocket(address);
          socket.onmessage = ({ data }) => resolve(data);
          socket.onerror = () => resolve('refused');
        }),
      `${address.replace('http', 'ws')}/session?token=${TOKEN}`,
    );
  assert.match(await connects(site.address), /"type":"ready"/);
  await page.goto(`${host.address}/version.json`);
  for (const name of ['127.0.0.1', 'localhost'])
    assert.equal(await connects(site.address.replace('127.0.0.1', name)), 'refused', name);
});
