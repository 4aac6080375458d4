// Does one job in a module worker of a headless browser and prints its result as JSON.
//
//   node tests/bench/run.js '{"work":"search"}'   →  {"nodes":"4609221","seconds":0.9}
//
// With `-` instead of a job it does one for each line of its input and prints a line for each: what it gives, or
// {"error":…}. Each has a worker of its own.
//
// With `"threads":N` it takes the module for shared memory, and N - 1 further workers help.
//
// With `"warm":true` it does it twice and times the second: while a browser first runs a module it is still optimising
// it. `cold` then has the seconds of the first.
//
// The worker imports the built module from the real server. It is made from a blob, so the page that
// makes it goes without the site's content policy.

import { createInterface } from 'node:readline';
import { launchBrowser } from '../page/harness/browser.js';
import { startServer } from '../page/harness/server.js';

/** Runs in the worker: `work` and its options as posted, the module's exports at hand. */
const WORKER = `
  self.onmessage = async ({ data: { site, job } }) => {
    try {
      const { WEIGHTS } = await import(site + '/engine/build.js');
      const weights = new Uint8Array(await (await fetch(WEIGHTS)).arrayBuffer());
      const { work, warm, threads, ...options } = job;
      const stem = site + (threads ? '/engine/outflank-threads' : '/engine/outflank');
      const engine = await import(stem + '.js');
      const module = await WebAssembly.compileStreaming(fetch(stem + '_bg.wasm'));
      if (threads) {
        const stack = 1 << 20;
        const memory = new WebAssembly.Memory({ initial: 64, maximum: 16384, shared: true });
        engine.initSync({ module, memory, thread_stack_size: stack });
        for (let helper = 1; helper < threads; helper += 1) {
          const worker = new Worker(site + '/thread.js', { type: 'module' });
          worker.onerror = (event) => self.postMessage({ error: event.message || 'a helper did not start' });
          const here = new Promise((resolve) => {
            worker.onmessage = ({ data }) => (data.fatal ? self.postMessage({ error: data.fatal }) : resolve());
          });
          worker.postMessage({ part: 'help', module, memory, stack });
          // It is there before what is timed begins, and before this worker is too busy to let it be started.
          await here;
        }
      } else engine.initSync({ module });
      const jobs = {
        search: () => ({ nodes: engine.bench(weights) }),
        kernels: () => ({ kernels: engine.kernels() }),
        endgame: ({ positions, hash, depth, kernel, kept }) => {
          const solver = new engine.Solver(weights, hash, threads ?? 1, kernel);
          const solved = positions.map((position) => {
            if (!kept) solver.clear();
            const start = performance.now();
            const { score, nodes } = depth ? solver.search(position, depth) : solver.solve(position);
            return { score, nodes, seconds: (performance.now() - start) / 1000 };
          });
          // Its helpers come free.
          solver.free();
          return { positions: solved };
        },
      };
      const timed = () => {
        const start = performance.now();
        const result = jobs[work](options);
        return { ...result, seconds: (performance.now() - start) / 1000 };
      };
      const cold = warm ? timed().seconds : undefined;
      self.postMessage({ result: { ...timed(), cold } });
    } catch (error) {
      self.postMessage({ error: String(self.outflankPanic ?? error) });
    }
  };
`;

/** A number that JavaScript has no other place for, as text. */
const text = (_, value) => (typeof value === 'bigint' ? String(value) : value);

const [server, browser] = await Promise.all([startServer(), launchBrowser()]);
try {
  const context = await browser.newContext({ bypassCSP: true });
  const page = await context.newPage();
  await page.goto(`${server.address}/version.json`);
  /** The outcome of a job: {result} or {error}. */
  const done = (job) =>
    page.evaluate(
      ({ source, site, job }) =>
        new Promise((resolve) => {
          const blob = new Blob([source], { type: 'text/javascript' });
          const worker = new Worker(URL.createObjectURL(blob), { type: 'module' });
          const end = (outcome) => {
            worker.terminate();
            resolve(outcome);
          };
          worker.onmessage = ({ data }) => end(data);
          worker.onerror = (event) => end({ error: event.message || 'the worker did not start' });
          worker.postMessage({ site, job });
        }),
      { source: WORKER, site: server.address, job },
    );
  if (process.argv[2] === '-') {
    for await (const line of createInterface({ input: process.stdin })) {
      const outcome = await done(JSON.parse(line));
      console.log(JSON.stringify(outcome.error ? { error: outcome.error } : outcome.result, text));
    }
  } else {
    const outcome = await done(JSON.parse(process.argv[2]));
    if (outcome.error) throw new Error(outcome.error);
    console.log(JSON.stringify(outcome.result, text));
  }
} finally {
  await browser.close();
  await server.stop();
}
