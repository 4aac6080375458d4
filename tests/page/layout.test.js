// The layout and accessibility of all panels, modes and dialogs on a phone. `release/layout.test.js` has the other sizes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from './hands.js';
import { inspection, layoutErrors, openedAt, speak, walk } from './harness/layout.js';
import { SIZES, STATES } from './harness/screens.js';

test('every panel, mode and dialog fits on a phone, with targets of 44 px', async () => {
  const page = await openedAt('390x844');
  // French texts are the longest.
  const how = { sizes: ['390x844'], languages: ['fr'], visit: inspection(page, 44, ['moves', 'play']) };
  assert.deepEqual(await walk(page, how), []);
  await speak(page, 'en');
  await STATES.help(page);
  await page.locator('dialog').getByText('Swipe left on the board').waitFor();
});

test('six tabs fit at 1280 in every language, all can be reached on a phone, and nothing is cut off at 400 % zoom', async () => {
  const page = await openedAt('1280x800');
  for (const language of ['en', 'fr', 'ja', 'zh']) {
    await speak(page, language);
    assert.ok(await page.locator('#tabs').evaluate((row) => row.scrollWidth <= row.clientWidth), language);
  }
  await page.setViewportSize(SIZES['320x568'].viewport);
  // The arrows scroll the last one into view, then the first.
  await page.locator('#tabs [aria-selected=true]').focus();
  for (const [key, id] of Object.entries({ ArrowLeft: 'tab-console', ArrowRight: 'tab-moves' })) {
    await page.keys(key);
    await page.waitForFunction((id) => {
      const tab = document.getElementById(id);
      const row = document.querySelector('#tabs').getBoundingClientRect();
      const box = tab.getBoundingClientRect();
      return tab === document.activeElement && box.left >= row.left - 1 && box.right <= row.right + 1;
    }, id);
  }
  await speak(page, 'fr');
  await page.setViewportSize({ width: 320, height: 200 });
  await page.evaluate(() => outflank.notices.show('many words '.repeat(9), { stay: 0 }));
  for (const state of ['start', 'report', 'match']) {
    await STATES[state](page);
    // The page scrolls: the board and the bar of a mode are higher than the window.
    const expected = /^(the board is not wholly|over the board|the bar of the mode)/;
    const faults = (await page.evaluate(layoutErrors)).filter((fault) => !expected.test(fault));
    assert.deepEqual(faults, []);
  }
});

test('a panel on a phone opens, becomes tall, and closes by button and a drag', async () => {
  const page = await openedAt('320x568');
  const side = page.locator('#side');
  const height = () =>
    side.evaluate(({ classList }) => ['tall', 'open'].find((name) => classList.contains(name)) ?? 'closed');
  const open = async () => {
    await page.openTab('Games');
    await until(height, 'open');
  };
  await open();
  assert.deepEqual(await page.evaluate(layoutErrors), []);
  await page.button('Large panel').click();
  await until(height, 'tall');
  const { height: high } = await side.boundingBox();
  assert.ok(high > 568 * 0.6);
  await page.button('Close').click();
  await until(height, 'closed');
  assert.equal(await page.locator(':focus').getAttribute('id'), 'tab-games');
  // A drag of its head: up for tall, down for the first height, down again to close.
  await open();
  const pull = async (by) => {
    const { x, y, width } = await page.locator('#tab-row').boundingBox();
    await page.mouse.move(x + width / 2, y + 10);
    await page.mouse.down();
    await page.mouse.move(x + width / 2, y + 10 + by, { steps: 2 });
    await page.mouse.up();
  };
  for (const step of ['-60 tall', '90 open', '10 open', '60 closed']) {
    const [by, after] = step.split(' ');
    await pull(Number(by));
    await until(height, after);
  }
  assert.equal(await side.evaluate((node) => node.style.transform), '');
});
