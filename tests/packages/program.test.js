// The unpacked archive of the program.

import assert from 'node:assert/strict';
import { access, constants, readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

import { EMULATOR, IS_WINDOWS, run, talking, unpacked } from './unpacked.js';

const IS_EMULATED = EMULATOR.length > 0;

const { folder: place, name, isZip } = await unpacked(/^outflank-\d.*(r\.gz|zip)$/);
const folder = join(place, name);
const [program, ...words] = [...EMULATOR, join(folder, isZip ? 'outflank.exe' : 'outflank')];

test('the archive contains one folder with all promised files', async () => {
  assert.deepEqual(await readdir(place), [name]);
  const found = await readdir(folder, { recursive: true });
  const promised = `CHANGELOG.md LICENSE-APACHE LICENSE-MIT README.md THIRD-PARTY.txt nboard.txt
    rust-standard-library.html completions/_outflank completions/outflank.bash docs/cassio.md docs/nboard.md
    man/man1/outflank.1 man/man1/outflank-solve.1`;
  for (const path of promised.split(/\s+/)) assert.ok(found.includes(path), path);
  const { stdout } = await run(program, [...words, '--version']);
  assert.equal(stdout.trim(), `outflank ${name.split('-')[1]}`);
  // What has to be filled in is filled in.
  for (const name of ['README.md', 'nboard.txt'])
    assert.doesNotMatch(await readFile(join(folder, name), 'utf8'), /@\w+@/);
});

test('links between the documents exist', async () => {
  let links = 0;
  for (const name of (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.md'))) {
    const text = await readFile(join(folder, name), 'utf8');
    for (const [, target] of text.matchAll(/\]\(([^)#]+)[^)]*\)/g)) {
      if (/^https?:/.test(target)) continue;
      await access(join(folder, dirname(name), target));
      links += 1;
    }
  }
  assert.ok(links > 3, `${links} links`);
});

test('the licences have the texts of linked crates only', async () => {
  const text = await readFile(join(folder, 'THIRD-PARTY.txt'), 'utf8');
  const list = text.slice(0, text.indexOf('===='));
  for (const name of ['arrayvec', 'clap', 'redb', 'serde_json'])
    assert.match(list, new RegExp(`^  ${name} [\\d.]+: .*(MIT|Apache-2.0)`, 'm'));
  assert.doesNotMatch(list, /^ {2}(syn|serde_derive|clap_derive|outflank\S*) /m);
  for (const licence of ['Permission is hereby granted', 'Apache License'])
    assert.ok(text.includes(licence), licence);
});

test('the program plays a move and ends', async (t) => {
  const engine = talking(t, program, [...words, 'nboard']);
  engine.say('nboard 2', 'set depth 4', 'go');
  await engine.line(/^=== (D3|C4|F5|E6)/);
  engine.say('quit');
  assert.equal(await engine.ended, 0);
});

test('the folder is one of Cassio’s engines as it is', { skip: IS_WINDOWS || IS_EMULATED }, async (t) => {
  await access(join(folder, 'engine.sh'), constants.X_OK);
  // From another folder, with the number of cores, by a path with a space.
  const engine = talking(t, join(folder, 'engine.sh'), ['2'], { cwd: '/' });
  engine.say('ENGINE-PROTOCOL init');
  await engine.line(/^ready\.$/);
  engine.say('ENGINE-PROTOCOL quit');
  await engine.ended;
});

test('the program prints its name in a terminal and waits for lines elsewhere', {
  skip: process.platform !== 'linux' || IS_EMULATED,
}, async (t) => {
  const { stdout } = await run('script', ['-qec', `"${program}"`, '/dev/null']);
  for (const text of ['an Othello engine', `${program} nboard`, 'outflank help'])
    assert.ok(stdout.includes(text), stdout);
  const engine = talking(t, program);
  engine.say('nboard 1', 'ping 1');
  assert.equal(await engine.line(/pong|Othello/), 'pong 1');
  engine.say('quit');
  assert.equal(await engine.ended, 0);
});
