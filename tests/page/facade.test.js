// The page's data against the rules: openings, samples and puzzles hold nothing illegal.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test, { before } from 'node:test';
import { START, squareName } from '../../www/js/base/position.js';
import { Signal } from '../../www/js/base/signal.js';
import { overlay } from '../../www/js/board/overlays.js';
import { Evaluations } from '../../www/js/engine/evaluations.js';
import { Openings } from '../../www/js/model/openings.js';
import { splitMoves } from '../../www/js/model/rules.js';
import { Scores } from '../../www/js/model/scores.js';
import { Tree } from '../../www/js/model/tree.js';
import { rulesInNode } from './rules.js';

const data = (name) =>
  JSON.parse(readFileSync(new URL(`../../www/data/${name}.json`, import.meta.url), 'utf8'));

let rules;
before(async () => {
  rules = await rulesInNode();
});

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
  const tree = Tree.fromGame(rules, { start: START, moves: 'f5d6c3d3c4f4' });
  assert.equal(openings.along(tree.main.at(-1)), 'Tiger');
});

test('the samples are whole games', () => {
  for (const { moves, en } of data('samples')) assert.ok(rules.look(after(moves)).over, en);
});

test('the scores of a puzzle are those of its legal moves, one of them best', () => {
  const puzzles = data('puzzles');
  assert.ok(puzzles.length > 100);
  for (const [position, scores] of puzzles) {
    const legal = rules.look(position).legal.map(squareName);
    for (const move of Object.keys(scores)) assert.ok(legal.includes(move), `${move} in ${position}`);
    const values = Object.values(scores);
    assert.equal(values.filter((score) => score === Math.max(...values)).length, 1, position);
  }
});

test('overlays are squares of the board', () => {
  const tree = Tree.fromGame(rules, { start: START, moves: 'f5d6c3' });
  const { node } = tree.play(tree.main.at(-1), 'd3');
  for (const name of ['mobility', 'frontier', 'stable', 'parity', 'threats']) {
    for (const square of overlay(name, rules, node).classes.keys())
      assert.ok(square >= 0 && square < 64, name);
  }
  assert.deepEqual([...overlay('numbers', rules, node).numbers.values()], [1, 2, 3, 4]);
});

test('deleting and promoting can be taken back', () => {
  const tree = Tree.fromGame(rules, { start: START, moves: 'f5d6c3d3' });
  const other = tree.play(tree.main[1], 'f4').node;
  const shape = (node) => [node.move, node.children.map(shape)];
  const before = shape(tree.root);
  const restore = tree.promote(other);
  assert.equal(tree.main[2].move, 'f4');
  restore();
  assert.deepEqual(shape(tree.root), before);
  const back = tree.remove(tree.main[2]);
  assert.equal(tree.main.length, 3);
  back();
  assert.deepEqual(shape(tree.root), before);
});

test('a pass is no node, and the loss before it counts for its mover', () => {
  const moves = data('samples').find(({ moves }) => moves.startsWith('e6f4e3f6g5')).moves;
  const tree = Tree.fromGame(rules, { start: START, moves });
  const evaluations = new Evaluations(rules, { write() {} });
  const scores = new Scores({ tree, changed: new Signal() }, evaluations, rules);
  const last = tree.main.at(-1);
  const { legal } = rules.look(last.parent.position);
  scores.prove(last.parent.position, Object.fromEntries(legal.map((at) => [squareName(at), 0])));
  const cost = scores.loss(last);
  assert.deepEqual([tree.main.length, cost.side], [10, 'X']);
});
