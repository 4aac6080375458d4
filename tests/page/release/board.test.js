// The board keeps its place and its size in every mode.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { beginMatch, opened, painted, paste } from '../hands.js';
import { stage } from '../harness/stage.js';

const site = stage();

/** A game with many mistakes of both sides. */
const WILD =
  'f5d6c3d3c4f4f6f3e6e7d7c5b6d8c6c7e2f7c8b8g2b5g6f1d1h7g8a5g4h3a6b7a8e3h4g7h2b3a2a7e8a3c2f8h1b2g5b1a1b4a4c1f2h8d2g3h5e1g1h6';
const DESK = { viewport: { width: 1366, height: 768 } };
const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

async function quick(options, path = '/') {
  const page = await opened(site, path, { engine: 'recorded', settings: { reviewDepth: 4 }, ...options });
  await page.locator('#graph svg').waitFor({ state: 'attached' });
  await page.waitForFunction(() => document.querySelector('link[href="style/parts.css"]')?.sheet);
  return page;
}

for (const [device, options] of Object.entries({ desk: DESK, phone: PHONE }))
  test(`no mode moves or shrinks the board of a ${device}`, async () => {
    const page = await quick(options);
    await paste(page, WILD);
    await page.locator('#review', { hasText: 'Report' }).waitFor({ state: 'attached' });
    await page.evaluate(() => {
      outflank.panels.set('closed');
      outflank.settings.set('engine', false);
      const { X } = outflank.values.summary(outflank.study.tree.main);
      outflank.study.go(X.mistakes.sort((a, b) => b.loss - a.loss)[0].node.parent);
    });
    const box = async () => {
      await painted(page);
      return page.evaluate(() => {
        const { x, y, width, height } = document.querySelector('.grid').getBoundingClientRect();
        return [x, y, width, height].map((n) => Math.round(n * 10) / 10).join(' ');
      });
    };
    const before = await box();
    const modes = {
      line: () => page.locator('#next').getByRole('button', { name: 'punishes it' }).click(),
      learn: () => page.evaluate(() => outflank.modes.begin('learn')),
      trainer: () =>
        page.evaluate(() =>
          outflank.modes.begin('trainer', { lines: [{ moves: 'f5d6c3d3c4', names: null }], side: 'X' }),
        ),
      puzzle: () => page.evaluate(async () => (await outflank.panels.get('puzzles')).next()),
      editor: () => page.evaluate(() => outflank.act('edit')),
      match: () => beginMatch(page, { time: [300, 0] }),
    };
    for (const [name, begin] of Object.entries(modes)) {
      await begin();
      await page.locator('#mode:not([hidden])').waitFor();
      await page.evaluate(() => outflank.panels.set('closed'));
      assert.equal(await box(), before, name);
      await page.evaluate(() => outflank.modes.leave());
      assert.equal(await box(), before, `after ${name}`);
    }
  });
