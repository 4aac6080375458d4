// The graph's scales, and its modes.

import assert from 'node:assert/strict';
import test from 'node:test';

import { GRAPH_MODES } from '../../www/js/io/settings.js';
import { MODES } from '../../www/js/panels/graph.js';
import { topOf } from '../../www/js/panels/plot.js';

test('the modes of the setting and of the graph are equal', () => {
  assert.deepEqual(GRAPH_MODES, MODES);
});

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
