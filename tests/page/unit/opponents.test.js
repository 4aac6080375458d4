// Opponents that make mistakes: moves drawn from the values that the fit of their table recorded.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';

import { START } from '../../../www/js/base/position.js';
import { choose, OPPONENTS } from '../../../www/js/model/opponents.js';
import { dice } from '../harness/dice.js';

/** By opponent: `forced` counts moves that had no choice, a case is `[empties, values, losses]` in tenths of a disc. */
const recorded = {};
for (const line of readFileSync(new URL('opponents.jsonl', import.meta.url), 'utf8').match(/.+/g)) {
  const [id, first, ...rest] = JSON.parse(line);
  if (rest.length > 0) recorded[id].cases.push([first, ...rest]);
  else recorded[id] = { forced: first, cases: [] };
}
const dicing = OPPONENTS.filter(({ temperature }) => temperature);

const positionWith = (empties) => `${'-'.repeat(empties)}${'X'.repeat(64 - empties)}X`;

/** Average loss of drawn moves if each recorded position occurs `times` times. */
function simulate({ id, temperature }, times) {
  const { forced, cases } = recorded[id];
  const random = dice(cases.length);
  let lost = 0;
  for (let time = 0; time < times; time++)
    for (const [empties, values, losses] of cases) {
      const rows = values.map((value, at) => ({ move: String(at), value: value / 10 }));
      lost += losses[Number(choose(rows, temperature, positionWith(empties), random))] / 10;
    }
  return lost / times / (cases.length + forced);
}

test('drawn moves lose the stated average, different for each opponent', () => {
  const lost = dicing.map((opponent) => simulate(opponent, 20));
  for (const [i, { id, loss }] of dicing.entries()) {
    assert.ok(Math.abs(lost[i] - loss) < 0.15 * loss + 0.05, `${id}: ${lost[i].toFixed(2)} of ${loss}`);
    if (i > 0)
      assert.ok(lost[i] < 0.9 * lost[i - 1], `${id}: ${lost[i].toFixed(2)}, ${lost[i - 1].toFixed(2)}`);
  }
});

test('every one of equal moves is drawn', () => {
  const rows = [...'abcd'].map((move) => ({ move, value: -1.4 }));
  const random = dice(7);
  const met = new Set(Array.from({ length: 200 }, () => choose(rows, 3, START, random)));
  assert.equal(met.size, 4);
});
