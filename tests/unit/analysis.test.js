// The figures of `outflank analyze` and of the page's report for the same game: the page's model works on what the program's
// searches found and has to come to the program's values, losses and sums. `tests/tests/analyze.rs` holds the program to
// the file.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';

import { squareName } from '../../www/js/base/position.js';
import { Evaluation } from '../../www/js/engine/evaluation.js';
import { accuracy } from '../../www/js/model/accuracy.js';
import { lossOf } from '../../www/js/model/losses.js';
import { Scores } from '../../www/js/model/scores.js';
import { summary } from '../../www/js/model/summary.js';

const games = readFileSync(new URL('../data/report/analysis.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

const STEPS = [-1, 0, 1].flatMap((x) => [-1, 0, 1].map((y) => [x, y])).filter(([x, y]) => x || y);

/** The rules as plain as can be: a second opinion, since the page's own stand in its wasm module. */
const rules = {
  flips(position, square) {
    const side = position[64];
    if (position[square] !== '-') return [];
    return STEPS.flatMap(([x, y]) => {
      const line = [];
      let [column, row] = [(square & 7) + x, (square >> 3) + y];
      for (; column >= 0 && column < 8 && row >= 0 && row < 8; column += x, row += y) {
        const at = 8 * row + column;
        if (position[at] === '-') return [];
        if (position[at] === side) return line;
        line.push(at);
      }
      return [];
    });
  },
  turn: (position) => position.slice(0, 64) + (position[64] === 'X' ? 'O' : 'X'),
  legal: (position) => [...Array(64).keys()].filter((square) => rules.flips(position, square).length > 0),
  look(position) {
    const legal = rules.legal(position);
    const over = legal.length === 0 && rules.legal(rules.turn(position)).length === 0;
    const count = (disc) => position.slice(0, 64).split(disc).length - 1;
    const [black, white] = [count('X'), count('O')];
    const empties = 64 - black - white;
    return { legal, over, margin: black - white + Math.sign(black - white) * empties };
  },
  play(position, move) {
    const square = (move.charCodeAt(1) - 49) * 8 + move.charCodeAt(0) - 97;
    const cells = [...position];
    for (const at of [square, ...rules.flips(position, square)]) cells[at] = position[64];
    const after = rules.turn(cells.join(''));
    const passes = rules.legal(after).length === 0 && rules.legal(rules.turn(after)).length > 0;
    return { position: passes ? rules.turn(after) : after };
  },
  canonical(position) {
    const images = [0, 1, 2, 3, 4, 5, 6, 7].map((image) => {
      const cells = [...Array(64).keys()].map((at) => {
        let [x, y] = [at & 7, at >> 3];
        if (image & 1) x = 7 - x;
        if (image & 2) y = 7 - y;
        if (image & 4) [x, y] = [y, x];
        return position[8 * y + x];
      });
      return cells.join('') + position[64];
    });
    return images.sort()[0];
  },
};

/** The line of nodes of a game. */
function lineOf({ start, moves }) {
  const nodes = [{ ply: 0, move: null, position: start.replace(' ', ''), parent: null, children: [] }];
  for (const move of moves.match(/../g)) {
    const parent = nodes.at(-1);
    const { position } = rules.play(parent.position, move);
    const node = { ply: nodes.length, move, position, parent, children: [] };
    parent.children.push(node);
    nodes.push(node);
  }
  return nodes;
}

/** What the page has made of the searches. */
function scoresOf({ positions }, nodes) {
  const known = new Map();
  for (const { ply, side, searched } of [...positions].reverse()) {
    if (!searched) continue;
    const { position } = nodes[ply];
    const pv = searched.line.match(/../g);
    const evaluation = new Evaluation(position, rules.legal(position).map(squareName));
    const { proof: kind, level } = searched;
    const value = side === 'black' ? searched.value : -searched.value;
    evaluation.addRoot({ move: pv[0], value, proof: { kind, level, depth: Math.floor(level) }, pv });
    known.set(position, evaluation);
  }
  let loaded = () => {};
  const study = { changed: { listen: (call) => (loaded = call) }, tree: { nodes: () => nodes } };
  const scores = new Scores(study, { known, changed: { listen: () => {} } }, rules);
  loaded('load');
  return scores;
}

const close = (a, b, what) => assert.ok(Math.abs(a - b) < 1e-5, `${what}: ${a} and ${b}`);

test('the program and the page come to the same figures', () => {
  assert.equal(games.length, 3);
  for (const game of games) {
    const nodes = lineOf(game);
    const { points } = scoresOf(game, nodes);
    for (const [ply, told] of game.positions.entries()) {
      const point = points.get(nodes[ply]);
      close(point.value, told.value, `the value at ${ply}`);
      close(point.level, told.level, `the level at ${ply}`);
      assert.equal(point.exact, told.exact, `exact at ${ply}`);
      assert.equal(point.kind, told.proof, `the proof at ${ply}`);
      assert.equal(point.move, told.best, `the best move at ${ply}`);
      assert.equal(point.forced, told.forced, `forced at ${ply}`);
    }
    for (const told of game.losses) {
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
      const [page, told] = [sums[side], game.summary[name]];
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
  const positions = games.flatMap((game) => game.positions);
  assert.ok(games[0].losses.length > 50);
  const moved = positions.filter(({ value, searched }) => searched && searched.value !== value);
  assert.ok(moved.length > 5, `${moved.length} values that other searches have moved`);
  assert.ok(games.some(({ losses }) => losses.some(({ changed }) => changed)));
  assert.ok(positions.some(({ exact }) => exact));
});
