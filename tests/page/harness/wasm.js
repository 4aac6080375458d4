// Runs the tests of modules for WebAssembly, each module in a worker of a page:
//
//   node tests/page/harness/wasm.js chromium|firefox FOLDER
//
// FOLDER contains the modules with their glue, as `NAME_bg.wasm` and `NAME.js`. Tests, context and output are those of the crate
// `wasm-bindgen-test`. Its own runner has 170 dependencies (`cargo xtask tools`).

import { readdirSync } from 'node:fs';

import { HANG_MS, launchBrowser } from './browser.js';
import { launchFirefox } from './firefox.js';
import { startStatic } from './static.js';

const SCRIPT = { 'content-type': 'text/javascript' };

const worker = (name) => `
import init, * as glue from './${name}.js';
const print = (...words) => postMessage({ line: words.join(' ') });
self.__wbg_test_invoke = (test) => test();
self.__wbg_test_output_writeln = print;
const wasm = await init({ module_or_path: './${name}_bg.wasm' });
for (const method of ['debug', 'log', 'info', 'warn', 'error'])
  console[method] = (...words) => glue['__wbgtest_console_' + method](words);
const tests = Object.keys(wasm).filter((name) => name.startsWith('__wbgt_'));
const context = new glue.WasmBindgenTestContext(false);
postMessage({ passed: (await context.run(tests.map((name) => wasm[name]))) && tests.length > 0 });
`;

/** Runs a worker and returns its output. This function is called in the page. */
const work = (name) =>
  new Promise((resolve) => {
    const lines = [];
    const worker = new Worker(`./${name}.worker.js`, { type: 'module' });
    worker.onerror = ({ message }) => resolve({ lines: [...lines, message], passed: false });
    worker.onmessage = ({ data }) => {
      if ('line' in data) lines.push(data.line);
      else resolve({ lines, passed: data.passed });
    };
  });

const [browser, folder] = process.argv.slice(2);
const names = readdirSync(folder).flatMap((file) => /^(.*)_bg\.wasm$/.exec(file)?.[1] ?? []);
const server = await startStatic({
  folder,
  instead: (path) => {
    if (path === 'index.html') return { headers: { 'content-type': 'text/html' }, body: '<!doctype html>' };
    const name = /^(.*)\.worker\.js$/.exec(path)?.[1];
    return name ? { headers: SCRIPT, body: worker(name) } : null;
  },
});

async function openChromium() {
  const chromium = await launchBrowser();
  const page = await chromium.newPage();
  page.setDefaultTimeout(HANG_MS);
  return { open: (url) => page.goto(url), evaluate: page.evaluate.bind(page), stop: () => chromium.close() };
}

const page = await (browser === 'firefox' ? launchFirefox() : openChromium());
await page.open(`${server.address}/`);
for (const name of names) {
  const { lines, passed } = await page.evaluate(work, name);
  console.log(`${name}\n${lines.join('\n')}`);
  if (!passed) process.exitCode = 1;
}
await page.stop();
await server.stop();
