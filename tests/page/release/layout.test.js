// Every panel, mode and dialog fits at every size, in every language.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { openedAt, walk } from '../../harness/layout.js';
import { stage } from '../../harness/stage.js';

const site = stage();

for (const [device, size] of /** @type {['desk' | 'phone', string][]} */ ([
  ['desk', '1600x1000'],
  ['phone', '667x375'],
]))
  test(`everything fits on a ${device} in every language`, async () => {
    const page = await openedAt(site, size);
    assert.deepEqual(await walk(page, { device, languages: ['en', 'fr', 'ja', 'zh'] }), []);
  });
