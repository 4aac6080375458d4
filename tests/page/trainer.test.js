// The opening trainer and the library: a line is shown once, both sides, right and wrong moves, symmetries, due lines, and saved
// games; and the review of all that is due.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { SIZES } from '../harness/screens.js';
import { stage } from '../harness/stage.js';
import { assertSeen, cell, discs, endEngine, opened, paste, reopened, until, untilNotice } from './hands.js';

const site = stage();

const TIGER = { moves: 'f5d6c3d3c4', names: { en: 'Tiger', fr: 'Tigre' } };
/** Begins without showing the line. */
const begin = (page, setup) =>
  page.evaluate((setup) => void outflank.modes.begin('trainer', { shown: true, ...setup }), setup);
const openings = (page) => page.getByRole('tab', { name: 'Openings' }).click();
/** The row of a line in a list of the library. */
const row = (page, title) =>
  page.locator('#panel-openings .trained li', {
    has: page.locator('b', { hasText: new RegExp(`^${title}$`) }),
  });
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
  assert.match(await told(page), /^Finished without an error/);
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
  await page
    .locator('#mode .told', { hasText: /^c7 loses .*This leaves Tiger at move 3. Try again/ })
    .waitFor({
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
  assert.match(await told(page), /You left Tiger at move 3 with c7: the line comes back soon/);
  assert.equal(await due(page), 'f5d6c3d3c4X');

  await reopened(page);
  assert.equal(await page.evaluate(() => outflank.modes.current), null);
  await openings(page);
  await row(page, 'Tiger')
    .first()
    .getByRole('button', { name: /Black, due/ })
    .waitFor();
  await page.getByRole('button', { name: 'Review today: 1' }).click();
  await untilStage(page, 'ask', '');
  assert.match(await told(page), /Tiger · move 0 of 5$/);
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

test('the library finds the Tiger by name, shows it once, drills it, and brings it back in the review', async () => {
  const page = await opened(site, '/');
  await page.waitForFunction(() => outflank.openings.names.size > 60);
  await page.keyboard.press('/');
  await page.locator('dialog input').fill('tigre');
  await page.locator('dialog .option', { hasText: 'Openings: Tiger' }).first().waitFor();
  await page.keyboard.press('Enter');
  await until(() => page.locator('div.library li').count(), 3);
  assert.equal(await page.locator('div.library li svg').count(), 3);
  await row(page, 'Tiger').getByRole('button', { name: 'Train Tiger as Black' }).click();
  await untilStage(page, 'show', 'f5d6c3d3c4');
  assert.match(await told(page), /^Watch the line once. Then you play Black. Tiger · move 5 of 5/);
  await page.locator('#mode button', { hasText: 'Play it now' }).click();
  await untilStage(page, 'ask', '');
  await cell(page, 'f5').click();
  await untilStage(page, 'ask', 'f5d6');
  await cell(page, 'c6').click();
  await untilStage(page, 'wrong');
  await cell(page, 'c3').click();
  await untilStage(page, 'ask', 'f5d6c3d3');
  await cell(page, 'c4').click();
  await untilStage(page, 'done');
  // It failed, so it is due. It is not shown again.
  await page.locator('#mode button', { hasText: 'Next due (1)' }).click();
  await untilStage(page, 'ask', '');
  for (const [ply, square] of [
    [2, 'f5'],
    [4, 'c3'],
    [5, 'c4'],
  ]) {
    await cell(page, square).click();
    await page.waitForFunction((ply) => outflank.modes.current.moves.length === ply, ply);
  }
  await untilStage(page, 'done');
  assert.match(await told(page), /^Finished without an error/);
  assert.equal(await due(page), '');
  await page.keyboard.press('Escape');
  await row(page, 'Tiger')
    .first()
    .getByRole('button', { name: /Black, in 10/ })
    .waitFor();
});

test('the library keeps and removes lines, trains continuations, and opens a line from the tree', async () => {
  const page = await opened(site, '/#f5d6c3d3c4f4');
  // Names are loaded last.
  await page.waitForFunction(() => outflank.openings.along(outflank.study.node) === 'Tiger');
  await openings(page);
  await page.getByRole('button', { name: 'Add Tiger to my lines' }).first().click();
  await page.getByRole('button', { name: 'Remove Tiger' }).first().click();
  await page.locator('.notice button', { hasText: 'Undo' }).click();
  await page.getByRole('button', { name: 'Remove Tiger' }).first().waitFor();
  // The line on the board is kept without a side: it is not due.
  assert.equal(await due(page), '');
  await page.locator('.library input[type=search]').fill('Stephenson');
  await page.getByLabel('Train with the lines that continue it').check();
  await page.getByRole('button', { name: 'Train Stephenson as White' }).first().click();
  await page.locator('#mode button', { hasText: 'Play it now' }).click();
  await untilStage(page, 'ask', 'f5');
  assert.match(await told(page), /Stephenson/);
  assert.ok((await page.evaluate(() => outflank.modes.current.lines.length)) > 4);
  await page.keyboard.press('Escape');
  await page.locator('.library input[type=search]').fill('');
  const family = row(page, 'Perpendicular');
  await family.locator('summary').first().click();
  // The continuations are drawn after the click. The line on the board is also called Tiger.
  await family.getByRole('button', { name: /^Tiger\s*f5d6c3d3c4$/ }).click();
  await page.waitForFunction(() => outflank.study.game().moves === 'f5d6c3d3c4');
});

test('one review runs through lines, own mistakes and puzzles, and ends with the game on the board', async () => {
  const page = await opened(site, '/#f5d6c3');
  await page.evaluate(async () => {
    const panel = await outflank.panels.get('puzzles');
    await panel.puzzles.load();
    await panel.puzzles.addOwn([{ ...panel.puzzles.suite.pop(), own: true }]);
    await panel.puzzles.note(panel.puzzles.suite[0], false);
    const { repertoireOf } = (await import('/js/shell/parts.js')).part('js/model/repertoire.js');
    const line = { moves: 'f5d6c3', names: null };
    repertoireOf(outflank.store).add(line, ['O']);
    repertoireOf(outflank.store).note(line, 'O', false);
  });
  await openings(page);
  await page.getByRole('button', { name: 'Review today: 3' }).click();
  await untilStage(page, 'ask', 'f5');
  await cell(page, 'd6').click();
  await untilStage(page, 'done');
  await page.locator('#mode button', { hasText: 'Next due (2)' }).click();
  for (let i = 0; i < 2; i++) {
    await page.waitForFunction(() => outflank.modes.current?.puzzle && !outflank.modes.current.verdict);
    const best = await page.evaluate(() => {
      const { scores } = outflank.modes.current.puzzle;
      return Object.keys(scores).sort((a, b) => scores[b] - scores[a])[0];
    });
    await cell(page, best).click();
    await page.waitForFunction(() => outflank.modes.current?.verdict);
    await page.locator('#mode button', { hasText: 'Next' }).click();
    await page.waitForFunction(() => !outflank.modes.current?.verdict);
  }
  await untilNotice(page, /nothing more is due today/);
  assert.equal(await page.evaluate(() => outflank.modes.current), null);
  assert.equal(await page.evaluate(() => outflank.study.game().moves), 'f5d6c3');
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
  await page.locator('#mode .told', { hasText: /^c7 This leaves Tiger at move 3/ }).waitFor();
  await cell(page, 'c3').click();
  await untilStage(page, 'ask', 'f5d6c3d3');
});

test('on a phone the board and the bar are visible, with targets for a finger', async () => {
  const page = await opened(site, '/', SIZES['390x844']);
  await openings(page);
  await page.locator('.library input[type=search]').fill('tiger');
  await page.waitForFunction(() => document.querySelector('link[href="style/parts.css"]')?.sheet);
  await assertSeen(page, 'div.library .trained li:first-child button', 44);
  await page.getByRole('button', { name: 'Train Tiger as Black' }).click();
  await page.locator('#mode button', { hasText: 'Play it now' }).click();
  await untilStage(page, 'ask', '');
  await until(() => page.locator('#side.open').count(), 0);
  await assertSeen(page, '#mode .told, #mode button, [data-square=h8]', 44);
});
