// Values with the engine itself: those of the command line, and equal ones in all views during long walks.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { walkValues, withReport } from '../harness/agreement.js';
import { site } from '../harness/stage.js';

for (const seed of [1, 2, 3])
  test(`report, moves, graph, header and table agree in the walk ${seed}`, async () => {
    const page = await withReport({ engine: 'real' });
    await walkValues(page, { seed, steps: 200, depths: [8, 10, 12] });
  });

/** The output of the program, checked by `tests/native/console/analyze.txt`. */
const FILE = new URL('../../native/data/report/analysis.jsonl', import.meta.url);
const printed = JSON.parse(readFileSync(FILE, 'utf8').split('\n')[0]);

test('the report of a game is that of the command line, does not count given moves, and has the values of the book', async () => {
  // Searches in sequence, as in the program: the values of several workers depend on the order.
  const settings = { reviewDepth: printed.depth, engine: false, workers: 1 };
  const page = await site.opened(`/#${printed.moves}`, { engine: 'real', settings });
  const panel = (selector, more) => page.locator(`#panel-report ${selector}`, more);
  await page.openTab('Report');
  await panel('.blank').waitFor();
  await page.keys('a');
  await panel('.under .muted', { hasText: `Depth ${printed.depth} and exact endings` }).waitFor();
  const { black, white } = printed.summary;
  const shown = await panel('.sides').textContent();
  for (const { accuracy, lost, known } of [black, white]) {
    assert.ok(shown.includes(`${accuracy} / 100`), shown);
    assert.ok(shown.includes(`${(lost / known).toFixed(2)} discs lost per move`), shown);
  }
  await page.typeAddress(`${printed.moves}&given=20`);
  await panel('.muted', { hasText: 'not counted: 20' }).waitFor();
  // The values of the book replace those of searches, and go with it.
  const booked = panel('.muted', { hasText: 'values of the book to move' });
  for (const isOn of [true, false]) {
    await page.set('book', isOn);
    await booked.waitFor({ state: isOn ? 'visible' : 'detached' });
  }
});
