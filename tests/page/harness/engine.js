// A worker controlled by protocol lines, like that of the page.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

const START = '---------------------------O*------*O---------------------------';
/** The line that sets a game. @param {string} moves in GGF */
export const game = (moves) =>
  `set game (;GM[Othello]PC[test]PB[a]PW[b]RE[?]TI[0]TY[8]BO[8 ${START} *]${moves};)`;
export const MIDGAME = game('B[F5]W[D6]B[C3]W[D3]B[C4]');

/** Two positions without a legal move in common, with the legal moves. */
const APART = [
  { line: game('B[F5]'), legal: ['D6', 'F4', 'F6'] },
  { line: game('B[F5]W[D6]'), legal: ['C3', 'C4', 'C5', 'C6', 'C7'] },
];

/**
 * Starts `worker.js` in the page, in place of an earlier one, and waits until it is ready.
 *
 * In the page, `window.worker` is the worker then, and `window.lines` holds every line it has sent.
 * @param {import('playwright-core').Page} page
 * @param {string} [query] what is wanted of it, as in its name: `hash=16&threads=2`
 * @param {string[]} [early] lines for it before it is ready
 * @returns {Promise<{type: 'ready', name: string, version: string, weights: string, threads: number, lacks?: string, missed?: string}>}
 */
export async function startWorker(page, query = '', early = []) {
  return page.evaluate(
    ([query, early]) =>
      new Promise((resolve, reject) => {
        window.worker?.terminate();
        window.lines = [];
        window.worker = new Worker('/worker.js', { name: query, type: 'module' });
        window.worker.onerror = (event) => reject(new Error(event.message));
        window.worker.onmessage = ({ data }) => {
          if (typeof data === 'string') window.lines.push(data);
          else if (data.type === 'ready') resolve(data);
          else if (data.type === 'fatal') reject(new Error(data.message));
        };
        for (const line of early) window.worker.postMessage(line);
      }),
    [query, early],
  );
}

const SIGNATURE = new URL('../../../engine/src/search/bench-signature.txt', import.meta.url);

/** Asserts that the fixed search in a module of the site has the committed number of nodes. */
export async function assertSignature(page, name) {
  const nodes = await page.evaluate(async (name) => {
    const { WEIGHTS } = await import('/engine/build.js');
    const engine = await import(`/engine/${name}.js`);
    const [module, weights] = await Promise.all([
      WebAssembly.compileStreaming(fetch(`/engine/${name}_bg.wasm`)),
      fetch(WEIGHTS).then((answer) => answer.arrayBuffer()),
    ]);
    const memory = name.endsWith('threads')
      ? { memory: new WebAssembly.Memory({ initial: 64, maximum: 4096, shared: true }) }
      : {};
    engine.initSync({ module, ...memory });
    return String(engine.bench(new Uint8Array(weights)));
  }, name);
  assert.equal(nodes, readFileSync(SIGNATURE, 'utf8').trim());
}

/** Sends protocol lines to the worker of `startWorker`. */
export const send = (page, ...lines) =>
  page.evaluate((lines) => {
    for (const line of lines) window.worker.postMessage(line);
  }, lines);

/** Returns the lines it has sent so far. */
export const lines = (page) => page.evaluate(() => window.lines);

/** Waits for a line that matches, and returns it. */
export async function line(page, pattern) {
  const found = await page.waitForFunction(
    ({ source, flags }) => window.lines.find((line) => new RegExp(source, flags).test(line)),
    { source: pattern.source, flags: pattern.flags },
  );
  return found.jsonValue();
}

/** Searches two positions in turn, `count` times. A search ends by a `ping` as soon as it has values. Returns the values that belong
 *  to another position than the current one. */
export const changePositions = (page, { count, search }) =>
  page.evaluate(
    async ({ APART, count, search }) => {
      const { worker } = window;
      const stale = [];
      let legal = [];
      let answered = () => {};
      let ponged = () => {};
      const listen = ({ data }) => {
        const [word, move] = String(data).split(' ');
        if (word === 'pong') ponged();
        if (word !== 'search') return;
        if (legal.includes(move.slice(0, 2))) answered();
        else stale.push(`${data}, legal: ${legal}`);
      };
      worker.addEventListener('message', listen);
      for (let number = 1; number <= count; number++) {
        const { line, legal: moves } = APART[number % 2];
        legal = moves;
        worker.postMessage(line);
        await new Promise((resolve) => {
          answered = resolve;
          worker.postMessage(search);
        });
        await new Promise((resolve) => {
          ponged = resolve;
          worker.postMessage(`ping ${number}`);
        });
      }
      worker.removeEventListener('message', listen);
      return stale;
    },
    { APART, count, search },
  );
