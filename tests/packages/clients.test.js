// One analysis in all clients: the command line, Python and Node give a game the same values, losses and best moves. The page has
// them in `page/release/values.test.js`.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { nameOf, randomGame } from '../page/harness/board.js';
import { dice } from '../page/harness/dice.js';
import { installNpm, installWheel, run } from './unpacked.js';

const GAMES = 20;
const DEPTH = 6;

/** What every client states of a move. */
const FIELDS = 'value loss best bestValue exact atLeast changed mistake'.split(' ');
const rowsOf = (game) => game.map((row) => FIELDS.map((field) => row[field]));
/** Reads lines of JSON with the names of fields in Node. */
const parsed = (text) =>
  JSON.parse(text.replaceAll('"best_value"', '"bestValue"').replaceAll('"at_least"', '"atLeast"'));

test('20 games have the same values, losses and best moves in every client', async (t) => {
  const [forNode, wheel] = [await installNpm(), await installWheel()];
  if (wheel.reason) return t.skip(wheel.reason);
  const random = dice(68);
  const games = Array.from({ length: GAMES }, () => randomGame(random).moves.map(nameOf).join(''));
  await writeFile(join(wheel.folder, 'games.txt'), games.join('\n'));
  const words = ['analyze', 'games.txt', '--depth', String(DEPTH)];
  const { stdout: ofProgram } = await wheel.outflank(words);
  const expected = ofProgram.match(/.+/g).map((line) => {
    const { losses, positions } = parsed(line);
    const valued = losses.map((row, at) => {
      const { best, value: bestValue } = positions[at];
      return { ...row, value: positions[at + 1].value, best, bestValue };
    });
    return rowsOf(valued);
  });
  for (const [i, game] of games.entries()) assert.equal(expected[i].length, game.length / 2);

  const { stdout: ofPython } = await wheel.python([
    '-c',
    `import json, outflank
with outflank.Engine() as engine:
    print(json.dumps([engine.analyse(game, depth=${DEPTH}) for game in open("games.txt").read().split()]))`,
  ]);
  assert.deepEqual(parsed(ofPython).map(rowsOf), expected);

  const script = `
    import { Outflank } from 'outflank';
    const engine = await Outflank.start();
    const all = [];
    for (const game of ${JSON.stringify(games)}) all.push(await engine.analyse(game, { depth: ${DEPTH} }));
    console.log(JSON.stringify(all));`;
  await writeFile(join(forNode, 'script.js'), script);
  const { stdout: ofNode } = await run(process.execPath, ['script.js'], { cwd: forNode, maxBuffer: 1 << 26 });
  assert.deepEqual(JSON.parse(ofNode).map(rowsOf), expected);
});
