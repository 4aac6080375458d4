import assert from 'node:assert/strict';
import test from 'node:test';

import { alike, Evaluation } from '../../www/js/engine/evaluation.js';
import { readProof } from '../../www/js/engine/proof.js';

const row = (move, value, depth) => ({ move, value, proof: readProof(depth, value), pv: [move] });

test('marks are upgraded, never downgraded', () => {
  const evaluation = new Evaluation('p', ['a1', 'b1']);
  assert.ok(evaluation.add(row('a1', 4, '100%')));
  assert.ok(!evaluation.add(row('a1', 7, '22')));
  assert.equal(evaluation.rows.get('a1').value, 4);
  assert.ok(evaluation.add(row('b1', 1, '8')));
  assert.ok(!evaluation.add(row('b1', 3, '7')));
  assert.ok(evaluation.add(row('b1', 3, '8')));
});

test('moves that are not legal are left out', () => {
  const evaluation = new Evaluation('p', ['a1']);
  assert.ok(!evaluation.add(row('h8', 4, '8')));
  assert.equal(evaluation.best, null);
});

test('the point of the graph waits until every move has reached its level', () => {
  const evaluation = new Evaluation('p', ['a1', 'b1']);
  evaluation.add(row('a1', 1, '6'));
  assert.equal(evaluation.point, null);
  evaluation.add(row('b1', 2, '6'));
  assert.equal(evaluation.point.value, 2);
  // One move ahead of the other: the point has only the level that both have.
  evaluation.add(row('a1', 9, '8'));
  assert.deepEqual([Math.floor(evaluation.point.level), evaluation.point.value], [6, 9]);
  evaluation.add(row('b1', -3, '8'));
  assert.deepEqual([Math.floor(evaluation.point.level), evaluation.point.value], [8, 9]);
});

test('a one-line search gives a point of its own', () => {
  const evaluation = new Evaluation('p', ['a1', 'b1']);
  evaluation.addRoot(row('b1', 3, '14'));
  assert.deepEqual(
    [evaluation.point.value, Math.floor(evaluation.point.level), evaluation.point.move],
    [3, 14, 'b1'],
  );
});

test('what is stored is read back, what does not fit is not', () => {
  const evaluation = new Evaluation('p', ['a1', 'b1']);
  evaluation.add(row('a1', 1, '12'));
  evaluation.addRoot(row('b1', 2, '16'));
  const stored = JSON.parse(JSON.stringify(evaluation));
  const again = Evaluation.fromJSON('p', ['a1', 'b1'], stored);
  assert.equal(again.rows.get('a1').value, 1);
  assert.equal(again.root.value, 2);
  for (const bad of [
    null,
    7,
    { rows: 'x' },
    { rows: [{ move: 'a1' }] },
    { rows: [{ ...stored.rows[0], value: 'NaN' }] },
  ]) {
    assert.equal(Evaluation.fromJSON('p', ['a1'], bad).rows.size, 0);
  }
});

test('symmetric moves show one value', () => {
  const twin = (move) => (move === 'c1' ? 'other' : 'same');
  const rows = alike([row('a1', 1, '8'), row('b1', 2, '8'), row('c1', 5, '8')], twin);
  assert.deepEqual([rows.get('a1').value, rows.get('b1').value, rows.get('c1').value], [1.5, 1.5, 5]);
  const mixed = alike([row('a1', 1, '8'), row('b1', 2, '10')], twin);
  assert.equal(mixed.get('a1').value, 2);
});

test('after a whole-game analysis only what is proven moves the point', () => {
  const evaluation = new Evaluation('p', ['a1']);
  evaluation.add(row('a1', 5, '20'));
  assert.equal(evaluation.point.value, 5);
  // Its neighbours are searched to this depth: so it has to be.
  evaluation.review(row('a1', 1, '14'));
  assert.deepEqual([evaluation.point.value, Math.floor(evaluation.point.level)], [1, 14]);
  evaluation.add(row('a1', 3, '24'));
  assert.equal(evaluation.point.value, 1);
  assert.equal(evaluation.best.value, 3);
  evaluation.add(row('a1', 2, '100%'));
  assert.deepEqual([evaluation.point.value, evaluation.point.exact], [2, true]);
  evaluation.review(row('a1', 1, '16'));
  assert.equal(evaluation.point.value, 2);
});
