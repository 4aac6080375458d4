// The unpacked C library.

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { examplesIn, outputIn, run, unpacked } from './unpacked.js';

// No compiler is known on Windows.
test('the example of its README works', { skip: process.platform === 'win32' }, async () => {
  const { folder, name } = await unpacked(/^outflank-c-.*\.tar\.gz$/);
  const cwd = join(folder, name);
  const [code] = examplesIn(await readFile(join(cwd, 'README.md'), 'utf8'), 'c');
  await writeFile(join(cwd, 'example.c'), code);
  const options = ['-std=c99', '-pedantic', '-Wall', '-Werror', '-I.', '-L.', '-Wl,-rpath,.'];
  await run('cc', [...options, 'example.c', '-loutflank_c', '-o', 'example'], { cwd });
  const { stdout } = await run(join(cwd, 'example'), [], { cwd });
  assert.deepEqual(stdout.trim().split('\n'), outputIn(code, '//'));
});
