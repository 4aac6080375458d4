// The page with the engine of `outflank serve`, which served it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BROWSER, COMPUTER, engineNamed, engineOf, until, untilNotice, untilValues } from './hands.js';
import { TOKEN } from './harness/server.js';
import { stage } from './harness/stage.js';

const site = stage();

test('the page names the engine of the program, and changes to that of the browser and back during an analysis', async () => {
  const page = await site.open(`/?engine=${TOKEN}#f5d6`, { settings: { depth: 60 } });
  await engineNamed(page, COMPUTER);
  await untilValues(page);
  assert.ok(!page.url().includes(TOKEN), 'a copied link does not contain the token');
  for (const text of [BROWSER, COMPUTER]) {
    await engineOf(page).click();
    await engineNamed(page, text);
    await until(() => page.evaluate(() => outflank.analysis.running && outflank.analysis.nodes > 0), true);
  }
  // Another tab finds the token.
  const other = await page.context().newPage();
  await other.goto(site.address);
  await engineNamed(other, COMPUTER);
});

test('a page without a token, or with a wrong one, has the engine of the browser', async () => {
  const plain = await site.open();
  await untilValues(plain);
  assert.equal(await engineOf(plain).isVisible(), false);
  site.expectProblem(/WebSocket/);
  const wrong = await site.open('/?engine=0123456789abcdef0123');
  await untilNotice(wrong, /engine of this computer cannot be reached/);
  await untilValues(wrong);
  await engineNamed(wrong, BROWSER);
});
