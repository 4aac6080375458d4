// Files that are refused before they are read. The library tests the readers.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { readFiles } from '../../../www/js/io/import.js';
import { rulesInNode } from '../rules.js';

const part = (name) =>
  JSON.parse(readFileSync(new URL(`../../../www/lang/parts/${name}.json`, import.meta.url), 'utf8'));

const rules = await rulesInNode();

test('a file that is too large is refused', async () => {
  const huge = Object.defineProperty(new File([], 'huge.txt'), 'size', { value: 17_000_000 });
  await assert.rejects(readFiles(rules, [huge]), { code: 'file-size' });
});

test('a picture is refused as a picture, in every language', async () => {
  const picture = new File(['\x89PNG'], 'board.png', { type: 'image/png' });
  await assert.rejects(readFiles(rules, [picture]), { code: 'picture' });
  for (const language of ['en', 'fr', 'ja', 'zh']) assert.ok(part(language)['fault.picture']);
});
