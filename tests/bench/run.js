// Does one job in a module worker of a headless browser and prints its result as JSON.
//
//   node tests/bench/run.js '{"work":"search"}'   →  {"nodes":"4609221","seconds":0.9}
//
// With `-` it does a job for each line of its input, each in a separate worker, and prints a line for each: its result, or {"error":…}.
// With `"threads":N` it uses the module for shared memory, and N - 1 further workers help. With `"warm":true` it does the job twice and
// times the second one, because a browser optimizes a module while it first runs. `cold` has the seconds of the first one.
//
// The worker imports the built module from the server. It is made from a blob, so its page has no content policy.

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
  const [, , argument] = process.argv;
  for await (const line of argument === '-' ? createInterface({ input: process.stdin }) : [argument]) {
    const { error, result } = await done(JSON.parse(line));
    if (error && argument !== '-') throw new Error(error);
    console.log(JSON.stringify(error ? { error } : result, text));
  }
} finally {
  await browser.close();
  await server.stop();
}
