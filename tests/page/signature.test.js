// The fixed search has the committed number of nodes in the native program and in both modules of the browser.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { program } from './harness/native.js';
import { stage } from './harness/stage.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const site = stage();

/** Runs the search in a module of the page. @param {string} name */
async function nodesIn(name) {
  const page = await site.open('/version.json');
  return page.evaluate(async (name) => {
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
    return engine.bench(new Uint8Array(weights));
  }, name);
}

test('the fixed search has one signature, natively and in the browser', async () => {
  const committed = readFileSync(`${ROOT}engine/src/search/bench-signature.txt`, 'utf8').trim();
  const [command, ...args] = program();
  const native = JSON.parse(
    execFileSync(command, [...args, 'bench', '--json'], { cwd: ROOT, encoding: 'utf8' }),
  );
  const found = [native.nodes, await nodesIn('outflank'), await nodesIn('outflank-threads')];
  assert.deepEqual(found.map(String), [committed, committed, committed]);
});
