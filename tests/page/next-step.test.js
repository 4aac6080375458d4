// The next step is obvious: one solid button, a received game that is analyzed, mistakes on the board, one perspective.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DESK, GAME, PHONE, until, untilCount, WILD } from './hands.js';
import { violations } from './harness/axe.js';
import { site } from './harness/stage.js';

const MOVES = WILD.match(/../g).map((move, i) => `${'BW'[i % 2]}[${move}]`);
const named = (black, white) => `(;GM[Othello]PB[${black}]PW[${white}]TY[8]${MOVES.join('')};)`;

/** A page whose analyses of whole games are shallow. */
const quick = (options) => site.openedWhole('/', options);
const lead = (page, label) => page.shows('#panel-report .lead', label);

/** Waits until one button is solid, with this label. A button that repeats the next step is drawn as a plain one. */
const untilSolid = (page, label) => {
  const solid = page.locator('button.solid').filter({ visible: true });
  const read = (nodes) =>
    nodes.filter((node) => getComputedStyle(node).fontWeight === '700').map((node) => node.textContent);
  return until(async () => (await solid.evaluateAll(read)).map((text) => label.test(text)).join(), 'true');
};

const rows = (page) => page.locator('#panel-report .mistakes').first().locator('button');
/** The worst moves of some sides. */
const worst = (page, sides) =>
  page.evaluate((sides) => {
    const sums = outflank.values.summary(outflank.study.tree.main);
    const mistakes = [...sides].flatMap((side) => sums[side].mistakes).sort((a, b) => b.loss - a.loss);
    return mistakes.slice(0, 3).map(({ node }) => `${node.ply}. ${node.move}`);
  }, sides);
const listed = (page) =>
  rows(page).evaluateAll((nodes) => nodes.map((node) => /\d+\. ../.exec(node.textContent)[0]));

test('one button is solid, and it is the next step; keys are named on the empty board only', async () => {
  // The searches of this depth do not end.
  const page = await quick({ ...DESK, settings: { reviewDepth: 40 } });
  await untilSolid(page, /^Play$/);
  await page.getByText('? shows all keys').waitFor();
  await page.paste(GAME);
  await untilSolid(page, /^Stop$/);
  // A game that is pasted during an analysis is analysed instead.
  await page.paste(WILD);
  await page.untilMove(60);
  await untilSolid(page, /^Stop$/);
  assert.equal(await page.getByText('? shows all keys').isVisible(), false);
  assert.equal(await page.locator('.preview').isVisible(), false);
  await page.locator('#panel-report .lead:not([aria-disabled])').click();
  await untilSolid(page, /^Continue$/);
  await page.set('reviewDepth', 4);
  await page.locator('#panel-report .lead').click();
  await untilSolid(page, /^Learn from \d+ mistakes$/);
  // Where the report is not in sight, the card has the button.
  await page.openTab('Moves');
  await untilSolid(page, /^Learn$/);
  // The game of two others, with comments, is read from its start.
  await page.paste(named('Ada', 'Bo').replace('W[d6]', 'CO[Usual]W[d6]'));
  await page.shows('#tab-moves[aria-selected=true]');
  await untilSolid(page, /^Learn$/);
  await page.untilMove(0);
  assert.equal(await page.locator('.question').locator('visible=true').count(), 0);
  // Without an analysis, it is offered.
  await page.set('engine', false);
  await page.paste(GAME.slice(0, 60));
  await untilSolid(page, /^Analyse game$/);
  await page.locator('.next .solid').click();
  await untilSolid(page, /^(Stop|Learn.*)$/);
});

test("after a paste on a phone, the card leads through the user's three worst moves", async () => {
  // The analysis of the position on the board is shallower: it changes no loss.
  const page = await quick({ ...PHONE, settings: { depth: 1 } });
  // The samples stand below the board.
  await page.evaluate(() => scrollTo(0, 400));
  await until(() => page.evaluate(() => scrollY > 0), true);
  await page.paste(named('Bartholomew Featherstonehaugh', 'Wilhelmina Przybyszewska'));
  await until(() => page.evaluate(() => scrollY), 0);
  const card = page.locator('.next');
  const question = card.locator('.question');
  await question.getByText('Which side are you?').waitFor();
  // The worst mistake of both sides is shown, on the position before it.
  await card.getByText(/^1 of 3 · /).waitFor({ state: 'attached' });
  const [first] = await worst(page, 'XO');
  await page.untilMove(Number.parseInt(first, 10) - 1);
  await page.assertSeen('.next .told strong, .next strong + .why, .next :is(.question, .choose) button', 44);
  await question.getByRole('button', { name: 'Wilhelmina' }).click();
  await untilCount(question, 0);
  const own = await worst(page, 'O');
  for (const [i, move] of own.entries()) {
    await card.getByText(`${i + 1} of 3 · ${move} · −`).waitFor();
    await page.untilMove(Number.parseInt(move, 10) - 1);
    await page.assertSeen('.next .told, .next button:not(.term)', 44);
    // Values and labels of the two moves do not overlap.
    const overlaps = await page.locator('.sq:has(.which)').evaluateAll((cells) => {
      const box = (cell, part) => cell.querySelector(part).getBoundingClientRect();
      const doOverlap = (value, label) => value.height > 0 && value.bottom > label.top + 0.5;
      return cells.map((cell) => doOverlap(box(cell, '.val b'), box(cell, '.which')));
    });
    assert.deepEqual(overlaps, [false, false]);
    await card.getByRole('button', { name: 'Next mistake' }).click();
  }
  // The report closes for the board when a move is chosen.
  await page.openTab('Report');
  assert.deepEqual(await listed(page), own);
  assert.match(await page.locator('#panel-report h2').first().textContent(), /Your worst moves/);
  assert.equal(await page.locator('#panel-report .sides h2').first().textContent(), 'White');
  await rows(page).nth(1).click();
  await card.getByText(`2 of 3 · ${own[1]} · −`).waitFor();
  await page.assertSeen('.next .told');
  // The name is remembered, also after a reload.
  await page.reopened(`${site.address}/`);
  await page.paste(named('Wilhelmina Przybyszewska', 'Cy'));
  await card.getByText(/^1 of 3 · /).waitFor();
  const [other] = await worst(page, 'X');
  await card.getByText(`1 of 3 · ${other}`).waitFor();
  assert.equal(await question.count(), 0);
  // The choice can be taken back, with the name.
  await page.openTab('Report');
  const again = page.locator('#panel-report .question');
  await page.button('Switch side').click();
  await again.getByRole('button', { name: 'Neither' }).click();
  await page.locator('#panel-report').getByRole('button', { name: 'Which side are you?' }).click();
  await untilCount(again, 1);
});

test('another position that was chosen during the analysis stays on the board; a mistake is shown with its lines', async () => {
  const page = await quick(DESK);
  // Lines for the engines of the analysis wait until it is released.
  await page.evaluate(() => {
    const { Worker } = window;
    const held = new Promise((resolve) => (window.release = resolve));
    window.Worker = function HeldWorker(...how) {
      const worker = new Worker(...how);
      const { postMessage } = worker;
      worker.postMessage = (line) => held.then(() => postMessage.call(worker, line));
      return worker;
    };
  });
  await page.paste(WILD);
  await lead(page, 'Stop');
  await page.untilMove(60);
  await page.keys('Home');
  await page.untilMove(0);
  await page.evaluate(() => window.release());
  // The report shows the worst mistake before it shows its next step.
  await lead(page, 'Learn');
  await page.painted();
  await page.untilMove(0);
  // A mistake is shown with both moves; one press plays the refutation on the board, not in the game.
  await rows(page).first().click();
  // A deeper search could find another better move.
  await page.set('engine', false);
  const [, move, best] = /(..) → (..)/.exec(await rows(page).first().textContent());
  const label = (square) => page.cell(square).getAttribute('aria-label');
  await until(async () => /played, loses \d/.test(await label(move)), true);
  assert.match(await label(best), /better, best, loses 0/);
  assert.deepEqual(await violations(page, '.grid, .next'), []);
  const reasons = 'Corners|[Mm]obility|Safe|Frontier|Stable|passes|Parity|reason';
  const told = new RegExp(`^${move} loses .*${best} is better[^]*(${reasons})`);
  assert.match(await page.locator('.next .told').innerText(), told);
  const before = await page.discs();
  const steps = page.locator('.played-line button');
  const untilLast = (move) => page.shows(`[data-square=${move}].last`);
  await page.locator('.next').getByRole('button', { name: 'punishes it' }).click();
  // It plays on without a press. A press on a step stops it there.
  await page.shows('.played-line li:not(:first-child) [aria-current=step]');
  await steps.first().click();
  // Forced colors have no background that would mark the step.
  await page.emulateMedia({ forcedColors: 'active' });
  const outline = () => steps.first().evaluate((step) => getComputedStyle(step).outlineStyle);
  await until(outline, 'solid');
  await page.emulateMedia({ forcedColors: null });
  const moves = () => steps.locator('b').allTextContents();
  const [first, second] = await moves();
  assert.equal(first, move);
  // The value before the line, and that after it. The reason stays.
  for (const value of await page.locator('#lines .end').allTextContents())
    assert.match(value, /^[+−]?\d+(\.\d)?for /);
  assert.equal(await page.locator('#lines .end').count(), 2);
  await page.locator('.mode .why').first().waitFor();
  await untilLast(first);
  await page.keys('ArrowRight');
  await untilLast(second);
  await page.keys('Escape');
  await until(() => page.discs(), before);
  await page.shows('#where', 'of 60');
  await page.locator('.next').getByRole('button', { name: 'Better line' }).click();
  await steps.first().click();
  assert.equal((await moves())[0], best);
  await untilLast(best);
});
