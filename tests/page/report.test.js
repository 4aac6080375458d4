// The report and the list of moves in a browser. `unit/game-analysis.test.js` has the values, the workers and the sums.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { START, squareName } from '../../www/js/base/position.js';
import { Tree } from '../../www/js/model/tree.js';
import { GAME, opened, until, untilNotice } from './hands.js';
import { dice } from './harness/dice.js';
import { stage } from './harness/stage.js';
import { rulesInNode } from './rules.js';

const site = stage();

/** The output of the program, checked by `tests/native/console/analyze.txt`. */
const [printed] = readFileSync(new URL('../native/data/report/analysis.jsonl', import.meta.url), 'utf8')
  .split('\n', 1)
  .map((line) => JSON.parse(line));

const panel = (page, selector, more) => page.locator(`#panel-report ${selector}`, more);
const where = (page, text) => page.locator('#where', { hasText: text }).waitFor();
/** Starts the analysis of the game, and waits for its end. */
async function analyzed(page, depth) {
  await page.keyboard.press('a');
  await panel(page, '.under .muted', { hasText: `Depth ${depth} and exact endings` }).waitFor();
}

test('the report of a game is that of the command line, and leads to mistakes and lessons', async () => {
  // Searches in sequence, as in the program: the values of several workers depend on the order.
  const page = await opened(site, `/#${printed.moves}`, {
    settings: {
      reviewDepth: printed.depth,
      engine: false,
      workers: 1,
    },
  });
  await page.getByRole('tab', { name: 'Report' }).click();
  await panel(page, '.blank').waitFor();
  await analyzed(page, printed.depth);
  const { black, white } = printed.summary;
  const shown = await panel(page, '.sides').textContent();
  for (const { accuracy, lost, known } of [black, white]) {
    assert.ok(shown.includes(`${accuracy} / 100`), shown);
    assert.ok(shown.includes(`${(lost / known).toFixed(2)} discs lost per move`), shown);
  }
  const mistakes = printed.losses.filter(({ mistake }) => mistake);
  const buttons = panel(page, '.mistakes button');
  assert.equal(await buttons.count(), mistakes.length);
  assert.deepEqual(
    await panel(page, '.mistakes, .sides, .tables').evaluateAll((parts) =>
      parts.map(({ className }) => className),
    ),
    ['mistakes', 'sides', 'mistakes', 'tables'],
  );
  const rows = await panel(page, 'tbody tr').evaluateAll((rows) =>
    rows.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent)),
  );
  assert.ok(rows.length > 1);
  for (const row of rows)
    assert.ok(
      row.some((text) => text !== '0'),
      'no empty row',
    );
  const explained = panel(page, '.explain p');
  assert.equal(await explained.isVisible(), false);
  await panel(page, 'summary').focus();
  await page.keyboard.press('Enter');
  await explained.waitFor();
  assert.match(await explained.textContent(), /4 discs/);

  // A mistake leads to the position before it.
  const worst = mistakes.toSorted((a, b) => b.loss - a.loss)[0];
  const first = buttons.first();
  assert.match(await first.textContent(), new RegExp(`${worst.ply}\\. ${worst.move}`));
  // The button below a finger stays while it is redrawn.
  const pressed = await first.elementHandle();
  await first.click();
  await where(page, `move ${worst.ply - 1} of 60`);
  await until(() => first.getAttribute('aria-current'), 'step');
  assert.ok(await pressed.evaluate((node) => node === document.activeElement));
  // Learning uses the selected side and leaves the game unchanged.
  await panel(page, 'section button').last().click();
  await page.locator('#mode', { hasText: 'White' }).waitFor();
  await page.getByRole('tab', { name: 'Report' }).click();
  await panel(page, '.blank', { hasText: 'Hidden until' }).waitFor();
  await page.keyboard.press('Escape');
  await page.locator('#mode').waitFor({ state: 'hidden' });
  await until(() => page.locator('#moves .mv').count(), 60);
});

test('only an analyzed game has accuracy; its mistakes become puzzles, also with late frames', async () => {
  const page = await opened(site, `/#${GAME}@30`, { engine: 'recorded', settings: { reviewDepth: 4 } });
  // Without an analysis of the game there is no accuracy.
  await page.getByRole('tab', { name: 'Report' }).click();
  await panel(page, '.under .muted', { hasText: /^\d of 60 moves known$/ }).waitFor();
  assert.deepEqual(await panel(page, '.figure').allTextContents(), ['– / 100', '– / 100']);
  // As in a hidden tab: the page is not painted.
  await page.evaluate(() => {
    window.requestAnimationFrame = () => 0;
  });
  await page.keyboard.press('a');
  const save = panel(page, 'button', { hasText: 'Add to puzzles' });
  await save.waitFor();
  const mistakes = await panel(page, '.mistakes li').count();
  await save.click();
  await untilNotice(page, new RegExp(`${mistakes} .*saved as puzzles`));
  await page.reload();
  await page.getByRole('tab', { name: 'Puzzles' }).click();
  await page.locator('#panel-puzzles', { hasText: `Your mistakes (${mistakes})` }).waitFor();
  await where(page, 'of 60');
});

test('a step in a tree with thousands of nodes redraws no other node', async () => {
  const rules = await rulesInNode();
  const roll = dice(5);
  const tree = new Tree(rules, { start: START, moves: GAME });
  for (let nodes = 60; nodes < 4000; )
    for (let node = tree.main[roll(30)]; nodes < 4000; ) {
      const { legal } = rules.look(node.position);
      if (legal.length === 0) break;
      const { node: next, made } = tree.play(node, squareName(legal[roll(legal.length)]));
      if (made) nodes++;
      node = next;
    }
  const page = await opened(site, `/#${tree.link(tree.root)}`, { engine: 'recorded' });
  await until(() => page.locator('#moves .mv').count(), 4000);
  await page.evaluate(() => {
    window.changes = 0;
    new MutationObserver((records) => {
      window.changes += records.length;
    }).observe(document.querySelector('#moves'), { subtree: true, childList: true, attributes: true });
  });
  for (let step = 1; step <= 5; step++) {
    await page.keyboard.press('ArrowRight');
    await where(page, `move ${step} of 60`);
  }
  const changes = await page.evaluate(() => window.changes);
  // The current move, and the values that the engine found on the way.
  assert.ok(changes > 0 && changes < 200, `${changes} changes of the list of moves`);
});
