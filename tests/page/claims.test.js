// Values that the worker calls proven are true.

import { test } from 'node:test';

import { checkWorker } from '../harness/claims.js';
import { stage } from '../harness/stage.js';

const site = stage();

for (const query of ['hash=1', 'hash=1&threads=2'])
  test(`proven values of a worker called ${query} are true`, async (t) => {
    const claims = await checkWorker(await site.open('/version.json'), { query, positions: 8, searches: 6 });
    t.diagnostic(String(claims));
  });
