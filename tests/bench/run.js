// Does one job in a module worker of a headless browser and prints its result as JSON.
//
//   node tests/bench/run.js '{"work":"perft","depth":9}'   →  {"nodes":"3005288","seconds":0.03}
//
// With `"warm":true` it does it twice and times the second: while a browser first runs a module it is still optimising
// it. `cold` then has the seconds of the first.
//
// The worker imports the built module from the real server. It is made from a blob, so the page that
// makes it goes without the site's content policy.

import { launchBrowser } from '../harness/browser.js';
import { startServer } from '../harness/server.js';

/** Runs in the worker: `work` and its options as posted, the module's exports at hand. */
const WORKER = `
  self.onmessage = async ({ data: { glue, job } }) => {
    try {
      const engine = await import(glue);
      await engine.default();
      const { work, warm, ...options } = job;
      const jobs = {
        perft: ({ depth }) => ({ nodes: engine.perft(depth) }),
        search: () => ({ nodes: engine.bench() }),
        endgame: ({ positions, hash }) => {
          const solver = new engine.Solver(hash);
          return {
            positions: positions.map((position) => {
              solver.clear();
              const start = performance.now();
              const { score, nodes } = solver.solve(position);
              return { score, nodes, seconds: (performance.now() - start) / 1000 };
            }),
          };
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

const job = JSON.parse(process.argv[2]);
const [server, browser] = await Promise.all([startServer(), launchBrowser()]);
try {
  const context = await browser.newContext({ bypassCSP: true });
  const page = await context.newPage();
  await page.goto(`${server.address}/version.json`);
  const outcome = await page.evaluate(
    ({ source, glue, job }) =>
      new Promise((resolve) => {
        const blob = new Blob([source], { type: 'text/javascript' });
        const worker = new Worker(URL.createObjectURL(blob), { type: 'module' });
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = (event) => resolve({ error: event.message || 'the worker did not start' });
        worker.postMessage({ glue, job });
      }),
    { source: WORKER, glue: `${server.address}/engine/outflank.js`, job },
  );
  if (outcome.error) throw new Error(outcome.error);
  const text = (_, value) => (typeof value === 'bigint' ? String(value) : value);
  console.log(JSON.stringify(outcome.result, text));
} finally {
  await browser.close();
  await server.stop();
}
