// Every panel, mode and dialog fits at every size, in every language.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { openedAt, walk } from '../harness/layout.js';
import { stage } from '../harness/stage.js';

const site = stage();

for (const sizes of [
  ['1600x1000', '1280x800', '1024x768'],
  ['390x844', '667x375', '320x568'],
])
  test(`everything fits at ${sizes} in every language`, async () => {
    const page = await openedAt(site, sizes[0]);
    assert.deepEqual(await walk(page, { sizes, languages: ['en', 'fr', 'ja', 'zh'] }), []);
  });
