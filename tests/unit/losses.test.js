import assert from 'node:assert/strict';
import test from 'node:test';

import { lossSize } from '../../www/js/base/format.js';
import { accuracy } from '../../www/js/model/accuracy.js';
import { boundsOf, lossOf } from '../../www/js/model/losses.js';
import { summary } from '../../www/js/model/summary.js';

const board = (side, discs = 10) => `${'X'.repeat(discs)}${'-'.repeat(64 - discs)}${side}`;

/** A line of nodes with alternating sides, Black first, and its points. */
function game(points) {
  const nodes = points.map((_, i) => ({
    position: board(i % 2 ? 'O' : 'X', 10 + i),
    children: [],
    parent: null,
    ply: i,
    move: i ? `m${i}` : null,
  }));
  nodes.forEach((node, i) => {
    if (i > 0) {
      node.parent = nodes[i - 1];
      nodes[i - 1].children.push(node);
    }
  });
  return { nodes, points: new Map(nodes.map((node, i) => [node, points[i]])) };
}

const heuristic = (value, level) => ({ value, level, exact: false, kind: 'heuristic' });
const exact = (value) => ({ value, level: 1000, exact: true, kind: 'exact' });

test('losses count for the side that moved', () => {
  const { points, nodes } = game([exact(4), exact(0), exact(6)]);
  assert.deepEqual([lossOf(nodes[1], points).loss, lossOf(nodes[1], points).side], [4, 'X']);
  assert.deepEqual([lossOf(nodes[2], points).loss, lossOf(nodes[2], points).side], [6, 'O']);
  assert.equal(lossOf(nodes[1], points).changed, 'WD');
  assert.equal(lossOf(nodes[2], points).changed, 'DL');
});

test('a loss has an error bar until both sides of it are exact', () => {
  const { points, nodes } = game([heuristic(10, 20), exact(0)]);
  const cost = lossOf(nodes[1], points);
  assert.equal(cost.exact, false);
  assert.equal(cost.atLeast, 8);
  const vague = game([heuristic(3, 20), heuristic(0, 20)]);
  assert.equal(lossOf(vague.nodes[1], vague.points).atLeast, null);
});

test('values of very different depth make a mistake only where their errors leave one', () => {
  const cost = (before, after) => {
    const { points, nodes } = game([before, after]);
    return lossOf(nodes[1], points);
  };
  assert.equal(cost(heuristic(3, 14), heuristic(0, 15)).mistake, true);
  assert.equal(cost(heuristic(3, 24), heuristic(0, 14)).mistake, false);
  assert.equal(cost(heuristic(9, 24), heuristic(0, 14)).mistake, true);
  assert.equal(cost(heuristic(3, 14), exact(0)).mistake, true);
});

test('a deeper search of one side leaves the loss that the report found; of both sides it counts', () => {
  const { points, nodes } = game([heuristic(3, 15), heuristic(-1, 14)]);
  const now = new Map(points);
  now.reviewed = points;
  assert.deepEqual([lossOf(nodes[1], now).loss, lossOf(nodes[1], now).mistake], [4, true]);
  now.set(nodes[1], heuristic(2, 20));
  assert.deepEqual([lossOf(nodes[1], now).loss, lossOf(nodes[1], now).mistake], [4, true]);
  now.set(nodes[0], heuristic(2.5, 21));
  assert.deepEqual([lossOf(nodes[1], now).loss, lossOf(nodes[1], now).mistake], [0.5, false]);
});

test('the size of a loss is written in one way', () => {
  const size = (loss, exact) => lossSize({ loss, exact });
  assert.deepEqual(
    [size(4, true), size(0, true), size(8.4, false), size(1.26, false), size(0.02, false)],
    ['4', '0', '≈\u202f8.4', '≈\u202f1.3', '0'],
  );
  assert.equal(size(0.05, false), '≈\u202f0.1');
  assert.equal(size(0.4, true), '0');
  // White has won, and it is not known by how much.
  const { points, nodes } = game([exact(10), { value: -9, level: 900, exact: false, kind: 'outcome' }]);
  const t = (key, { loss, least }) => `${key}: ${loss}, ${least}`;
  assert.equal(lossSize(lossOf(nodes[1], points), t), 'loss.proven: ≈\u202f19.0, 12');
  assert.equal(lossSize(lossOf(nodes[1], points)), '≈\u202f19.0');
});

test('what is unknown has no cost', () => {
  const { points, nodes } = game([exact(4), null]);
  assert.equal(lossOf(nodes[1], points), null);
  assert.equal(lossOf(nodes[0], points), null);
});

test('an outcome bounds the value', () => {
  assert.deepEqual(boundsOf({ value: 2, kind: 'outcome' }), { low: 2, high: 64 });
  assert.deepEqual(boundsOf({ value: 0, kind: 'outcome' }), { low: 0, high: 0 });
  assert.deepEqual(boundsOf({ value: -2, kind: 'outcome' }), { low: -64, high: -2 });
});

test('the summary splits by side and phase', () => {
  const { points, nodes } = game([exact(4), exact(0), exact(6), exact(6)]);
  const { X, O } = summary(nodes, points);
  assert.deepEqual([X.total, O.total], [4, 6]);
  assert.deepEqual(X.phases, [4, 0, 0]);
  assert.equal(X.mistakes.length, 1);
  assert.equal(O.changed.DL, 1);
});

test('a move without a choice costs nothing', () => {
  const { points, nodes } = game([{ ...heuristic(2, 14), forced: true }, heuristic(-3, 14)]);
  const cost = lossOf(nodes[1], points);
  assert.deepEqual([cost.loss, cost.mistake, cost.changed, cost.atLeast], [0, false, null, null]);
  const free = game([heuristic(2, 14), heuristic(-3, 14)]);
  assert.equal(lossOf(free.nodes[1], free.points).loss, 5);
});

test('accuracy: 100 for no loss, falling with every disc, nothing where nothing is known', () => {
  const at = (loss, known = 30) => accuracy({ total: loss * known, known, moves: known });
  assert.equal(accuracy({ total: 0, known: 0, moves: 0 }), null);
  assert.equal(accuracy({ total: 0, known: 26, moves: 30 }), null);
  assert.equal(accuracy({ total: 0, known: 27, moves: 30 }), 100);
  assert.deepEqual(
    [0, 0.5, 1, 2, 4, 8].map((loss) => at(loss)),
    [100, 92, 84, 71, 50, 25],
  );
  assert.equal(accuracy({ total: 0.04, known: 1, moves: 1 }), 100);
  assert.equal(
    accuracy({ total: 0.05, known: 60, moves: 60 }),
    99,
    'one loss that is written is one too many for 100',
  );
  assert.equal(at(64), 0);
  for (let loss = 0; loss < 64; loss += 0.01) {
    const [here, next] = [at(loss), at(loss + 0.01)];
    assert.ok(here >= next, `accuracy rose at a loss of ${loss}`);
    assert.ok(Number.isInteger(here) && here >= 0 && here <= 100);
  }
});
