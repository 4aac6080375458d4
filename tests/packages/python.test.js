// The wheel, installed in an empty virtual environment.

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { examplesIn, installWheel, outputIn } from './unpacked.js';

const README = new URL('../../cli/python/README.md', import.meta.url);
const CHECK = `
import json, os, outflank, signal, threading
with outflank.Engine(hash=16) as engine:
    rows = engine.analyse("e6f4e3f6g5d6e7f5c5", depth=4)
    hints = engine.hint("f5d6c3", depth=6, moves=3)
    errors = []
    def fails(ask, *words, **options):
        try:
            ask(*words, **options)
            errors.append("no error")
        except (outflank.EngineError, TypeError, ValueError, KeyboardInterrupt) as error:
            errors.append(f"{type(error).__name__}: {error}")
    for ask in (engine.hint, engine.analyse, engine.play):
        fails(ask, "f5f6a1")
    fails(engine.hint, "nowhere")
    fails(engine.hint, 3)
    fails(engine.hint, "", moves=0)
    fails(engine.hint, "", dept=3)
    fails(engine.play, "", depth=61)
    fails(engine.analyse, "f5", depth=0)
    fails(engine.analyse, "f5", exact="x")
    fails(engine.analyse, "-" * 64 + "X")
    fails(outflank.Engine, threads=0)
    fails(outflank.Engine, threads=257)
    fails(outflank.Engine, hash=0)
    fails(outflank.Engine, network="huge")
    fails(outflank.Engine, thread=4)
    # Killed or interrupted during a request, it answers the next one.
    threading.Timer(1, lambda: engine._pipes["nboard"].process.kill()).start()
    fails(engine.hint, "", depth=60)
    if os.name != "nt":
        threading.Timer(1, os.kill, (os.getpid(), signal.SIGINT)).start()
        fails(engine.analyse, "f5d6c3", depth=60)
    over = [engine.play("e6f4e3f6g5d6e7f5c5"), engine.hint("e6f4e3f6g5d6e7f5c5"), len(engine.analyse(["f5", "d6"], depth=1))]
    over += [engine.solve("e6f4e3f6g5d6e7f5c5"), engine.analyse("")]
    with outflank.Engine(network="large") as large:
        over.append(engine.hint("f5", depth=4)[0]["value"] != large.hint("f5", depth=4)[0]["value"])
fails(engine.hint, "")
print(json.dumps([rows, hints, errors, over]))
`;

const VERSION = 'import outflank; print(outflank.__version__)';

/** Limits, progress and stops; each result is true. */
const LIMITS = `
import asyncio, json, outflank, threading
results = []
def stopped(ask, *words, **options):
    try:
        ask(*words, **options)
    except outflank.StoppedError:
        return True
with outflank.Engine() as engine:
    seen = []
    values = engine.hint("f5d6c3", depth=60, moves=2, on_progress=lambda values: (seen.append(values), engine.stop()))
    results += [len(seen) == 1 and len(values) == 2 and values[0]["plies"] >= seen[0][0]["plies"]]
    results += [engine.hint("f5d6c3", time=0.05)[0]["plies"] < 57, engine.play("f5d6c3", nodes=1) in engine.legal_moves("f5d6c3")]
    results += [sorted(row["move"] for row in engine.hint("f5d6c3", depth=2, moves=9, only="g5 f4")) == ["f4", "g5"]]
    results += [[row["depth"] for row in engine.hint("f5", depth=4)] == ["4"]]
    for ask in (lambda: engine.solve(""), lambda: engine.analyse("f5d6c3", depth=60)):
        thread = threading.Thread(target=lambda: results.append(stopped(ask)))
        thread.start()
        while thread.is_alive():
            engine.stop()
            thread.join(0.01)
    results += [len(engine.analyse("f5d6", nodes=100)) == 2, len(engine.analyse("f5d6", time=0.01)) == 2]
    game = "(;GM[Othello]TY[8]B[E6]W[F4]B[E3]W[F6]B[G5]W[D6]B[E7]W[F5]B[C5];)"
    results += [engine.result(game) == 64, engine.legal_moves(game) == [], engine.position("").endswith(" X")]
    for options in ({"only": "a1"}, {"only": ""}, {"time": 0}, {"time": float("nan")}, {"nodes": 0}):
        try:
            engine.hint("f5", **options)
        except (outflank.EngineError, ValueError) as error:
            results += [str(error).removeprefix("set ").startswith(next(iter(options)))]
async def main():
    async with outflank.AsyncEngine() as engine:
        loop, begun = asyncio.get_running_loop(), asyncio.Event()
        endless = asyncio.create_task(engine.hint("", depth=60, on_progress=lambda values: begun.set()))
        queued = asyncio.create_task(engine.analyse("f5d6", depth=2))
        await begun.wait()
        endless.cancel()
        results.append(len(await queued) == 2 and endless.cancelled())
asyncio.run(main())
print(json.dumps(results))
`;

/** A user's script. Each line of \`MISTAKES\` is a mistake that mypy must find. */
const TYPED = `
from outflank import Engine, Row, Value
def best(engine: Engine, game: str) -> tuple[str, float, int]:
    value: Value = engine.hint(game, time=1.5, only=["f5"], on_progress=lambda values: print(values[0]["move"]))[0]
    return value["move"], value["value"], value["plies"]
def lost(rows: list[Row]) -> float:
    return sum(row["loss"] or 0 for row in rows if row["mistake"])
`;
const MISTAKES = [
  'print(best(Engine(network="huge"), ""))',
  'print(Engine().hint("")[0]["mvoe"])',
  'print(Engine().analyse("f5")[0]["loss"] + 1)',
];

/** An engine that is replaced ends its programs, a fork gets an error, and close ends a request of another thread at once. */
const ENDS = `
import json, os, outflank, random, sys, threading
def processes(engine):
    engine.analyse("f5", depth=1)
    return [pipe.process for pipe in engine._pipes.values()]
engine = outflank.Engine()
old = processes(engine)
engine = outflank.Engine()
results = [[process.returncode is not None for process in old]]
if hasattr(os, "fork"):
    reads, writes = os.pipe()
    if os.fork() == 0:
        try:
            engine.hint("f5")
        except outflank.EngineError as error:
            os.write(writes, str(error).encode())
        engine.close()
        del engine
        sys.exit(0)
    os.wait()
    told = os.read(reads, 1000).decode()
    results.append([told.startswith(f"the engine belongs to process {os.getpid()}: "), len(engine.hint("f5", depth=1))])
engine.close()
rng, errors = random.Random(1), []
for _ in range(40):
    engine = outflank.Engine()
    def work():
        try:
            engine.analyse("f5d6c3", depth=40)
        except outflank.EngineError as error:
            errors.append(str(error))
    worker = threading.Thread(target=work)
    worker.start()
    threading.Event().wait(rng.random() * 0.004)
    engine.close()
    # Without an end of the request, this test does not end.
    worker.join()
results.append([len(errors), *sorted(set(errors))])
print(json.dumps(results))
`;

test('the wheel is used in an empty environment', async (t) => {
  const { python, outflank, reason } = await installWheel();
  if (reason) return t.skip(reason);
  assert.match((await outflank(['--version'])).stdout, /^outflank \d/);
  const printed = async (code) => (await python(['-c', code])).stdout.trim();
  const [example, asynchronous, table] = examplesIn(await readFile(README, 'utf8'), 'python');
  const columns = /\[(\[.*?\])\]/.exec(table)?.[1];
  const output = await printed(`${example}\nprint(all(row.keys() >= set(${columns}) for row in rows))`);
  const lines = output.split('\n').map((line) => line.trim());
  assert.deepEqual((await printed(asynchronous)).split('\n'), outputIn(asynchronous, '#'));
  const { stdout: version } = await python(['-m', 'outflank', '--version']);
  assert.equal(version, `outflank ${await printed(VERSION)}\n`);
  assert.deepEqual(lines, [...outputIn(example, '#'), 'True']);
  assert.equal(lines.length, 10);
  const [rows, hints, errors, over] = JSON.parse(await printed(CHECK));
  assert.deepEqual([rows.length, rows[8].move, rows[8].side, rows[8].value], [9, 'c5', 'black', 64]);
  assert.deepEqual([hints.length, hints[0].depth, hints[0].pv[0]], [3, '6', hints[0].move]);
  assert.deepEqual(over, [null, [], 2, null, [], true]);
  const expected = [
    ...Array(3).fill(/^EngineError: .*a1.* is illegal/),
    /^ValueError: neither a position nor moves: 'nowhere'/,
    /^TypeError: position: 3 is neither text nor a list of moves$/,
    /^ValueError: moves: 0 is not 1 or more$/,
    /^TypeError: .* unexpected keyword argument 'dept'/,
    /^ValueError: depth: 61 is not from 1 to 60$/,
    /^ValueError: depth: 0 is not from 1 to 60$/,
    /^TypeError: exact: 'x' is not a whole number$/,
    /^ValueError: moves: a position without moves has no losses: hint returns its value$/,
    /^ValueError: threads: 0 is not from 1 to 256$/,
    /^ValueError: threads: 257 is not from 1 to 256$/,
    /^ValueError: hash: 0 is not from 1 to 1048576$/,
    /^ValueError: network: 'huge' is neither 'small' nor 'large'$/,
    /^TypeError: .* unexpected keyword argument 'thread'/,
    /^EngineError: the engine has ended \(status -?\d+\)/,
    ...(process.platform === 'win32' ? [] : [/^KeyboardInterrupt/]),
    /^EngineError: the engine was closed/,
  ];
  assert.equal(errors.length, expected.length, errors.join('\n'));
  expected.forEach((pattern, at) => void assert.match(errors[at], pattern));
  const limits = JSON.parse(await printed(LIMITS));
  assert.deepEqual(limits, Array(18).fill(true), `${limits}`);
  const ends = JSON.parse(await printed(ENDS));
  assert.deepEqual(ends.pop(), [40, 'the engine was closed']);
  assert.ok(['true,true,true,1', 'true,true'].includes(ends.join()), ends.join());
});

test('mypy finds the mistakes of a script, and none without them', async (t) => {
  const { folder, python, reason } = await installWheel();
  if (reason) return t.skip(reason);
  try {
    await python(['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', 'mypy==2.4.1']);
  } catch {
    return t.skip('mypy cannot be installed');
  }
  const check = async (text) => {
    await writeFile(join(folder, 'script.py'), text);
    return python(['-m', 'mypy', '--strict', 'script.py']).catch(({ stdout }) => ({ stdout }));
  };
  assert.match((await check(TYPED)).stdout, /^Success: no issues found/);
  const { stdout } = await check(TYPED + MISTAKES.join('\n'));
  const first = TYPED.split('\n').length;
  MISTAKES.forEach(
    (_, at) => void assert.match(stdout, new RegExp(`^script.py:${first + at}: error: `, 'm')),
  );
});
