// The board keeps its place and its size in every mode.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DESK, PHONE, WILD } from '../hands.js';
import { beginTrainer } from '../harness/screens.js';
import { site } from '../harness/stage.js';

for (const [device, options] of Object.entries({ desk: DESK, phone: PHONE }))
  test(`no mode moves or shrinks the board of a ${device}`, async () => {
    const page = await site.openedWhole('/', options);
    await page.paste(WILD);
    await page.locator('#review', { hasText: 'Report' }).waitFor({ state: 'attached' });
    await page.evaluate(() => {
      outflank.panels.set('closed');
      outflank.settings.set('engine', false);
      const { X } = outflank.values.summary(outflank.study.tree.main);
      outflank.study.go(X.mistakes.sort((a, b) => b.loss - a.loss)[0].node.parent);
    });
    const box = async () => {
      await page.painted();
      return page.evaluate(() => {
        const { x, y, width, height } = document.querySelector('.grid').getBoundingClientRect();
        return [x, y, width, height].map((n) => Math.round(n * 10) / 10).join(' ');
      });
    };
    const before = await box();
    const modes = {
      line: () => page.locator('.next').getByRole('button', { name: 'punishes it' }).click(),
      learn: () => page.evaluate(() => outflank.modes.begin('learn')),
      trainer: () => beginTrainer(page),
      puzzle: () => page.evaluate(async () => (await outflank.panels.get('puzzles')).next()),
      editor: () => page.act('edit'),
      match: () => page.beginMatch({ time: [300, 0] }),
    };
    for (const [name, begin] of Object.entries(modes)) {
      await begin();
      await page.shows('.mode');
      await page.evaluate(() => outflank.panels.set('closed'));
      assert.equal(await box(), before, name);
      await page.evaluate(() => outflank.modes.leave());
      assert.equal(await box(), before, `after ${name}`);
    }
  });
