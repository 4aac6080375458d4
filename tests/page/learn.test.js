// Learning from the mistakes of a game: one with three known mistakes of Black, all solved to the end.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { SIZES } from '../harness/screens.js';
import { stage } from '../harness/stage.js';
import {
  assertSeen,
  cell,
  discs,
  endEngine,
  opened,
  ply,
  reopened,
  reviewEnds,
  until,
  untilNotice,
} from './hands.js';

const site = stage();

/** Black plays c1 for −6 (a drawn game is lost; a3 is best), g7 for −14 (b8 is) and a2 for −10 (a3 or a4 are, h2
 *  loses 2). */
const START = 'f5d6c3d3c4f4f6f3e6e7d7c5b6d8c6c7d2b5a5a6a7g5e3b4c8g6g4c2e8d1f7e2g3h4f1e1f2g1b1f8g8b3h3b2h5b7';
const END = 'c1a1g7g2a2a4a3h8b8a8h2h1h7h6';

/** Opens the end of the game as a separate game with a variation, and analyses it. */
async function reviewed(options) {
  // Not opened at its first position: an analysis there would find values before the question.
  const page = await opened(site, '/', options);
  const position = await page.evaluate(
    (moves) =>
      moves.reduce((position, move) => outflank.rules.play(position, move).position, outflank.study.position),
    START.match(/../g),
  );
  // A replaced move of White: no answer to any mistake.
  const tree = END.replace('a1', 'a1(g2~why+not~)');
  await page.evaluate((hash) => {
    location.hash = hash;
  }, `${position}:${tree}@4`);
  await page.waitForFunction(() => outflank.study.tree.main.length === 15 && outflank.study.node.ply === 4);
  await page.evaluate(() => outflank.act('review'));
  await reviewEnds(page);
  return page;
}

const learn = (page, side = 'X') => page.evaluate((side) => outflank.modes.begin('learn', { side }), side);
/** Waits until a stage is shown on the board: a press on an older state is dropped. */
const untilStage = (page, stage) =>
  until(
    () =>
      page.evaluate(() => {
        const { board, modes, study } = outflank;
        return board.state.drawn === study.node.id ? modes.current?.stage : 'drawing';
      }),
    stage,
  );
const told = (page) => page.locator('#mode .told').textContent();
const press = (page, name) => page.locator('#mode button', { hasText: name }).click();

/** The game as it is: moves with their variations and comments, and the cursor. */
const gameAsItIs = (page) =>
  page.evaluate(() => {
    const write = (node) => [node.move, node.comment, node.children.map(write)];
    const { tree, node } = outflank.study;
    return JSON.stringify([write(tree.root), node.moves]);
  });

/** Values that the page shows outside the bar of the mode. */
const leaks = (page) =>
  page.evaluate(() => {
    const found = [];
    const values = [...document.querySelectorAll('.sq .val b')].map((node) => node.textContent);
    if (values.some((value) => /\d/.test(value))) found.push('values on the board');
    for (const square of document.querySelectorAll('[role=gridcell]')) {
      const label = square.getAttribute('aria-label');
      if (/best|plus|minus|even|exact|depth/.test(label)) found.push(label);
    }
    if (document.querySelector('#lines-body tr')) found.push('lines');
    const value = document.querySelector('#engine [data-part=value]');
    if (!value.hidden && /\d/.test(value.textContent)) found.push('the header');
    if (/\d/.test(document.querySelector('#bar').getAttribute('aria-label'))) found.push('the bar');
    const graph = document.querySelector('#graph svg');
    if (!graph) return [...found, 'the graph is not drawn yet'];
    const counted = graph.getAttribute('aria-valuetext');
    if (!/[–—]$/.test(counted)) found.push(counted);
    if (graph.querySelector('circle, .mistake')) found.push('the graph');
    if (document.querySelector('#moves [data-mistake]')) found.push('marks of the moves');
    if ([...document.querySelectorAll('#moves small')].some((node) => node.textContent))
      found.push('values of the moves');
    for (const panel of document.querySelectorAll('[role=tabpanel]:not([hidden])'))
      if (/better/.test(panel.innerText)) found.push('the panel');
    if (outflank.screen.bestMove) found.push('the best move');
    return found;
  });

test('three mistakes are tried, refuted, found, shown and skipped without changing the game', async () => {
  const page = await reviewed();
  const before = await gameAsItIs(page);
  await learn(page);
  await untilStage(page, 'ask');
  assert.equal(await ply(page), 0);
  const task = /^c1, draw → loss Black lost 6 discs here. Find a better move. Mistake 1 of 3$/;
  assert.match(await told(page), task);
  await page.waitForFunction(() => /Find a better move/.test(document.getElementById('live').textContent));
  await until(async () => (await leaks(page)).join(), '');
  await cell(page, 'a3').hover();
  await page.waitForTimeout(300);
  assert.doesNotMatch(await page.locator('#preview').textContent(), /[+−]\d|✓/);
  assert.deepEqual(await leaks(page), []);

  // Not good enough: what it loses, and the refutation on the board.
  const asked = await discs(page);
  await cell(page, 'a4').click();
  await untilStage(page, 'wrong');
  assert.match(await told(page), /^a4 loses 12, draw → loss Not good enough: White answers a3/);
  await page.waitForFunction(() => /Not good enough/.test(document.getElementById('live').textContent));
  await page.waitForFunction(() => document.querySelector('[data-square=a3]').matches('.last'));
  assert.deepEqual(await leaks(page), []);
  await page.keyboard.press('Enter');
  await untilStage(page, 'ask');
  await until(() => discs(page), asked);

  // The move of the game again: its loss is written as in the report.
  await cell(page, 'c1').click();
  await untilStage(page, 'wrong');
  assert.match(await told(page), /^c1 loses 6, draw → loss /);
  await press(page, 'Try again');
  await cell(page, 'a3').click();
  await untilStage(page, 'right');
  assert.match(await told(page), /^a3 The best move/);
  await page.locator('.sq .val.best').first().waitFor();
  await page.keyboard.press('n');

  // The second one is shown.
  await untilStage(page, 'ask');
  assert.equal(await ply(page), 2);
  assert.match(await told(page), /^g7 Black lost 14 discs here/);
  await until(async () => (await leaks(page)).join(), '');
  await press(page, 'Answer');
  await untilStage(page, 'shown');
  assert.match(await told(page), /^b8 was better/);
  await page.keyboard.press('Enter');

  // The third one at the first try, with a move that is not the best but will do.
  await untilStage(page, 'ask');
  assert.equal(await ply(page), 4);
  await cell(page, 'h2').click();
  await untilStage(page, 'right');
  assert.match(await told(page), /^h2 loses 2 Good enough/);
  await press(page, 'Next');
  await untilStage(page, 'done');
  assert.equal(await told(page), '3 mistakes: 1 corrected at once, 1 later, 1 shown');

  // The mistakes not found at once are repeated.
  await press(page, 'Retry the 2 missed');
  await untilStage(page, 'ask');
  assert.equal(await ply(page), 0);
  await press(page, 'Skip');
  await until(() => ply(page), 2);
  await cell(page, 'b8').click();
  await untilStage(page, 'right');
  await press(page, 'Next');
  await untilStage(page, 'done');
  assert.equal(await told(page), '2 mistakes: 1 corrected at once, 1 skipped');
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => outflank.modes.current === null);
  assert.equal(await gameAsItIs(page), before);
});

test('from the report: its losses are shown, its answers are hidden until the end', async () => {
  const page = await reviewed();
  const report = page.locator('#panel-report');
  await report.waitFor();
  const row = report.locator('li', { hasText: 'c1' });
  const lost = await row.locator('b').textContent();
  assert.equal(lost, '6');
  const size = lost;
  assert.match(await row.textContent(), /c1 → a3.*draw → loss/);
  await report.getByRole('button', { name: 'Black: learn from 3 mistakes' }).click();
  await untilStage(page, 'ask');
  assert.ok((await told(page)).startsWith(`c1, draw → loss Black lost ${size} discs here`));
  for (const tab of ['Report', 'Openings', 'Puzzles', 'Games', 'Moves']) {
    await page.getByRole('tab', { name: tab }).click();
    await page.waitForTimeout(300);
    const shown = await page.locator('[role=tabpanel]:not([hidden])').innerText();
    // The game itself has an a3 later.
    assert.doesNotMatch(shown, tab === 'Moves' ? /better/ : /better|a3/, tab);
    assert.deepEqual(await leaks(page), [], tab);
  }
  await cell(page, 'c1').click();
  await untilStage(page, 'wrong');
  assert.ok((await told(page)).startsWith(`c1 loses ${size}, draw → loss`));
  await page.keyboard.press('Escape');
  await row.waitFor();
  assert.equal(await row.locator('b').textContent(), lost);
});

test('Escape leaves at any moment and restores cursor, line and undo steps', async () => {
  const page = await reviewed();
  // The line through the variation, and a change that can be undone.
  await page.evaluate(() => {
    const { study } = outflank;
    study.go(study.tree.root.children[0].children[1]);
    study.comment(study.node, 'mine');
    study.go(study.tree.root);
  });
  const before = await gameAsItIs(page);
  for (const act of [
    async () => {},
    async () => cell(page, 'a2').click(),
    async () => {
      await cell(page, 'a2').click();
      await untilStage(page, 'wrong');
    },
    async () => press(page, 'Answer'),
    async () => press(page, 'Skip'),
    async () => {
      await page.keyboard.press('End');
      await until(() => ply(page), 14);
    },
  ]) {
    await learn(page);
    await untilStage(page, 'ask');
    await act();
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => outflank.modes.current === null);
    assert.equal(await gameAsItIs(page), before);
  }
  await page.keyboard.press('Control+z');
  await untilNotice(page, /Undone: comment/);
  // A side without mistakes is reported: the game was analysed.
  await learn(page, 'O');
  await untilNotice(page, /No mistake in \d+ known moves/);
  assert.equal(await page.evaluate(() => outflank.modes.current), null);
  // Opening another game ends the lesson and leaves that game unchanged.
  await learn(page);
  await untilStage(page, 'ask');
  await page.evaluate(() => outflank.act('new'));
  await page.waitForFunction(() => outflank.modes.current === null && outflank.study.tree.main.length === 1);
});

test('at another position the lesson offers to return, and no view shows an answer', async () => {
  const page = await reviewed();
  await learn(page);
  await untilStage(page, 'ask');
  await page.keyboard.press('ArrowRight');
  await page.locator('#mode', { hasText: 'another position' }).waitFor();
  await until(async () => (await leaks(page)).join(), '');
  const pieces = await discs(page);
  await page.locator('.sq.legal').first().click();
  assert.equal(await discs(page), pieces);
  await press(page, 'Back to it');
  await until(() => ply(page), 0);
  assert.match(await told(page), /^c1, draw → loss/);
  // While a refutation is played out, too.
  await cell(page, 'a2').click();
  await untilStage(page, 'wrong');
  await page.keyboard.press('End');
  await page.locator('#mode', { hasText: 'another position' }).waitFor();
  assert.equal(await ply(page), 14);
  await page.keyboard.press('Enter');
  await until(() => ply(page), 0);
});

test('a reload during a lesson keeps the game, and the lesson can be started again', async () => {
  const page = await reviewed();
  const moves = () => page.evaluate(() => outflank.study.tree.main.map(({ move }) => move).join());
  const before = await moves();
  await learn(page);
  await cell(page, 'a4').click();
  await untilStage(page, 'wrong');
  await page.waitForTimeout(600);
  await reopened(page);
  assert.equal(await moves(), before);
  assert.equal(await page.evaluate(() => outflank.modes.current), null);
  await page.evaluate(() => outflank.act('review'));
  await reviewEnds(page);
  await learn(page);
  await untilStage(page, 'ask');
  assert.match(await told(page), /^c1, draw → loss/);
});

test('another engine judges after a crash; without an engine the question remains', async () => {
  const page = await reviewed();
  await learn(page);
  await untilStage(page, 'ask');
  // The values of the tried move never arrive.
  const mute = () =>
    page.evaluate(() => {
      outflank.engine.worker.onmessage = () => {};
    });
  await page.waitForFunction(() => outflank.engine.state === 'idle');
  await mute();
  await cell(page, 'a2').click();
  await untilStage(page, 'judging');
  await page.evaluate(() => outflank.engine.worker.onerror({ message: 'on purpose' }));
  await untilStage(page, 'wrong');
  assert.match(await told(page), /^a2 loses 26/);

  await press(page, 'Try again');
  await untilStage(page, 'ask');
  await page.waitForFunction(() => outflank.engine.state === 'idle');
  await mute();
  await cell(page, 'a8').click();
  await untilStage(page, 'judging');
  await endEngine(page);
  await untilNotice(page, /was switched off/);
  await untilStage(page, 'ask');
  assert.match(await told(page), /could not judge/);
  await page.locator('.notice button', { hasText: 'Start it again' }).click();
  await cell(page, 'a8').click();
  await untilStage(page, 'wrong');
  assert.match(await told(page), /^a8 loses 16/);
});

test('by keyboard the focus stays in the bar; Enter presses the marked button; a mistake becomes a puzzle', async () => {
  const page = await reviewed();
  await learn(page);
  await untilStage(page, 'ask');
  await cell(page, 'c1').focus();
  await page.keyboard.press('Enter');
  await untilStage(page, 'wrong');
  // Enter on the board is "try again" now.
  await page.keyboard.press('Enter');
  await untilStage(page, 'ask');
  await page.locator('#mode button', { hasText: 'Answer' }).focus();
  await page.keyboard.press('Enter');
  await untilStage(page, 'shown');
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Next');
  await page.keyboard.press('Enter');
  await untilStage(page, 'ask');
  assert.equal(await ply(page), 2);
  // Another Enter does not press the button that took the place of the first.
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'mode');
  await untilStage(page, 'ask');
  // A mistake is saved as a puzzle on request.
  await press(page, 'Answer');
  await untilStage(page, 'shown');
  await page.getByRole('button', { name: 'Save as a puzzle' }).click();
  await untilNotice(page, /Saved as a puzzle/);
  assert.ok(await page.getByRole('button', { name: 'Saved as a puzzle' }).isDisabled());
  assert.equal(await page.evaluate(() => outflank.panels.made.get('puzzles').puzzles.own.length), 1);
  assert.equal(await page.evaluate(() => outflank.modes.current.stage), 'shown');
});

for (const [device, options] of Object.entries({
  phone: SIZES['390x844'],
  // The texts are the longest in French.
  'low screen': { viewport: { width: 1280, height: 720 }, locale: 'fr-FR' },
}))
  test(`on a ${device} the question, the verdict and the buttons are visible`, async () => {
    const page = await reviewed(options);
    const least = options.hasTouch ? 44 : 0;
    await learn(page);
    await untilStage(page, 'ask');
    await assertSeen(page, '#mode .told, #mode button', least);
    await (options.hasTouch ? cell(page, 'a4').tap() : cell(page, 'a4').click());
    await untilStage(page, 'wrong');
    await assertSeen(page, '#mode .told, #mode button', least);
  });
