// The wheel, installed in an empty virtual environment.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

import { emptyFolder, examplesIn, installWheel, outputIn } from './unpacked.js';

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
  const place = await emptyFolder();
  t.after(() => place.remove());
  const { python, outflank, reason } = await installWheel(place.folder);
  if (reason) return t.skip(reason);
  assert.match((await outflank(['--version'])).stdout, /^outflank \d/);
  const printed = async (code) => (await python(['-c', code])).stdout.trim();
  const [example, table] = examplesIn(await readFile(README, 'utf8'), 'python');
  const columns = /\[(\[.*?\])\]/.exec(table)?.[1];
  const lines = (
    await printed(`${example}\nprint(all(row.keys() >= set(${columns}) for row in rows))`)
  ).split('\n');
  assert.deepEqual(
    lines.map((line) => line.trim()),
    [...outputIn(example, '#'), 'True'],
  );
  assert.equal(lines.length, 7);
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
  const ends = JSON.parse(await printed(ENDS));
  assert.deepEqual(ends.at(-1), [40, 'the engine was closed']);
  assert.deepEqual(
    ends.slice(0, -1),
    [
      [true, true],
      [true, 1],
    ].slice(0, ends.length - 1),
  );
});
