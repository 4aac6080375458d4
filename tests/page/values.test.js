// All views show equal values of a position and of a move, whatever happens.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cell, until } from './hands.js';
import { differences, walkValues, withReport } from './harness/agreement.js';
import { stage } from './harness/stage.js';

const site = stage();
const ENGINE = { engine: 'recorded' };

test('report, moves, graph, header and table agree at every repaint, after all changes of values', async () => {
  const page = await withReport(site, ENGINE);
  await walkValues(page, { seed: 20260, steps: 120, depths: [6, 8, 12] });
});

test('the verdict on a move of a puzzle appears everywhere in the game at once', async () => {
  const page = await withReport(site, ENGINE);
  // An early position that is not solved, as a puzzle with invented exact scores.
  const { move, ply } = await page.evaluate(async () => {
    const { modes, panels, rules, study } = outflank;
    const node = study.tree.main[15];
    const { position } = node.parent;
    const legal = rules.moves(position);
    const scores = Object.fromEntries(
      legal.map((move, i) => [move, move === node.move ? -10 : -(i % 2) * 2]),
    );
    window.game = study.tree;
    const puzzle = { id: position, position, scores };
    await modes.begin('puzzle', { puzzle, panel: await panels.get('puzzles') });
    return { move: node.move, ply: node.ply };
  });
  await cell(page, move).click();
  await page.locator('#mode .told', { hasText: `${move} loses 10 discs` }).waitFor();
  const value = page.locator('#moves .mv').filter({ hasText: move }).locator('small');
  await until(() => value.textContent(), '▲ 10');
  await page.keyboard.press('Escape');
  await page.evaluate(() => outflank.study.load(window.game, window.game.root));
  await until(() => value.textContent(), '▲ 10');
  await page.getByRole('tab', { name: 'Report' }).click();
  const mistake = page.locator('#panel-report .mistakes button', { hasText: `${ply}. ${move}` });
  await until(() => mistake.locator('b').textContent(), '10');
  await page.getByRole('tab', { name: 'Moves' }).click();
  await value.click();
  assert.deepEqual(await differences(page), []);
});
