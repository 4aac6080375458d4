// The figures of `outflank analyze` and of the page's report for the same game: the page's model works on the values that
// the program found and has to come to the program's losses and sums. `tests/tests/analyze.rs` holds the program to the
// file.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';

import { accuracy } from '../../www/js/model/accuracy.js';
import { lossOf, repair } from '../../www/js/model/losses.js';
import { summary } from '../../www/js/model/summary.js';

const rows = readFileSync(new URL('../data/report/analysis.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

/** A line of nodes for the page's model: of a position it looks at the side to move and the empty squares alone. */
function lineOf({ positions, losses }) {
  const nodes = positions.map(({ ply, side, empties }) => ({
    ply,
    position: `${'X'.repeat(64 - empties)}${'-'.repeat(empties)}${side === 'black' ? 'X' : 'O'}`,
    move: ply ? losses[ply - 1].move : null,
    parent: null,
    children: [],
  }));
  nodes.forEach((node, ply) => {
    if (ply === 0) return;
    node.parent = nodes[ply - 1];
    nodes[ply - 1].children.push(node);
  });
  return nodes;
}

/** Points as the engine's answers made them, before any repair. */
const found = ({ value, searched, proof, level, best, forced }) => ({
  value: searched ?? value,
  level,
  exact: proof === 'exact',
  kind: proof,
  move: best,
  forced,
});

const close = (a, b, what) => assert.ok(Math.abs(a - b) < 1e-9, `${what}: ${a} and ${b}`);

test('the program and the page come to the same figures', () => {
  assert.equal(rows.length, 3);
  for (const row of rows) {
    const nodes = lineOf(row);
    const known = new Map(row.positions.map((position) => [nodes[position.ply].position, found(position)]));
    assert.equal(known.size, nodes.length);
    const points = repair({ nodes: () => nodes }, (position) => known.get(position));
    for (const [ply, position] of row.positions.entries()) {
      const point = points.get(nodes[ply]);
      close(point.value, position.value, `the value at ${ply}`);
      assert.equal(point.exact, position.exact, `exact at ${ply}`);
      assert.equal(point.repaired ?? false, 'searched' in position, `repaired at ${ply}`);
      assert.equal(point.move, position.best, `the best move at ${ply}`);
    }
    for (const told of row.losses) {
      const loss = lossOf(nodes[told.ply], points);
      close(loss.loss, told.loss, `the loss at ${told.ply}`);
      assert.equal(loss.side, told.side === 'black' ? 'X' : 'O');
      assert.equal(loss.exact, told.exact);
      assert.equal(loss.changed, told.changed, `the change at ${told.ply}`);
      assert.equal(loss.mistake, told.mistake, `a mistake at ${told.ply}`);
      assert.equal(loss.mistake && loss.grade === 'grave', told.grave);
      if (told.at_least === null) assert.equal(loss.atLeast, null);
      else close(loss.atLeast, told.at_least, `at least at ${told.ply}`);
    }
    const sums = summary(nodes, points);
    for (const [side, name] of [
      ['X', 'black'],
      ['O', 'white'],
    ]) {
      const [page, told] = [sums[side], row.summary[name]];
      close(page.total, told.lost, 'the sum');
      for (const phase of [0, 1, 2]) close(page.phases[phase], told.phases[phase], `phase ${phase}`);
      assert.deepEqual([page.moves, page.known, page.exact], [told.moves, told.known, told.exact]);
      assert.deepEqual(
        [page.changed.WD, page.changed.WL, page.changed.DL],
        [told.changed.win_to_draw, told.changed.win_to_loss, told.changed.draw_to_loss],
      );
      assert.equal(page.mistakes.filter(({ changed }) => !changed).length, told.discs);
      assert.equal(page.mistakes.filter(({ grade }) => grade === 'grave').length, told.grave);
      assert.equal(page.mistakes.length, told.slight + told.grave);
      assert.equal(accuracy(page), told.accuracy);
    }
  }
});

test('the games have something to compare', () => {
  const [first] = rows;
  assert.ok(first.losses.length > 50);
  assert.ok(rows.some(({ positions }) => positions.some((position) => 'searched' in position)));
  assert.ok(rows.some(({ losses }) => losses.some(({ changed }) => changed)));
  assert.ok(rows.some(({ positions }) => positions.some(({ exact }) => exact)));
});
