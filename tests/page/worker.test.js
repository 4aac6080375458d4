// The built worker by itself: lines in, lines out.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { changePositions, line, lines, send, signatureOf, startWorker } from './harness/engine.js';
import { stage } from './harness/stage.js';
import { playAll } from './harness/transcript.js';

const site = stage();
const WEIGHTS = readFileSync(new URL('../../engine/weights/outflank.weights', import.meta.url));

/** A page of the site without scripts. */
const blank = () => site.open('/version.json');

test('the worker reports name, version and weights, and no earlier line is lost', async () => {
  const page = await blank();
  const ready = await startWorker(page, '', ['nboard 2', 'ping 1', 'ping 2']);
  assert.equal(ready.name, 'Outflank');
  assert.match(ready.version, /^\d+\.\d+\.\d+$/);
  assert.equal(ready.weights, WEIGHTS.readBigUInt64LE(14).toString(16).padStart(16, '0'));
  await line(page, /^pong 2$/);
  const pongs = (await lines(page)).filter((text) => text.startsWith('pong'));
  assert.deepEqual(pongs, ['pong 1', 'pong 2']);
});

test('a ping stops a search that has values, and no value of the old position follows the pong', async () => {
  const page = await blank();
  await startWorker(page);
  await send(page, 'nboard 2', 'set depth 60');
  assert.deepEqual(await changePositions(page, { count: 20, search: 'hint 64' }), []);
});

test('transcripts of NBoard, the protocol of the page', async () =>
  playAll(await blank(), 'hash=16', /^nboard-(busy|game|positions)/));

test('the fixed search on threads has the committed number of nodes', async () => {
  const committed = readFileSync(
    new URL('../../engine/src/search/bench-signature.txt', import.meta.url),
    'utf8',
  );
  assert.equal(await signatureOf(await blank(), 'outflank-threads'), committed.trim());
});
