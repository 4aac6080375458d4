// Invalid input and failures around the page: a notice names the error, and the board does not change. A slow network delays values.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until, untilCount } from './hands.js';
import { site } from './harness/stage.js';

/** Opens the page after a document without scripts, for which `spoil` changes what is served. */
async function openedWith(spoil, path = '/') {
  const page = await site.open('/version.json');
  await spoil(page);
  await page.goto(site.address + path);
  return page;
}

test('invalid addresses and input are reported, and the board does not change', async () => {
  const page = await site.opened('/#f5d6zz');
  await page.untilNotice(/link is invalid at character 5/);
  await page.typeAddress('f5(d3');
  await page.untilNotice(/not closed/);
  // A valid address takes the notice of the invalid ones away.
  assert.equal(await page.locator('.notice').count(), 1);
  await page.typeAddress('f5f6');
  await untilCount(page.locator('.notice'), 0);
  const before = await page.discs();
  for (const [text, message] of [
    ['a1d6', /Move 1, a1, is illegal/],
    ['f5'.repeat(50_001), /Too long/],
    ['https://example.org/#f5d6!!', /link is invalid/],
  ]) {
    await page.paste(text);
    await page.untilNotice(message);
    assert.equal(await page.discs(), before);
  }
  // A position without a side to move is asked about.
  await page.paste('---------------------------OX------XO---------------------------');
  await page.locator('dialog button', { hasText: 'White to move' }).click();
  await page.shows('#turn-white', 'to move');
});

test('an engine that crashes or is ended from the console is replaced, and any line leaves the page alive', async () => {
  const page = await site.opened('/#f5d6c3', { engine: 'real' });
  await page.untilValues();
  await page.evaluate(() => {
    outflank.values.forget();
    outflank.engine.worker.onmessage({ data: { type: 'fatal', message: 'panicked on purpose' } });
  });
  await page.untilNotice(/crashed and was restarted \(panicked on purpose\)/);
  await page.untilValues();
  await page.keys('`');
  await page.shows('#console-form :focus');
  const send = (line) => page.keyboard.type(`${line}\n`);
  await send('quit');
  await page.untilNotice(/was restarted \(the engine received a quit command\)/);
  await page.untilValues();
  for (const line of ['set game nonsense', '\u{1F600}', 'go', 'ping 77']) await send(line);
  await page.locator('#console-log').getByText('pong 77').waitFor();
  await page.evaluate(() => outflank.values.forget());
  await page.locator('#engine [data-part=toggle]').click();
  await page.untilValues();
});

test('for a failed part a notice offers to reload, and the part is requested again at the next action', async () => {
  site.expectProblem(/Failed to load resource|net::ERR_FAILED/);
  let fails = true;
  const page = await openedWith((page) =>
    page.route(/\/js\/shell\/parts\.js/, (route) => (fails ? route.abort() : route.continue())),
  );
  await page.untilValues();
  await page.openTab('Report');
  await page.untilNotice(/could not be loaded/);
  await page.act('edit');
  assert.equal(await page.locator('.mode').isVisible(), false);
  fails = false;
  await page.keys('e');
  await page.shows('.mode');
  await page.keys('Escape');
  await page.openTab('Report');
  await page.shows('#panel-report .blank');
  await page.locator('.notice button', { hasText: 'Reload' }).click();
  await page.locator('.notice').waitFor({ state: 'detached' });
  await page.untilValues();
});

test('a page that cannot start without a file offers to reload', async () => {
  site.expectProblem(/./);
  let broken = /rules_bg\.wasm/;
  const answer = (route) => (broken.test(route.request().url()) ? route.abort() : route.continue());
  const page = await openedWith((page) => page.route(/\.(js|wasm)$/, answer));
  for (const next of [/shell\/start\.js/, /^$/]) {
    await page.untilNotice(/could not start/);
    broken = next;
    await page.locator('.notice button', { hasText: 'Reload' }).click();
  }
  await page.untilValues();
});

test('a slow network shows values of the coarse network before the weights, and replaces them', async () => {
  const page = await site.open('/version.json', { engine: 'real', settings: { reviewDepth: 4 } });
  // The start has found a slow network.
  await page.addInitScript(() => {
    performance.getEntriesByType = () => [{ duration: 2000 }];
  });
  let release = () => {};
  const released = new Promise((resolve) => (release = resolve));
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
  await page.paste('f5d6c3d3c4f4f6');
  await page.shows('#panel-report [role=progressbar]');
  assert.equal(await page.locator('#panel-report [role=progressbar]').getAttribute('aria-valuenow'), '0');
  release();
  await until(async () => (await infoOf())?.coarse ?? 'none', 'none');
  await page.reviewEnds();
  await until(async () => Boolean(await infoOf()), true);
  assert.notEqual((await infoOf()).weights, coarse.weights);
  const moves = await page.locator('#moves .mv small').allTextContents();
  assert.ok(moves.length === 7 && moves.every(Boolean), moves.join());
});
