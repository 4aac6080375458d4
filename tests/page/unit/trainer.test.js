// Trained lines: storage, due times, symmetry. The trainer itself is tested with the real rules in `page/`.

import assert from 'node:assert/strict';
import test from 'node:test';

import { mergeAgain } from '../../../www/js/base/validate.js';
import { answered, RESTS_MS, UNTRIED } from '../../../www/js/model/practice.js';
import { Repertoire } from '../../../www/js/model/repertoire.js';

const storage = () => {
  const store = {
    kept: null,
    get: (_key, fallback) => (store.kept === null ? fallback : JSON.parse(store.kept)),
    set: (_key, value) => (store.kept = JSON.stringify(value)),
  };
  return store;
};
const sidesDue = (repertoire, now) => Array.from(repertoire.due(now), ({ side }) => side).join('');
const TIGER = { moves: 'c4e3f6e6f5', names: { en: 'Tiger', ja: '虎' } };

test('a line is stored once, is due for its added sides, and can be removed', () => {
  const store = storage();
  const repertoire = new Repertoire(store);
  let told = 0;
  repertoire.changed.listen(() => told++);
  repertoire.add(TIGER, ['X']);
  repertoire.add({ moves: 'f5d6c3d3c4', names: null }, ['X', 'O']);
  assert.deepEqual([repertoire.lines.length, told], [1, 2]);
  assert.equal(repertoire.lines[0].names.en, 'Tiger');
  assert.equal(sidesDue(repertoire, 1), 'XO');
  repertoire.remove({ moves: 'e6f4c3c4d3', names: null });
  assert.deepEqual([repertoire.lines, repertoire.due(1)], [[], []]);
  assert.equal(new Repertoire(store).lines.length, 0);
  for (const moves of ['f5z9', '']) assert.throws(() => repertoire.add({ moves, names: null }, ['X']));
});

test('known lines rest longer each time, failed ones are due at once, also after a reload', () => {
  const store = storage();
  const repertoire = new Repertoire(store);
  const now = 1_000_000;
  repertoire.add(TIGER, ['X', 'O']);
  repertoire.note(TIGER, 'X', true, now);
  assert.equal(sidesDue(repertoire, now), 'O');
  assert.equal(repertoire.next(null, now).side, 'O');
  repertoire.note(TIGER, 'X', true, now + RESTS_MS[1]);
  repertoire.note(TIGER, 'O', false, now);
  const again = new Repertoire(store);
  assert.equal(again.of(TIGER, 'X').due, now + RESTS_MS[1] + RESTS_MS[2]);
  assert.equal(sidesDue(again, now), 'O');
  // If no other line is due, the same one comes again.
  assert.equal(again.next({ line: TIGER, side: 'O' }, now).side, 'O');
  assert.equal(again.due(now + RESTS_MS[1] + RESTS_MS[2]).length, 2);
  assert.equal(again.next({ line: TIGER, side: 'O' }, now + RESTS_MS[1] + RESTS_MS[2]).side, 'X');
  again.note(TIGER, 'O', true, now);
  assert.equal(again.next(null, now), null);
});

test('an added line keeps the answer that another tab stores at the same time', () => {
  const store = storage();
  const line = { moves: 'f5f6e6f4g5', names: null };
  const answer = answered(UNTRIED, true, 1_000_000);
  const elsewhere = JSON.stringify({ lines: [line], progress: { [`${line.moves}X`]: answer } });
  const repertoire = new Repertoire(store);
  repertoire.add(line, ['X', 'O']);
  // The other tab has not read the added line, and overwrites it.
  store.kept = elsewhere;
  mergeAgain(store, 'trainer');
  const again = new Repertoire(store);
  assert.deepEqual([again.of(line, 'X'), again.of(line, 'O')], [answer, UNTRIED]);
});
