// The search on threads for longer: every transcript, and crashes, leaks and a frozen page.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { until } from '../hands.js';
import { launchBrowser } from '../harness/browser.js';
import * as engine from '../harness/engine.js';
import { openHosted } from '../harness/hosted.js';
import { largestRenderer } from '../harness/memory.js';
import { ISOLATED } from '../harness/static.js';
import { playAll } from '../harness/transcript.js';

const { assertSignature, changePositions, line, MIDGAME, refuse, send, startWorker } = engine;
const MIB = 1 << 20;
const ENDLESS = { depth: 60 };

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

/** Ticks of the watchdog without a delay that matters. */
const impatient = (text) => text.replace(/WATCHDOG_INTERVAL_MS ?= ?1000/, 'WATCHDOG_INTERVAL_MS=50');

test('a silently ended thread is detected, and the engine is replaced until it uses no threads', async (t) => {
  const ends = (text) => text.replace(/(what ?=== ?'news'\) ?)work\(\);/, '$1{work();search.terminate();}');
  const change = { 'worker.js': (text) => impatient(ends(text)) };
  const page = await opened(t, { cores: 3, change, settings: ENDLESS });
  await page.untilNotice(/was restarted \(the search stopped responding\)/);
  await until(() => page.evaluate(() => outflank.engine.info.threads), 0);
  await page.untilValues();
});

test('a panic of a thread ends the engine, and the next one answers', async (t) => {
  const throws = (text) => text.replace('help();', "throw new Error('panicked on purpose');");
  const change = { 'thread.js': throws };
  const page = await opened(t, { cores: 3, change });
  await page.untilNotice(/was restarted \(Error: panicked on purpose\)/);
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

test('a replaced engine leaves neither threads nor memory behind', async (t) => {
  // The renderer is found by its browser.
  const browser = await launchBrowser();
  t.after(() => browser.close());
  const page = await blank(t, { browser });
  const devtools = await page.context().newCDPSession(page);
  const cycle = async () => {
    await startWorker(page, 'hash=16&threads=4');
    await send(page, 'nboard 2', MIDGAME, 'set depth 60', 'hint 1');
    await line(page, /^search /);
    await page.evaluate(() => window.worker.terminate());
    await devtools.send('HeapProfiler.collectGarbage');
  };
  await cycle();
  const { id, bytes } = await largestRenderer(browser);
  if (bytes === null) return t.skip('memory is not counted here');
  const threads = () => readdirSync(`/proc/${id}/task`).length;
  const before = threads();
  for (let i = 0; i < 5; i++) await cycle();
  // Threads end and memory is collected when the browser likes. Five memories would be 200 MiB.
  await until(async () => {
    await devtools.send('HeapProfiler.collectGarbage');
    return threads() <= before + 3 && (await largestRenderer(browser)).bytes - bytes < 100 * MIB;
  }, true);
});

test('a tab frozen during a search continues and answers the next request', async (t) => {
  const page = await opened(t, { cores: 3, path: '/#f5d6c3', settings: ENDLESS });
  await page.untilValues();
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Page.setWebLifecycleState', { state: 'frozen' });
  // Another page counts the ticks after which a search without progress is abandoned, and some more.
  const clock = await blank(t);
  await clock.evaluate(() => {
    window.ticks = 0;
    setInterval(() => window.ticks++, 1000);
  });
  await clock.waitForFunction(() => window.ticks >= 12);
  await devtools.send('Page.setWebLifecycleState', { state: 'active' });
  await page.keys('ArrowLeft');
  await page.shows('#lines-body [data-move=c3]');
  assert.deepEqual(await page.notices(), []);
});
