// Values that the page shows as proven are true in whole games. Proven values of the modules are compared by `cargo xtask differential`.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { opened, reviewEnds } from '../hands.js';
import { Board, exactValues, nameOf, randomGame } from '../harness/board.js';
import { dice } from '../harness/dice.js';
import { stage } from '../harness/stage.js';

const site = stage();
const GAMES = 3;

/** Collects in `window.claims` every value that the page shows as proven: `kind position move value`. */
const collect = (page) =>
  page.evaluate(() => {
    window.claims = new Set();
    const { screen, study, words } = outflank;
    const clean = (element) => element?.textContent.replace(/\s/g, ' ').trim() ?? '';
    const outcomes = ['W', 'D', 'L'];
    screen.drawn.listen(() => {
      const { position } = study;
      const add = (kind, position, move, value) =>
        window.claims.add(`${kind} ${position} ${move} ${value.replace('\u2212', '-')}`);
      const header = clean(document.querySelector('#engine [data-part=value]'));
      const depth = clean(document.querySelector('#engine [data-part=depth]'));
      if (depth === words.t('engine.exact')) add('exact', position, '', header);
      for (const outcome of outcomes)
        if (depth === words.t(`engine.outcome.${outcome}`)) add('outcome', position, '', outcome);
      const rows = [
        ...[...document.querySelectorAll('.sq')].map((cell) => [
          cell.dataset.square,
          cell.querySelector('.val'),
        ]),
        ...[...document.querySelectorAll('#lines-body tr')].map((row) => [row.dataset.move, row]),
      ];
      for (const [move, row] of rows) {
        const isBoard = row.matches('.val');
        const sign = clean(row.querySelector(isBoard ? 'i' : '.proof'));
        // Where a mistake is shown, the squares show losses.
        if (row.matches('.old, .none') || (isBoard && document.querySelector('.which'))) continue;
        if (sign === '✓') add('exact', position, move, clean(row.querySelector(isBoard ? 'b' : '.value')));
        if (outcomes.includes(sign)) add('outcome', position, move, sign);
      }
      const at = new Map([...study.tree.nodes()].map((node) => [String(node.id), node]));
      for (const button of document.querySelectorAll('#moves .mv')) {
        const node = at.get(button.dataset.node);
        const text = clean(button.querySelector('small'));
        const [, value] = /^(\S+) ✓$/.exec(text) ?? [];
        const [, loss] = /^▲ (\d+)$/.exec(text) ?? [];
        if (node && value) add('exact', node.position, '', value);
        if (node?.parent && loss) add('loss', node.parent.position, node.move, loss);
      }
      for (const button of document.querySelectorAll('#panel-report .mistakes button')) {
        const [, ply, move] = /^(\d+)\. (..)( →|$)/.exec(clean(button.children[1])) ?? [];
        const [, loss] = /^(\d+)$/.exec(clean(button.querySelector('b'))) ?? [];
        if (ply && loss) add('loss', study.tree.main[Number(ply) - 1].position, move, loss);
      }
    });
  });

test('values that the page shows as proven are true', async () => {
  const random = dice(20);
  const counts = { exact: 0, outcome: 0, loss: 0 };
  const wrong = [];
  const check = (kind, value, truth, claim) => {
    counts[kind]++;
    if (value !== truth) wrong.push(`${claim}: it is ${truth}`);
  };
  const known = new Map();
  for (let game = 0; game < GAMES; game++) {
    const { moves } = randomGame(random, game % 2 === 0 ? 0 : 1 + (game % 8));
    const settings = { black: true, decimals: true, reviewDepth: 4 };
    const page = await opened(site, `/#${moves.map(nameOf).join('')}`, { settings });
    await page.getByRole('tab', { name: 'Report' }).click();
    await page.locator('#panel-report > *').first().waitFor();
    await collect(page);
    await page.keyboard.press('a');
    await reviewEnds(page);
    // Arrow keys step through the game unless a tab has the focus.
    await page.evaluate(() => document.activeElement.blur());
    for (let i = 0; i < 14; i++) {
      await page.waitForFunction(() => outflank.analysis.done || outflank.study.node.children.length === 0);
      await page.keyboard.press('ArrowLeft');
    }
    await page.waitForFunction(() => outflank.analysis.done);
    for (const claim of await page.evaluate(() => [...window.claims])) {
      const [, kind, position, move, value] = /^(\S+) (\S+) (\S*) (\S+)$/.exec(claim) ?? assert.fail(claim);
      const board = new Board(position);
      if (board.empty.length > 11) continue;
      const side = position[64] === 'X' ? 1 : -1;
      if (!known.has(position)) known.set(position, exactValues(board, side));
      const truth = known.get(position);
      const best = Math.max(...truth.values());
      const actual = move === '' ? best : truth.get(move);
      if (kind === 'exact') check(kind, Number(value), side * actual, claim);
      else if (kind === 'loss') check(kind, Number(value), best - actual, claim);
      else check(kind, { W: 1, D: 0, L: -1 }[value], Math.sign(side * actual), claim);
    }
    await page.close();
  }
  assert.deepEqual(wrong.slice(0, 20), []);
  assert.ok(counts.exact >= 20 * GAMES && counts.loss >= GAMES, JSON.stringify(counts));
});
