import assert from 'node:assert/strict';
import test from 'node:test';
import { START } from '../../www/js/base/position.js';
import { readLine, setPosition } from '../../www/js/engine/nboard.js';

test('a hint becomes a row', () => {
  const row = readLine('search F5d6C3PAe4 -1.23 0 22@84% freeform');
  assert.equal(row.type, 'value');
  assert.equal(row.move, 'f5');
  assert.deepEqual(row.pv, ['f5', 'd6', 'c3', 'e4']);
  assert.equal(row.value, -1.23);
  assert.equal(row.depth, '22@84%');
  assert.equal(readLine('book F5 1.00 3 9@book').depth, 'book 9@book');
});

test('moves of a line may be joined by hyphens, values be pairs', () => {
  assert.deepEqual(readLine('search F5-D6-C3 1.5,-1.5 0 9').pv, ['f5', 'd6', 'c3']);
  assert.equal(readLine('search F5 1.5,-1.5 0 9').value, 1.5);
});

test('an engine move, with and without value', () => {
  assert.deepEqual(readLine('=== F5/1.23/0.45'), { type: 'move', move: 'f5', value: 1.23, seconds: 0.45 });
  assert.equal(readLine('=== PA').move, 'pa');
});

test('invalid numbers are not values', () => {
  assert.equal(readLine('search F5 what 0 9').type, 'other');
  assert.equal(readLine('nodestats N -nan').type, 'other');
  assert.equal(readLine('search').type, 'other');
  assert.equal(readLine('').type, 'other');
  assert.equal(readLine('pong x').number, null);
});

test('a position is sent as a game', () => {
  assert.equal(
    setPosition(START),
    'set game (;GM[Othello]PC[Outflank]PB[Black]PW[White]RE[?]TY[8]BO[8 ---------------------------O*------*O--------------------------- *];)',
  );
  assert.match(
    setPosition(`${START.slice(0, 64)}O`, { seconds: 65.4, increment: 2 }),
    /TI\[1:05\/0:02\]TY\[8\]BO\[8 \S{64} O\]/,
  );
});
