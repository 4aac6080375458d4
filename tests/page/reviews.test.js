// Analyses of unusual games and under unusual conditions: passes, a wiped-out side, another game or tab, a reload, no storage, no
// clipboard.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { stage } from '../harness/stage.js';
import { GAME, opened, paste, ply, reviewEnds, until, untilNotice } from './hands.js';

const site = stage();

/** A game with eight passes, won by White with 59 discs to 5. */
const PASSES =
  'd3c3c4e3d2b4b5c5a5b2f4f2d6f6g1c7b8f3e2f1e1f5g3c2b3a4g5h3a2g4h5h4g7c1b1a1h2a3h6d1g2a6e7d7b7d8h1b6a7h7g6c6a8c8e8e6f7f8g8h8';
const OTHER = 'f5d6c3d3c4f4f6f3e6e7d7c5b6d8c6c7e2f7c8b8g2b5g6f1d1h7g8a5';

const prepare = (page, reviewDepth = 4) =>
  page.evaluate((depth) => outflank.settings.set('reviewDepth', depth), reviewDepth);
async function quick() {
  const page = await opened(site, '/');
  await prepare(page);
  return page;
}

/** The sums of both sides of the game on the board. */
const sums = (page) =>
  page.evaluate(() => {
    const { X, O } = outflank.scores.summary(outflank.study.tree.main);
    return [X, O].map(({ moves, known, loss, mistakes }) => ({
      moves,
      known,
      loss,
      mistakes: mistakes.length,
    }));
  });
const review = (page) =>
  page.evaluate(() => {
    const { running, total, left, engines } = outflank.panels.made.get('report').review;
    return { running, total, left, engines: engines.length };
  });

test('every move of a game with passes belongs to its side, and each refutation can be played', async () => {
  const page = await quick();
  await paste(page, PASSES);
  await reviewEnds(page);
  await page.evaluate(() => outflank.settings.set('engine', false));
  const [X, O] = await sums(page);
  assert.deepEqual([X.known + O.known, X.moves + O.moves], [60, 60]);
  assert.ok(X.moves < 30 && X.mistakes > 0 && O.mistakes > 0, JSON.stringify([X, O]));
  const { wrong, steps, end } = await page.evaluate(async () => {
    const { modes, scores, study } = outflank;
    const mistakes = scores.mistakes(study.tree.main);
    const steps = [];
    for (const { node } of mistakes) {
      study.go(node.parent);
      outflank.painter.flush();
      document.querySelector('#next button').click();
      while (!modes.current) await new Promise((resolve) => setTimeout(resolve, 5));
      steps.push(modes.current.states[0].move === node.move);
      modes.leave();
    }
    const wrong = mistakes.filter(({ node, side }) => node.parent.position[64] !== side).length;
    return { wrong, steps, end: scores.at(study.tree.main.at(-1)).point };
  });
  assert.equal(wrong, 0);
  assert.ok(steps.length > 5 && steps.every(Boolean), steps.join());
  assert.deepEqual([end.value, end.exact], [-54, true]);
});

test('a side without discs has lost by 64, and the moves before are judged', async () => {
  const page = await quick();
  await paste(page, 'e6f4e3f6g5d6e7f5c5');
  await reviewEnds(page);
  await page.evaluate(() => outflank.act('last'));
  await page.locator('#engine', { hasText: /\+64\s*for Black\s*Game over, 13–0/ }).waitFor();
  const [X, O] = await sums(page);
  assert.deepEqual([X.known, O.known], [5, 4]);
  assert.ok(O.loss > X.loss && O.mistakes > 0);
});

test('a game without a mistake offers no lesson, and is not told to be analysed again', async () => {
  const page = await quick();
  await paste(page, 'f5d6c3d3c4f4f6f3');
  await reviewEnds(page);
  await page.locator('#panel-report', { hasText: 'No mistake in 8 known moves' }).waitFor();
  await page.evaluate(() => outflank.act('learn'));
  await untilNotice(page, /No mistake in 8 known moves/);
});

test('a game that is pasted during an analysis is analysed instead; undo returns to the first', async () => {
  const page = await quick();
  await prepare(page, 14);
  await paste(page, GAME);
  await page.waitForFunction(() => outflank.panels.made.get('report')?.review.running);
  await prepare(page);
  await paste(page, OTHER);
  await reviewEnds(page);
  assert.deepEqual(await review(page), { running: false, total: 29, left: 0, engines: 0 });
  const [X, O] = await sums(page);
  assert.deepEqual([X.known, O.known], [14, 14]);
  await page.keyboard.press('Control+z');
  await until(() => page.evaluate(() => outflank.study.game().moves), GAME);
  await page.locator('#next .solid, #panel-report .solid', { hasText: 'Analyse game' }).first().waitFor();
});

test('two tabs analyse the same game with the same result, and save it once', async () => {
  const page = await quick();
  const other = await page.context().newPage();
  await other.goto(site.address);
  await other.waitForFunction(() => window.outflank?.engine?.info);
  await Promise.all([paste(page, GAME), paste(other, GAME)]);
  await Promise.all([reviewEnds(page), reviewEnds(other)]);
  for (const tab of [page, other]) await tab.evaluate(() => outflank.settings.set('engine', false));
  const [first, second] = await Promise.all([page, other].map((tab) => sums(tab)));
  assert.deepEqual(
    first.map(({ known }) => known),
    [30, 30],
  );
  assert.deepEqual(
    second.map(({ known }) => known),
    [30, 30],
  );
  assert.equal(await page.evaluate(async () => (await outflank.store.all('games')).length), 1);
});

test('a reload during an analysis keeps the game and the values so far', async () => {
  const page = await quick();
  await prepare(page, 12);
  await paste(page, GAME);
  await page.waitForFunction(() => {
    const { review } = outflank.panels.made.get('report') ?? {};
    return review?.running && review.total - review.left >= 12;
  });
  await page.reload();
  await until(() => page.evaluate(() => window.outflank?.study.game().moves), GAME);
  await until(() => ply(page), 60);
  const isPartlyKnown = async () => (await sums(page)).reduce((all, { known }) => all + known, 0) >= 10;
  await until(isPartlyKnown, true);
  await page.evaluate(() => outflank.act('review'));
  await page.waitForFunction(() => outflank.panels.made.get('report')?.review.engines.length > 0);
  assert.ok((await review(page)).left <= 51, 'known positions are not searched again');
});

test('without any storage a game is analysed and its mistakes are learned', async () => {
  const page = await site.open('/version.json');
  await page.addInitScript(() => {
    const denied = () => {
      throw new DOMException('denied', 'SecurityError');
    };
    for (const name of ['localStorage', 'sessionStorage', 'caches'])
      Object.defineProperty(window, name, { get: denied });
    IDBFactory.prototype.open = denied;
  });
  await page.goto(site.address);
  await untilNotice(page, /stores nothing on this device/);
  await page.waitForFunction(() => window.outflank?.engine?.info);
  await prepare(page);
  await paste(page, OTHER);
  await reviewEnds(page);
  await page.locator('.question').getByRole('button', { name: 'White' }).click();
  await page.locator('#panel-report .lead', { hasText: 'Learn' }).click();
  await page.locator('#mode', { hasText: 'Mistake 1 of' }).waitFor();
});

test('without the clipboard, Paste asks for the text and copies are shown as text', async () => {
  const page = await site.open('/version.json');
  await page.addInitScript(() => {
    const refuse = () => Promise.reject(new DOMException('no', 'NotAllowedError'));
    for (const name of ['readText', 'writeText', 'write']) navigator.clipboard[name] = refuse;
    document.execCommand = () => false;
  });
  await page.goto(site.address);
  await page.waitForFunction(() => window.outflank?.engine?.info);
  await page.getByRole('button', { name: 'Paste' }).click();
  await page.locator('dialog textarea:focus').waitFor();
  await page.keyboard.type('f5d6c3');
  await page.keyboard.press('Control+Enter');
  await until(() => page.evaluate(() => outflank.study.tree.main.length), 4);
  await page.getByRole('button', { name: 'Copy link' }).click();
  const shown = page.getByRole('textbox', { name: 'Copy this text' });
  await until(async () => (await shown.inputValue()).endsWith('#f5d6c3@3'), true);
  assert.equal(await shown.evaluate(({ value }) => String(getSelection()) === value), true);
});
