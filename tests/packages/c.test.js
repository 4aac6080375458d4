// The unpacked C library.

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { EMULATOR, examplesIn, IS_WINDOWS, outputIn, run, unpacked } from './unpacked.js';

/** MinGW's compiler links with a library for Windows itself. The one of Microsoft is not in the path. */
const COMPILER = process.env.CC ?? (IS_WINDOWS ? 'gcc' : 'cc');

test('the example of its README works', async () => {
  const { folder, name } = await unpacked(/^outflank-c-/);
  const cwd = join(folder, name);
  const [code] = examplesIn(await readFile(join(cwd, 'README.md'), 'utf8'), 'c');
  await writeFile(join(cwd, 'example.c'), code);
  const options = ['-std=c99', '-pedantic', '-Wall', '-Werror', '-I.', '-L.', '-Wl,-rpath,.'];
  await run(COMPILER, [...options, 'example.c', '-loutflank_c', '-o', 'example.exe'], { cwd });
  const [program, ...words] = [...EMULATOR, join(cwd, 'example.exe')];
  const { stdout } = await run(program, words, { cwd });
  assert.deepEqual(stdout.trim().split(/\r?\n/), outputIn(code, '//'));
});
