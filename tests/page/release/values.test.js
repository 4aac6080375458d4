// All views show equal values with the engine itself, in long walks.

import { test } from 'node:test';

import { walkValues, withReport } from '../harness/agreement.js';
import { stage } from '../harness/stage.js';

const site = stage();

for (const seed of [1, 2, 3])
  test(`report, moves, graph, header and table agree in the walk ${seed}`, async () => {
    const page = await withReport(site);
    await walkValues(page, { seed, steps: 200, depths: [8, 10, 12] });
  });
