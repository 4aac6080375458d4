// The wheel, installed in an empty virtual environment.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { emptyFolder, packageNamed, run } from '../harness/packages.js';

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
        except (outflank.EngineError, ValueError, KeyboardInterrupt) as error:
            errors.append(f"{type(error).__name__}: {error}")
    for ask in (engine.hint, engine.analyse, engine.play):
        fails(ask, "f5f6a1")
    fails(engine.hint, "nowhere")
    fails(engine.hint, "", moves=0)
    fails(engine.analyse, "f5", depth=0)
    fails(outflank.Engine, threads=0)
    # Killed or interrupted during a request, it answers the next one.
    threading.Timer(1, lambda: engine._pipes["nboard"].process.kill()).start()
    fails(engine.hint, "", depth=60)
    if os.name != "nt":
        threading.Timer(1, os.kill, (os.getpid(), signal.SIGINT)).start()
        fails(engine.analyse, "f5d6c3", depth=60)
    over = [engine.play("e6f4e3f6g5d6e7f5c5"), engine.hint("e6f4e3f6g5d6e7f5c5"), len(engine.analyse(["f5", "d6"], depth=1))]
fails(engine.hint, "")
print(json.dumps([rows, hints, errors, over]))
`;

test('the wheel is used in an empty environment', async (t) => {
  const place = await emptyFolder();
  t.after(() => place.remove());
  const inside = (name) => join(place.folder, process.platform === 'win32' ? 'Scripts' : 'bin', name);
  try {
    await run('python3', ['-m', 'venv', place.folder]);
  } catch (error) {
    return t.skip(`python3 cannot create a virtual environment: ${error.message}`);
  }
  const python = (...words) => run(inside('python'), words, { cwd: place.folder });
  await python('-m', 'pip', 'install', '--quiet', '--no-index', await packageNamed(/\.whl$/));
  assert.match((await run(inside('outflank'), ['--version'])).stdout, /^outflank \d/);
  const example = /```python\n([\s\S]*?)```/.exec(await readFile(README, 'utf8'))?.[1] ?? '';
  assert.match((await python('-c', `${example}\nprint(len(rows))`)).stdout, /^8\s*$/);
  const [rows, hints, errors, over] = JSON.parse((await python('-c', CHECK)).stdout);
  assert.deepEqual([rows.length, rows[8].move, rows[8].side, rows[8].value], [9, 'c5', 'black', 64]);
  assert.deepEqual([hints.length, hints[0].depth, hints[0].pv[0]], [3, '6', hints[0].move]);
  assert.deepEqual(over, [null, [], 2]);
  const expected = [
    ...Array(3).fill(/^EngineError: .*a1.* is illegal/),
    /^ValueError: neither a position nor moves: 'nowhere'/,
    /^EngineError: hint: a number of moves expected/,
    /^EngineError: the engine has ended .*'0' for '--depth <D>'/,
    /^EngineError: the engine has ended .*'0' for '--threads <N>'/,
    /^EngineError: the engine has ended \(status -?\d+\)/,
    ...(process.platform === 'win32' ? [] : [/^KeyboardInterrupt/]),
    /^EngineError: the engine was closed/,
  ];
  assert.equal(errors.length, expected.length, errors.join());
  expected.forEach((pattern, at) => void assert.match(errors[at], pattern));
});
