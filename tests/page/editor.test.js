// The editor in a browser: painting, undo, and refusal of unplayable positions.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from './hands.js';
import { Board } from './harness/board.js';
import { site } from './harness/stage.js';

const START = new Board().write();
const bar = (page, name) => page.locator('.mode').getByRole('button', { name, exact: true });
const set = (squares, changes) => [...squares].map((square, i) => changes[i] ?? square).join('');
const shown = (page, expected) => until(() => page.discs(), expected);

test('positions are edited by drags and keys, undone and redone, and refused with the reason if they are unplayable', async () => {
  const page = await site.opened('/#f5d6c3d3@2');
  await page.keys('e');
  const game = await page.discs();
  await bar(page, 'Start').click();
  await shown(page, START);
  await page.drag(['a1', 'h1']);
  const row = `XXXXXXXX${START.slice(8)}`;
  await shown(page, row);
  await page.drag(['c1', 'e1']);
  const gap = set(row, { 2: '-', 3: '-', 4: '-' });
  await shown(page, gap);
  const put = async (tool, squares) => {
    await bar(page, tool).click();
    for (const square of squares) await page.cell(square).click();
  };
  await put('White disc', ['a8']);
  await shown(page, set(gap, { 56: 'O' }));
  for (const expected of [gap, row, START, game]) {
    await page.keys('Control+z');
    await shown(page, expected);
  }
  await page.keys('Control+Shift+z');
  await shown(page, START);
  // A new change removes the redo steps.
  await bar(page, 'Clear').click();
  await page.keys('Control+y');
  await shown(page, '-'.repeat(64));
  // By keyboard.
  await page.keys('ArrowLeft', 'Enter');
  await page.shows('[role=gridcell].w');
  await page.keys('Delete');
  await page.reopened();
  await shown(page, '-'.repeat(64));
  // No key steps through the game behind the editor.
  await page.keys('Home', 'End', 'Space', 'ArrowLeft', 'ArrowRight', 'Escape');
  await page.untilMove(2, 4);
  await shown(page, game);
  await page.keys('End');
  await page.untilMove(4, 4);
  // A position replaces the game, which an undo brings back.
  await page.keys('e');
  await bar(page, 'Done: Black moves').click();
  await page.untilNotice(/replaces the game/);
  await page.pressNotice('Undo');
  await page.untilMove(4, 4);
  // An unplayable position is refused with the reason.
  await page.keys('e');
  for (const [told, black] of Object.entries({ 'no disc': [], 'same colour': ['c4', 'd4'] })) {
    await bar(page, 'Clear').click();
    await put('Black disc', black);
    const before = await page.discs();
    await bar(page, 'Done: Black moves').click();
    await page.untilNotice(told);
    assert.equal(await page.discs(), before);
  }
  // Black a1, White b1: only Black has a move.
  await bar(page, 'Clear').click();
  await put('White disc', ['b1']);
  await put('Black disc', ['a1']);
  await bar(page, 'Done: White moves').click();
  await page.untilNotice(/can be analysed/);
  await page.shows('#turn-black:not(:empty)');
  await page.shows('.next .told', 'Black to move');
  await page.keys('Control+z');
  await page.untilMove(4, 4);
});
