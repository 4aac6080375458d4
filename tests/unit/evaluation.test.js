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

test('how far a position was looked at: every move, or the best alone', () => {
  const evaluation = new Evaluation('p', ['a1', 'b1']);
  let told = 0;
  evaluation.changed = () => told++;
  evaluation.add(row('a1', 1, '6'));
  assert.deepEqual([evaluation.level, evaluation.reached(6)], [0, false]);
  evaluation.add(row('b1', 2, '8'));
  assert.deepEqual(
    [Math.floor(evaluation.level), evaluation.reached(6), evaluation.reached(7)],
    [6, true, false],
  );
  evaluation.addRoot(row('b1', 3, '14'));
  assert.deepEqual([evaluation.reached(14), evaluation.reached(16)], [true, false]);
  evaluation.addRoot(row('b1', 4, '100%'));
  assert.ok(evaluation.reached(60));
  assert.ok(!evaluation.add(row('b1', 3, '20')));
  assert.ok(told >= 4);
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
