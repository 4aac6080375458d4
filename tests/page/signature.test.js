// The fixed search has the committed number of nodes in the native program and in the browser.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { program } from '../harness/native.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The last line of a program's output, as JSON. */
const json = (command, ...args) =>
  JSON.parse(execFileSync(command, args, { cwd: ROOT, encoding: 'utf8' }).trim().split('\n').pop());

const native = () => json(...program(), 'bench', '--json');

test('the fixed search has one signature, natively and in the browser', () => {
  const browser = (job) => json(process.execPath, 'tests/bench/run.js', JSON.stringify(job)).nodes;
  const committed = readFileSync(`${ROOT}engine/src/search/bench-signature.txt`, 'utf8').trim();
  assert.equal(String(native().nodes), committed);
  assert.equal(browser({ work: 'search' }), committed);
  assert.equal(browser({ work: 'search', threads: 1 }), committed, 'the module for shared memory');
});
