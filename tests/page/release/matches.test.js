// Matches at every size and in the longest language, and random pastes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assertSeen,
  beginMatch,
  drop,
  GAME,
  opened,
  painted,
  paste,
  playMatch,
  smallTargets,
} from '../hands.js';
import { dice } from '../harness/dice.js';
import { SIZES } from '../harness/screens.js';
import { stage } from '../harness/stage.js';

const site = stage();
const QUICK = { engine: 'recorded', settings: { pace: 0, reviewDepth: 4 } };
const lesson = (page) => page.locator('.lesson .played').waitFor();

test('targets of a match, its dialog and its summary are large enough, also in the longest language', async () => {
  for (const [least, options] of [
    [24, {}],
    [44, { ...SIZES['320x568'], locale: 'fr-FR' }],
    [44, SIZES['667x375']],
  ]) {
    const page = await opened(site, '/', { ...QUICK, ...options });
    const targets = 'button:not(.head *), .choices label, label.row';
    const small = (root) => smallTargets(page, `${root} :is(${targets})`, least);
    await page.evaluate(() => void outflank.act('play'));
    await page.locator('dialog summary').click();
    // A separate row has the whole width: its height is that of the settings' rows.
    assert.deepEqual(
      (await small('dialog')).filter((fault) => !/×4\d$/.test(fault)),
      [],
    );
    await page.keyboard.press('Escape');
    await beginMatch(page, { time: [180, 2] });
    assert.deepEqual(await small('#mode'), []);
    const clocks = page.locator('.clocks [data-side]');
    for (const side of [0, 1]) {
      await clocks.nth(side).scrollIntoViewIfNeeded();
      const { x, width } = await clocks.nth(side).boundingBox();
      assert.ok(x >= 0 && x + width <= page.viewportSize().width, `${x} ${width}`);
      assert.match(await clocks.nth(side).textContent(), /^\s?\d:\d\d$/);
    }
    await playMatch(page);
    await lesson(page);
    await painted(page);
    assert.deepEqual(await small('#mode'), []);
  }
});

test('the end of a match is visible as a whole at every size', async () => {
  const parts = '.match-sum :is(strong, .lesson, .lesson svg, .buttons button:nth-child(-n + 3))';
  for (const locale of ['en-GB', 'fr-FR']) {
    const options = { ...SIZES['390x844'], viewport: { width: 844, height: 390 }, locale };
    const page = await opened(site, '/', { ...QUICK, ...options });
    await beginMatch(page);
    await playMatch(page, 8);
    await page.evaluate(() => outflank.modes.current.resign());
    await lesson(page);
    for (const [width, height] of [
      [844, 390],
      [667, 375],
      [1024, 600],
      [320, 640],
      [360, 740],
    ]) {
      await page.setViewportSize({ width, height });
      await painted(page);
      assert.equal(await page.locator(parts).count(), 6);
      await assertSeen(page, parts, 44);
      assert.equal(await page.evaluate(() => scrollY), 0, `${width}×${height}`);
      assert.equal(
        await page.locator('.match-sum').evaluate((node) => node.scrollHeight > node.clientHeight),
        false,
      );
    }
  }
});

test('random pastes and drops leave the page unchanged or with a game', async () => {
  const page = await opened(site, '/', QUICK);
  const random = dice(5);
  const three =
    '(;GM[Othello]PB[Ann]PW[Bob]B[F5]W[F6];)(;GM[Othello]PB[Cyd]B[D3];)(;GM[Othello]PB[Dan]B[C4];)';
  const signs = [
    '棋譜：ｆ５',
    '\0\0',
    '🟢'.repeat(500),
    '\u202ef5d6',
    'f5\nhello\nf5f6',
    'https://x.y/#f5~%',
  ];
  const texts = [three, GAME, '{"a":', '[Black "x"]', ...signs];
  for (let i = 0; i < 60; i++) {
    let text = texts[random(texts.length)];
    const at = random(text.length);
    if (random(2)) text = text.slice(0, at) + texts[random(texts.length)] + text.slice(at + random(5));
    if (random(3)) await paste(page, text);
    else await drop(page, `x${i}.txt`, Buffer.from(text));
    if (random(6) === 0) await page.keyboard.press('Control+z');
    if (random(9) === 0) await page.evaluate(() => outflank.act('edit'));
  }
  await page.keyboard.press('Escape');
  await page.evaluate(() => {
    for (const dialog of document.querySelectorAll('dialog')) dialog.close();
  });
  await page.evaluate(() => outflank.modes.leave());
  await paste(page, 'f5d6c3d3');
  await page.locator('#where', { hasText: 'move 4 of 4' }).waitFor();
});
