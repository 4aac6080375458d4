// The npm package, installed in an empty folder and used like its README: in Node, in a plain page, and in pages of
// two bundlers.

import assert from 'node:assert/strict';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { build } from 'vite';
import webpack from 'webpack';

import { ISOLATED } from '../page/harness/static.js';
import { assertErrors, examplesIn, installNpm, openPlain, outputIn, run } from './unpacked.js';

const MODULES = fileURLToPath(new URL('../node_modules/', import.meta.url));

/** The first of the positions by which endgame solvers are compared, FFO 40: a2 wins by 38. */
const POSITION = 'O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X';
const SOLVE = `async (options) => {
  const engine = await Outflank.start(options);
  const { move, value, exact } = await engine.solve('${POSITION}');
  const { threads, lacks = null } = engine.info;
  engine.close();
  return { move, value, exact, threads, lacks };
}`;

const place = await installNpm();

async function inNode(text) {
  const file = join(place, 'script.js');
  await writeFile(file, text);
  return run(process.execPath, [file], { cwd: place, timeout: 300_000 });
}

test('the package has no dependencies and names existing files', async () => {
  const installed = await readdir(join(place, 'node_modules'));
  assert.equal(installed.filter((name) => !name.startsWith('.')).join(), 'outflank');
  const folder = join(place, 'node_modules/outflank');
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  assert.match(manifest.version, /^\d+\.\d+\.\d+$/);
  const targets = Object.values(manifest.exports).flatMap((to) => [to, ...Object.values(to)]);
  for (const target of targets.filter((to) => /^\.\//.test(to))) await readFile(join(folder, target));
  const licences = await readFile(join(folder, 'THIRD-PARTY.txt'), 'utf8');
  assert.match(licences, /^ {2}wasm-bindgen [\d.]+: MIT OR Apache-2.0$/m);
  assert.match(licences, /Permission is hereby granted/);
});

test('the example of the README prints what it states', async () => {
  const readme = await readFile(join(place, 'node_modules/outflank/README.md'), 'utf8');
  const [example] = examplesIn(readme, 'js');
  const { stdout, stderr } = await inNode(example);
  assert.equal(outputIn(example, '//').length, 5);
  assert.deepEqual(stdout.trim().split('\n'), outputIn(example, '//'));
  assert.equal(stderr, '');
});

test('in Node requests run in sequence, stop on request, and name errors', async () => {
  const { stdout } = await inNode(`
    import assert from 'node:assert';
    import { Outflank, StoppedError } from 'outflank';
    import { host } from './node_modules/outflank/client.js';
    const engine = await Outflank.start({ hash: 16 });
    const game = 'e6f4e3f6g5d6e7f5c5';
    // Black must pass before the ninth move.
    const order = [];
    const [rows, passed, over, hints] = await Promise.all([
      engine.analyse(game, { depth: 4, onProgress: ({ ply }, moves) => order.push([ply, moves]) }),
      engine.analyse('e6f6c4e7e8d8g7f8h6h8', { depth: 4 }),
      engine.hint(game),
      engine.hint(['f5', 'd6'], { depth: 6, moves: 3 }),
    ]);
    const errors = [];
    const fails = (promise) => promise.then(() => errors.push('no error'), (error) => errors.push(String(error)));
    const deep = { depth: 60 };
    await fails(engine.hint('', { ...deep, signal: AbortSignal.timeout(200) }));
    for (const game of ['f5f6a1', 'nowhere']) await fails(engine.hint(game));
    for (const game of ['f5f6a1', '-'.repeat(64) + 'X']) await fails(engine.analyse(game));
    await fails(engine.hint('', { signal: AbortSignal.abort(new Error('aborted')) }));
    await fails(engine.hint('', { ...deep, onProgress: () => assert.fail('thrown') }));
    const onProgress = () => engine.stop();
    const stopped = await engine.hint('f5d6c3', { ...deep, moves: 2, onProgress });
    // Rows are known from the last move on.
    const some = await engine.analyse(game.slice(0, 16), { depth: 4, onProgress: ({ ply }) => ply === 6 && engine.stop() });
    // A stopped request without a result differs from the end of the game.
    await fails(engine.solve('', { onProgress }));
    assert.ok((await engine.solve('f5', { onProgress }).catch((error) => error)) instanceof StoppedError);
    engine.stop();
    const after = [await engine.hint('f5', { depth: 4 }), await engine.hint(game), await engine.solve(game)];
    // An aborted request in the queue is rejected before the running one ends, and is skipped.
    const controller = new AbortController();
    const ends = [];
    let running;
    const begun = new Promise((onProgress) => {
      running = engine.hint('', { ...deep, onProgress }).then(() => ends.push('running'));
    });
    const queued = engine.hint('f5', { ...deep, signal: controller.signal }).catch(() => ends.push('queued'));
    const last = engine.hint('f5', { depth: 1 }).then(() => ends.push('last'));
    controller.abort();
    await Promise.all([queued, begun]);
    engine.stop();
    await Promise.all([running, last]);
    await fails(engine.hint('', { ...deep, onProgress: () => engine.close() }));
    await fails(engine.hint(''));
    await fails(Outflank.start({ signal: AbortSignal.timeout(1) }));
    const { spawn } = host;
    let worker;
    host.spawn = (name) => (worker = spawn(name));
    for (const die of [() => worker.postMessage('quit'), () => worker.terminate()]) {
      const doomed = await Outflank.start();
      await fails(doomed.hint('', { ...deep, onProgress: die }));
    }
    const isMinusZero = (number) => Object.is(number, -0);
    assert.ok(![...rows, ...passed].some((row) => Object.values(row).some(isMinusZero)));
    console.log(JSON.stringify({ rows, passed, order, over, hints, stopped, some, after, ends, errors }));
  `);
  const { rows, passed, order, over, hints, stopped, some, after, ends, errors } = JSON.parse(stdout);
  // Values and losses are compared with those of the program in `clients.test.js`.
  const sides = [rows, passed].map((game) => game.map(({ side }) => side[0]).join(''));
  assert.equal(`${sides} ${rows.at(-1).value}`, 'bwbwbwbwb,bwbwbwbwwb 64');
  assert.equal(order.join(' '), '9,9 8,9 7,9 6,9 5,9 4,9 3,9 2,9 1,9');
  assert.ok([...rows, ...passed].every(({ best, pv }) => pv[0] === best));
  assert.deepEqual([over, hints.length, hints[0].depth, stopped.length], [[], 3, '6', 2]);
  assert.equal(some.map(({ ply }) => ply).join(), '6,7,8');
  assert.deepEqual([after[0][0].depth, ...after.slice(1)], ['4', [], null]);
  assert.deepEqual(ends, ['queued', 'running', 'last']);
  assertErrors(
    errors,
    `TimeoutError: {*}
    OutflankError: move: a1 is illegal{*}
    TypeError: neither a position nor moves: nowhere
    OutflankError: move: a1 is illegal{*}
    TypeError: game: a position without moves has no losses: hint returns its value
    Error: aborted
    AssertionError{*}: thrown
    StoppedError: the request was stopped before the score was proven
    OutflankError: the engine was closed
    OutflankError: the engine was closed
    TimeoutError: {*}
    OutflankError: the engine received a quit command
    OutflankError: the worker has ended with status 1`,
  );
});

test('in Node unknown options and values out of range are refused, and the grants are stated', async () => {
  const { stdout } = await inNode(`
    import { Outflank } from 'outflank';
    const told = (promise) => promise.then(() => 'no error', (error) => error.name + ': ' + error.message);
    const errors = [];
    for (const options of [
      { thread: 4 }, { threads: 257 }, { hash: 'x' }, { hash: 1000, threads: 1, memory: 512 }, { network: 'huge' }, null,
    ]) errors.push(await told(Outflank.start(options)));
    const engine = await Outflank.start();
    for (const [method, options] of [
      ['hint', { time: '5' }], ['hint', { time: 0 }], ['hint', { depth: 61 }], ['play', { level: 'club', depth: 4 }], ['solve', { depth: 3 }], ['analyse', { onProgress: 1 }],
    ]) errors.push(await told(engine[method]('f5', options)));
    errors.push(await told(engine.configure({ hash: 2048 })));
    const { threads, hash, network } = engine.info;
    // A request before the change has the old options, one after it the new ones.
    const values = await Promise.all([
      engine.hint('f5', { depth: 4 }), engine.configure({ network: 'large', hash: 8 }), engine.hint('f5', { depth: 4 }),
    ]);
    const configured = [engine.info.network, engine.info.hash, values[0][0].value !== values[2][0].value];
    const large = await Outflank.start({ network: 'large', hash: 8, threads: 2 });
    const [other] = await large.hint('f5', { depth: 4 });
    const granted = [threads, hash, network, large.info.threads, large.info.hash, large.info.network];
    const closed = told(engine.configure({ threads: 1 }));
    engine.close();
    console.log(JSON.stringify({ errors, granted, configured, differs: values[0][0].value !== other.value, closed: await closed }));
  `);
  const { errors, granted, configured, differs, closed } = JSON.parse(stdout);
  assert.deepEqual(granted, [0, 64, 'small', 2, 8, 'large']);
  assert.deepEqual(configured, ['large', 8, true]);
  assert.ok(differs);
  assert.equal(closed, 'OutflankError: the engine was closed');
  assertErrors(
    errors,
    `TypeError: thread: not an option of start (hash, threads, most, memory, worker, network, signal)
    RangeError: threads: 257 is not from 0 to 256
    TypeError: hash: x is not a whole number
    RangeError: hash: 1000 MiB do not fit into memory: at most 511 are possible
    TypeError: network: huge is not 'small' or 'large'
    TypeError: options: null is not an object
    TypeError: time: 5 is not a number of milliseconds
    RangeError: time: 0 is not above 0 and at most 1e12
    RangeError: depth: 61 is not from 1 to 60
    TypeError: level: depth, time and nodes must be absent, because a level has its own depth
    TypeError: depth: not an option of solve (signal, onProgress)
    TypeError: onProgress: 1 is not a function
    RangeError: hash: 2048 MiB do not fit into memory: at most 2047 are possible`,
  );
});

test('in Node searches are limited, values state their proof, and games are read', async () => {
  const { stdout } = await inNode(`
    import { Worker } from 'node:worker_threads';
    import { Outflank, OutflankError } from 'outflank';
    let name;
    const spawn = (text) =>
      new Worker(new URL(import.meta.resolve('outflank/worker')), { workerData: Object.fromEntries(new URLSearchParams((name = text))) });
    const engine = await Outflank.start({ hash: 8, worker: spawn });
    const facts = ({ move, proof, plies, confidence, exact }) => [move, proof, plies, confidence, exact];
    const end = '-XXXXXX--OOOOOO-XXXOXXXXXXOXXXXXXOXXXXXXOXXXXXXXXOOOOOO--XXXXXX- X';
    const found = [facts(await engine.solve(end)), facts((await engine.hint('f5', { depth: 4 }))[0]).slice(1)];
    const [timed] = await engine.hint('f5d6c3', { time: 100 });
    const [counted] = await engine.hint('f5d6c3', { nodes: 3000 });
    const only = await engine.hint('f5d6c3', { depth: 2, moves: 9, only: ['g5', 'f4'] });
    found.push([timed.plies < 57, counted.plies < 57, timed.proof], only.map(({ move }) => move).sort());
    const rows = await engine.analyse('f5d6c3', { nodes: 100 });
    found.push([rows.length, rows[0].grave, name]);
    const over = 'e6f4e3f6g5d6e7f5c5';
    found.push([engine.position('f5'), engine.legalMoves('f5'), engine.result('f5'), engine.result(over), engine.legalMoves(over)]);
    const plays = [['f5', 1], [over, 'club'], ['-OOOOOOX' + 'O'.repeat(56) + 'X', 'engine']];
    const played = await Promise.all(plays.map(([game, level]) => engine.play(game, { level })));
    found.push([engine.legalMoves('f5').includes(played[0]), ...played.slice(1), (await engine.play('f5', { depth: 2 })).length]);
    found.push(engine.read('(;GM[Othello]PB[a]TY[8]B[F5]W[D6];)').map(({ black, moves }) => [black, moves]));
    const codes = [];
    for (const ask of [() => engine.hint('f5a1'), () => engine.hint('f5', { only: 'a1' }), async () => engine.position('f5a1'),
      () => engine.play('f5', { level: 'king' }), async () => engine.read(5)])
      await ask().catch((error) => codes.push([error instanceof OutflankError, error.code]));
    await engine[Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose')]();
    await engine.hint('').catch(({ code }) => codes.push(code));
    console.log(JSON.stringify([...found, codes]));
  `);
  assert.deepEqual(JSON.parse(stdout), [
    ['a8', 'exact', 7, 100, true],
    ['heuristic', 4, 100, false],
    [true, true, 'selective'],
    ['f4', 'g5'],
    [3, false, 'hash=8&network=small'],
    ['---------------------------OX------XXX--------------------------O', ['d6', 'f4', 'f6'], null, 64, []],
    [true, null, 'a1', 2],
    [['a', 'f5d6']],
    [[true, 'refused'], [true, 'refused'], [true, 'refused'], [true, 'refused'], [false, null], 'closed'],
  ]);
});

test('in Node a script ends without close', async () => {
  const { stdout } = await inNode(`
    import { Outflank } from 'outflank';
    const [alone, threads] = await Promise.all([Outflank.start(), Outflank.start({ threads: 2 })]);
    console.log((await alone.hint('f5', { depth: 2 })).length, (await threads.solve('${POSITION}')).value);
  `);
  assert.equal(stdout, '1 38\n');
});

test('TypeScript finds the types of the messages', async () => {
  const check = async (text) => {
    await writeFile(join(place, 'types.ts'), text);
    const tsc = join(MODULES, 'typescript/bin/tsc');
    const flags = ['--noEmit', '--strict', '--module', 'nodenext', '--types', '', 'types.ts'];
    return run(process.execPath, [tsc, ...flags], { cwd: place });
  };
  await check(`
    import { Outflank, OutflankError, type Info, type Message, type Row } from 'outflank';
    export const info = (engine: Outflank): Info => engine.info;
    export const rows = async (): Promise<Row[]> => (await Outflank.start({ hash: 1 })).analyse('f5d6');
    export const code = (error: unknown): string | undefined => (error instanceof OutflankError ? error.code : undefined);
    export const best = async (engine: Outflank): Promise<[number, boolean]> => {
      const [{ plies, proof }] = await engine.hint('f5', { time: 100, only: 'd6' });
      return [plies, proof === 'exact'];
    };
    export const threads = (message: Message) => (typeof message === 'string' ? 0 : message.type === 'ready' ? message.threads : -1);
  `);
  await assert.rejects(
    check(`import type { Options, Outflank, Row, Value } from 'outflank';
      export const options: Options = { hush: 64 };
      export const proven = ({ proof }: Value) => proof === 'proven';
      export const lost = ({ atLeast }: Row): number => atLeast;`),
    ({ stdout }) => [2, 3, 4].every((line) => stdout.includes(`types.ts(${line},`)),
  );
});

const PAGES = {
  'a plain page': async (folder) => {
    await cp(join(place, 'node_modules/outflank'), join(folder, 'outflank'), { recursive: true });
    await writePage(folder, './outflank/client.js', './outflank/outflank-board.js');
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
const PAGE =
  '<!doctype html><title>x</title><script type="module" src="./main.js"></script><outflank-board moves="f5d6" ply="1" values></outflank-board>';

async function writePage(folder, client, board = 'outflank/board') {
  await writeFile(join(folder, 'index.html'), PAGE);
  const script = `import '${board}';\nimport { Outflank } from '${client}';\nwindow.solve = ${SOLVE};`;
  await writeFile(join(folder, 'main.js'), script);
}

for (const [name, make] of Object.entries(PAGES))
  test(`in ${name} the client solves a position, alone and with threads, and a board shows values`, async (t) => {
    const folder = join(place, name);
    await mkdir(folder);
    const pages = await make(folder);
    for (const headers of [{}, ISOLATED]) {
      const { page, server } = await openPlain(t, { headers, folder: pages, below: 'deep/er/' });
      await page.goto(`${server.address}/deep/er/`);
      await page.waitForFunction(() => 'solve' in window);
      const found = await page.evaluate(() => window.solve({ hash: 16, threads: 2 }));
      const threads = headers === ISOLATED ? 2 : 0;
      assert.deepEqual(found, { move: 'a2', value: 38, exact: true, threads, lacks: null });
      await page.getByRole('button', { name: 'Values' }).click();
      await page.getByRole('gridcell', { name: /^d6, legal, best, plus / }).waitFor();
    }
  });
