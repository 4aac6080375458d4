// A worker controlled by protocol lines, like that of the page.

const START = '---------------------------O*------*O---------------------------';
/** The line that sets a game. @param {string} moves in GGF */
export const game = (moves) =>
  `set game (;GM[Othello]PC[test]PB[a]PW[b]RE[?]TI[0]TY[8]BO[8 ${START} *]${moves};)`;
export const MIDGAME = game('B[F5]W[D6]B[C3]W[D3]B[C4]');

/**
 * Starts `worker.js` in the page and waits until it is ready.
 *
 * In the page, `window.worker` is the worker then, `window.lines` holds every line it sent, with the time
 * in milliseconds since the page was opened, and `window.fatal` its last word once it has died.
 * @param {import('playwright-core').Page} page
 * @param {string} [query] what is wanted of it, as in its name: `hash=16&threads=2`
 * @returns {Promise<{type: 'ready', name: string, version: string, weights: string, threads: number, lacks?: string}>}
 */
export async function startWorker(page, query = '') {
  return page.evaluate(
    (query) =>
      new Promise((resolve, reject) => {
        window.lines = [];
        window.worker = new Worker('/worker.js', { name: query, type: 'module' });
        window.worker.onerror = (event) => reject(new Error(event.message));
        window.worker.onmessage = ({ data }) => {
          if (typeof data === 'string') window.lines.push({ line: data, at: performance.now() });
          else if (data.type === 'ready') resolve(data);
          else if (data.type === 'fatal') {
            window.fatal = data.message;
            reject(new Error(data.message));
          }
        };
      }),
    query,
  );
}

/** Sends protocol lines to the worker of `startWorker`. */
export async function send(page, ...texts) {
  await page.evaluate((texts) => {
    for (const text of texts) window.worker.postMessage(text);
  }, texts);
}

/** The lines it has sent so far. */
export async function lines(page) {
  return page.evaluate(() => window.lines.map(({ line }) => line));
}

/** Waits for a line that matches; returns it. */
export async function line(page, pattern, { timeout = 40_000 } = {}) {
  const found = await page.waitForFunction(
    ({ source, flags }) => window.lines.find(({ line }) => new RegExp(source, flags).test(line)),
    { source: pattern.source, flags: pattern.flags },
    { timeout, polling: 10 },
  );
  return (await found.jsonValue()).line;
}

/** Starts a search and stops it by a ping, `count` times. Returns the sorted milliseconds from ping to pong. */
export const pingTimes = (page, search, count) =>
  page.evaluate(
    async ([search, count]) => {
      const { worker } = window;
      const times = [];
      for (let number = 1; number <= count; number++) {
        worker.postMessage(search);
        await new Promise((resolve) => setTimeout(resolve, 150));
        const start = performance.now();
        await new Promise((resolve) => {
          worker.addEventListener('message', function listen({ data }) {
            if (data !== `pong ${number}`) return;
            worker.removeEventListener('message', listen);
            resolve(undefined);
          });
          worker.postMessage(`ping ${number}`);
        });
        times.push(performance.now() - start);
      }
      return times.sort((a, b) => a - b);
    },
    [search, count],
  );
