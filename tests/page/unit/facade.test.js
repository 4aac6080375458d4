// The data of the page against the rules module: openings, samples and puzzles are legal; values of games.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { START, squareName } from '../../../www/js/base/position.js';
import { Signal } from '../../../www/js/base/signal.js';
import { Evaluations } from '../../../www/js/engine/evaluation.js';
import { GameAnalysis } from '../../../www/js/model/analysis.js';
import { Openings } from '../../../www/js/model/openings.js';
import { splitMoves } from '../../../www/js/model/rules.js';
import { Tree } from '../../../www/js/model/tree.js';
import { rulesInNode } from '../rules.js';

const data = (name) =>
  JSON.parse(readFileSync(new URL(`../../../www/data/${name}.json`, import.meta.url), 'utf8'));

const rules = await rulesInNode();

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
  for (const moves of ['f5d6c3d3c4', 'c4e3f6e6f5', 'd3c5f6f5e6', 'e6f4c3c4d3'])
    assert.equal(openings.name(after(moves)), '虎');
  words.language = 'fr';
  assert.equal(openings.name(after('f5d6c3d3c4')), 'Tigre');
  words.language = 'en';
  const tree = new Tree(rules, { start: START, moves: 'f5d6c3d3c4f4' });
  assert.equal(openings.along(tree.main.at(-1)), 'Tiger');
});

test('the samples are whole games', () => {
  for (const { moves, en } of data('samples')) assert.ok(rules.look(after(moves)).over, en);
});

test('a puzzle has scores of legal moves and one best move', () => {
  const puzzles = data('puzzles');
  assert.ok(puzzles.length > 100);
  for (const [position, scores] of puzzles) {
    const legal = rules.look(position).legal.map(squareName);
    for (const move of Object.keys(scores)) assert.ok(legal.includes(move), `${move} in ${position}`);
    const values = Object.values(scores);
    assert.equal(values.filter((score) => score === Math.max(...values)).length, 1, position);
  }
});

/** A store without content. */
const store = { read: async () => undefined, write() {}, clear() {}, count: async () => 0 };
const row = (value, depth, ...pv) => ({ move: pv[0], value, depth, pv });

function analysisOf(moves) {
  const tree = new Tree(rules, { start: START, moves });
  const study = { tree, changed: new Signal() };
  const evaluations = new Evaluations(rules, store);
  return { tree, study, evaluations, scores: new GameAnalysis(study, evaluations, rules) };
}

test('values of a game: points, losses, sums, rows, and what changes them', () => {
  const { tree, study, evaluations, scores } = analysisOf('f5d6c3');
  const [start, first, second] = tree.main;
  assert.deepEqual([scores.value(START), scores.loss(first), scores.at(start).level], [null, null, null]);
  evaluations.add(first.position, 'root', row(-1, '14', 'f4', 'e3'));
  evaluations.add(second.position, 'root', row(5, '16', 'c4'), row(4.5, '15', 'c3'));
  assert.deepEqual(evaluations.added(second.position).best.proof, {
    kind: 'heuristic',
    depth: 15,
    level: 15.1,
  });
  const { side, loss, mistake, best } = scores.loss(second);
  assert.deepEqual([side, loss, mistake, best], ['O', 4, true, 'f4']);
  assert.deepEqual(scores.cost(first.position, 'd6'), scores.loss(second));
  const sums = scores.summary(tree.main.slice(0, 3));
  assert.deepEqual([sums.O.loss, sums.O.known, sums.O.accuracy, sums.X.mistakes.length], [4, 1, 50, 0]);
  assert.equal(sums.O.mistakes[0].node, second);
  // A node without a signal, and a variation.
  const other = tree.play(first, 'f4').node;
  assert.equal(scores.at(other).point.value, 1);
  const { revision } = scores;
  evaluations.add(other.position, 'root', row(-9, '20', 'e3'));
  study.changed.send('tree');
  assert.ok(scores.revision > revision);
  assert.equal(scores.value(other.position).value, -9);
  // The values of a review count until deeper searches know both sides of the move.
  evaluations.add(first.position, 'reviewed', row(0, '14', 'f4'));
  evaluations.add(second.position, 'reviewed', row(2, '14', 'c4'));
  evaluations.add(second.position, 'root', row(8, '24', 'c4'));
  assert.equal(scores.loss(second).loss, 2);
  evaluations.add(first.position, 'root', row(-1, '24', 'f4'));
  assert.equal(scores.loss(second).loss, 7);
  // All values of another engine are dropped.
  evaluations.key = 'one';
  evaluations.engineIs({ name: 'another', version: '', weights: '' });
  assert.equal(scores.value(second.position), null);
});

test('a pass is no node, and the loss before it counts for its mover', () => {
  const { tree, scores } = analysisOf('e6f4e3f6g5d6e7f5c5');
  const last = tree.main.at(-1);
  const { legal } = rules.look(last.parent.position);
  scores.prove(last.parent.position, Object.fromEntries(legal.map((at) => [squareName(at), 0])));
  assert.deepEqual([tree.main.length, scores.loss(last).side], [10, 'X']);
});

test('rows: the best move first, exact scores replace estimates', () => {
  const { tree, evaluations, scores } = analysisOf('f5d6');
  const { position } = tree.main.at(-1);
  const moves = rules.look(position).legal.map(squareName);
  const add = (added, kind = 'rows') => evaluations.add(position, kind, added);
  for (const [i, move] of moves.entries()) assert.ok(add(row(i, '6', move)));
  assert.ok(!add(row(9, '5', moves[0])) && !add(row(9, '9', 'a1')));
  const sorted = () => scores.rows(position).sorted.map(({ move }) => move);
  assert.deepEqual(sorted(), moves.toReversed());
  add(row(2, '14', moves[1]), 'root');
  assert.deepEqual([sorted()[0], scores.rows(position).best.value], [moves[1], 2]);
  assert.equal(scores.exact(position), null);
  const exact = Object.fromEntries(moves.map((move, i) => [move, 4 - 2 * i]));
  scores.prove(position, exact);
  assert.deepEqual(scores.exact(position), exact);
  assert.deepEqual([scores.value(position).exact, scores.cost(position, moves[1]).loss], [true, 2]);
});

/** A store with rows in memory: `table key` of each. @param {Map<string, any>} rows */
function storeOf(rows) {
  const ofTable = (table) => [...rows.keys()].filter((key) => key.startsWith(`${table} `));
  return {
    read: async (table, key) => rows.get(`${table} ${key}`),
    write: async (table, key, value) => rows.set(`${table} ${key}`, structuredClone(value)),
    clear: async (table) => ofTable(table).map((key) => rows.delete(key)),
    count: async (table) => ofTable(table).length,
    all: async (table) => ofTable(table).map((key) => [key.slice(table.length + 1), rows.get(key)]),
    removeAll: async (table, keys) => keys.map((key) => rows.delete(`${table} ${key}`)),
  };
}
const info = (weights) => ({ name: 'Outflank', version: '1', weights });
const proved = (value, depth) => ({
  move: 'f5',
  value,
  proof: { kind: 'heuristic', depth, level: depth },
  pv: ['f5'],
});

test('values are stored under the engine and its weights', async () => {
  const kept = new Map([['meta engine', 'Outflank 1 aaaa']]);
  kept.set(`evaluations ${START}`, { engine: 'Outflank 1 aaaa', rows: [proved(3, 12)], root: null });
  const same = new Evaluations(rules, storeOf(kept));
  await same.engineIs(info('aaaa'));
  assert.equal(await same.recall(START), true);
  assert.equal(same.added(START).rows[0].value, 3);
  assert.equal(same.isBy(info('aaaa')), true);
  assert.equal(same.isBy(info('bbbb')), false);
  // The same page, its engine replaced by one with other weights.
  await same.engineIs(info('bbbb'));
  assert.equal(same.added(START).rows.length, 0);
  assert.equal(await same.recall(START), false);
  assert.equal(kept.get('meta engine'), 'Outflank 1 bbbb');
  assert.equal(kept.has(`evaluations ${START}`), false);
});

test('the oldest stored values are removed beyond the limit; values of a report are restored as such', async () => {
  const kept = new Map(Array.from({ length: 20_001 }, (_, i) => [`evaluations p${i}`, { at: i }]));
  kept.set('meta engine', 'Outflank 1 aaaa');
  const first = new Evaluations(rules, storeOf(kept));
  await first.engineIs(info('aaaa'));
  assert.equal(kept.size - 1, 15_000);
  assert.ok(kept.has('evaluations p20000') && !kept.has('evaluations p0'));
  first.add(START, 'reviewed', proved(3, 14));
  first.add(START, 'root', proved(5, 20));
  first.keep(START);
  const second = new Evaluations(rules, storeOf(kept));
  await second.engineIs(info('aaaa'));
  assert.equal(await second.recall(START), true);
  assert.deepEqual([second.added(START).best.value, second.added(START, true).best.value], [5, 3]);
});
