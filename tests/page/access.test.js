// The use of the page by keyboard alone. `layout.test.js` has the other tests of accessibility.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { opened, ply, until, untilValues } from './hands.js';
import { stage } from './harness/stage.js';

const site = stage();

test('board, navigation, lines, graph, tabs and console work by keyboard alone', async () => {
  const page = await opened(site, '/', { engine: 'recorded' });
  await untilValues(page);
  const focus = page.locator(':focus');
  const label = () => focus.getAttribute('aria-label');
  const tabTo = async (selector) => {
    for (let i = 0; i < 60; i++) {
      await page.keyboard.press('Tab');
      if (await page.locator(`:focus:is(${selector})`).count()) return;
    }
    assert.fail(`${selector} is never reached by Tab`);
  };

  // One tab stop for the whole board.
  await tabTo('[role=gridcell]');
  assert.equal(await page.locator('[role=gridcell][tabindex="0"]').count(), 1);
  assert.match(await label(), /^d3, legal/);
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
  assert.match(await label(), /^f5, legal/);
  await page.keyboard.press('c');
  await page.locator('#live', { hasText: 'f5, legal' }).waitFor({ state: 'attached' });
  await page.keyboard.press('Enter');
  await until(() => page.locator('#moves .mv').count(), 1);
  assert.match(await label(), /^f5/, 'the focus stays on the square');

  // The other stops follow one another: navigation, the engine, lines, graph, tabs.
  await tabTo('[data-do=back]');
  await page.keyboard.press('Enter');
  await until(() => ply(page), 0);
  await tabTo('#lines-body button');
  const first = await focus.textContent();
  await page.keyboard.press('ArrowDown');
  assert.notEqual(await focus.textContent(), first);
  await page.keyboard.press('Enter');
  await until(() => ply(page), 1);
  await tabTo('[role=slider]');
  await page.keyboard.press('ArrowLeft');
  await until(() => ply(page), 0);
  await tabTo('[role=tab]');
  for (let i = 0; i < 9 && (await focus.getAttribute('id')) !== 'tab-console'; i++)
    await page.keyboard.press('ArrowRight');
  assert.equal(await focus.getAttribute('id'), 'tab-console');
  await tabTo('#console-form input');
  await page.keyboard.type('ping 99');
  await page.keyboard.press('Enter');
  await page.locator('#console-log').getByText('pong 99').waitFor();

  // A closed dialog returns the focus.
  await page.keyboard.press('Escape');
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press('/');
  await page.locator('dialog input:focus').waitFor();
  await page.keyboard.type('turn the board');
  await page.keyboard.press('Enter');
  await page.locator('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('?');
  await page.locator('dialog[open]').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('dialog').waitFor({ state: 'detached' });
});
