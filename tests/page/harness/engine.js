// A worker controlled by protocol lines, like that of the page.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

const START = '---------------------------O*------*O---------------------------';
/** The line that sets a game. @param {string} moves in GGF */
export const game = (moves) =>
  `set game (;GM[Othello]PC[test]PB[a]PW[b]RE[?]TI[0]TY[8]BO[8 ${START} *]${moves};)`;

/** Two positions without a legal move in common, with the legal moves. */
const APART = [
  { line: game('B[F5]'), legal: ['D6', 'F4', 'F6'] },
  { line: game('B[F5]W[D6]'), legal: ['C3', 'C4', 'C5', 'C6', 'C7'] },
];

/** Starts `worker.js` in the page, in place of an earlier one, waits until it is ready, and returns this message. In the page,
 *  `window.worker` is the worker then, and `window.lines` has all lines that it has sent.
 *  @param {string} [query] its name: `hash=16&threads=2` @param {string[]} [early] lines for it before it is ready */
export const startWorker = (page, query = '', early = []) =>
  page.evaluate(
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

/** A change of `worker.js` that refuses shared memory of more than `most` pages. */
export const refuse = (most) => ({
  'worker.js': (text) =>
    `const Real=WebAssembly.Memory;WebAssembly.Memory=function(wanted){
      if(wanted.shared&&wanted.maximum>${most})throw new RangeError('refused');return new Real(wanted);};${text}`,
});

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
    const limits = { initial: 64, maximum: 4096, shared: true };
    const memory = name.endsWith('threads') ? new WebAssembly.Memory(limits) : undefined;
    engine.initSync({ module, memory });
    return String(engine.bench(new Uint8Array(weights)));
  }, name);
  assert.equal(nodes, readFileSync(SIGNATURE, 'utf8').trim());
}

export const send = (page, ...lines) =>
  page.evaluate((lines) => {
    for (const line of lines) window.worker.postMessage(line);
  }, lines);

export const lines = (page) => page.evaluate(() => window.lines);

export async function line(page, { source }) {
  const isThere = (source) => window.lines.find((line) => new RegExp(source).test(line));
  return (await page.waitForFunction(isThere, source)).jsonValue();
}

/** Searches two positions in turn, `count` times. A search ends by a `ping` as soon as it has values. Returns the values that belong
 *  to another position than the current one. */
export const changePositions = (page, { count, search }) =>
  page.evaluate(
    async ({ APART, count, search }) => {
      const { worker } = window;
      const stale = [];
      let legal = [];
      let heard = () => {};
      const listen = ({ data }) => {
        const [word, move] = String(data).split(' ');
        if (word === 'search' && !legal.includes(move.slice(0, 2))) stale.push(`${data}, legal: ${legal}`);
        else heard(word);
      };
      worker.addEventListener('message', listen);
      /** Sends lines, and waits for an answer with this word. */
      const ask = (answer, ...lines) =>
        new Promise((resolve) => {
          heard = (word) => word === answer && resolve();
          for (const line of lines) worker.postMessage(line);
        });
      for (let number = 1; number <= count; number++) {
        const { line, legal: moves } = APART[number % 2];
        legal = moves;
        await ask('search', line, search);
        await ask('pong', `ping ${number}`);
      }
      worker.removeEventListener('message', listen);
      return stale;
    },
    { APART, count, search },
  );
