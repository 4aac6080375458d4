// Every panel, mode and dialog fits at every size, in every language.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { inspection, openedAt, walk } from '../harness/layout.js';

for (const all of ['1600x1000 1280x800 1024x768', '390x844 667x375 320x568'])
  test(`everything fits at ${all} in every language`, async () => {
    const sizes = all.split(' ');
    const page = await openedAt(sizes[0]);
    assert.deepEqual(await walk(page, { sizes, languages: ['en', 'fr', 'ja', 'zh'] }), []);
  });

for (const [size, least] of Object.entries({ '1024x768': 24, '390x844': 44 }))
  test(`every panel, mode and dialog at ${size} has targets of ${least} px and is accessible`, async () => {
    const page = await openedAt(size);
    const how = { sizes: [size], languages: ['fr'], visit: inspection(page, least) };
    assert.deepEqual(await walk(page, how), []);
  });
