// All views show equal values of a position and of a move, whatever happens.

import { test } from 'node:test';
import { walkValues, withReport } from './harness/agreement.js';
import { stage } from './harness/stage.js';

const site = stage();
const ENGINE = { engine: 'recorded' };

test('report, moves, graph, header and table agree at every repaint, after all changes of values', async () => {
  const page = await withReport(site, ENGINE);
  await walkValues(page, { seed: 20260, steps: 60, depths: [6, 8, 12] });
});
