// The report, the list of moves and the graph in a browser: their values agree. `unit/game-analysis.test.js` has the values, the workers
// and the sums.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GAME, until } from './hands.js';
import { walkValues, withReport } from './harness/agreement.js';
import { site } from './harness/stage.js';

test('report, moves, graph, header and table agree at every repaint, after all changes of values', async () => {
  const page = await withReport();
  await walkValues(page, { seed: 20260, steps: 60, depths: [6, 8, 12] });
});

const told = (page) => page.locator('#graph svg').getAttribute('aria-valuetext');

/** Opens a link with random values for every position and without the engine. `window.putValues(size, from)` gives values to the
 *  current line from a ply on. */
async function valuedGame(link = `${GAME}@20`) {
  const page = await site.opened(`/#${link}`, { settings: { engine: false } });
  await page.locator('#graph text').nth(2).waitFor();
  await page.evaluate(() => {
    const roll = randomOf(4);
    const { painter, rules, study, values } = outflank;
    window.putValues = (size, from = 0) => {
      for (const { position } of study.line.slice(from)) {
        const legal = rules.moves(position);
        if (legal.length === 0) continue;
        const move = legal[roll(legal.length)];
        const value = (roll(2 * size) - size) / 1.7;
        values.add(position, { best: `search ${move} ${value} 0 14` });
      }
      painter.flush();
    };
    window.putValues(14);
  });
  return page;
}

test('a variation is drawn dashed over the unchanged game; three modes are stored', async () => {
  const page = await valuedGame();
  const curve = (name) => page.locator(`#graph .curve${name}`).getAttribute('d');
  await page.untilMove(20, 60);
  const game = await curve(':not(.variation)');
  assert.equal(await page.locator('#graph .curve.variation').count(), 0);
  // Any other move than that of the game, then five more.
  const next = GAME.slice(40, 42);
  for (let i = 0; i < 6; i++) {
    await page.locator(`.sq.legal:not([data-square=${next}])`).first().click();
    await page.untilMove(21 + i, 21 + i);
  }
  await page.evaluate(() => window.putValues(5, 21));
  await until(async () => ((await curve('.variation')).match(/L/g) ?? []).length, 6);
  assert.equal(await curve(':not(.variation)'), game, 'the game is drawn as before');
  const variation = page.locator('#graph .curve.variation');
  assert.notEqual(await variation.evaluate((node) => getComputedStyle(node).strokeDasharray), 'none');
  // By keyboard along the variation. A press beyond it leads back to the game.
  const slider = page.locator('#graph svg');
  await slider.focus();
  await page.keys('ArrowLeft');
  await page.untilMove(25, 26);
  const { x, y, width, height } = await slider.boundingBox();
  await page.mouse.click(x + width * 0.85, y + height / 2);
  await page.shows('#where', /of 60/);
  // Keys and buttons select three modes.
  const mode = (name) => page.shows('#graph .segments [aria-pressed=true]', name);
  await mode('Score');
  for (const name of ['Loss', 'Sum', 'Score']) {
    await page.keys('g');
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
  await page.set('language', 'fr');
  await choose('Perte');
  await page.reload();
  await mode('Perte');
});

test('the phases of a set-up game have the numbers of its moves', async () => {
  const start = '-----------X------XXXO---OXOOO--XXXXXOO-XXXOXOO-X-XXO-----XO----X';
  const page = await valuedGame(`${start}:${GAME.slice(52)}`);
  await page.openTab('Report');
  const heads = page.locator('#panel-report .tables table').first().locator('tbody th');
  await until(async () => (await heads.allTextContents()).join(), 'moves 1–14,moves 15–34,whole game');
});
