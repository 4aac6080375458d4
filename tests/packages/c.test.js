// The unpacked C library.

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { test } from 'node:test';

import { emptyFolder, examplesIn, outputIn, packageNamed, run, unpack } from './unpacked.js';

// No compiler is known on Windows.
test('the example of its README works', { skip: process.platform === 'win32' }, async (t) => {
  const place = await emptyFolder();
  t.after(place.remove);
  const file = await packageNamed(/^outflank-c-.*\.tar\.gz$/);
  await unpack(file, place.folder);
  const cwd = join(place.folder, basename(file, '.tar.gz'));
  const [code] = examplesIn(await readFile(join(cwd, 'README.md'), 'utf8'), 'c');
  await writeFile(join(cwd, 'example.c'), code);
  const options = ['-std=c99', '-pedantic', '-Wall', '-Werror', '-I.', '-L.', '-Wl,-rpath,.'];
  await run('cc', [...options, 'example.c', '-loutflank_c', '-o', 'example'], { cwd });
  const { stdout } = await run(join(cwd, 'example'), [], { cwd });
  assert.deepEqual(stdout.trim().split('\n'), outputIn(code, '//'));
});
