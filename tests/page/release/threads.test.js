// The search on threads for longer: every transcript, crashes and leaks.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../hands.js';
import * as engine from '../harness/engine.js';
import { openHosted } from '../harness/hosted.js';
import { ISOLATED } from '../harness/static.js';
import { playAll } from '../harness/transcript.js';

const { assertSignature, changePositions, refuse, send, startWorker } = engine;
const MIB = 1 << 20;

const opened = async (t, options) => (await openHosted(t, { headers: ISOLATED, cores: 1, ...options })).page;
const blank = (t, options) => opened(t, { path: '/version.json', ...options });

/** Hub reports the number of threads. */
for (const [query, names] of Object.entries({ 'threads=1&most=4': /./, 'threads=3': /^(?!hub-example)/ }))
  test(`every transcript with a worker called ${query}`, async (t) =>
    playAll(await blank(t), `hash=16&${query}`, names));

test('the fixed search of both modules has the committed number of nodes', async (t) => {
  const page = await blank(t);
  for (const name of ['outflank', 'outflank-threads']) await assertSignature(page, name);
});

test('without memory or threads for several cores, the engine uses fewer', async (t) => {
  for (const [change, threads, lacks] of [
    [refuse(2048), 2],
    [refuse(0), 0, 'memory'],
    [{ 'thread.js': () => 'this is no script' }, 0, 'threads'],
  ]) {
    const page = await blank(t, { change });
    const ready = await startWorker(page, 'hash=16&threads=2&memory=1024');
    assert.deepEqual([ready.threads, ready.lacks], [threads, lacks]);
  }
});

const end = (text) => text.replace(/(what ?=== ?'news'\) ?)work\(\);/, '$1{work();search.terminate();}');
/** Ticks of the watchdog without a delay that matters. */
const impatient = (text) => text.replace(/WATCHDOG_INTERVAL_MS ?= ?1000/, 'WATCHDOG_INTERVAL_MS=50');
const panic = (text) => text.replace('help();', "throw new Error('panicked on purpose');");

for (const [reason, change] of Object.entries({
  'the search stopped responding': { 'worker.js': (text) => impatient(end(text)) },
  'Error: panicked on purpose': { 'thread.js': panic },
}))
  test(`a thread ends (${reason}): the engine is replaced until it uses no threads`, async (t) => {
    const page = await opened(t, { cores: 3, change, settings: { depth: 60 } });
    await page.untilNotice(`was restarted \\(${reason}\\)`);
    await until(() => page.evaluate(() => outflank.engine.info?.threads), 0);
    // Another position has no values yet.
    await page.typeAddress('f5@1');
    await page.shows('#moves .mv', 'f5');
    await page.shows('#lines-body [data-move=d6]');
  });

test('changes of position do not let the memory of the engine grow', async (t) => {
  // The worker tells its pages of memory.
  const change = {
    'worker.js': (text) =>
      `const Real=WebAssembly.Memory;WebAssembly.Memory=function(wanted){const memory=new Real(wanted);
        new BroadcastChannel('memory').onmessage=({target})=>target.postMessage(memory.buffer.byteLength);return memory;};${text}`,
  };
  const page = await blank(t, { change });
  await startWorker(page, 'hash=16&threads=2');
  await send(page, 'nboard 2', 'set depth 60');
  const bytes = () =>
    page.evaluate(() => {
      const channel = new BroadcastChannel('memory');
      channel.postMessage(null);
      return new Promise((resolve) => (channel.onmessage = ({ data }) => resolve(data)));
    });
  const change50 = () => changePositions(page, { count: 50, search: 'hint 1' });
  assert.deepEqual(await change50(), []);
  const before = await bytes();
  for (let i = 0; i < 10; i++) assert.deepEqual(await change50(), []);
  const grown = (await bytes()) - before;
  t.diagnostic(`${before / MIB} MiB, then ${grown / MIB} more`);
  assert.ok(grown <= MIB, `${grown / MIB} MiB more`);
});
