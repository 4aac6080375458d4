// Values that the page has as proven are true in whole games. All views show these values (`values.test.js`), and those of the modules
// are compared by `cargo xtask differential`.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Board, exactValues, nameOf, randomGame } from '../harness/board.js';
import { dice } from '../harness/dice.js';
import { site } from '../harness/stage.js';

const GAMES = 3;

/** The proven values of the game for the side to move: of positions and moves, winners, and losses. */
const claimsOf = (page) =>
  page.evaluate(() => {
    const { study, values } = outflank;
    const claims = [];
    for (const { parent, move: played, position } of study.tree.main) {
      const point = values.value(position);
      if (point?.exact)
        claims.push(['exact', position, '', position[64] === 'X' ? point.value : -point.value]);
      for (const { move, value, proof } of values.rows(position).sorted)
        if (['exact', 'outcome'].includes(proof.kind))
          claims.push([proof.kind, position, move, proof.outcome ?? value]);
      const cost = parent && values.cost(parent.position, played);
      if (cost?.exact) claims.push(['loss', parent.position, played, cost.loss]);
    }
    return claims;
  });

test('values that the page has as proven are true', async () => {
  const random = dice(20);
  const counts = { exact: 0, outcome: 0, loss: 0 };
  const wrong = [];
  const known = new Map();
  for (let game = 0; game < GAMES; game++) {
    const { moves } = randomGame(random, game % 2 === 0 ? 0 : 1 + (game % 8));
    const page = await site.opened(`/#${moves.map(nameOf).join('')}`, { settings: { reviewDepth: 4 } });
    // The analysis begins by itself.
    await page.reviewEnds();
    // Arrow keys step through the game unless a tab has the focus.
    await page.evaluate(() => document.activeElement.blur());
    for (let i = 0; i < 14; i++) {
      await page.waitForFunction(() => outflank.analysis.done || outflank.study.node.children.length === 0);
      await page.keys('ArrowLeft');
    }
    await page.waitForFunction(() => outflank.analysis.done);
    for (const [kind, position, move, value] of await claimsOf(page)) {
      const board = new Board(position);
      if (board.empty.length > 11) continue;
      if (!known.has(position)) known.set(position, exactValues(board, position[64] === 'X' ? 1 : -1));
      const truth = known.get(position);
      const best = Math.max(...truth.values());
      const actual = move === '' ? best : truth.get(move);
      const expected = { exact: actual, outcome: 'LDW'[Math.sign(actual) + 1], loss: best - actual }[kind];
      counts[kind]++;
      if (value !== expected) wrong.push(`${kind} ${position} ${move}: ${value}, not ${expected}`);
    }
  }
  assert.deepEqual(wrong.slice(0, 20), []);
  assert.ok(counts.exact >= 20 * GAMES && counts.loss >= GAMES, JSON.stringify(counts));
});
