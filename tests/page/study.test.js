// The board and the tree, used with mouse, keyboard and fingers in a browser.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GAME, until, untilCount } from './hands.js';
import { SIZES } from './harness/screens.js';
import { site } from './harness/stage.js';

test('a variation is deleted and restored, an overlay is named, and the language changes without a reload', async () => {
  const page = await site.opened('/#f5d6c3d3c4@1');
  await page.cell('f4').click();
  const variation = page.locator('#moves .var button', { hasText: '2. f4' });
  await variation.waitFor();
  await page.keys('Delete');
  await variation.waitFor({ state: 'detached' });
  await page.pressNotice('Undo');
  await variation.waitFor();
  await untilCount(page.locator('#moves .mv'), 6);
  // An overlay is named while it is on.
  const legend = page.locator('#legend');
  await page.keys('4');
  await legend.filter({ hasText: 'Regions' }).waitFor();
  await page.locator('.sq.odd, .sq.even').first().waitFor();
  await page.keys('4');
  await legend.waitFor({ state: 'hidden' });
  // The language changes without a reload, also in the open settings.
  await page.locator('#moves .mv', { hasText: 'c4' }).click();
  await page.shows('#opening', 'Tiger');
  await page.button('Settings').click();
  await page.locator('dialog input[name=boardColour][value=wood]').click();
  await page.shows('html[data-board=wood]');
  const words = { ja: ['設定', '棋譜', '虎'], fr: ['Réglages', 'Coups', 'Tigre'] };
  for (const [language, [settings, moves, opening]] of Object.entries(words)) {
    await page.locator(`dialog input[value=${language}]`).click();
    await page.shows('dialog h2', settings);
    await page.getByRole('tab', { name: moves, includeHidden: true }).waitFor({ state: 'attached' });
    await page.shows('#opening', opening);
    assert.equal(await page.locator('html').getAttribute('lang'), language);
    assert.equal(await page.locator('dialog').count(), 1);
  }
});

test('a game is opened that was pasted before the page could open it', async () => {
  const page = await site.open('/version.json');
  await page.addInitScript(() =>
    addEventListener('DOMContentLoaded', () => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', 'f5d6c3');
      document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
    }),
  );
  await page.reopened(`${site.address}/#f5f6`);
  await page.untilMove(3, 3);
});

test('rapid changes of position leave one search, of the last position; a hidden tab stops it', async () => {
  const page = await site.opened(`/#${GAME}@0`, { settings: { depth: 40 } });
  await page.openTab('Console');
  await page.untilValues();
  const forward = page.button('Next move');
  await forward.evaluate((button) => {
    for (let i = 0; i < 30; i++) button.click();
  });
  await page.untilMove(30, 60);
  await page.untilValues();
  const sent = (pattern) => page.locator('#console-log .out', { hasText: pattern }).last().textContent();
  const board = async () => / (\S{64}) /.exec(await sent('set game'))?.[1].replaceAll('*', 'X');
  await until(board, await page.discs());
  // The engine is stopped by a ping, and its next search begins when the tab is shown.
  const last = () => page.locator('#console-log .out').last().textContent();
  const untilLast = (pattern) => until(async () => pattern.test(await last()), true);
  await untilLast(/hint/);
  await page.hide(true);
  await untilLast(/ping/);
  await page.hide(false);
  await untilLast(/hint/);
  assert.deepEqual(await page.notices(), []);
});

test('a swipe over the board steps through the moves, and plays none', async () => {
  const page = await site.opened('/#f5d6c3d3@2', SIZES['390x844']);
  const touch = await page.context().newCDPSession(page);
  const swipe = async (from, to) => {
    const send = (type, ...touchPoints) => touch.send('Input.dispatchTouchEvent', { type, touchPoints });
    await send('touchStart', { x: from, y: 300 });
    for (const x of [(2 * from + to) / 3, (from + 2 * to) / 3, to]) await send('touchMove', { x, y: 300 });
    await send('touchEnd');
  };
  await page.waitForFunction(() => performance.getEntriesByName('swipes-heard').length > 0);
  await page.touchscreen.tap(...(await page.centreOf('c3')));
  await page.untilMove(3, 4);
  await swipe(300, 150);
  await page.untilMove(4, 4);
  await swipe(150, 300);
  await page.untilMove(3, 4);
});

test('a study too long for a link survives a reload and is reported; another tab of its address has its own from a change on', async () => {
  const page = await site.opened();
  const long = '黒'.repeat(1900);
  const moves = ['F5', 'D6', 'C3', 'D3', 'C4', 'F4'].map((move, i) => `;${'BW'[i % 2]}[${move}]C[${long}]`);
  await page.paste(`(;FF[4]GM[2]SZ[8]C[${long}]${moves.join('')})`);
  await page.waitForURL(/#kept=/);
  await page.untilNotice(/link to this study has/);
  const notes = (tab) => untilCount(tab.locator('#moves .note'), 7);
  const other = await page.context().newPage();
  await other.goto(page.url());
  await notes(other);
  await other.locator('.sq.legal').first().click();
  await untilCount(other.locator('#moves .mv'), 7);
  const { hash } = new URL(page.url());
  await other.waitForURL((url) => url.hash.startsWith('#kept=') && url.hash !== hash);
  await page.reload();
  await notes(page);
  assert.deepEqual(await page.locator('#moves .note').allTextContents(), Array(7).fill(long));
  assert.equal(await page.locator('#moves .mv').count(), 6);
});

test('board, navigation, lines, graph, tabs and console work by keyboard alone', async () => {
  const page = await site.opened('/#f5d6c3d3c4@0');
  await page.untilValues();
  const focus = page.locator(':focus');
  const label = () => focus.getAttribute('aria-label');
  const tabTo = async (selector) => {
    for (let i = 0; i < 60; i++) {
      await page.keys('Tab');
      if (await page.locator(`:focus:is(${selector})`).count()) return;
    }
    assert.fail(`${selector} is never reached by Tab`);
  };

  // One tab stop for the whole board.
  await tabTo('[role=gridcell]');
  assert.equal(await page.locator('[role=gridcell][tabindex="0"]').count(), 1);
  assert.match(await label(), /^d3, legal/);
  await page.keys('ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowRight');
  assert.match(await label(), /^f5, legal/);
  await page.keys('c');
  await page.locator('#live', { hasText: 'f5, legal' }).waitFor({ state: 'attached' });
  await page.keys('Enter');
  await until(() => page.ply(), 1);
  assert.match(await label(), /^f5/, 'the focus stays on the square');

  // The other stops follow one another: navigation, the engine, lines, graph, tabs.
  await tabTo('[data-do=back]');
  await page.keys('Enter');
  await until(() => page.ply(), 0);
  await tabTo('#lines-body button');
  const first = await focus.textContent();
  await page.keys('ArrowDown');
  assert.notEqual(await focus.textContent(), first);
  await page.keys('Enter');
  await until(() => page.ply(), 1);
  await tabTo('[role=slider]');
  await page.keys('ArrowLeft');
  await until(() => page.ply(), 0);
  await tabTo('[role=tab]');
  for (let i = 0; i < 9 && (await focus.getAttribute('id')) !== 'tab-console'; i++)
    await page.keys('ArrowRight');
  assert.equal(await focus.getAttribute('id'), 'tab-console');
  await tabTo('#console-form input');
  await page.keyboard.type('ping 99');
  await page.keys('Enter');
  await page.locator('#console-log').getByText('pong 99').waitFor();

  // A closed dialog returns the focus.
  await page.keys('Escape');
  await page.evaluate(() => document.activeElement.blur());
  await page.keys('/');
  await page.shows('dialog input:focus');
  // Moves are loaded, also those of an opening.
  await page.keyboard.type('diagonal');
  await page.shows('dialog .option');
  await page.locator('dialog input').fill('f5f6');
  await page.keys('Enter');
  await page.untilMove(2, 2);
  await page.keys('?');
  await page.shows('dialog[open]');
  await page.keys('Escape');
  await page.locator('dialog').waitFor({ state: 'detached' });
  // A mode is spoken, and has the focus on the board.
  const said = (text) => page.locator('#live', { hasText: text }).waitFor({ state: 'attached' });
  await page.keys('e');
  await said('Editing: choose a disc');
  await page.keys('Escape');
  await tabTo('[data-do=play]');
  await page.keys('Enter');
  await page.shows('dialog[open]');
  await page.keys('Enter');
  await said('Your move');
  await page.shows('[role=gridcell]:focus');
});
