// The editor in a browser: painting, undo, and refusal of unplayable positions.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { SIZES } from '../harness/screens.js';
import { stage } from '../harness/stage.js';
import { cell, centreOf, discs, opened, until, untilNotice } from './hands.js';

const site = stage();

const START = `${'-'.repeat(27)}OX${'-'.repeat(6)}XO${'-'.repeat(27)}`;
const bar = (page, name) => page.locator('#mode').getByRole('button', { name, exact: true });
const set = (squares, changes) => [...squares].map((square, i) => changes[i] ?? square).join('');

async function editing(path = '/', options = undefined) {
  const page = await opened(site, path, options);
  await page.keyboard.press('e');
  await bar(page, 'White to move').waitFor();
  return page;
}

/** Draws from square to square with the mouse. */
async function draw(page, ...squares) {
  const [first, ...others] = squares;
  await page.mouse.move(...(await centreOf(page, first)));
  await page.mouse.down();
  for (const square of others) await page.mouse.move(...(await centreOf(page, square)));
  await page.mouse.up();
}

test('a drag paints, a drag from a square of that colour clears; both are undone and redone', async () => {
  const page = await editing();
  await draw(page, 'a1', 'h1');
  const row = set(START, Object.fromEntries([...'XXXXXXXX'].entries()));
  await until(() => discs(page), row);
  await draw(page, 'c1', 'e1');
  const gap = set(row, { 2: '-', 3: '-', 4: '-' });
  await until(() => discs(page), gap);
  await bar(page, 'White disc').click();
  await cell(page, 'a8').click();
  const white = set(gap, { 56: 'O' });
  await until(() => discs(page), white);
  await cell(page, 'a8').click();
  await until(() => discs(page), gap);
  await page.keyboard.press('Control+z');
  await until(() => discs(page), white);
  for (const expected of [gap, row, START]) {
    await page.keyboard.press('Control+z');
    await until(() => discs(page), expected);
  }
  await page.keyboard.press('Control+z');
  for (const expected of [row, gap]) {
    await page.keyboard.press('Control+Shift+z');
    await until(() => discs(page), expected);
  }
  await page.keyboard.press('Control+y');
  await until(() => discs(page), white);
  await bar(page, 'Undo').click();
  await until(() => discs(page), gap);
  await bar(page, 'Redo').click();
  await until(() => discs(page), white);
  // A new change removes the redo steps.
  await bar(page, 'Clear').click();
  await page.keyboard.press('Control+y');
  await until(() => discs(page), '-'.repeat(64));
  await bar(page, 'Undo').click();
  await until(() => discs(page), white);
});

test('Escape restores the game, and no key steps through it before', async () => {
  const page = await editing('/#f5d6c3d3@2');
  await draw(page, 'a1', 'a8', 'h8');
  for (const key of ['Home', 'End', 'Space', 'ArrowLeft', 'ArrowRight']) await page.keyboard.press(key);
  await page.keyboard.press('Escape');
  await until(() => page.locator('#mode').isHidden(), true);
  await page.locator('#where', { hasText: 'move 2 of 4' }).waitFor();
  assert.equal(await page.evaluate(() => outflank.study.tree.main.length), 5);
  // The page handles the keys again.
  await page.keyboard.press('End');
  await page.locator('#where', { hasText: 'move 4 of 4' }).waitFor();
});

test('by keyboard: arrows, Enter, Delete', async () => {
  const page = await editing();
  await page.keyboard.press('ArrowLeft');
  const at = () => page.evaluate(() => document.activeElement?.dataset.square);
  const here = await at();
  assert.match(here ?? '', /^[a-h][1-8]$/);
  await page.keyboard.press('Enter');
  const index = (here.charCodeAt(1) - 49) * 8 + here.charCodeAt(0) - 97;
  await until(async () => (await discs(page))[index], 'X');
  await page.keyboard.press('Delete');
  await until(async () => (await discs(page))[index], '-');
  await page.keyboard.press('ArrowUp');
  assert.notEqual(await at(), here);
});

test('an unplayable position is refused with the reason, in the editor', async () => {
  const page = await opened(site, '/#f5d6');
  for (const [black, white, told] of [
    [[], [], /no disc/],
    [['c4', 'd4'], [], /same colour/],
    [['h8'], ['a1'], /Neither side/],
  ]) {
    await page.keyboard.press('e');
    await bar(page, 'Clear').click();
    for (const square of black) await cell(page, square).click();
    await bar(page, 'White disc').click();
    for (const square of white) await cell(page, square).click();
    const before = await discs(page);
    for (const side of ['Black to move', 'White to move']) {
      await bar(page, side).click();
      await untilNotice(page, told);
    }
    assert.equal(await discs(page), before);
    assert.equal(await bar(page, 'White to move').isVisible(), true);
    await page.keyboard.press('Escape');
    await page.locator('#where', { hasText: 'move 2 of 2' }).waitFor();
  }
});

test('a full board is refused, a forced pass is played, an unreachable position is reported', async () => {
  const page = await editing();
  await bar(page, 'Clear').click();
  for (const row of [1, 2, 3, 4, 5, 6, 7, 8]) await draw(page, `a${row}`, `h${row}`);
  await bar(page, 'White disc').click();
  await cell(page, 'a1').click();
  await bar(page, 'Black to move').click();
  await untilNotice(page, /full/);
  await bar(page, 'Clear').click();
  // Black a1, White b1: only Black has a move.
  await cell(page, 'b1').click();
  await bar(page, 'Black disc').click();
  await cell(page, 'a1').click();
  await bar(page, 'White to move').click();
  await until(() => page.locator('#mode').isHidden(), true);
  await untilNotice(page, /can be analysed/);
  assert.equal(await page.evaluate(() => outflank.study.position[64]), 'X');
  await page.keyboard.press('Control+z');
  await until(() => discs(page), START);
});

test('a finger paints and does not step through moves', async () => {
  const page = await opened(site, '/#f5d6c3@1', SIZES['390x844']);
  await page.evaluate(() => outflank.act('edit'));
  await bar(page, 'White to move').waitFor();
  const touch = await page.context().newCDPSession(page);
  const at = async (square) => {
    const [x, y] = await centreOf(page, square);
    return [{ x, y }];
  };
  const before = await discs(page);
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: await at('h1') });
  for (const square of ['f1', 'd1', 'a1'])
    await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: await at(square) });
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  const row = set(before, Object.fromEntries([...'XXXXXXXX'].entries()));
  await until(() => discs(page), row);
  await page.touchscreen.tap(...(await centreOf(page, 'a8')));
  await until(() => discs(page), set(row, { 56: 'X' }));
  await page.touchscreen.tap(...(await centreOf(page, 'a8')));
  await until(() => discs(page), row);
  assert.equal(await page.evaluate(() => outflank.study.node.ply), 1);
});
