// Served scripts are shortened when the page is built. They must still be the same programs.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from 'acorn';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The syntax tree without places in the text, and with strings by their value: quotes may differ. */
const treeOf = (text) =>
  JSON.stringify(parse(text, { ecmaVersion: 'latest', sourceType: 'module' }), (key, value) => {
    if (key === 'start' || key === 'end') return undefined;
    if (typeof value === 'bigint') return `${value}n`;
    return key === 'raw' && typeof value === 'string' && /^['"]/.test(value) ? undefined : value;
  });

test('every served script has the syntax tree of its source', () => {
  const all = readdirSync(`${ROOT}/www`, { recursive: true });
  const scripts = all.filter((name) => name.endsWith('.js') && !name.endsWith('.test.js'));
  assert.ok(scripts.length > 50, `${scripts.length} scripts`);
  let [before, after] = [0, 0];
  for (const name of scripts) {
    const [source, served] = ['www', 'dist'].map((folder) =>
      readFileSync(`${ROOT}/${folder}/${name}`, 'utf8'),
    );
    assert.equal(treeOf(served), treeOf(source), name);
    before += source.length;
    after += served.length;
  }
  // What is made by the build alone has no source to compare with.
  const made = readdirSync(`${ROOT}/dist/engine`).filter((name) => name.endsWith('.js'));
  assert.ok(made.includes('outflank-threads.js'), `${made}`);
  for (const name of made) assert.ok(treeOf(readFileSync(`${ROOT}/dist/engine/${name}`, 'utf8')), name);
  assert.ok(after < 0.9 * before, `${after} of ${before} bytes are left`);
});
