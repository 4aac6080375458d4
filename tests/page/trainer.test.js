// The opening trainer: both sides, right and wrong moves, symmetries, due lines, and saved games.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { SIZES } from '../harness/screens.js';
import { stage } from '../harness/stage.js';
import { assertSeen, cell, discs, endEngine, opened, paste, reopened, until, untilNotice } from './hands.js';

const site = stage();

const TIGER = { moves: 'f5d6c3d3c4', names: { en: 'Tiger', fr: 'Tigre' } };
const begin = (page, setup) => page.evaluate((setup) => void outflank.modes.begin('trainer', setup), setup);
const untilStage = (page, stage, moves) =>
  page.waitForFunction(
    ([stage, moves]) => {
      const mode = outflank.modes.current;
      return mode?.stage === stage && (moves === undefined || mode.moves.join('') === moves);
    },
    [stage, moves],
    { timeout: 60_000 },
  );
const told = (page) => page.locator('#mode .told').textContent();
const spoken = (page, pattern) =>
  page.waitForFunction(
    (pattern) => new RegExp(pattern).test(document.getElementById('live').textContent),
    pattern,
  );
const due = (page) =>
  page.evaluate(async () => {
    const { repertoireOf } = (await import('/js/shell/parts.js')).part('js/model/repertoire.js');
    return repertoireOf(outflank.store)
      .due()
      .map(({ line, side }) => line.moves + side)
      .join(' ');
  });
/** The study with what can be undone; training leaves it alone. */
const study = (page) =>
  page.evaluate(() => {
    const { tree, node } = outflank.study;
    return [...tree.nodes()].map(({ move }) => move).join() + node.moves.join('');
  });
/** A value anywhere on the board, in the table or in the header. */
const values = (page) =>
  page.evaluate(
    () =>
      [
        ...document.querySelectorAll('.sq .val b, #lines-body td, #engine [data-part=value]:not([hidden])'),
      ].filter((node) => /\d/.test(node.textContent)).length,
  );

test('a line played correctly as Black counts as known, and the current game stays', async () => {
  const page = await opened(site, '/#f5f6e6f4');
  const before = await study(page);
  await begin(page, { lines: [TIGER], side: 'X' });
  await untilStage(page, 'ask', '');
  await spoken(page, 'Your move, Black');
  await cell(page, 'f5').click();
  await untilStage(page, 'ask', 'f5d6');
  assert.equal(await values(page), 0);
  await cell(page, 'c3').click();
  await untilStage(page, 'ask', 'f5d6c3d3');
  await cell(page, 'c4').click();
  await untilStage(page, 'done', 'f5d6c3d3c4');
  assert.match(await told(page), /^To the end without an error/);
  await page.locator('#opening', { hasText: 'Tiger' }).waitFor();
  assert.equal(await due(page), '');
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => outflank.modes.current === null);
  assert.equal(await study(page), before);
  await page.locator('#opening', { hasText: 'Diagonal' }).waitFor();
});

test('the page begins if the user plays White; each first move of Black is right, and the line continues in its symmetry', async () => {
  const page = await opened(site, '/');
  await begin(page, { lines: [TIGER], side: 'O' });
  await untilStage(page, 'ask', 'f5');
  await cell(page, 'd6').click();
  await untilStage(page, 'ask', 'f5d6c3');
  await cell(page, 'd3').click();
  await untilStage(page, 'done', 'f5d6c3d3c4');
  assert.match(await told(page), /without an error/);
  for (const moves of ['e6f4c3c4d3', 'd3c5f6f5e6', 'c4e3f6e6f5']) {
    await begin(page, { lines: [TIGER], side: 'X' });
    for (let ply = 0; ply < 5; ply += 2) {
      await untilStage(page, 'ask', moves.slice(0, 2 * ply));
      await cell(page, moves.slice(2 * ply, 2 * ply + 2)).click();
    }
    await untilStage(page, 'done', moves);
    assert.match(await told(page), /without an error/);
  }
  assert.equal(await due(page), '');
});

test('a wrong move is reported with its loss, the second one with the right move; the line stays due after a reload', async () => {
  const page = await opened(site, '/');
  await begin(page, { lines: [TIGER], side: 'X' });
  await untilStage(page, 'ask', '');
  await cell(page, 'f5').click();
  await untilStage(page, 'ask', 'f5d6');
  const board = await discs(page);
  await cell(page, 'c7').click();
  await untilStage(page, 'wrong');
  await page.locator('#mode .told', { hasText: /^c7 loses .*That is not the move here. Try again/ }).waitFor({
    timeout: 60_000,
  });
  await spoken(page, 'c7 loses');
  assert.equal(await discs(page), board, 'a wrong move is not played');
  assert.equal(await page.locator('.sq.told').count(), 0);
  assert.doesNotMatch(await told(page), /c3/);
  await cell(page, 'c6').click();
  await untilStage(page, 'shown');
  await page
    .locator('#mode .told', { hasText: /^c6 loses .*The line continues with c3/ })
    .waitFor({ timeout: 60_000 });
  assert.equal(await page.locator('.sq.told').getAttribute('data-square'), 'c3');
  await page.keyboard.press('Enter');
  await untilStage(page, 'ask', 'f5d6c3d3');
  await cell(page, 'c4').click();
  await untilStage(page, 'done');
  assert.match(await told(page), /comes back soon/);
  assert.equal(await due(page), 'f5d6c3d3c4X');

  await reopened(page);
  assert.equal(await page.evaluate(() => outflank.modes.current), null);
  await page.getByRole('tab', { name: 'Puzzles' }).click();
  await page
    .locator('.trained li', { hasText: 'Tiger' })
    .getByRole('button', { name: /Black, due/ })
    .waitFor();
  await page.getByRole('button', { name: 'Train due lines (1)' }).click();
  await untilStage(page, 'ask', '');
  assert.match(await told(page), /Tiger$/);
});

test('with several lines the page plays each, accepts any of them, and records the failed one', async () => {
  const page = await opened(site, '/');
  const lines = [
    { moves: 'f5d6c3', names: null },
    { moves: 'f5d6c3d3', names: null },
    { moves: 'f5f6e6f4', names: null },
    { moves: 'f5f4e3f6', names: null },
  ];
  const seen = new Set();
  for (let i = 0; i < 40 && seen.size < 3; i++) {
    await begin(page, { lines, side: 'X' });
    await page.waitForFunction(
      () => outflank.modes.current?.stage === 'ask' && outflank.modes.current.moves.length === 0,
    );
    await cell(page, 'f5').click();
    await page.waitForFunction(() => outflank.modes.current?.moves.length === 2);
    seen.add(await page.evaluate(() => outflank.modes.current.moves[1]));
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => outflank.modes.current === null);
  }
  assert.equal(seen.size, 3);
  await begin(page, { lines, side: 'O' });
  await untilStage(page, 'ask', 'f5');
  await cell(page, 'f4').click();
  await untilStage(page, 'ask', 'f5f4e3');
  // Painted shortly after.
  await page.locator('.sq.b[data-square=e3]').waitFor();
  await page.locator('.sq.legal:not([data-square=f6])').first().click();
  await untilStage(page, 'wrong');
  assert.equal(await due(page), 'f5f4e3f6O');
});

test('moves of saved games are trained, and a failed one becomes a line; a position without games is reported', async () => {
  const page = await opened(site, '/');
  await paste(page, 'f5d6c3d3\ne6f4c3c4\nf5d6c3d3c4');
  await page.locator('#panel-games .list button').nth(2).waitFor();
  await begin(page, { games: 'f5f4', side: 'X' });
  await untilNotice(page, /No games continue from here/);
  assert.equal(await page.evaluate(() => outflank.modes.current), null);
  await begin(page, { games: '', side: 'X' });
  await untilStage(page, 'ask', '');
  await cell(page, 'd3').click();
  await page.waitForFunction(
    () => outflank.modes.current?.stage === 'ask' && outflank.modes.current.moves.length === 2,
  );
  // In the games Black continued only with the tiger.
  assert.equal(await page.evaluate(() => outflank.modes.current.moves.join('')), 'd3c5');
  await cell(page, 'e6').click();
  await untilStage(page, 'wrong');
  assert.equal(await due(page), 'f5d6c3X');
  await cell(page, 'f6').click();
  await untilStage(page, 'ask', 'd3c5f6f5');
  await cell(page, 'e6').click();
  await untilStage(page, 'done', 'd3c5f6f5e6');
});

test('the dialog offers the line on the board and a named line with its continuations; lines are added and removed', async () => {
  const page = await opened(site, '/#f5d6c3d3c4f4');
  // Names are loaded last.
  await page.waitForFunction(() => outflank.openings.along(outflank.study.node) === 'Tiger');
  await page.evaluate(() => void outflank.act('train'));
  const dialog = page.locator('dialog[open]');
  await dialog.waitFor();
  assert.match(
    await dialog.locator('select option').first().textContent(),
    /The line on the board: f5d6c3d3c4f4/,
  );
  await dialog.getByRole('button', { name: 'Add to my lines' }).click();
  await untilNotice(page, /Added: Tiger/);
  assert.equal(await due(page), 'f5d6c3d3c4f4X');
  await page.evaluate(() => void outflank.act('train'));
  await dialog.waitFor();
  await dialog.locator('select').selectOption({ label: 'Stephenson' });
  await dialog.locator('label', { hasText: 'White' }).click();
  await dialog.locator('label', { hasText: 'continuations' }).click();
  await dialog.getByRole('button', { name: 'Train', exact: true }).click();
  await untilStage(page, 'ask', 'f5');
  assert.match(await told(page), /Stephenson/);
  assert.ok((await page.evaluate(() => outflank.modes.current.lines.length)) > 4);
  await page.keyboard.press('Escape');
  await page.getByRole('tab', { name: 'Puzzles' }).click();
  await page
    .locator('.trained li')
    .getByRole('button', { name: /^Remove/ })
    .click();
  await page.locator('.trained').waitFor({ state: 'detached' });
  await page.locator('.notice button', { hasText: 'Undo' }).click();
  await page.locator('.trained li').waitFor();
  assert.equal(await due(page), 'f5d6c3d3c4f4X');
});

test('an illegal line is not trained; step keys, undo and lines of the engine change nothing during training', async () => {
  const page = await opened(site, '/#f5f6e6f4');
  const before = await study(page);
  await begin(page, { lines: [{ moves: 'f5f5', names: null }], side: 'X' });
  await page.locator('.notice.fault').waitFor();
  assert.equal(await page.evaluate(() => outflank.modes.current), null);
  assert.equal(await due(page), '');
  await begin(page, { lines: [TIGER], side: 'X' });
  await untilStage(page, 'ask', '');
  for (const key of ['ArrowLeft', 'Home', 'ArrowUp', 'Control+z', 'Delete', 'Space', 'n'])
    await page.keyboard.press(key);
  assert.equal(await page.evaluate(() => outflank.modes.current?.moves.length), 0);
  assert.equal(await study(page), before);
  // The keyboard plays on the board.
  await cell(page, 'f5').focus();
  await page.keyboard.press('Enter');
  await untilStage(page, 'ask', 'f5d6');
});

test('training works without an engine, except for the losses', async () => {
  const page = await opened(site, '/');
  await begin(page, { lines: [TIGER], side: 'X' });
  await untilStage(page, 'ask', '');
  await endEngine(page);
  // A new job also gets no worker.
  await page.evaluate(() => {
    outflank.engine.submit = () => {};
  });
  await untilNotice(page, /was switched off/);
  await cell(page, 'f5').click();
  await untilStage(page, 'ask', 'f5d6');
  await cell(page, 'c7').click();
  await untilStage(page, 'wrong');
  await page.locator('#mode .told', { hasText: /^c7 That is not the move here/ }).waitFor();
  await cell(page, 'c3').click();
  await untilStage(page, 'ask', 'f5d6c3d3');
});

test('on a phone the board and the bar are visible, with targets for a finger', async () => {
  const page = await opened(site, '/', SIZES['390x844']);
  await page.getByRole('tab', { name: 'Puzzles' }).click();
  await page.getByRole('button', { name: 'Choose a line' }).click();
  await page.locator('dialog select').selectOption({ label: 'Tiger' });
  await page.locator('dialog .solid').click();
  await untilStage(page, 'ask', '');
  await until(() => page.locator('#side.open').count(), 0);
  await assertSeen(page, '#mode .told, #mode button, [data-square=h8]', 44);
});
