// The wheel, installed in an empty virtual environment.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { assertErrors, examplesIn, installWheel, outputIn } from './unpacked.js';

const README = new URL('../../cli/python/README.md', import.meta.url);
const script = (name) => fileURLToPath(new URL(`wheel/${name}.py`, import.meta.url));
const VERSION = 'import outflank; print(outflank.__version__)';

test('the wheel is used in an empty environment', async (t) => {
  const { python, outflank, reason } = await installWheel();
  if (reason) return t.skip(reason);
  assert.match((await outflank(['--version'])).stdout, /^outflank \d/);
  const printed = async (code) => (await python(['-c', code])).stdout.trim();
  const results = async (name) => JSON.parse((await python([script(name)])).stdout);
  const [example, asynchronous, table] = examplesIn(await readFile(README, 'utf8'), 'python');
  const columns = /\[(\[.*?\])\]/.exec(table)?.[1];
  const output = await printed(`${example}\nprint(all(row.keys() >= set(${columns}) for row in rows))`);
  const lines = output.split('\n').map((line) => line.trim());
  assert.deepEqual((await printed(asynchronous)).split('\n'), outputIn(asynchronous, '#'));
  const { stdout: version } = await python(['-m', 'outflank', '--version']);
  assert.equal(version, `outflank ${await printed(VERSION)}\n`);
  assert.deepEqual(lines, [...outputIn(example, '#'), 'True']);
  assert.equal(lines.length, 11);
  const [rows, hints, errors, over] = await results('answers');
  assert.deepEqual([rows.length, rows[8].move, rows[8].side, rows[8].value], [9, 'c5', 'black', 64]);
  assert.deepEqual([hints.length, hints[0].depth, hints[0].pv[0]], [3, '6', hints[0].move]);
  assert.deepEqual(over, [null, [], 2, null, [], true]);
  assertErrors(
    errors,
    `EngineError: {*}a1{*} is illegal{*}
    EngineError: {*}a1{*} is illegal{*}
    EngineError: {*}a1{*} is illegal{*}
    ValueError: neither a position nor moves: 'nowhere'{*}
    TypeError: position: 3 is neither text nor a list of moves
    ValueError: moves: 0 is not from 1 to 64
    TypeError: {*} unexpected keyword argument 'dept'{*}
    ValueError: depth: 61 is not from 1 to 60
    ValueError: depth: 0 is not from 1 to 60
    TypeError: exact: 'x' is not a whole number
    ValueError: moves: a position without moves has no losses: hint returns its value
    ValueError: threads: 0 is not from 1 to 256
    ValueError: threads: 257 is not from 1 to 256
    ValueError: hash: 0 is not from 1 to 1048576
    ValueError: network: 'huge' is neither 'small' nor 'large'
    TypeError: {*} unexpected keyword argument 'thread'{*}
    EngineError: the engine has ended (status {*}){*}
    ${process.platform === 'win32' ? '' : 'KeyboardInterrupt{*}'}
    EngineError: the engine was closed{*}`,
  );
  const limits = await results('limits');
  assert.deepEqual(limits, Array(40).fill(true), `${limits}`);
  const ends = await results('ends');
  assert.deepEqual(ends.pop(), [40, 'the engine was closed']);
  assert.ok(['true,true,true,1', 'true,true'].includes(ends.join()), ends.join());
});

test('mypy finds the mistakes of a script, and none without them', async (t) => {
  const { python, reason } = await installWheel();
  if (reason) return t.skip(reason);
  try {
    await python(['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', 'mypy==2.4.1']);
  } catch {
    return t.skip('mypy cannot be installed');
  }
  const words = ['-m', 'mypy', '--strict', script('typed'), script('mistakes')];
  const { stdout } = await python(words).catch((error) => error);
  const found = stdout.match(/\w+\.py:\d+(?=: error)/g);
  assert.equal(found?.join(), 'mistakes.py:6,mistakes.py:7,mistakes.py:8,mistakes.py:9', stdout);
});
