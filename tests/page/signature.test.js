// The fixed search has the committed number of nodes in the native program and in the browser.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { program } from '../harness/native.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The lines of a program's output, as JSON. */
const json = (input, command, ...args) =>
  execFileSync(command, args, { cwd: ROOT, encoding: 'utf8', input }).trim().split('\n').map(JSON.parse);

test('the fixed search has one signature, natively and in the browser', () => {
  const committed = readFileSync(`${ROOT}engine/src/search/bench-signature.txt`, 'utf8').trim();
  // The second one is the module for shared memory.
  const jobs = '{"work":"search"}\n{"work":"search","threads":1}\n';
  const found = [
    ...json('', ...program(), 'bench', '--json'),
    ...json(jobs, process.execPath, 'tests/bench/run.js', '-'),
  ];
  assert.deepEqual(
    found.map(({ nodes }) => String(nodes)),
    [committed, committed, committed],
  );
});
