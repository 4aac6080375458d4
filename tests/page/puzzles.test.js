// Puzzles: the verdict is visible on a phone and equals the loss of the page, and answers are stored.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { SIZES } from '../harness/screens.js';
import { stage } from '../harness/stage.js';
import { assertSeen, cell, opened, reopened, until } from './hands.js';

const site = stage();

async function begun(options) {
  const page = await opened(site, '/', options);
  await page.getByRole('tab', { name: 'Puzzles' }).click();
  await page.locator('#panel-puzzles .solid').click();
  await page.waitForFunction(() => outflank.modes.current?.puzzle);
  return page;
}

/** The moves of the puzzle on the board, the worst first, with their scores. */
const answers = (page) =>
  page.evaluate(() => Object.entries(outflank.modes.current.puzzle.scores).sort((a, b) => a[1] - b[1]));
const position = (page) => page.evaluate(() => outflank.modes.current?.puzzle.position);

for (const size of ['390x844', '667x375'])
  test(`on a phone of ${size} the whole board, the verdict and the buttons are visible`, async () => {
    const page = await begun(SIZES[size]);
    const [[wrong, score], ...rest] = await answers(page);
    await until(() => page.locator('#side.open').count(), 0);
    await assertSeen(page, '#mode .told, #mode button');
    for (const square of ['a1', 'h8']) await assertSeen(page, `[data-square=${square}]`);
    await cell(page, wrong).tap();
    await page
      .locator('#mode .wrong', { hasText: `${wrong} loses ${rest.at(-1)[1] - score} discs` })
      .waitFor();
    await assertSeen(page, '#mode .told, #mode button');
    const before = await position(page);
    await page.locator('#mode button', { hasText: 'Next' }).tap();
    await page.waitForFunction((before) => outflank.modes.current?.puzzle.position !== before, before);
    await assertSeen(page, '#mode .told, #mode button');
  });

test('by keyboard Enter and N continue, Escape leaves; verdicts are spoken; a wrongly answered puzzle comes back', async () => {
  const page = await begun();
  const [best] = (await answers(page)).at(-1);
  const first = await position(page);
  await page.evaluate(() => document.activeElement.blur());
  // There is no verdict yet to continue from.
  await page.keyboard.press('Enter');
  assert.equal(await position(page), first);
  await cell(page, best).click();
  await page.locator('#mode .told', { hasText: `${best} is right` }).waitFor();
  await page.waitForFunction(() => / is right/.test(document.getElementById('live').textContent));
  await page.keyboard.press('Enter');
  await page.waitForFunction((first) => outflank.modes.current.puzzle.position !== first, first);
  const second = await position(page);
  const [[wrong]] = await answers(page);
  await cell(page, wrong).click();
  await page.locator('#mode .wrong').waitFor();
  await page.keyboard.press('n');
  await page.waitForFunction((second) => outflank.modes.current.puzzle.position !== second, second);
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => outflank.modes.current === null);
  // Answers are stored.
  await page.waitForTimeout(200);
  await reopened(page);
  await page.getByRole('tab', { name: 'Puzzles' }).click();
  // The first was right at the first try, the second is to be repeated.
  await page
    .locator('#panel-puzzles .progress', { hasText: /^1 of \d+ solved · to repeat 1 · due now 1$/ })
    .waitFor();
  await page.locator('#panel-puzzles .solid').first().click();
  await page.waitForFunction(() => outflank.modes.current?.puzzle);
  assert.equal(await position(page), second);
});

/** A position of the user without known scores: 14 empty squares, Black to move. */
const OWN = '-X-OOOO--OOOOX---OOXXXXX-OXOOOXXXOXOOXXXXOOOXOX-XOOOOX----XXXXX-X';
const openOwn = (page) =>
  page.evaluate(async (position) => {
    const panel = await outflank.panels.get('puzzles');
    await panel.open({ id: position, position, scores: null, own: true });
  }, OWN);

test('a puzzle without known scores is judged by the engine, with the loss that all views show', async () => {
  const page = await opened(site, '/');
  await openOwn(page);
  await cell(page, 'a4').click();
  await page
    .locator('#mode .wrong', { hasText: 'a4 loses 12 discs. Best: a3 (0)' })
    .waitFor({ timeout: 60_000 });
  // The refutation is played; the moves panel shows an equal loss.
  await page.waitForFunction(() => outflank.study.node.ply >= 3, null, { timeout: 60_000 });
  await page.getByRole('tab', { name: 'Moves' }).click();
  assert.match(await page.locator('#moves .mv').first().textContent(), /a4.*12/);
  await page.locator('#mode button', { hasText: 'Again' }).click();
  await page.waitForFunction(() => outflank.study.node.ply === 0 && outflank.modes.current?.verdict === null);
  await cell(page, 'a3').click();
  await page.locator('#mode .told', { hasText: 'a3 is right: 0' }).waitFor({ timeout: 60_000 });
});

test('skipped puzzles do not come again at once, and a saved diagram does not give the answer away', async () => {
  const page = await begun();
  const seen = [];
  for (let i = 0; i < 4; i++) {
    seen.push(await position(page));
    await page.locator('#mode button', { hasText: 'Next' }).click();
    await page.waitForFunction((before) => outflank.modes.current?.puzzle.position !== before, seen[i]);
  }
  assert.equal(new Set(seen).size, 4);
  const chips = () =>
    page.evaluate(async () => {
      const { puzzle } = outflank.modes.current;
      outflank.scores.prove(puzzle.position, puzzle.scores);
      return (
        (await import('/js/shell/parts.js'))
          .part('js/io/save.js')
          .diagramOf(outflank, true)
          .split('class="chip"').length - 1
      );
    });
  assert.equal(await chips(), 0);
  const [[worst]] = await answers(page);
  await cell(page, worst).click();
  await page.waitForFunction(() => outflank.modes.current.verdict && !outflank.modes.current.hide);
});

test('undoing the loading of a puzzle brings the game back and ends the puzzle', async () => {
  const page = await opened(site, '/#f5d6c3');
  await openOwn(page);
  await page.waitForFunction(() => outflank.modes.current?.puzzle);
  await page.keyboard.press('Control+z');
  await page.waitForFunction(() => outflank.modes.current === null && outflank.study.tree.main.length === 4);
});

test('the end of puzzles brings the game back, also after several', async () => {
  const page = await opened(site, '/#f5d6c3');
  await page.getByRole('tab', { name: 'Puzzles' }).click();
  await page.locator('#panel-puzzles .solid').click();
  for (let i = 0; i < 2; i++) {
    await page.waitForFunction(() => outflank.modes.current?.puzzle);
    const before = await position(page);
    await page.locator('#mode button', { hasText: 'Next' }).click();
    await page.waitForFunction((before) => outflank.modes.current?.puzzle.position !== before, before);
  }
  await page.locator('#mode button', { hasText: 'End' }).click();
  await page.waitForFunction(() => outflank.study.game().moves === 'f5d6c3' && outflank.study.node.ply === 3);
});
