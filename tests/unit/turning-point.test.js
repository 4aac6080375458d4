// Where a game turned.

import assert from 'node:assert/strict';
import test from 'node:test';

import { turningPoint } from '../../www/js/model/turning-point.js';

/** A line with these values for Black; whole ones ending in `!` are exact. */
function game(...values) {
  const line = values.map((_, ply) => ({ ply }));
  const points = new Map(
    line.map((node, i) => {
      const [value] = [values[i]];
      return [
        node,
        value === null ? null : { value: Number.parseFloat(value), exact: String(value).endsWith('!') },
      ];
    }),
  );
  const found = turningPoint(line, points);
  return found ? found.ply : found;
}

test('the move since which the winner was ahead', () => {
  assert.equal(game(0, 2, 3, -4, -2, '-6!'), 3);
  // Not the first time, but the one for good.
  assert.equal(game(0, -4, 5, -4, -2, '-6!'), 3);
  assert.equal(game(0, 5, '4!'), 1);
});

test('a value below one disc is even, unless it is exact', () => {
  assert.equal(game(0, 5, 0.6, 0.9, 4, '4!'), 4);
  assert.equal(game(2, '2!', '0!', '0!'), 2);
});

test('there may be none', () => {
  assert.equal(game(3, 2, 5, '4!'), null);
  assert.equal(game(3, 2, 5), null);
});

test('an unfinished game turned on the board, whichever side resigned or ran out of time', () => {
  assert.equal(game(0, 4, -5, 2, 6), 3);
  assert.equal(game(3, -4, -2, 0.2), 3);
});

test('nothing is said where a value is missing', () => {
  assert.equal(game(3, null, 5, '4!'), undefined);
  assert.equal(game(-3, 2, null), undefined);
});
