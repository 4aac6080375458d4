// Import through the rules module: every format is read, and no input makes the module trap.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { CodedError } from '../../../www/js/base/coded-error.js';
import { START } from '../../../www/js/base/position.js';
import { readFiles, readText } from '../../../www/js/io/import.js';
import { gameOf, treeOf } from '../../../www/js/model/game-tree.js';
import { rulesInNode } from '../rules.js';

const part = (name) =>
  JSON.parse(readFileSync(new URL(`../../../www/lang/parts/${name}.json`, import.meta.url), 'utf8'));

const rules = await rulesInNode();

test('long invalid texts are refused in proportion to their length', () => {
  const start = process.cpuUsage();
  for (const piece of [
    'f5',
    '(;',
    '{"a":[',
    '[A "b"]\n',
    '棋譜:',
    '🟢',
    '\u202e',
    '(;GM[Othello]CO[',
    '1. ',
  ]) {
    const text = piece.repeat(Math.floor(100_000 / piece.length));
    try {
      readText(rules, text);
    } catch (error) {
      assert.ok(error instanceof CodedError, error.stack);
    }
  }
  // Microseconds of this process, whatever else runs. Texts that are read again from every bracket take many times as long.
  const { user, system } = process.cpuUsage(start);
  assert.ok(user + system < 20e6, `${(user + system) / 1e6} s`);
  assert.throws(() => readText(rules, 'f'.repeat(100_001)), { code: 'too-long' });
});

test('a file that is too large is refused', async () => {
  const huge = Object.defineProperty(new File([], 'huge.txt'), 'size', { value: 17_000_000 });
  await assert.rejects(readFiles(rules, [huge]), { code: 'file-size' });
});

test('a picture is refused as a picture, in every language', async () => {
  const picture = new File(['\x89PNG'], 'board.png', { type: 'image/png' });
  await assert.rejects(readFiles(rules, [picture]), { code: 'picture' });
  for (const language of ['en', 'fr', 'ja', 'zh']) assert.ok(part(language)['fault.picture']);
});

test('a tree is restored from GGF with comments and variations', () => {
  const tree = treeOf(rules, { start: START, moves: 'f5d6c3d3', black: 'Ann' });
  tree.main[1].comment = 'a [good] move; really)';
  tree.main[2].comment = '(not a variation';
  let { node } = tree.play(tree.main[1], 'f4');
  node.comment = 'too early ~ (?)';
  node = tree.play(node, 'e3').node;
  tree.play(tree.main[2], 'c4');
  const text = rules.write(gameOf(tree), 'ggf');
  const [game] = rules.readGames(text).games;
  const again = treeOf(rules, game);
  const shape = (node) => [
    node.move,
    node.comment.replace(/[[\]]/g, '|').replace('(good)', '|good|'),
    node.children.map(shape),
  ];
  assert.deepEqual(shape(again.root), shape(tree.root));
  assert.equal(again.tags.black, 'Ann');
});
