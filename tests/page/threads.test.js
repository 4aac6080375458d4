// The search on threads: their number, stops, and failures.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';

import { game, line, lines, MIDGAME, pingTimes, send, startWorker } from '../harness/engine.js';
import { hosting } from '../harness/hosted.js';
import { rendererMemory, rendererProcess } from '../harness/memory.js';
import { ISOLATED } from '../harness/static.js';
import { untilNotice, untilValues, withCores } from './hands.js';

/** Time during which positions change without a pause. */
const RUSH_MS = process.env.OUTFLANK_LONG_TESTS ? 60_000 : 8000;
const MIB = 1 << 20;

/** Two positions without a legal move in common. */
const APART = [
  [game('B[F5]'), ['D6', 'F4', 'F6']],
  [game('B[F5]W[D6]'), ['C3', 'C4', 'C5', 'C6', 'C7']],
];

const site = hosting();

/** Opens a page of the built site; `change` changes served files. */
async function opened(t, { path = '/', change = {}, headers = ISOLATED, cores, ...options } = {}) {
  const { host, page, server } = await site.open(t, { headers, ...options });
  Object.assign(host.change, change);
  if (cores) await withCores(page, cores);
  await page.goto(server.address + path);
  return { page, server };
}

/** A page only for the worker of `startWorker`. */
const blank = async (t, options) => (await opened(t, { path: '/version.json', ...options })).page;

const info = (page) =>
  page.waitForFunction(() => window.outflank?.engine.info).then((found) => found.jsonValue());

test('the page searches on all cores but one, and on half of these on phones', async (t) => {
  const { page } = await opened(t, { cores: 4 });
  await untilValues(page);
  assert.deepEqual(
    [(await info(page)).threads, (await info(page)).lacks],
    [3, undefined],
    'the engine has threads of its own',
  );
  const phone = {
    viewport: { width: 390, height: 800 },
    screen: { width: 390, height: 800 },
    hasTouch: true,
  };
  const { page: small } = await opened(t, { cores: 5, ...phone });
  await untilValues(small);
  assert.equal((await info(small)).threads, 2);
});

test('one core searches without threads, and the user can select their number', async (t) => {
  const { page, server } = await opened(t, { cores: 1 });
  await untilValues(page);
  assert.equal((await info(page)).threads, 0);
  assert.ok(!server.asked.some((path) => path.includes('threads')), 'the module for threads is not loaded');
  await page.evaluate(() => {
    outflank.engine.info = null;
    outflank.settings.set('threads', 2);
  });
  assert.equal((await info(page)).threads, 2);
});

test('a search on threads uses them, and stops at once', async (t) => {
  const page = await blank(t);
  await startWorker(page, 'hash=16&threads=3');
  await send(page, 'nboard 2', MIDGAME, 'set depth 60');
  const times = await pingTimes(page, 'hint 1', 15);
  t.diagnostic(`milliseconds from ping to pong: ${times.map((ms) => ms.toFixed(1)).join(' ')}`);
  // The faster ones: with three threads on two busy cores a single one may wait.
  assert.ok(times[3] < 20, `milliseconds from ping to pong: ${times.map((ms) => ms.toFixed(1)).join(' ')}`);
});

test('a line changes the number of threads up to the limit', async (t) => {
  const page = await blank(t);
  await startWorker(page, 'hash=16&threads=1&most=3');
  await send(page, 'hub');
  await line(page, /^param name=threads value=1 type=int min=1 max=3$/);
  await send(page, 'set-param name=threads value=4');
  await line(page, /^error .*threads/);
  await send(page, 'init');
  await line(page, /^ready$/);
  for (const threads of [3, 1, 2]) {
    await page.evaluate(() => {
      window.lines.length = 0;
    });
    await send(page, `set-param name=threads value=${threads}`, 'new-game', 'pos pos=start');
    await send(page, 'level depth=14', 'go think');
    await line(page, /^done move=/);
  }
});

test('a silently ended thread is detected, and the engine is replaced until it uses no threads', async (t) => {
  const { page } = await opened(t, {
    cores: 3,
    change: {
      'worker.js': (text) =>
        text.replace(
          /if ?\(what ?=== ?'ready'\) ?ready\(\);/,
          "if(what==='ready'){ready();setTimeout(()=>search.terminate(),1500)}",
        ),
    },
  });
  await info(page);
  // Deeper than it can reach.
  await page.evaluate(() => outflank.settings.set('depth', 60));
  await untilNotice(page, /was restarted \(the search stopped responding\)/);
  await page.waitForFunction(() => outflank.engine.crashes >= 2, null, { timeout: 60_000 });
  await page.waitForFunction(() => outflank.engine.info.threads === 0 && outflank.analysis.nodes > 0);
  await untilValues(page);
});

test('a panic of a thread ends the engine, and the next one answers', async (t) => {
  const { page } = await opened(t, {
    cores: 3,
    change: {
      'thread.js': (text) => text.replace('help();', "throw new Error('panicked on purpose');"),
    },
  });
  await untilNotice(page, /was restarted \(Error: panicked on purpose\)/);
  await page.waitForFunction(
    () => outflank.engine.info.threads === 0 && outflank.engine.state !== 'starting',
  );
  // The position on the board may be finished: another one has no values yet.
  await page.evaluate(() => {
    location.hash = 'f5@1';
  });
  await page.waitForFunction(() => {
    const { analysis, study } = outflank;
    return study.node.ply === 1 && analysis.position === study.position && analysis.nodes > 0;
  });
  await untilValues(page);
});

test('the engine runs without threads if the search does not start, and reports it', async (t) => {
  const { page } = await opened(t, {
    cores: 4,
    change: { 'thread.js': () => 'this is no script' },
  });
  await untilValues(page);
  assert.deepEqual([(await info(page)).threads, (await info(page)).lacks], [0, 'threads']);
  await untilNotice(page, /threads did not start/);
});

test('refused memory reduces the shared memory or the threads', async (t) => {
  const refuse = (most) => ({
    'worker.js': (text) =>
      `const Real=WebAssembly.Memory;WebAssembly.Memory=function(wanted){
        if(wanted.shared&&wanted.maximum>${most})throw new RangeError('refused');return new Real(wanted);};${text}`,
  });
  const { page } = await opened(t, { cores: 3, change: refuse(2048) });
  await untilValues(page);
  assert.equal((await info(page)).threads, 2, '128 MiB are enough');
  const { page: poor } = await opened(t, { cores: 3, change: refuse(0) });
  await untilValues(poor);
  assert.deepEqual([(await info(poor)).threads, (await info(poor)).lacks], [0, 'memory']);
  await untilNotice(poor, /Not enough memory for several cores/);
});

test('a table that does not fit is reduced and reported', async (t) => {
  const page = await blank(t);
  await startWorker(page, 'hash=8&threads=1&most=1&memory=64');
  await send(page, 'nboard 2', MIDGAME, 'hub');
  await line(page, /^wait$/);
  await send(page, 'set-param name=hash value=512', 'init');
  await line(page, /not enough memory for the requested hash table; using \d+ MiB/);
});

test('ten positions per second get no outdated answer and leak nothing', async (t) => {
  const page = await blank(t);
  await startWorker(page, 'hash=16&threads=2');
  await send(page, 'nboard 2', 'set depth 60');
  /** Changes positions for so long; what was said of them, and each one's moves. */
  const rush = (ms) =>
    page.evaluate(
      async ({ ms, APART }) => {
        const stale = [];
        let [answers, number, legal] = [0, 0, null];
        const { worker } = window;
        let pong;
        const listen = ({ data }) => {
          const [word, move] = String(data).split(' ');
          if (word === 'pong') pong?.();
          if (word !== 'search' || !legal) return;
          answers += 1;
          if (!legal.includes(move.slice(0, 2).toUpperCase())) stale.push(`${data} of ${legal}`);
        };
        worker.addEventListener('message', listen);
        const end = performance.now() + ms;
        while (performance.now() < end) {
          const [game, moves] = APART[number % 2];
          number += 1;
          await new Promise((resolve) => {
            pong = resolve;
            worker.postMessage(`ping ${number}`);
          });
          legal = moves;
          worker.postMessage(game);
          worker.postMessage('hint 1');
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
        worker.removeEventListener('message', listen);
        window.lines.length = 0;
        return { stale, answers, number, last: legal };
      },
      { ms, APART },
    );
  await rush(3000);
  const memory = rendererMemory();
  const { stale, answers, number, last } = await rush(RUSH_MS);
  const grown = memory === null ? 0 : rendererMemory() - memory;
  t.diagnostic(`${number} positions, ${answers} answers, ${(grown / MIB).toFixed(1)} MiB more`);
  assert.deepEqual(stale, []);
  assert.ok(answers > number / 4, `${answers} answers for ${number} positions`);
  const moves = (await lines(page)).filter((text) => text.startsWith('search'));
  assert.ok(moves.every((text) => last.includes(text.split(' ')[1].slice(0, 2).toUpperCase())));
  await line(page, /^search /);
  assert.ok(grown < 24 * MIB, `${(grown / MIB).toFixed(1)} MiB more`);
});

test('a replaced engine leaves neither threads nor memory behind', async (t) => {
  const page = await blank(t);
  const threads = () => {
    const process = rendererProcess();
    return process === null ? null : readdirSync(`/proc/${process}/task`).length;
  };
  const cycle = async () => {
    await startWorker(page, 'hash=16&threads=4');
    await send(page, 'nboard 2', MIDGAME, 'set depth 60', 'hint 1');
    await line(page, /^search /);
    await page.waitForTimeout(600);
    await page.evaluate(() => window.worker.terminate());
    await page.waitForTimeout(600);
  };
  await cycle();
  const [before, memory] = [threads(), rendererMemory()];
  for (let round = 0; round < 5; round += 1) await cycle();
  // The threads of the last engine may need a while to end.
  for (let wait = 0; wait < 20 && threads() > before + 3; wait += 1) await page.waitForTimeout(300);
  const [now, grown] = [threads(), memory === null ? 0 : rendererMemory() - memory];
  t.diagnostic(`${before} threads of the process, then ${now}; ${(grown / MIB).toFixed(1)} MiB more`);
  assert.ok(now === null || now <= before + 3, `${before} threads, then ${now}`);
  // Collected when the browser likes: five memories would be 200 MiB.
  assert.ok(grown < 100 * MIB, `${(grown / MIB).toFixed(1)} MiB more`);
});

test('a tab frozen during a search continues and answers the next request', async (t) => {
  const { page } = await opened(t, { cores: 3, path: '/#f5d6c3' });
  await untilValues(page);
  await page.evaluate(() => outflank.settings.set('depth', 60));
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Page.setWebLifecycleState', { state: 'frozen' });
  await new Promise((resolve) => setTimeout(resolve, 12_000));
  await devtools.send('Page.setWebLifecycleState', { state: 'active' });
  await page.keyboard.press('ArrowLeft');
  await page.waitForFunction(() => {
    const { position } = outflank.study;
    return outflank.study.node.ply === 2 && outflank.evaluations.added(position).rows.length > 0;
  });
  assert.equal(await page.evaluate(() => outflank.engine.crashes), 0);
});
