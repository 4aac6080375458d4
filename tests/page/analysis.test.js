// The report of the page equals that of `outflank analyze` for an equal game, depth and engine.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { stage } from '../harness/stage.js';
import { opened, paste, reviewEnds } from './hands.js';

const site = stage();

/** The output of the program, checked by `tests/tests/analyze.rs`. */
const [told] = readFileSync(new URL('../data/report/analysis.jsonl', import.meta.url), 'utf8')
  .split('\n', 1)
  .map((line) => JSON.parse(line));

test('the report of a game is that of the command line', async () => {
  // Before the page starts: earlier searches would also count.
  const settings = {
    reviewDepth: told.depth,
    engine: false,
    // Searches in sequence, as in the program: the values of several workers depend on the order.
    workers: 1,
  };
  const localStorage = [{ name: 'outflank.settings', value: JSON.stringify(settings) }];
  const page = await opened(site, '/', {
    storageState: { cookies: [], origins: [{ origin: site.address, localStorage }] },
  });
  await paste(page, told.moves);
  await page.keyboard.press('a');
  await reviewEnds(page);
  const { values, sums } = await page.evaluate(() => {
    const { scores, study } = outflank;
    const line = study.tree.main;
    const { X, O } = scores.summary(line);
    const figures = (side) => ({
      lost: side.loss,
      phases: side.phases,
      moves: side.moves,
      known: side.known,
      exact: side.exact,
      accuracy: side.accuracy,
      changed: [side.changed.WD, side.changed.WL, side.changed.DL],
      discs: side.mistakes.filter(({ changed }) => !changed).length,
      grave: side.mistakes.filter(({ grade }) => grade === 'grave').length,
    });
    return {
      values: line.map((node) => scores.value(node.position)?.value),
      sums: { black: figures(X), white: figures(O) },
    };
  });
  const rounded = (value) => Math.round(100 * value) / 100;
  assert.deepEqual(
    values.map(rounded),
    told.positions.map(({ value }) => value),
  );
  for (const side of ['black', 'white']) {
    const [page, program] = [sums[side], told.summary[side]];
    assert.deepEqual([rounded(page.lost), page.phases.map(rounded)], [program.lost, program.phases], side);
    for (const figure of ['moves', 'known', 'exact', 'accuracy', 'discs', 'grave'])
      assert.equal(page[figure], program[figure], `${figure} of ${side}`);
    const { win_to_draw, win_to_loss, draw_to_loss } = program.changed;
    assert.deepEqual(page.changed, [win_to_draw, win_to_loss, draw_to_loss], side);
  }
});
