// The report and the list of moves in a browser. `unit/game-analysis.test.js` has the values, the workers and the sums.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { opened, until } from './hands.js';
import { stage } from './harness/stage.js';

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
  // A mistake leads to the position before it.
  const worst = mistakes.toSorted((a, b) => b.loss - a.loss)[0];
  const first = buttons.first();
  assert.match(await first.textContent(), new RegExp(`${worst.ply}\\. ${worst.move}`));
  await first.click();
  await where(page, `move ${worst.ply - 1} of 60`);
  await until(() => first.getAttribute('aria-current'), 'step');
  // Learning uses the selected side and leaves the game unchanged.
  await panel(page, 'section button').last().click();
  await page.locator('#mode', { hasText: 'White' }).waitFor();
  await page.getByRole('tab', { name: 'Report' }).click();
  await panel(page, '.blank', { hasText: 'Hidden until' }).waitFor();
  await page.keyboard.press('Escape');
  await page.locator('#mode').waitFor({ state: 'hidden' });
  await until(() => page.locator('#moves .mv').count(), 60);
});
