// The graph: its modes, and the game next to a variation. `layout.test.js` and `release/graph.test.js` look for texts that overlap.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertGraphIsClear, valuedGame } from './graph-values.js';
import { GAME, opened, until } from './hands.js';
import { stage } from './harness/stage.js';

const site = stage();

const where = (page, text) => page.locator('#where', { hasText: text }).waitFor();
const told = (page) => page.locator('#graph svg').getAttribute('aria-valuetext');

test('texts of the graph do not overlap on a narrow and a wide screen, in every mode', async () => {
  const page = await valuedGame(site, 4);
  await assertGraphIsClear(page, { widths: [320, 701, 1280], languages: ['fr'] });
});

test('the key and the buttons select three modes; the mode is stored; the scale of losses fits the game', async () => {
  const page = await valuedGame(site, 4);
  const mode = (name) => page.locator('#graph .segments [aria-pressed=true]', { hasText: name }).waitFor();
  await mode('Score');
  for (const name of ['Loss', 'Sum', 'Score']) {
    await page.keyboard.press('g');
    await mode(name);
  }
  const choose = async (name) => {
    await page.locator('#graph .segments button', { hasText: name }).click();
    await mode(name);
  };
  await choose('Sum');
  assert.match(await page.locator('#graph svg').getAttribute('aria-label'), /loss of each side/);
  assert.match(await told(page), /Black has lost (≈.)?[\d.]+, White (≈.)?[\d.]+/);
  await choose('Loss');
  /** The largest loss that the list of moves states. */
  const highest = await page
    .locator('#moves .mv small')
    .evaluateAll((all) =>
      Math.max(...all.map((one) => Number(/▲ (?:≈\u202f)?(\d[\d.]*)/.exec(one.textContent)?.[1] ?? 0))),
    );
  const top = Number(await page.locator('#graph text').first().textContent());
  assert.ok(highest > 2 && top >= highest && top < highest * 1.7, `${highest} on a scale to ${top}`);
  await page.reload();
  await mode('Loss');
});

test('a variation is drawn dashed over the unchanged game, and the graph leads to both', async () => {
  const page = await valuedGame(site, 4, '@20');
  const curve = (name) => page.locator(`#graph .curve${name}`).getAttribute('d');
  await where(page, 'move 20 of 60');
  const game = await curve(':not(.variation)');
  assert.equal(await page.locator('#graph .curve.variation').count(), 0);
  // Any other move than that of the game, then five more.
  const next = GAME.slice(40, 42);
  for (let i = 0; i < 6; i++) {
    await page.locator(`.sq.legal:not([data-square=${next}])`).first().click();
    await where(page, `move ${21 + i} of ${21 + i}`);
  }
  await page.evaluate(() => window.putValues(5, 21));
  await until(async () => ((await curve('.variation')).match(/L/g) ?? []).length, 6);
  assert.equal(await curve(':not(.variation)'), game, 'the game is drawn as before');
  const dashes = await page
    .locator('#graph .curve.variation')
    .evaluate((node) => getComputedStyle(node).strokeDasharray);
  assert.notEqual(dashes, 'none');
  // By keyboard along the variation. A press beyond it leads back to the game.
  const slider = page.locator('#graph svg');
  await slider.focus();
  await page.keyboard.press('ArrowLeft');
  await where(page, 'move 25 of 26');
  const { x, y, width, height } = await slider.boundingBox();
  await page.mouse.click(x + width * 0.85, y + height / 2);
  await page.locator('#where', { hasText: /of 60/ }).waitFor();
  // Back at the fork the next move is the game's; down and on stays in the variation.
  await page.keyboard.press('Home');
  for (let i = 0; i < 21; i++) await page.keyboard.press('ArrowRight');
  await where(page, 'move 21 of 60');
  await slider.evaluate((node) => node.blur());
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  await where(page, 'move 22 of 26');
  await page.getByRole('button', { name: 'Last move' }).click();
  await where(page, 'move 26 of 26');
});

test('the last point of a finished game is its result, without any engine', async () => {
  const page = await opened(site, `/#${GAME}@60`, { engine: 'recorded', settings: { engine: false } });
  const discs = async (color) => Number(await page.locator(`#count-${color}`).textContent());
  const result = (await discs('black')) - (await discs('white'));
  const sign = result > 0 ? '+' : result < 0 ? '−' : '';
  await until(() => told(page), `move 60, Black ${sign}${Math.abs(result)}`);
  await until(() => page.locator('#graph .dot-x').count(), 1);
});
