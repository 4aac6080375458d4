// The built worker by itself: lines in, lines out.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { game, line, lines, MIDGAME, pingTimes, send, startWorker } from '../harness/engine.js';
import { stage } from '../harness/stage.js';

const site = stage();

/** A page of the site without scripts. */
const blank = () => site.open('/version.json');

test('the worker reports that it is ready, with name, version and the checksum of its weights', async () => {
  const page = await blank();
  const ready = await startWorker(page);
  assert.equal(ready.name, 'Outflank');
  assert.match(ready.version, /^\d+\.\d+\.\d+$/);
  const head = readFileSync(new URL('../../engine/weights/outflank.weights', import.meta.url)).subarray(
    14,
    22,
  );
  assert.equal(ready.weights, head.readBigUInt64LE().toString(16).padStart(16, '0'));
});

test('lines posted before the engine is ready are not lost', async () => {
  const page = await blank();
  await page.evaluate(() => {
    window.lines = [];
    window.worker = new Worker('/worker.js', { type: 'module' });
    window.worker.onmessage = ({ data }) => {
      if (typeof data === 'string') window.lines.push({ line: data, at: performance.now() });
    };
    for (const line of ['nboard 2', 'ping 1', 'ping 2']) window.worker.postMessage(line);
  });
  await line(page, /^pong 2$/);
  const pongs = (await lines(page)).filter((text) => text.startsWith('pong'));
  assert.deepEqual(pongs, ['pong 1', 'pong 2']);
});

test('a search gives values and stops within 60 ms of the ping, and no line of the old position follows the pong', async () => {
  const page = await blank();
  await startWorker(page);
  await send(page, 'nboard 2', MIDGAME, 'set depth 60');
  const taken = await pingTimes(page, 'hint 64', 9);
  assert.ok(
    (await lines(page)).some((text) => /^search \S+ /.test(text)),
    'values came',
  );
  // The median: a busy machine may delay a single one.
  assert.ok(taken[4] < 60, `milliseconds from ping to pong: ${taken.map((ms) => ms.toFixed(1)).join(' ')}`);
  await send(page, 'hint 64');
  await page.waitForTimeout(150);
  await send(page, game('B[F5]'), 'ping 50');
  await line(page, /^pong 50$/);
  await page.waitForTimeout(200);
  const all = await lines(page);
  assert.deepEqual(
    all.slice(all.indexOf('pong 50') + 1).filter((text) => text.startsWith('search')),
    [],
  );
});
