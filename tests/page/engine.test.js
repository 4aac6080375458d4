// The engine in a browser: the built worker by itself, and its threads: their number, stops, and failures of their start.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from './hands.js';
import { changePositions, line, lines, refuse, send, startWorker } from './harness/engine.js';
import { openHosted } from './harness/hosted.js';
import { SMALL } from './harness/network.js';
import { ISOLATED } from './harness/static.js';
import { playAll } from './harness/transcript.js';

/** Opens a page of the built site. `threads` counts the workers that have started to search. */
async function opened(t, options = {}) {
  const how = { headers: ISOLATED, cores: 1, serviceWorkers: 'block', ...options };
  const { page, server } = await openHosted(t, how);
  const threads = () => server.asked.filter((path) => path === 'thread.js').length;
  return { page, server, threads };
}

/** A page for the worker of `startWorker`. */
const blank = (t, options) => opened(t, { path: '/version.json', ...options });

test('the page searches on all cores but one', async (t) => {
  const { threads } = await opened(t, { cores: 4 });
  await until(threads, 3);
});

for (const threads of [0, 3])
  test(`a ping stops a search on ${threads} threads: no value of the old position follows the pong`, async (t) => {
    const there = await blank(t);
    await startWorker(there.page, threads ? `hash=16&threads=${threads}` : '');
    await send(there.page, 'nboard 2', 'set depth 60');
    const search = threads ? 'hint 1' : 'hint 64';
    assert.deepEqual(await changePositions(there.page, { count: 8, search }), []);
    await send(there.page, search);
    await until(there.threads, threads);
  });

test('without memory for several cores, the engine uses one, and the page reports it', async (t) => {
  const { page } = await opened(t, { cores: 3, change: refuse(0) });
  await page.untilNotice(/Not enough memory for several cores/);
  await page.untilValues();
});

test('a table that does not fit is reduced and reported, and more threads than allowed are refused', async (t) => {
  const { page } = await blank(t);
  await startWorker(page, 'hash=8&threads=1&most=1&memory=64');
  await send(page, 'hub');
  await line(page, /^wait$/);
  await send(page, 'set-param name=hash value=512', 'set-param name=threads value=3', 'init');
  await line(page, /threads must be a whole number in its range/);
  await line(page, /not enough memory for the requested hash table; using \d+ MiB/);
});

test('the worker reports name, version and weights, and no earlier line is lost', async (t) => {
  const { page } = await blank(t);
  const ready = await startWorker(page, '', ['nboard 2', 'ping 1', 'ping 2']);
  assert.equal(ready.name, 'Outflank');
  assert.match(ready.version, /^\d+\.\d+\.\d+$/);
  assert.equal(ready.weights, SMALL);
  await line(page, /^pong 2$/);
  const pongs = (await lines(page)).filter((text) => text.startsWith('pong'));
  assert.deepEqual(pongs, ['pong 1', 'pong 2']);
});

// The tests for a release play all transcripts to the worker.
test('a transcript of NBoard, the protocol of the page, interrupts searches of the worker', async (t) =>
  playAll((await blank(t)).page, 'hash=16', /^nboard-busy/));
