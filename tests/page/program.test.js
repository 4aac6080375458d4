// The page with the engine of `outflank serve`, which served it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BROWSER, COMPUTER, until } from './hands.js';
import { TOKEN } from './harness/server.js';
import { site } from './harness/stage.js';

const REAL = { engine: 'real' };

test('the page names the engine of the program, and changes to that of the browser and back during an analysis', async () => {
  const page = await site.open(`/?engine=${TOKEN}#f5d6`, { ...REAL, settings: { depth: 60 } });
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
  const plain = await site.open('/', REAL);
  await plain.untilValues();
  assert.equal(await plain.engineOf().isVisible(), false);
  site.expectProblem(/WebSocket/);
  const wrong = await site.open('/?engine=0123456789abcdef0123', REAL);
  await wrong.untilNotice(/engine of this computer cannot be reached/);
  await wrong.untilValues();
  await wrong.engineNamed(BROWSER);
});
