// All views show equal values of a position and of a move, whatever happens.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cell, opened, painted, until } from './hands.js';
import { differences, walkValues, withReport } from './harness/agreement.js';
import { stage } from './harness/stage.js';

const site = stage();
const ENGINE = { engine: 'recorded' };

test('report, moves, graph, header and table agree at every repaint, after all changes of values', async () => {
  const page = await withReport(site, ENGINE);
  await walkValues(page, { seed: 20260, steps: 120, depths: [6, 8, 12] });
});

test('a position has the value of its best move as soon as its moves are read', async () => {
  const page = await opened(site, '/#f5', { ...ENGINE, settings: { engine: false } });
  const values = await page.evaluate(() => {
    const { evaluations, rules, scores, study } = outflank;
    study.go(study.tree.main[1]);
    evaluations.forget();
    const { parent, position } = study.node;
    evaluations.add(parent.position, 'rows', { value: 0, pv: ['f5', 'd6', 'c3'], depth: '10' });
    // A deeper search after another reply, which is not in the tree.
    const after = rules.play(position, 'f6').position;
    evaluations.add(after, 'root', { value: -6, pv: [rules.moves(after)[0]], depth: '20' });
    const before = scores.value(position).value;
    const { best } = scores.rows(position);
    return [before, best.move, best.value, scores.value(position).value, scores.at(study.node).point.value];
  });
  assert.deepEqual(values, [0, 'f6', 6, -6, -6]);
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
  for (let i = 0; i < 9; i++) {
    const text = await page.locator('#graph svg').getAttribute('aria-valuetext');
    if (/loses 10$/.test(text)) break;
    await page.keyboard.press('g');
    await painted(page);
  }
  assert.match(await page.locator('#graph svg').getAttribute('aria-valuetext'), /loses 10$/);
  assert.deepEqual(await differences(page), []);
});
