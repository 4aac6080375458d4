// Learning from mistakes, the opening trainer, and played lines, as modules. The engine is recorded, and time is virtual.

import assert from 'node:assert/strict';
import test from 'node:test';

import { START, squareName } from '../../../www/js/base/position.js';
import { sentencesOf } from '../../../www/js/model/reasons.js';
import { repertoireOf } from '../../../www/js/model/repertoire.js';
import { positionsOf } from '../../../www/js/model/rules.js';
import { Tree } from '../../../www/js/model/tree.js';
import { PlayedLine } from '../../../www/js/panels/played-line.js';
import { textOf } from '../harness/app.js';
import { page, TIGER, training } from '../harness/exercises.js';
import { addSolved, MISTAKES } from '../harness/mistakes.js';

/** The game: moves with their variations and comments, and the cursor. */
function gameOf({ study }) {
  const write = (node) => [node.move, node.comment, node.children.map(write)];
  return JSON.stringify([write(study.tree.root), study.node.moves]);
}

/** The end of a game with three mistakes of Black, which was analyzed. */
async function learning(t) {
  const there = await page(t);
  const { app } = there;
  const tree = new Tree(app.rules, MISTAKES);
  app.loadTree(tree, tree.cursor);
  addSolved(app);
  return there;
}

test('three mistakes are tried, refuted, found, shown and skipped without changing the game', async (t) => {
  const { app, begin, button, current, stage, assertBar, time } = await learning(t);
  // The mistake on the board is the first, then the largest loss.
  app.study.go(app.study.tree.root);
  const before = gameOf(app);
  await begin('learn', { side: 'X' });
  await stage('ask');
  const mode = current();
  const states = mode.progress.map(({ state, label }) => `${state} ${label}`);
  assert.equal(states.join(), 'open cur 1. c1 −6,open ,open ');
  assert.equal(app.study.node.ply, 0);
  assertBar('c1, draw → loss Black lost 6 discs here. Find a better move. Mistake 1 of 3');
  assert.deepEqual([mode.hide, mode.quiet], [true, true]);
  assert.ok(app.shown.includes('c1, draw → loss. Black lost 6 discs here. Find a better move.'));
  // Not good enough: what it loses, and the refutation on the board.
  app.press('a4');
  await stage('wrong');
  assertBar('a4 loses 12, draw → loss Not good enough: White answers a3 ');
  assert.equal(mode.look.last, 'a4');
  // The card of the lines lists it, with the value at each end.
  const line = textOf(mode.played.content);
  assert.ok(line.startsWith('0for Black[1.a4][2.a3][3.b8]') && line.endsWith('−12for Black'), line);
  await time.pass(1000);
  assert.deepEqual([mode.look.last, mode.hide], ['a3', true]);
  button('Try again');
  // The move of the game again: its loss is written as in the report.
  app.press('c1');
  await stage('wrong');
  assertBar('c1 loses 6, draw → loss ');
  button('Try again');
  app.press('a3');
  await stage('right');
  assertBar('a3 The best move');
  assert.deepEqual([mode.hide, mode.look], [false, null]);
  mode.next();
  // The second one is shown, and saved as a puzzle.
  await stage('ask');
  assert.deepEqual([app.study.node.ply, mode.hide], [2, true]);
  assertBar('g7 Black lost 14 discs here');
  button('Answer');
  assertBar('b8 was better');
  await button('Save');
  const { puzzles } = await app.panels.get('puzzles');
  assert.deepEqual([puzzles.own.length, mode.stage], [1, 'shown']);
  button('Next');
  // The third one at the first try, with a move that is not the best but will do.
  await stage('ask');
  app.press('h2');
  await stage('right');
  assertBar('h2 loses 2 Good enough');
  button('Next');
  assertBar('3 mistakes: 1 corrected at once, 1 later, 1 shown');
  // The mistakes not found at once are repeated.
  button('Retry the 2 missed');
  await stage('ask');
  assert.equal(app.study.node.ply, 0);
  button('Skip');
  assert.equal(app.study.node.ply, 2);
  app.press('b8');
  await stage('right');
  button('Next');
  assertBar('2 mistakes: 1 corrected at once, 1 skipped');
  mode.leave();
  assert.equal(gameOf(app), before);
});

test('the reason of a mistake names the move at which its figures are those of the board', async (t) => {
  const { app } = await page(t);
  const played = { plies: 8, own: ['c1'], other: [] };
  const better = { plies: 6, own: ['a1', 'b1'], other: ['h8'] };
  const reasons = [{ kind: 'stable', played, better }];
  const why = { played: ['a6'], better: ['h6'], fallsAt: null, reasons };
  const of = { values: { why: () => why }, words: app.words };
  const sentences = sentencesOf(of, { node: { ply: 31 }, side: 'X' });
  assert.deepEqual(sentences, ['Stable discs at move 38: Black 1, White 0. With h6: 2 and 1.']);
});

test('a side without mistakes is reported; another game ends the lesson, and stays on the board', async (t) => {
  const { app, begin, current } = await learning(t);
  await begin('learn', { side: 'O' });
  assert.equal(current(), null);
  assert.match(app.shown.at(-1), /No mistake in \d/);
  // Without a mistake on the board, the largest loss is first.
  app.study.go(app.study.tree.main.at(-1));
  await begin('learn', { side: 'X' });
  assert.equal(app.study.node.ply, 2);
  app.openGame({ moves: 'f5d6' });
  assert.deepEqual([current(), app.study.node.moves.join('')], [null, 'f5d6']);
});

test('at another position the lesson offers to return, also during a refutation', async (t) => {
  const { app, begin, button, current, stage, assertBar, time } = await learning(t);
  const { study } = app;
  await begin('learn', { side: 'X' });
  assert.equal(study.node.ply, 4);
  study.go(study.node.children[0]);
  assertBar('The question is about another position');
  const before = gameOf(app);
  app.press(app.rules.moves(study.position)[0]);
  assert.deepEqual([gameOf(app), current().hide], [before, true]);
  button('Back to it');
  assert.equal(study.node.ply, 4);
  app.press(study.node.children[0].move);
  await stage('wrong');
  study.go(study.tree.main.at(-1));
  await time.pass(5000);
  assertBar('The question is about another position');
  assert.equal(study.node.ply, 14);
  button('Back to it');
  assertBar('a2 Black lost 10 discs here');
});

const due = ({ store }) =>
  Array.from(repertoireOf(store).due(), ({ line, side }) => line.moves + side).join(' ');

test('a line is played from either side and in every symmetric form, and the current game stays', async (t) => {
  const { app, at, begin, current, stage, assertBar, time, train } = await training(t);
  app.openGame({ moves: 'f5f6e6f4' });
  const before = gameOf(app);
  const booked = [];
  app.opened = { valueGame: async (positions) => booked.push(...positions) };
  const play = async (side, moves) => {
    await train({ lines: [TIGER], side });
    for (let own = side === 'X' ? 0 : 2; own < moves.length; own += 4) {
      await at(moves.slice(0, own));
      assert.equal(current().hide, true);
      app.press(moves.slice(own, own + 2));
    }
    await stage('done');
    assertBar('Finished without an error');
  };
  await play('X', TIGER.moves);
  assert.ok(app.shown.includes('Your move, Black.'));
  // The values of the last position are shown, and those of books.
  const { hide, look, position } = current();
  await time.until('values', () => app.analysis.position === position && app.analysis.done);
  assert.ok(app.values.rows(position).sorted.length > 0);
  assert.deepEqual([hide, look.title, due(app), booked.at(-1)], [false, 'Tiger', '', position]);
  current().leave();
  await play('O', TIGER.moves);
  await play('X', 'e6f4c3c4d3');
  current().leave();
  assert.equal(gameOf(app), before);
  await assert.rejects(begin('trainer', { lines: [{ moves: 'f5f5', names: null }], side: 'X' }));
  assert.deepEqual([current(), due(app)], [null, '']);
});

test('with several lines the page plays each, accepts any of them, and records the failed one', async (t) => {
  const { app, at, current, stage, assertBar, time, barText, train } = await training(t);
  const lines = 'f5d6c3 f5d6c3d3 f5f6e6f4 f5f4e3f6'.split(' ').map((moves) => ({ moves, names: null }));
  const seen = new Set();
  for (let i = 0; i < 20; i++) {
    await train({ lines, side: 'X' });
    await at('');
    app.press('f5');
    await time.until('the answer', () => current().moves.length === 2);
    seen.add(current().moves[1]);
  }
  assert.deepEqual([...seen].sort(), ['d6', 'f4', 'f6']);
  const asked = async () => {
    await train({ lines, side: 'O' });
    await at('f5');
    app.press('f4');
    await at('f5f4e3');
  };
  await asked();
  const [first, second] = app.rules.moves(current().position).filter((move) => move !== 'f6');
  for (const [move, verdict, marked] of [
    [first, 'This leaves A line at move 4. Try again', ''],
    [second, 'The line continues with f6', 'f6'],
  ]) {
    app.press(move);
    await time.until('the verdict', () => barText().includes(' loses ') && barText().includes(verdict));
    const marks = [...current().look.marks.keys()].map(squareName);
    assert.deepEqual([marks.join(), due(app)], [marked, 'f5f4e3f6O']);
  }
  app.press('f6');
  await stage('done');
  assertBar('Finished. You left A line at move 4 with ');
  assert.ok(barText().includes(': the line comes back soon'), barText());
  // Every answer has its loss, also one that was corrected at once.
  await asked();
  app.press(first);
  app.press('f6');
  await stage('done');
  await time.until('the loss', () => barText().includes(`Your answers: 4. ${first} −`));
});

test('games are trained from the position on the board: the frequent moves are right', async (t) => {
  const { app, at, stage, train } = await training(t);
  /** Games by their moves, their next move and their number. */
  const rows = 'f5 d6 30,f5 f6 9,f5 f4 2,f5d6 c3 5,f5f6 e6 5'.split(',').map((row) => row.split(' '));
  const moves = async (position) =>
    rows
      .filter(([moves]) => positionsOf(app.rules, moves).at(-1) === position)
      .map(([, move, games]) => ({ move, games: Number(games), twins: [] }));
  app.explorer = async () => ({ moves });
  for (const [move, isRight] of Object.entries({ d6: true, f6: true, f4: false })) {
    await train({ games: 'f5', side: 'O' });
    await at('f5');
    app.press(move);
    await stage(isRight ? 'done' : 'wrong');
  }
});

test('values are from the side of the user, else of Black, or of the side to move, or always of Black', async (t) => {
  const { app } = await page(t);
  app.openGame({ moves: 'f5' });
  const { perspective, settings } = app;
  const seen = (viewer) => {
    settings.set('viewer', viewer);
    return `${perspective.side}${perspective.home}${perspective.sign('O')}`;
  };
  const all = () => ['own', 'mover', 'black'].map(seen).join(' ');
  assert.equal(all(), 'XX-1 OX1 XX-1');
  perspective.choose('O');
  assert.equal(all(), 'OO1 OO1 XX-1');
});

test('a line plays by itself, stops at its end, and is listed', async (t) => {
  const { app, begin, current, time } = await page(t);
  const line = new PlayedLine(app, START, ['f5', 'd6', 'c3', 'd3'], new Map([[2, new Map()]]));
  const texts = ['a line', 'une suite'];
  await begin('line', { label: () => texts[0], line, reasons: () => ['A reason.'] });
  assert.equal(textOf(current().bar), 'a lineA reason.[Back]');
  // The language has changed.
  texts.shift();
  assert.match(textOf(current().bar), /^une suite/);
  assert.equal(textOf(line.content), '[1.f5][2.d6turning point][3.c3][4.d3]');
  await time.pass(9000);
  assert.equal(line.at, 3);
});
