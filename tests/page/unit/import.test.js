// Import through the rules module: every format is read, and no input makes the module trap.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { CodedError } from '../../../www/js/base/coded-error.js';
import { START } from '../../../www/js/base/position.js';
import { Translations } from '../../../www/js/base/translations.js';
import { readBackup, writeBackup } from '../../../www/js/io/backup.js';
import { errorText, readFiles, readText } from '../../../www/js/io/import.js';
import { readRecord } from '../../../www/js/model/game-record.js';
import { gameOf, treeOf } from '../../../www/js/model/game-tree.js';
import { GAME } from '../hands.js';
import { dice } from '../harness/dice.js';
import { rulesInNode } from '../rules.js';

const part = (name) =>
  JSON.parse(readFileSync(new URL(`../../../www/lang/parts/${name}.json`, import.meta.url), 'utf8'));

const rules = await rulesInNode();

const GGF =
  '(;GM[Othello]PC[GGS/os]DT[2014-02-21]PB[Ann]PW[Bob]RE[+4.000:r]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[F5/2.0/1]CO[good]W[D6]B[C3];)';
const QUEST =
  '{"id":"x","created":"2024-05-06T07:08:09.000Z","players":[{"id":"ann","name":"Ann","oldR":1800},{"id":"bob","name":"Bob","oldR":1700}],"position":{"moves":[{"m":"f5","t":1234},{"m":"d6","t":900},{"m":"c3"},{"s":"R"}]}}';
const PLAYOK =
  '[Event "?"]\n[Site "PlayOK"]\n[Date "2020.05.05"]\n[Black "Ann"]\n[White "Bob"]\n[Result "38-26"]\n\n1. f5 d6 2. c3 38-26\n';
const DIAGRAM =
  '  a b c d e f g h\n1 - - - - - - - -\n2 - - - - - - - -\n3 - - - - - - - -\n4 - - - O X - - -\n5 - - - X O - - -\n6 - - - - - - - -\n7 - - - - - - - -\n8 - - - - - - - -\nBlack to move\nf5 d6 c3';

/** Texts in every format. */
const SAMPLES = [
  '1. f5 d6\n2. c3',
  'Ｆ５　ｄ６、ｃ３',
  '黒番：山田\n白番：鈴木\n棋譜：f5d6c3',
  'c4 c3 e6 b4 a4 a5 b2 a3 パス c1',
  'f5d6c3\nf5f6e6',
  GGF,
  '(;FF[4]GM[2]SZ[8]PB[Ann]PW[Bob];B[f5];W[d6];B[c3])',
  `2 ${GGF} ${GGF}`,
  QUEST,
  `{"games":[${QUEST},${QUEST}]}`,
  `${PLAYOK}\n${PLAYOK}`,
  DIAGRAM,
  `${START.slice(0, 64)} X\nf5d6c3`,
  `${START.slice(0, 64)} X; F5:+0;`,
  '8/8/8/3Pp3/3pP3/8/8/8 w - - 0 1',
];

test('mutations of all samples give games or a named error', () => {
  const random = dice(7);
  const pick = (list) => list[random(list.length)];
  const pieces = [
    '(;',
    ';)',
    ']',
    '{',
    '"',
    '\\u',
    '棋譜:',
    'パス',
    '--',
    '\n\n',
    '\0',
    '\ud83d',
    '🟢',
    '99',
    '@@',
  ];
  const words = new Translations('en', part('en'));
  let games = 0;
  let faults = 0;
  for (let round = 0; round < 3000; round++) {
    let text = pick(SAMPLES);
    for (let change = random(5); change >= 0; change--) {
      const at = random(text.length + 1);
      const to = at + random(12);
      const kind = random(5);
      if (kind === 0) text = text.slice(0, at) + text.slice(to);
      else if (kind === 1) text = text.slice(0, at) + pick(pieces) + text.slice(at);
      else if (kind === 2) text = text.slice(0, at) + text.slice(at, to).repeat(2) + text.slice(to);
      else if (kind === 3) text = text.slice(0, at) + pick(SAMPLES) + text.slice(at);
      else text = text.slice(0, at);
    }
    try {
      const read = readText(rules, text);
      if (read.link) continue;
      assert.ok(read.games.length > 0);
      games += read.games.length;
      for (const game of read.games) {
        const tree = treeOf(rules, game);
        assert.equal(gameOf(tree).moves, game.moves);
        assert.ok(rules.write(gameOf(tree), 'ggf').startsWith('(;'));
      }
      for (const fault of read.faults ?? []) assert.ok(errorText(fault, words).length > 5);
    } catch (error) {
      assert.ok(error instanceof CodedError, `${JSON.stringify(text)}: ${error.stack}`);
      assert.ok(errorText(error, words).length > 5);
      assert.ok(words.has(`fault.${error.code}`), error.code);
      faults++;
    }
  }
  assert.ok(games > 500 && faults > 250, `${games} games, ${faults} faults`);
});

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

test('a link with moves is no link to a study', () => {
  const read = (/** @type {string} */ link) => readText({ readGames: (text) => ({ games: [text] }) }, link);
  assert.deepEqual(read('https://a.org/?x=1#moves=f5d6').games, ['https://a.org/?x=1#moves=f5d6']);
  assert.equal(read('https://a.org/#f5d6').link, 'f5d6');
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

test('a backup is read without its invalid games', () => {
  const game = { start: START, moves: GAME, black: 'Ann' };
  const record = readRecord({ ...game, folder: 'Worlds', tags: ['final'], added: 5 });
  const backup = JSON.parse(writeBackup([record]));
  assert.deepEqual(backup.games, [record]);
  backup.games.push(null, { moves: 'zz' }, 7, { start: START, moves: 5 });
  const { games, skipped } = readText(rules, JSON.stringify(backup));
  assert.deepEqual([games, skipped], [[record], 4]);
  assert.throws(() => readBackup(writeBackup([record]).slice(0, 90)), { code: 'json' });
});
