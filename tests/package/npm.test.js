// The npm package, installed in an empty folder and used like its README: in Node, in a plain page, and in pages of
// two bundlers.

import assert from 'node:assert/strict';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { build } from 'vite';
import webpack from 'webpack';

import { launchBrowser } from '../harness/browser.js';
import { emptyFolder, packageNamed, run } from '../harness/packages.js';
import { ISOLATED, startStatic } from '../harness/static.js';

const MODULES = fileURLToPath(new URL('../node_modules/', import.meta.url));

/** The first of the positions by which endgame solvers are compared, FFO 40: a2 wins by 38. */
const POSITION = 'O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X';
/** Values the position in a page or in Node. */
const SOLVE = `async (options) => {
  const engine = await Outflank.start(options);
  const { move, value, exact } = await engine.solve('${POSITION}');
  const { threads, lacks = null } = engine.info;
  engine.close();
  return { move, value, exact, threads, lacks };
}`;
const solved = (threads) => ({ move: 'a2', value: 38, exact: true, threads, lacks: null });

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
  assert.match(stdout, /^8 of 8$/m);
  assert.match(stdout, /move: 'a2',[\s\S]*value: 38,/);
  assert.equal(stderr, '');
});

test('in Node the client solves a position, alone and with threads', async () => {
  const { stdout } = await inNode(`
    import { Outflank } from 'outflank';
    const solve = ${SOLVE};
    console.log(JSON.stringify([await solve({}), await solve({ threads: 2, hash: 16 })]));
  `);
  assert.deepEqual(JSON.parse(stdout), [solved(0), solved(2)]);
});

test('in Node requests run in sequence, stop on request, and name errors', async () => {
  const { stdout } = await inNode(`
    import assert from 'node:assert';
    import { Outflank } from 'outflank';
    import { host } from './node_modules/outflank/client.js';
    const engine = await Outflank.start({ hash: 16 });
    const game = 'e6f4e3f6g5d6e7f5c5';
    // Black must pass before the ninth move.
    const [rows, passed, over, hints] = await Promise.all([
      engine.analyse(game, { depth: 4 }),
      engine.analyse('e6f6c4e7e8d8g7f8h6h8', { depth: 4 }),
      engine.hint(game),
      engine.hint(['f5', 'd6'], { depth: 6, moves: 3 }),
    ]);
    const errors = [];
    const fails = (promise) => promise.catch((error) => errors.push(String(error)));
    await fails(engine.hint('', { depth: 60, signal: AbortSignal.timeout(200) }));
    await fails(engine.hint('f5f6a1'));
    await fails(engine.hint('nowhere'));
    await fails(engine.hint('', { signal: AbortSignal.abort(new Error('aborted')) }));
    await fails(engine.hint('', { depth: 60, onProgress: () => assert.fail('thrown') }));
    const stopped = await engine.hint('f5d6c3', { depth: 60, moves: 2, onProgress: () => engine.stop() });
    // A stop ends a request that has not started. Without a request it does nothing.
    const atOnce = engine.analyse(game, { depth: 60 });
    engine.stop();
    const ended = await atOnce;
    engine.stop();
    const after = await engine.hint('f5', { depth: 4 });
    setTimeout(() => engine.close(), 50);
    await fails(engine.hint('', { depth: 60 }));
    await fails(engine.hint(''));
    await fails(Outflank.start({ hash: 'x' }));
    await fails(Outflank.start({ signal: AbortSignal.timeout(1) }));
    const { spawn } = host;
    let worker;
    host.spawn = (name) => (worker = spawn(name));
    for (const die of [() => worker.postMessage('quit'), () => worker.terminate()]) {
      const doomed = await Outflank.start();
      await fails(doomed.hint('', { depth: 60, onProgress: die }));
    }
    const isMinusZero = (number) => Object.is(number, -0);
    assert.ok(![...rows, ...passed].some((row) => Object.values(row).some(isMinusZero)));
    console.log(JSON.stringify({ rows, passed, over, hints, stopped, ended, after, errors }));
  `);
  const { rows, passed, over, hints, stopped, ended, after, errors } = JSON.parse(stdout);
  assert.equal(rows.map(({ side }) => side[0]).join(''), 'bwbwbwbwb');
  assert.equal(rows.at(-1).value, 64);
  assert.equal(passed.map(({ side }) => side[0]).join(''), 'bwbwbwbwwb');
  for (const { move, best, value, bestValue, loss, pv } of [...rows, ...passed]) {
    assert.ok(Math.abs(bestValue - value - loss) < 0.01 && loss >= 0 && (move !== best || loss === 0));
    assert.equal(pv[0], best);
  }
  // The engine without threads reads lines between slices of the search.
  assert.deepEqual([over, hints.length, hints[0].depth, stopped.length], [[], 3, '6', 2]);
  assert.deepEqual([ended, after[0].depth], [[], '4']);
  const expected = [
    /^TimeoutError: /,
    /^Error: move: a1 is illegal/,
    /^TypeError: neither a position nor moves: nowhere$/,
    /^Error: aborted$/,
    /^AssertionError.*: thrown$/,
    /^Error: the engine was closed$/,
    /^Error: the engine was closed$/,
    /^TypeError: hash: x is not a whole number$/,
    /^TimeoutError: /,
    /^Error: the engine received a quit command$/,
    /^Error: the worker has ended with status 1$/,
  ];
  assert.equal(errors.length, expected.length, errors.join());
  expected.forEach((pattern, at) => void assert.match(errors[at], pattern));
});

test('in Node a worker ended during a search leaves nothing behind', async () => {
  const { stdout } = await inNode(`
    import { Worker } from 'node:worker_threads';
    const url = new URL(import.meta.resolve('outflank/worker'));
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
  await assert.rejects(inNode(`import 'outflank/worker';`), /outflank is a worker: new Worker/);
});

test('TypeScript finds the types of the messages', async () => {
  const check = async (text) => {
    await writeFile(join(place.folder, 'types.ts'), text);
    const tsc = join(MODULES, 'typescript/bin/tsc');
    const flags = ['--noEmit', '--strict', '--module', 'nodenext', '--types', '', 'types.ts'];
    return run(process.execPath, [tsc, ...flags], { cwd: place.folder });
  };
  await check(`
    import { Outflank, type Message, type Options, type Row } from 'outflank';
    export const rows = async (): Promise<Row[]> => (await Outflank.start({ hash: 1 })).analyse('f5d6');
    export const options: Options = { hash: 64 };
    export const threads = (message: Message) => (typeof message === 'string' ? 0 : message.type === 'ready' ? message.threads : -1);
  `);
  await assert.rejects(
    check(`import type { Options } from 'outflank'; export const options: Options = { hush: 64 };`),
    ({ stdout }) => /hush/.test(stdout),
  );
});

/** Makes a page in a folder of its own. @type {Record<string, (folder: string) => Promise<string>>} */
const PAGES = {
  'a plain page': async (folder) => {
    await cp(join(place.folder, 'node_modules/outflank'), join(folder, 'outflank'), { recursive: true });
    await writePage(folder, './outflank/client.js');
    return folder;
  },
  // As it comes, without a setting for workers. A base that is relative, as for a page in a subfolder.
  'a page of Vite': async (folder) => {
    await writePage(folder, 'outflank');
    await build({ root: folder, configFile: false, logLevel: 'warn', base: './' });
    return join(folder, 'dist');
  },
  'a page of webpack': async (folder) => {
    await writePage(folder, 'outflank');
    const stats = await promisify(webpack)({
      mode: 'production',
      context: folder,
      entry: './main.js',
      output: { path: join(folder, 'dist') },
      // The modules and the weights are larger than it recommends.
      performance: false,
    });
    assert.equal(stats.toString({ all: false, errors: true, warnings: true }), '');
    await writeFile(join(folder, 'dist/index.html'), PAGE);
    return join(folder, 'dist');
  },
};
const PAGE = '<!doctype html><title>x</title><script type="module" src="./main.js"></script>';

/** @param {string} folder @param {string} client */
async function writePage(folder, client) {
  await writeFile(join(folder, 'index.html'), PAGE);
  await writeFile(join(folder, 'main.js'), `import { Outflank } from '${client}';\nwindow.solve = ${SOLVE};`);
}

for (const [name, make] of Object.entries(PAGES)) {
  test(`in ${name} the client solves a position, alone and with threads`, async (t) => {
    const folder = join(place.folder, name);
    await mkdir(folder);
    const pages = await make(folder);
    const browser = await launchBrowser();
    t.after(() => browser.close());
    for (const [headers, threads] of /** @type {const} */ ([
      [{}, 0],
      [ISOLATED, 2],
    ])) {
      const server = await startStatic({ headers, folder: pages, below: 'deep/er/' });
      t.after(server.stop);
      const page = await browser.newPage();
      await page.goto(`${server.address}/deep/er/`);
      await page.waitForFunction(() => 'solve' in window);
      const options = { hash: 16, threads: 2 };
      const found = await page.evaluate((options) => /** @type {any} */ (window).solve(options), options);
      assert.deepEqual(found, solved(threads));
      await page.close();
    }
  });
}
