// The built worker by itself: lines in, lines out, and every transcript, also with the search on threads.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { game, line, lines, MIDGAME, pingTimes, send, startWorker } from '../harness/engine.js';
import { stage } from '../harness/stage.js';
import { play, transcripts } from '../harness/transcript.js';

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

/** Longer than any answer takes on a busy machine. */
const LINE_TIMEOUT_MS = 30_000;

/** A worker that is read line by line. */
async function worker(query) {
  const page = await blank();
  const { threads } = await startWorker(page, query);
  let heard = 0;
  return {
    page,
    threads,
    send: (line) => page.evaluate((line) => window.worker.postMessage(line), line),
    async next() {
      const found = await page
        .waitForFunction((at) => window.lines[at], heard, { timeout: LINE_TIMEOUT_MS, polling: 5 })
        .catch(() => null);
      if (!found) return null;
      heard += 1;
      return (await found.jsonValue()).line;
    },
    rest: () => page.evaluate((at) => window.lines.slice(at).map(({ line }) => line), heard),
  };
}

/** Hub reports the first number of threads. */
const TELLS_THREADS = 'hub-example';

for (const [how, query, threads] of [
  ['in one worker', 'hash=16', 0],
  ['with the search on a thread', 'hash=16&threads=1&most=4', 1],
  ['with the search on three threads', 'hash=16&threads=3', 3],
]) {
  test(`every transcript ${how}`, async () => {
    for (const transcript of transcripts()) {
      if (threads > 1 && transcript.name === TELLS_THREADS) continue;
      const engine = await worker(query);
      assert.equal(engine.threads, threads);
      await play(transcript, engine);
      await engine.page.close();
    }
  });
}
