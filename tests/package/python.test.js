// The wheel, installed in an empty virtual environment.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { emptyFolder, packageNamed, run } from '../harness/packages.js';

const README = new URL('../../cli/python/README.md', import.meta.url);
const CHECK = `
import json, outflank
with outflank.Engine(hash=16) as engine:
    rows = engine.analyse("e6f4e3f6g5d6e7f5c5", depth=4)
    hints = engine.hint("f5d6c3", depth=6, moves=3)
    errors = []
    for ask in (engine.hint, engine.analyse, engine.play):
        try:
            ask("f5f6a1")
        except outflank.EngineError as error:
            errors.append(str(error))
    over = [engine.play("e6f4e3f6g5d6e7f5c5"), engine.hint("e6f4e3f6g5d6e7f5c5")]
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
  assert.deepEqual(over, [null, []]);
  assert.ok(errors.length === 3 && errors.every((error) => /a1.* is illegal/.test(error)), errors.join());
});
