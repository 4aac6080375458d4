// The openings in a browser: files of games and books, the library of lines and the trainer. `unit/library.test.js` has the database,
// `unit/exercises.test.js` the rules of the trainer.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GAME, until, untilCount, WILD } from './hands.js';
import { BASE, game, NAMES, wtb } from './harness/base.js';
import { site } from './harness/stage.js';

const openings = (page) => page.openTab('Openings');
const reached = (page, pattern) =>
  page.locator('#panel-openings .notes p').filter({ hasText: pattern }).waitFor();
const summary = (page, hasText) => page.locator('#panel-openings summary', { hasText }).first();
const start = async (page) => {
  await page.button('New', { exact: true }).click();
  await page.locator('#start').waitFor({ state: 'attached' });
};
/** Drops the base with its names, and waits until its games are also listed: they are loaded onto the board. */
async function dropBase(page) {
  await page.dropAll([...NAMES, ['WTH_2004.wtb', BASE]]);
  await page.locator('#panel-games .game').nth(3).waitFor();
}
async function remove(page, name) {
  const button = page.button(`Remove ${name}`);
  if (!(await button.isVisible())) await summary(page, /\d files?/).click();
  await button.click();
}
/** The shown figures, except those of the engine. */
const figures = (page) =>
  page.locator('.played tbody').evaluateAll((all) => {
    const cellsOf = ({ rows: [{ cells }] }) => [...cells].slice(0, 4).map((cell) => cell.textContent);
    return all.map((body) => cellsOf(body).join(' ')).join();
  });

test('a dropped base has figures, names and games, is filtered, and kept for the next visit', async () => {
  const page = await site.opened();
  await openings(page);
  await reached(page, /stay on this device/);
  await dropBase(page);
  await openings(page);
  await start(page);
  await reached(page, /4 games reached this position/);
  // White won one of four, one was drawn: Black has 2.5 of 4. Results of Black: +16, −24, 0, +24.
  await until(() => figures(page), 'f5 4 63% +4.0');
  // The rows by keyboard.
  await page.locator('.played button').focus();
  await page.keys('Enter');
  await page.shows('.played button:focus', 'd6');
  await until(() => figures(page), 'd6 3 50% −2.7,f6 1 0% +24.0');
  assert.deepEqual(await page.locator('.played .name').allTextContents(), ['Perpendicular', 'Diagonal']);
  await page.keys('Enter');
  for (const move of ['c3', 'd3', 'c4']) await page.cell(move).click();
  await reached(page, /3 games/);
  const list = page.locator('#panel-openings .list button');
  const listed = (await list.allTextContents()).slice(0, 2);
  assert.deepEqual(listed, ['Ann – Bob+162004 · Paris · 5 moves', 'Jérôme – Ann−242004 · Tokyo · 5 moves']);
  // A game opens at the looked-up position, transformed to the board.
  const before = await page.discs();
  await list.filter({ hasText: 'Jérôme – Ann' }).click();
  await page.shows('#name-black', 'Jérôme');
  assert.equal(await page.discs(), before);
  await page.untilMove(5, 5);
  // Filters.
  await start(page);
  await summary(page, 'Filter').click();
  await page.getByLabel('Player', { exact: true }).fill('jerome');
  await reached(page, /3 games/);
  await page.button('All games').click();
  await reached(page, /4 games/);
  // The next visit.
  await page.reopened();
  await openings(page);
  await reached(page, /4 games/);
  await page.openTab('Games');
  await page.locator('#panel-games .game').nth(3).waitFor();
  await openings(page);
  await remove(page, 'WTH_2004.wtb');
  await page.untilNotice(/WTH_2004.wtb removed/);
  // Its games are still saved.
  await reached(page, /4 games/);
});

test('errors of files are listed by the name of the file, and loaded files stay', async () => {
  const page = await site.opened();
  const records = [game('f5d6c3', 40, 0, 1), { moves: [56, 64, 11], discs: 40 }, game('f5f4', 30, 900, 1)];
  const cut = wtb(records, { year: 60_000, records: 9 });
  await page.dropAll([...NAMES, ['cut.wtb', cut]]);
  await page.untilNotice(/2 games in the database/);
  for (const [name, bytes, told] of [
    ['cut.wtb', [1, 2, 3], /cut.wtb.*WTHOR/],
    ['bad.txt', Buffer.from('f5d6 +0.50\nf5f6 +99\n'), /bad.txt: .*line 2: the value `\+99` is not a number/],
  ]) {
    await page.drop(name, bytes);
    await page.untilNotice(told);
  }
  await openings(page);
  await summary(page, '3 errors').click();
  await page.locator('.faults summary').click();
  const told = (await page.locator('.faults li').allTextContents()).join(' / ');
  for (const pattern of [/3 of 9 games are there/, /invalid year: 60000/, /Game 2: Move 3, a1, is illegal/])
    assert.match(told, pattern);
  await page.shows('.loaded small', '1 game whose names are not in the lists');
  await untilCount(page.locator('.loaded > li'), 1);
});

test('a book shows its values on the board and beside the engine in place of the book of the page, is exported, and is found after a reload', async () => {
  const page = await site.opened('/', { settings: { book: true } });
  const booked = (move, text) =>
    page.locator(`.played tbody[data-move=${move}] .book`).filter({ hasText: text }).waitFor();
  const ofPage = page.locator('[data-square=f6][aria-label*="book"]');
  const onBoard = ofPage.and(page.locator('[aria-label*="21"]'));
  // After the first values the start has its value of the book.
  await page.shows('[data-square=f5][aria-label*="book"]');
  await page.shows('[data-part=depth]', /^book, \d+ moves?$/);
  await page.cell('f5').click();
  await ofPage.waitFor();
  // The graph and the moves have them, and the engine has other ones.
  await page.shows('#moves .mv small', '0.0');
  // The book has a value of f4, but not of the position after it.
  const squares = `${'-'.repeat(27)}OX${'-'.repeat(6)}XXX${'-'.repeat(26)} O`;
  await page.drop('my.txt', Buffer.from(`f5d6c3d3c4 +0.50\nf5f6e6f4 -21.25\n${squares}; -9.00 f4;\n`));
  await page.untilNotice(/my.txt: 9 positions/);
  await openings(page);
  await booked('f6', '−21.3');
  await booked('d6', '+0.5');
  await page.shows('#panel-openings .notes', 'by move 20: Black 2+, White 2+');
  // For Black. The engine does not agree that f6 wins by 21.
  await page.shows('.played [data-move=f6] .value', /[+−]\d\./);
  await onBoard.waitFor();
  // A wrong answer has one loss in all views.
  await page.typeAddress('f5&ask=best');
  await page.told('find the best move');
  await page.cell('f4').click();
  await page.told(/^f4 loses ≈\s30.3 Best: f6 \([+−]21.3\)/);
  await page.openTab('Moves');
  await page.shows('#moves [data-mistake] small', /▲ ≈\s30.3/);
  await page.set('graphMode', 'loss');
  await page.locator('#graph svg[aria-valuetext*="30.3"]').waitFor({ state: 'attached' });
  await page.modeButton('Solution').click();
  await page.shows('[data-square=f4] .val b', '−30.3');
  const rows = page.locator('#lines-body').locator('[data-move=f6] .value, [data-move=f4] .value');
  const [best, wrong] = (await rows.allTextContents()).map((text) => Number.parseFloat(text.slice(1)));
  assert.deepEqual([best, wrong], [21.3, 9]);
  await page.modeButton('End').click();
  await page.waitForFunction(() => location.hash === '#f5@1');
  await openings(page);
  await summary(page, '9 positions').click();
  const text = await page.saved(() => page.button('Save as text').click());
  assert.match(String(text), /^% .*\n(.{64} [XO];( [+-]\d+\.\d\d( f4)?;)?\n){9}$/);
  // It is shown after a reload without a press.
  await page.reopened(`${site.address}/#f5`);
  await onBoard.waitFor();
  await openings(page);
  await remove(page, 'my.txt');
  await ofPage.and(page.locator(':not([aria-label*="21"])')).waitFor();
  await page.button('Settings').click();
  await page.locator('dialog summary', { hasText: 'Engine' }).click();
  await page.getByLabel('Values of the opening book').uncheck();
  await ofPage.waitFor({ state: 'detached' });
});

test('the library finds the Tiger by name, shows it once, drills it, and keeps lines', async () => {
  const page = await site.opened('/#f5d6c3d3c4f4');
  // The names of openings are loaded last.
  await page.shows('#opening', 'Tiger');
  await page.keys('n', '/');
  await page.locator('dialog input').fill('tigre');
  await page.locator('dialog .option', { hasText: 'Openings: Tiger' }).first().waitFor();
  await page.keys('Enter');
  await untilCount(page.locator('div.library li svg'), 3);
  await page.button('Train Tiger as Black').first().click();
  await page.told(/^Watch the line once. Then you play Black. Tiger · move \d of 5$/);
  await page.modeButton('Play it now').click();
  await page.cell('f5').click();
  const asked = () => page.told(/^Your move, Black. Tiger · move 2 of 5$/);
  await asked();
  const values = page.locator('.sq .val b, #lines-body td, #engine [data-part=value]:not([hidden])');
  assert.equal(await values.filter({ hasText: /\d/ }).count(), 0);
  // Step keys, undo, removal and the best move change nothing; the keyboard plays on the board.
  await page.keys('ArrowLeft', 'Home', 'ArrowUp', 'Control+z', 'Delete', 'Space', 'n');
  await asked();
  await page.cell('c6').focus();
  await page.keys('Enter');
  await page.told(/^c6 loses .*This leaves Tiger at move 3.*Try again/);
  assert.equal(await page.locator('.sq.told').count(), 0);
  await page.cell('c7').click();
  await page.shows('.sq.told[data-square=c3]');
  await page.keys('Escape', 'Control+z');
  // The line on the board is kept without a side: it is not due.
  await page.button('Add Tiger to my lines').first().click();
  await page.button('Remove Tiger').first().click();
  await page.pressNotice('Undo');
  await page.button('Remove Tiger').first().waitFor();
  // The tree has the Tiger without the last move of the board, below its family.
  const has = page.locator('> .what b', { hasText: /^Perpendicular$/ });
  const family = page.locator('#panel-openings .trained li', { has });
  await family.locator('> details > summary').click();
  await family
    .locator('details[open]')
    .getByText(/^Tiger$/)
    .click();
  await page.untilMove(5, 5);
});

test('similar positions of saved games are found from the board, with the move played there, and opened', async () => {
  const page = await site.opened();
  await page.paste(`${GAME}\n${WILD}`);
  await page.locator('#panel-games .game').nth(1).waitFor();
  // The board has the first game after its first own move. The second game is alike.
  await page.evaluate(() => outflank.study.go(outflank.study.tree.main[18]));
  await openings(page);
  await page.button('Similar positions').click();
  const dialog = page.locator('dialog');
  const rows = dialog.locator('.list .game');
  await rows.first().waitFor();
  assert.equal(await rows.count(), 1);
  await dialog.locator('p', { hasText: '1 game' }).waitFor();
  await dialog.getByLabel('Edge').check({ force: true });
  await dialog.locator('[role=status]').waitFor();
  const text = await rows.first().textContent();
  const [, side, move] = /(Black|White) played (\w\d)/.exec(text);
  await rows.first().getByRole('button').click();
  await page.waitForFunction((move) => outflank.study.node.children[0]?.move === move, move);
  assert.equal(await page.evaluate(() => outflank.study.position[64]), side === 'Black' ? 'X' : 'O');
  assert.equal(await page.evaluate(() => outflank.study.tree.main.at(-1).moves.join('')), WILD);
});
