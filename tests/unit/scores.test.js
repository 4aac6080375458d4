// What is known of positions, joined: random searches of a small game, against what is true of it.

import assert from 'node:assert/strict';
import test from 'node:test';

import { lossSize } from '../../www/js/base/format.js';
import { forBlack, sideOf, squareName } from '../../www/js/base/position.js';
import { Signal } from '../../www/js/base/signal.js';
import { Evaluations } from '../../www/js/engine/evaluations.js';
import { readProof } from '../../www/js/engine/proof.js';
import { Scores } from '../../www/js/model/scores.js';
import { Tree } from '../../www/js/model/tree.js';
import { dice, EMPTY, smallGame as rules } from '../harness/small-game.js';

const minimax = new Map();
function truth(position) {
  let value = minimax.get(position);
  if (value === undefined) {
    const { over, legal, margin } = rules.look(position);
    const best = sideOf(position) === 'X' ? Math.max : Math.min;
    value = over ? margin : best(...legal.map((at) => truth(rules.play(position, squareName(at)).position)));
    minimax.set(position, value);
  }
  return value;
}

/** The true value of a move for its side. */
const worth = (position, move) => forBlack(truth(rules.play(position, move).position), sideOf(position));

const store = { read: async () => undefined, write() {}, clear() {}, count: async () => 0 };

function made(tree) {
  const evaluations = new Evaluations(rules, store);
  const study = { tree, changed: new Signal() };
  return { evaluations, study, scores: new Scores(study, evaluations, rules) };
}

/** A tree of random games. */
function grown(roll, games) {
  const tree = new Tree(rules, EMPTY);
  for (let i = 0; i < games; i++)
    for (let node = tree.root; !rules.look(node.position).over; ) {
      const { legal } = rules.look(node.position);
      node = tree.play(node, squareName(legal[roll(legal.length)])).node;
    }
  return tree;
}

/** What an engine may say of a move: near the truth, or proven. */
function said(position, move, depth, roll) {
  const value = worth(position, move);
  const proof =
    roll(8) === 0
      ? readProof('100%', value)
      : roll(8) === 0
        ? readProof('100%W', value)
        : readProof(roll(3) === 0 ? `${depth}@84%` : String(depth), value);
  const guess =
    proof.kind === 'exact'
      ? value
      : proof.kind === 'outcome'
        ? Math.sign(value) * 2
        : value + roll(80) / 10 - 4;
  const pv = [move];
  for (let at = rules.play(position, move).position; !rules.look(at).over && roll(5) > 0; ) {
    const { legal } = rules.look(at);
    const next = squareName(legal[roll(legal.length)]);
    pv.push(next);
    at = rules.play(at, next).position;
  }
  return { move, value: guess, proof, pv };
}

/** The engine looks at a position in one of its ways. */
function search(evaluations, scores, position, roll) {
  const moves = rules.look(position).legal.map(squareName);
  const evaluation = evaluations.get(position);
  const depth = 1 + roll(24);
  const best = moves.reduce((a, b) => (worth(position, b) > worth(position, a) ? b : a));
  const way = roll(10);
  if (way < 5) for (const move of moves) evaluation.add(said(position, move, depth, roll));
  else if (way < 6) evaluation.add(said(position, moves[roll(moves.length)], depth, roll));
  else if (way < 9) {
    // What is proven of the best move is proven of the position: then it has to be the best.
    const row = said(position, moves[roll(moves.length)], depth, roll);
    const proven = ['exact', 'outcome'].includes(row.proof.kind);
    evaluation.addRoot(proven ? { ...said(position, best, depth, () => 0), pv: [best] } : row);
  } else scores.prove(position, Object.fromEntries(moves.map((move) => [move, worth(position, move)])));
}

test('whatever is searched in whatever order, the value of a position is one, and the loss of a move is the difference of two', () => {
  for (let seed = 1; seed <= 24; seed++) {
    const roll = dice(seed);
    const tree = grown(roll, 4);
    const { evaluations, scores, study } = made(tree);
    study.changed.send('load');
    const nodes = [...tree.nodes()];
    const open = nodes.filter(({ position }) => !rules.look(position).over);
    let forgot = false;
    for (let step = 0; step < 25; step++) {
      search(evaluations, scores, open[roll(open.length)].position, roll);
      if (seed % 3 === 0 && roll(8) === 0) {
        forgot = true;
        const { position } = open[roll(open.length)];
        evaluations.known.delete(position);
        evaluations.changed.send(position);
      }
      // What was worked out bit by bit is what is worked out at once.
      const fresh = !forgot && roll(5) === 0 && new Scores(study, evaluations, rules);
      study.changed.send('tree');
      for (const { position } of nodes) for (const told of [scores, fresh]) if (told) told.rows(position);
      for (const node of nodes) {
        const { parent, position } = node;
        const at = scores.value(position);
        const where = `seed ${seed}, step ${step}, ${node.moves.join(' ')}`;
        if (fresh) assert.deepEqual(fresh.value(position), at, where);
        if (rules.look(position).over) assert.deepEqual([at.value, at.exact], [truth(position), true]);
        if (at?.exact) assert.equal(at.value, truth(position), `${where}: exact is exact`);
        if (at?.kind === 'outcome')
          assert.equal(Math.sign(at.value), Math.sign(truth(position)), `${where}: outcome`);
        if (!parent) continue;
        const before = scores.value(parent.position);
        const cost = scores.loss(node);
        assert.equal(cost === null, before === null || at === null, where);
        if (cost) {
          const lost = before.forced
            ? 0
            : Math.max(0, forBlack(before.value - at.value, sideOf(parent.position)));
          assert.equal(cost.loss, lost, where);
          assert.deepEqual(scores.cost(parent.position, node.move), cost, where);
        }
        const { map, best, sorted } = scores.rows(parent.position);
        const row = map.get(node.move);
        if (row)
          assert.deepEqual(
            [forBlack(row.value, sideOf(parent.position)), row.proof.kind === 'exact'],
            [at.value, at.exact],
            where,
          );
        assert.equal(best === null, before === null, where);
        if (best)
          assert.deepEqual(
            [forBlack(best.value, sideOf(parent.position)), best.move],
            [before.value, before.move ?? ''],
            where,
          );
        if (best && map.has(best.move)) assert.equal(sorted[0].move, best.move, where);
      }
    }
  }
});

/** Black to move, with moves a1, b1 and c1. */
const AFTER = (move) => rules.play(EMPTY, move).position;
const row = (move, value, depth, pv = [move]) => ({ move, value, proof: readProof(depth, value), pv });

function table() {
  const { evaluations, scores, study } = made(new Tree(rules, EMPTY));
  const told = (position, ...rows) => {
    for (const row of rows) evaluations.get(position).add(row);
  };
  return { evaluations, scores, study, told };
}

test('a value waits until every move has reached its level', () => {
  const { scores, told } = table();
  told(EMPTY, row('a1', 1, '6'), row('b1', 0, '6'));
  assert.equal(scores.value(EMPTY), null);
  told(EMPTY, row('c1', 2, '6'));
  assert.equal(scores.value(EMPTY).value, 2);
  // One move ahead of the others: the position has only the level that all have.
  told(EMPTY, row('a1', 9, '8'));
  assert.deepEqual([Math.floor(scores.value(EMPTY).level), scores.value(EMPTY).value], [6, 9]);
});

test('a search for one move is enough, until every move was looked at further', () => {
  const { evaluations, scores, told } = table();
  told(EMPTY, row('a1', 1, '4'), row('b1', 7, '4'), row('c1', 2, '4'));
  evaluations.get(EMPTY).addRoot(row('c1', 3, '14'));
  assert.deepEqual([scores.value(EMPTY).value, scores.value(EMPTY).move], [3, 'c1']);
  // What only the shallow search takes for better stands behind it.
  assert.deepEqual(
    scores.rows(EMPTY).sorted.map(({ move }) => move),
    ['c1', 'b1', 'a1'],
  );
  told(EMPTY, row('a1', 1, '16'), row('b1', 4, '16'), row('c1', 2, '16'));
  assert.deepEqual([scores.value(EMPTY).value, scores.value(EMPTY).move], [4, 'b1']);
});

test('what is found deeper later moves the positions before and after it, along the best moves', () => {
  const { evaluations, scores, study } = table();
  const { tree } = study;
  const [a] = [tree.play(tree.root, 'a1').node];
  const b = tree.play(a, 'b1').node;
  study.changed.send('tree');
  evaluations.get(EMPTY).addRoot(row('a1', 3, '14', ['a1', 'b1']));
  evaluations.get(a.position).addRoot(row('b1', -2, '14'));
  // The position after the best move was looked at a ply further.
  assert.deepEqual(
    [tree.root, a, b].map(({ position }) => scores.value(position).value),
    [2, 2, 2],
  );
  assert.deepEqual([scores.loss(a).loss, scores.loss(b).loss], [0, 0]);
  evaluations.get(b.position).addRoot(row('c1', 5, '20'));
  assert.deepEqual(
    [tree.root, a, b].map(({ position }) => scores.value(position).value),
    [5, 5, 5],
  );
  // A deep search of the start carries its value down its line.
  evaluations.get(EMPTY).addRoot(row('a1', 1, '30', ['a1', 'b1', 'd1']));
  assert.deepEqual(
    [tree.root, a, b].map(({ position }) => scores.value(position).value),
    [1, 1, 1],
  );
  assert.equal(scores.rows(b.position).best.move, 'd1');
});

test('a move that turned out well repairs the position before it; a shallow look does not', () => {
  const { evaluations, scores } = table();
  evaluations.get(EMPTY).addRoot(row('a1', 0, '14'));
  evaluations.get(AFTER('b1')).addRoot(row('a1', -4, '8'));
  assert.equal(scores.value(EMPTY).value, 0);
  scores.prove(AFTER('b1'), { a1: -4, c1: -6, d1: -8 });
  assert.deepEqual(
    [scores.value(EMPTY).value, scores.value(EMPTY).exact, scores.value(EMPTY).move],
    [4, false, 'b1'],
  );
  assert.equal(scores.cost(EMPTY, 'b1').loss, 0);
});

test('exact scores from elsewhere change everything told of a move', () => {
  const { scores, told } = table();
  told(EMPTY, row('a1', 1.2, '10'), row('b1', 5.1, '10'), row('c1', 2, '10'));
  assert.equal(lossSize(scores.cost(EMPTY, 'a1')), '≈\u202f3.9');
  assert.equal(scores.exact(EMPTY), null);
  scores.prove(EMPTY, { a1: -2, b1: 6, c1: 2 });
  assert.equal(lossSize(scores.cost(EMPTY, 'a1')), '8');
  assert.deepEqual([scores.value(EMPTY).exact, scores.rows(EMPTY).best.value], [true, 6]);
  assert.deepEqual(scores.exact(EMPTY), { a1: -2, b1: 6, c1: 2 });
  // A proof of the best move is none of the position while others may be better.
  const other = table();
  other.told(EMPTY, row('a1', 4, '100%'), row('b1', 2, '100%W'), row('c1', -2, '100%W'));
  assert.deepEqual([other.scores.value(EMPTY).exact, other.scores.value(EMPTY).kind], [false, 'outcome']);
});

test('another engine: nothing is known any more', () => {
  const { evaluations, scores, told } = table();
  evaluations.key = 'one';
  told(EMPTY, row('a1', 1, '6'), row('b1', 0, '6'), row('c1', 0, '6'));
  assert.equal(scores.value(EMPTY).value, 1);
  evaluations.engineIs({ name: 'another', version: '', weights: '' });
  assert.equal(scores.value(EMPTY), null);
  assert.equal(scores.rows(EMPTY).map.size, 0);
});
