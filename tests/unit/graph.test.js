// The graph's scales.

import assert from 'node:assert/strict';
import test from 'node:test';

import { topOf } from '../../www/js/panels/plot.js';

test('a scale ends at a round number just above the largest value', () => {
  assert.deepEqual(
    [0, 0.2, 0.5, 0.9, 1.1, 2.3, 7, 9, 33, 61, 128, 900].map(topOf),
    [0.5, 0.5, 0.5, 1, 1.2, 2.4, 8, 10, 40, 80, 160, 1000],
  );
  for (let largest = 0.01; largest < 3000; largest *= 1.07) {
    const top = topOf(largest);
    assert.ok(top >= largest * 0.99, `${largest} stands out of ${top}`);
    assert.ok(largest < 0.5 || top <= largest * 1.4, `${largest} is small on ${top}`);
  }
  assert.equal(topOf(Number.NaN), 0.5);
});
