// The data of the page against the rules module: openings, samples and puzzles are legal; values of games.

import assert from 'node:assert/strict';
import test from 'node:test';
import { emptyCount, START, sideOf } from '../../../www/js/base/position.js';
import { Store } from '../../../www/js/io/store.js';
import { endingsOf, GRADES, gradeOf, winners } from '../../../www/js/model/endings.js';
import { Openings } from '../../../www/js/model/openings.js';
import { readSuite } from '../../../www/js/model/puzzles.js';
import { splitMoves } from '../../../www/js/model/rules.js';
import { Study } from '../../../www/js/model/study.js';
import { Tree } from '../../../www/js/model/tree.js';
import { Values } from '../../../www/js/model/values.js';
import { reasonLines } from '../../../www/js/panels/ideas.js';
import { emptyStorage, json, LANGUAGES } from '../harness/app.js';
import { rules } from '../rules.js';

const data = (name) => json(`data/${name}`);

const after = (moves) =>
  splitMoves(moves).reduce((position, move) => rules.play(position, move).position, START);

test('every opening can be played, and no two share a position', () => {
  const seen = new Map();
  for (const { moves, en } of data('openings').lines) {
    const position = rules.canonical(after(moves));
    assert.ok(!seen.has(position), `${en} = ${seen.get(position)}`);
    seen.set(position, en);
  }
  assert.ok(data('openings').sources.length > 0);
});

test('an opening is known in all its symmetric forms and in three languages', () => {
  const words = { language: 'ja', pick: (texts) => texts[words.language] };
  const openings = new Openings(rules, words);
  openings.load(data('openings').lines);
  const moves = 'f5d6c3d3c4 c4e3f6e6f5 d3c5f6f5e6 e6f4c3c4d3'.split(' ');
  const names = () => moves.map((line) => openings.name(after(line))).join();
  assert.equal(names(), '虎,虎,虎,虎');
  words.language = 'fr';
  assert.equal(names(), 'Tigre,Tigre,Tigre,Tigre');
  words.language = 'en';
  assert.equal(openings.along(new Tree(rules, 'f5d6c3d3c4f4').main.at(-1)), 'Tiger');
});

test('the samples are whole games', () => {
  for (const { moves, en } of data('samples')) assert.ok(rules.look(after(moves)).over, en);
});

test('every puzzle has exact scores of all moves and one best move', () => {
  const puzzles = readSuite(rules, data('puzzles'));
  assert.equal(puzzles.length, data('puzzles').length);
  for (const { position, scores } of puzzles) {
    const [best, second] = Object.values(scores).sort((a, b) => b - a);
    assert.ok(!(best <= second), position);
  }
});

test('every ending has 16 to 24 empty squares, a move that wins and others, and the easiest are first', () => {
  const endings = readSuite(rules, data('endings'));
  assert.equal(new Set(endings.map(({ position }) => rules.canonical(position))).size, 300);
  const grades = endings.map((ending) => GRADES.indexOf(gradeOf(ending)));
  assert.deepEqual(grades, grades.toSorted());
  for (const { position, scores } of endings) {
    const empty = emptyCount(position);
    assert.ok(empty >= 16 && empty <= 24, position);
    const values = Object.values(scores);
    assert.ok(values.some((score) => score > 0) && values.some((score) => score <= 0), position);
  }
});

test('invalid entries of a suite are skipped, and another file is no suite', () => {
  const [good] = data('endings');
  const cut = good.slice(0, -1);
  const bad = [null, 7, {}, '', good.slice(0, 64), cut, `${good}A`, `${cut}~`, `${'X'.repeat(63)}-XA`];
  const [one, ...others] = readSuite(rules, [...bad, good]);
  assert.deepEqual([one, others], [readSuite(rules, [good])[0], []]);
  for (const file of [null, undefined, 'x', 5, {}]) assert.equal(readSuite(rules, file), null);
});

test('an ending is graded by the moves that win, and taken from the first turn of the user after 40 moves', () => {
  const graded = '2 0 -2,8 2 -2,8 2 2 4,0 0 -2,-4 -6'.split(',').map((row) => {
    const scores = { ...row.split(' ').map(Number) };
    return `${winners(scores)} ${gradeOf({ scores })}`;
  });
  assert.equal(graded.join(), '1 hard,2 medium,4 easy,2 medium,1 hard');
  const [{ moves }] = data('samples');
  const game = { start: START, moves };
  const sides = ['X', 'O', null].map((side) => {
    const [{ position, scores }, ...others] = endingsOf(rules, [game, game], () => side);
    assert.deepEqual([scores, gradeOf({ scores }), others], [null, 'own', []]);
    return sideOf(position) + emptyCount(position);
  });
  assert.equal(sides.join(), 'X20,O19,X20');
  const others = [moves.slice(0, 60), 'a1'].map((moves) => ({ start: START, moves }));
  assert.equal(endingsOf(rules, others, () => null).length, 0);
});

const line = (value, depth, ...pv) => `search ${pv.join('')} ${value} 0 ${depth}`;

function valuesOf(moves) {
  emptyStorage();
  const study = new Study(rules);
  study.load(new Tree(rules, moves));
  return { study, main: study.tree.main, values: new Values(study, new Store()) };
}

test('a loss has its values, also those of a variation and of another game; given moves have none', () => {
  const { main, study, values } = valuesOf('f5d6c3');
  const [, first, second] = main;
  values.add(first.position, { best: line(-1, 14, 'f4', 'e3') });
  // An iteration of a search for two of three moves has the certainty of its depth.
  values.hear(second.position, [line(5, 15, 'c4'), line(4.5, 15, 'c3')]);
  assert.deepEqual(values.rows(second.position).best.proof, { kind: 'heuristic', depth: 15, level: 15.1 });
  assert.deepEqual(values.cost(first.position, 'd6'), values.loss(second));
  study.go(first);
  values.add(study.play('f4').position, { best: line(-9, 20, 'e3') });
  // Another game has the values of the same positions, and so has the first one after an undo.
  study.load(new Tree(rules, 'f5d6'));
  assert.equal(values.loss(study.tree.main[2]).loss, 14);
  assert.equal(values.at(second).point, null);
  study.undo();
  assert.equal(values.loss(second).loss, 14);
  study.load(new Tree(rules, 'f5d6', { given: 2 }));
  assert.equal(values.loss(study.tree.main[2]), null);
});

test('moves have exact scores if each is proven, values of a book if they are shallow, and may be equal', () => {
  const { main, values } = valuesOf('f5d6');
  const { position } = main.at(-1);
  const moves = rules.moves(position);
  const [first, ...others] = moves;
  values.add(position, { rows: moves.map((move) => line(0, 6, move)) });
  // Moves of the same value as shown are best, unless one is searched deeper.
  values.hear(position, [line(0.04, 6, others[0])]);
  assert.deepEqual(values.best(position, first), moves.toSorted());
  values.hear(position, [line(0.04, 9, others[0])]);
  assert.deepEqual(values.best(position, others[0]), [others[0]]);
  values.core.add_book_values([[rules.play(position, first).position, -7, '']]);
  const kinds = [true, false].map((withBook) => values.rows(position, withBook).best.proof.kind);
  assert.equal(`${kinds} ${values.exact(position)}`, 'book,heuristic null');
  const exact = { ...Object.fromEntries(moves.map((move) => [move, 2])), [first]: 4 };
  values.prove(position, exact);
  assert.deepEqual([values.exact(position), values.cost(position, others[0]).loss], [exact, 2]);
});

const ENGINE = 'Outflank 1 aaaa';
const info = (weights) => ({ name: 'Outflank', version: '1', weights });
async function valuesIn(store) {
  const values = new Values(new Study(rules), store);
  await values.engineIs(info('aaaa'));
  return values;
}
/** Values of an engine, and a store with these rows of its evaluations. */
async function storedValues(rows) {
  emptyStorage();
  const store = new Store();
  await store.write('meta', 'engine', ENGINE);
  await store.writeAll('evaluations', rows);
  return { store, values: await valuesIn(store) };
}
/** Recalls the values of the start position. Returns whether any were stored, and the best one. */
const recalled = async (values) => `${await values.recall(START)} ${values.rows(START).sorted[0]?.value}`;

test('values are stored under the engine and its weights', async () => {
  const stored = (...rows) => ({ engine: ENGINE, rows, best: null });
  const withOdd = (odd) => storedValues([[START, stored(odd, line(3, 12, 'f5'))]]);
  const { values: invalid } = await withOdd(7);
  assert.equal(await recalled(invalid), 'false undefined');
  const { store, values } = await withOdd('odd');
  assert.equal(await recalled(values), 'true 3');
  // Another part of the page saves a deeper search.
  await store.write('evaluations', START, stored(line(4, 14, 'f5')));
  values.reread();
  assert.equal(await recalled(values), 'true 4');
  // A slow network begins with the coarse weights: their values are not saved, and the saved ones stay.
  await values.engineIs({ ...info('cccc'), coarse: true });
  values.add(START, { best: line(5, 20, 'f5') });
  values.keep(START);
  await values.engineIs(info('aaaa'));
  assert.equal(await recalled(values), 'true 4');
  assert.ok(values.isBy(info('aaaa')) && !values.isBy(info('bbbb')));
  // The same page, its engine replaced by one with other weights.
  await values.engineIs(info('bbbb'));
  assert.equal(await recalled(values), 'false undefined');
  assert.equal(await store.read('meta', 'engine'), 'Outflank 1 bbbb');
  assert.equal(await store.count('evaluations'), 0);
});

test('the oldest stored values are removed beyond the limit; values of a report are restored as such', async () => {
  const rows = Array.from({ length: 20_001 }, (_, i) => [`p${i}`, { at: i }]);
  const { store, values } = await storedValues(rows);
  assert.equal(await store.count('evaluations'), 15_000);
  assert.deepEqual(await store.read('evaluations', 'p20000'), { at: 20_000 });
  assert.equal(await store.read('evaluations', 'p0'), undefined);
  values.add(START, { reviewed: line(3, 14, 'f5') });
  values.add(START, { best: line(5, 20, 'f5') });
  values.keep(START);
  const { at, ...saved } = await store.read('evaluations', START);
  const row = line('5.00', 20, 'f5');
  assert.deepEqual(saved, { engine: ENGINE, rows: [row], best: row, reviewed: line('3.00', 14, 'f5') });
  assert.equal(await recalled(await valuesIn(store)), 'true 5');
});

test('every idea has a board that can be played and a text in every language, and its word in a sentence leads to it', () => {
  const texts = LANGUAGES.map((language) => json(`lang/parts/${language}`));
  for (const { id, moves, better, played } of data('ideas')) {
    const move = better ?? played;
    assert.ok(!move || rules.moves(after(moves)).includes(move), id);
    for (const words of texts) assert.ok(words[`idea.${id}.told`], id);
  }
  // The longest word is first.
  for (const words of texts)
    for (const [key, sentence] of Object.entries(words)) {
      const [, kind] = /^why\.(.+)$/.exec(key) ?? [];
      if (!kind || kind === 'none') continue;
      const [{ children }] = reasonLines({ t: (key) => words[key] }, [sentence]);
      const term = children.flat().find((part) => part.tag === 'button');
      assert.deepEqual(term?.children, [words[`idea.${kind}`]], sentence);
    }
});
