// The npm package, installed in an empty folder and used like its README: in Node, and in a page of a bundler.

import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { build } from 'vite';

import { launchBrowser } from '../harness/browser.js';
import { emptyFolder, packageNamed, run } from '../harness/packages.js';
import { ISOLATED, startStatic } from '../harness/static.js';

const MODULES = fileURLToPath(new URL('../node_modules/', import.meta.url));

/** The first of the positions by which endgame solvers are compared, FFO 40: a2 wins by 38. */
const LINES = [
  'nboard 2',
  'set depth 12',
  'set game (;GM[Othello]PB[]PW[]RE[?]TY[8]' +
    'BO[8 O--OOOO*-OOOOOO*OO**OOO*OO*OOO**OOOOOO**---OOOO*----O--*-------- *];)',
  'go',
];
const ANSWER = /^=== a2\/38(\.0+)?\//i;

let place;

before(async () => {
  place = await emptyFolder();
  const file = await packageNamed(/\.tgz$/);
  await writeFile(join(place.folder, 'package.json'), '{ "private": true, "type": "module" }');
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  await run(npm, ['install', '--offline', '--no-audit', '--no-fund', file], {
    cwd: place.folder,
    shell: process.platform === 'win32',
  });
});

after(() => place.remove());

/** Runs a script in the folder. @param {string} text */
async function inNode(text) {
  const file = join(place.folder, 'script.js');
  await writeFile(file, text);
  return run(process.execPath, [file], { cwd: place.folder, timeout: 60_000 });
}

test('the package has no dependencies and names existing files', async () => {
  const installed = await readdir(join(place.folder, 'node_modules'));
  assert.deepEqual(
    installed.filter((name) => !name.startsWith('.')),
    ['outflank'],
  );
  const folder = join(place.folder, 'node_modules/outflank');
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  assert.match(manifest.version, /^\d+\.\d+\.\d+$/);
  for (const target of Object.values(manifest.exports).flatMap((to) =>
    typeof to === 'string' ? to : Object.values(to),
  )) {
    await readFile(join(folder, target));
  }
  const licences = await readFile(join(folder, 'THIRD-PARTY.txt'), 'utf8');
  assert.match(licences, /^ {2}wasm-bindgen [\d.]+: MIT OR Apache-2.0$/m);
  assert.match(licences, /Permission is hereby granted/);
});

test('the example of the README runs in Node', async () => {
  const readme = await readFile(join(place.folder, 'node_modules/outflank/README.md'), 'utf8');
  const example = /## Node\s+```js\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
  const { stdout, stderr } = await inNode(example);
  assert.match(stdout, /^=== [a-h][1-8]/im);
  assert.equal(stderr, '');
});

for (const [name, options, threads] of [
  ['alone', {}, 0],
  ['with threads', { threads: 2, hash: 16 }, 2],
]) {
  test(`in Node the engine solves a position, ${name}, and ends on request`, async () => {
    const { stdout } = await inNode(`
      import { Worker } from 'node:worker_threads';
      const engine = new Worker(new URL(import.meta.resolve('outflank')), { workerData: ${JSON.stringify(options)} });
      const told = [];
      engine.on('message', (message) => {
        told.push(message);
        if (String(message).startsWith('===')) engine.postMessage('quit');
      });
      engine.on('exit', (code) => console.log(JSON.stringify({ told, code })));
      for (const line of ${JSON.stringify(LINES)}) engine.postMessage(line);
    `);
    const { told, code } = JSON.parse(stdout);
    const ready = told.find((message) => message.type === 'ready');
    assert.equal(ready.threads, threads);
    assert.equal(ready.lacks, undefined);
    assert.ok(
      told.some((message) => ANSWER.test(message)),
      JSON.stringify(told.slice(-3)),
    );
    assert.equal(told.at(-1).type, 'fatal');
    assert.equal(code, 1);
  });
}

test('in Node a worker ended during a search leaves nothing behind', async () => {
  const { stdout } = await inNode(`
    import { Worker } from 'node:worker_threads';
    const url = new URL(import.meta.resolve('outflank'));
    for (const workerData of [undefined, { threads: 2 }, 'threads=2&hash=16']) {
      const engine = new Worker(url, { workerData });
      await new Promise((resolve, reject) => {
        engine.on('error', reject);
        engine.on('message', (message) => {
          if (message.type === 'ready') console.log(message.threads);
          if (String(message).startsWith('search')) resolve();
        });
        for (const line of ['nboard 2', 'set depth 40', 'hint 1']) engine.postMessage(line);
      });
      await engine.terminate();
    }
  `);
  // The process has ended, too: no thread was left to keep it.
  assert.equal(stdout, '0\n2\n2\n');
});

test('a Node module that is not a worker reports it', async () => {
  await assert.rejects(inNode(`import 'outflank';`), /outflank is a worker: new Worker/);
});

test('TypeScript finds the types of the messages', async () => {
  const check = async (text) => {
    await writeFile(join(place.folder, 'types.ts'), text);
    const tsc = join(MODULES, 'typescript/bin/tsc');
    const flags = ['--noEmit', '--strict', '--module', 'nodenext', '--types', '', 'types.ts'];
    return run(process.execPath, [tsc, ...flags], { cwd: place.folder });
  };
  await check(`
    import type { Message, Options } from 'outflank';
    export const options: Options = { hash: 64 };
    export const threads = (message: Message) => (typeof message === 'string' ? 0 : message.type === 'ready' ? message.threads : -1);
  `);
  await assert.rejects(
    check(`import type { Options } from 'outflank'; export const options: Options = { hush: 64 };`),
    ({ stdout }) => /hush/.test(stdout),
  );
});

test('in a page that Vite made the engine solves a position, alone and with threads', async (t) => {
  const browser = await launchBrowser();
  t.after(() => browser.close());
  const folder = join(place.folder, 'page');
  await mkdir(folder, { recursive: true });
  await writeFile(
    join(folder, 'index.html'),
    '<!doctype html><title>x</title><script type="module" src="./main.js"></script>',
  );
  await writeFile(
    join(folder, 'main.js'),
    `window.solve = (name) => new Promise((resolve, reject) => {
      const engine = new Worker(new URL('outflank', import.meta.url), { type: 'module', name });
      let threads;
      engine.onerror = (event) => reject(new Error(event.message));
      engine.onmessage = ({ data }) => {
        if (data.type === 'ready') threads = data.threads;
        else if (data.type === 'fatal') reject(new Error(data.message));
        else if (data.startsWith('===')) resolve({ threads, line: data });
      };
      for (const line of ${JSON.stringify(LINES)}) engine.postMessage(line);
    });`,
  );
  // As it comes, without a setting for workers. A base that is relative, as for a page in a subfolder.
  await build({ root: folder, configFile: false, logLevel: 'warn', base: './' });
  for (const [headers, threads] of /** @type {const} */ ([
    [{}, 0],
    [ISOLATED, 2],
  ])) {
    const server = await startStatic({ headers, folder: join(folder, 'dist'), below: 'deep/er/' });
    t.after(server.stop);
    const page = await browser.newPage();
    await page.goto(`${server.address}/deep/er/`);
    await page.waitForFunction(() => 'solve' in window);
    const found = await page.evaluate(() => /** @type {any} */ (window).solve('hash=16&threads=2'));
    assert.equal(found.threads, threads);
    assert.match(found.line, ANSWER);
    await page.close();
  }
});
