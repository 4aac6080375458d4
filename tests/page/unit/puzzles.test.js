// Puzzles, their solutions, endings, and the review, with a recorded engine.

import assert from 'node:assert/strict';
import test from 'node:test';

import { disc } from '../../../www/js/base/format.js';
import { sideOf } from '../../../www/js/base/position.js';
import { gradeOf } from '../../../www/js/model/endings.js';
import { repertoireOf } from '../../../www/js/model/repertoire.js';
import { positionsOf } from '../../../www/js/model/rules.js';
import { GAME } from '../hands.js';
import { buttonsOf, textOf } from '../harness/app.js';
import { Board, exactValues } from '../harness/board.js';
import { page, training } from '../harness/exercises.js';
import { rules } from '../rules.js';

/** White to move, seven empty squares: the recorded engine solves it. */
const OWN = 'OOOOOOOOXOOXXX-OXXOOXOO-XOXOOO--XOOOOX--XOOXOO-OXOOOOOOOXXXXOOOOO';
/** A puzzle or an ending of a game of the user. */
const ofUser = (position) => ({ id: position, position, scores: null, own: true });
const ENDING = ofUser(OWN);

async function opened(t, position) {
  const there = await page(t);
  await there.app.modes.begin('puzzle', { puzzle: ofUser(position) });
  return there;
}

const pressInSolution = ({ solution }, label) => buttonsOf(solution.content)[label]();
const solutionOf = ({ solution }) => textOf(solution.content);

test('a puzzle without known scores is judged by the engine; a wrong answer is refuted, and the solution has all exact values', async (t) => {
  const { app, button, current, stage, assertBar, time } = await opened(t, OWN);
  assert.equal(current().solution, null);
  const moves = rules.moves(OWN);
  const verdicts = [];
  for (const move of moves) {
    app.press(move);
    await time.until('the verdict', () => current().verdict);
    const { right } = current().verdict;
    const { exact, loss } = app.values.cost(OWN, move);
    assert.ok(exact && right === (loss === 0), move);
    assertBar(right ? `${move} is right: ` : `${move} loses ${loss} Best: `);
    if (!right) await time.until('the refutation', () => current().played.states.length >= 2);
    if (!right && verdicts.every(Boolean)) {
      // The first wrong move: every move has its value, and this one its answers.
      await time.until('the solution', () => current().solution.isDone);
      // No square can be pressed while the line is shown.
      assert.deepEqual([current().quiet, current().press(moves[0])], [true, true]);
      button('Solution');
      assert.deepEqual([current().played, current().press(moves[0])], [null, false]);
      const values = app.values.exact(OWN);
      const text = solutionOf(current());
      for (const move of moves) assert.ok(text.includes(`${move}]${disc(values[move], true)}`), text);
      const n = Object.values(values).filter((score) => score > 0).length;
      assert.ok(n > 0 && text.startsWith(`${n} of ${moves.length} moves win`), text);
      const replies = rules.moves(rules.play(OWN, move).position);
      for (const reply of replies) assert.ok(text.includes(`[${reply}]`), `${reply} in ${text}`);
      assert.equal(current().quiet, false);
      // A press on a move shows the board after it.
      current().solution.show([move]);
      assert.deepEqual(app.study.node.moves, [move]);
      assert.equal(current().solution.node, app.study.tree.root);
    }
    verdicts.push(right);
    button('Again');
    await stage('ask');
    assert.equal(app.study.node.ply, 0);
  }
  assert.ok(verdicts.includes(true) && verdicts.includes(false));
});

test('with many empty squares, a wrong answer is refuted by its search, and nothing is solved', async (t) => {
  const position = positionsOf(rules, GAME).at(16);
  const { app, button, current, assertBar, time } = await opened(t, position);
  const wrong = rules.moves(position).find((move) => /[bg][27]/.test(move));
  app.press(wrong);
  await time.until('the refutation', () => current().played?.states.length > 1);
  const { states } = current().played;
  assert.deepEqual([states[0].move, states[1].move], [wrong, app.values.reply(states[0].position)[0]]);
  assert.deepEqual([current().solution, current().quiet], [null, true]);
  // The solution is the analysis of the position, whose values the verdict follows.
  button('Solution');
  const moves = rules.moves(position).sort();
  app.values.core.clear();
  app.values.prove(position, Object.fromEntries(moves.map((move) => [move, 8])));
  await time.pass(500);
  assertBar(`${wrong} is right: +8`);
  const { hide, played, quiet } = current();
  assert.deepEqual([hide, played, quiet, app.study.node.ply], [false, null, false, 0]);
});

test('the solution claims nothing before it is proven, and its search can be stopped and continued', async (t) => {
  // The recorded engine never finishes the search of 22 empty squares.
  const position = positionsOf(rules, GAME).at(38);
  const { app, button, current, stage, assertBar, time } = await opened(t, position);
  await time.until('the values', () => app.values.value(position));
  const { move } = app.values.value(position);
  app.press(move);
  await time.until('the verdict', () => current().verdict);
  await time.pass(500);
  const moves = rules.moves(position);
  const state = () => `${app.engine.state} ${current().quiet} ${solutionOf(current())}`;
  const pending = moves.join('…').concat('…');
  assert.equal(state(), `busy true Solving to the end…[Stop]${pending}`);
  pressInSolution(current(), 'Stop');
  await time.pass(200);
  assert.equal(state(), `idle false Stopped: only proven values are shown[Continue]${pending}`);
  pressInSolution(current(), 'Continue');
  await time.pass(200);
  assert.equal(current().solution.isDone, false);
  // The answer was right by a search: it loses what is proven later.
  app.values.prove(position, { ...Object.fromEntries(moves.map((other) => [other, 6])), [move]: 4 });
  await time.pass(500);
  assertBar(`${move} loses 2 Best: `);
  assert.ok(current().verdict.right);
  button('Again');
  await stage('ask');
  assert.equal(current().solution, null);
});

const beginEnding = ({ app }, puzzle = ENDING) => app.modes.begin('ending', { puzzle });

/** Plays the ending on the board with moves that `choose` takes from the exact scores, the best first. */
async function playOut({ app, current, time }, choose) {
  for (;;) {
    const isTurn = () => current().stage === 'ask' && !current().judge.busy;
    await time.until('a turn', () => current().verdict || isTurn());
    if (current().verdict) break;
    const { position } = app.study.node;
    assert.equal(sideOf(position), 'O');
    assert.deepEqual([current().hide, current().quiet, current().solution], [true, true, null]);
    await time.pass(300);
    const moves = [...solved(position)].sort(([, a], [, b]) => b - a).map(([move]) => move);
    app.press(choose(moves));
  }
  await time.until('the solution', () => current().solution?.isDone);
}

/** The exact values of the moves of White, by play of every line. */
const solved = (position) => exactValues(new Board(position), -1);

test('an ending is played against exact answers; its result, its losses and its progress are exact', async (t) => {
  const there = await page(t);
  const { app, current, barText } = there;
  const best = Math.max(...solved(OWN).values());
  const result = () => -rules.look(app.study.tree.main.at(-1).position).margin;
  const results = () => `Your result: ${disc(result(), true)}. Best possible: ${disc(best, true)}.`;
  await beginEnding(there);
  await playOut(there, (moves) => moves[0]);
  assert.equal(result(), best);
  assert.equal(barText(), `Perfect play ${results()}`);
  assert.deepEqual([current().verdict.right, current().overlay, app.study.node.ply], [true, 'parity', 0]);
  const { endings } = await app.panels.get('puzzles');
  assert.equal(endings.progress.get(OWN).right, 1);
  // With the worst moves the losses add up to the difference.
  await beginEnding(there);
  await playOut(there, (moves) => moves.at(-1));
  const text = textOf(current().bar);
  assert.ok(result() < best && text.includes(results()), text);
  // `[a1 −8]`
  const losses = text.match(/(?<=\[.. \u2212)\d+/g).map(Number);
  assert.equal(
    losses.reduce((sum, loss) => sum + loss),
    best - result(),
    text,
  );
  assert.equal(current().solution.node, app.study.node);
  assert.equal(endings.progress.get(OWN).tries, 2);
  // The ending is no puzzle.
  const { puzzles } = await app.panels.get('puzzles');
  await puzzles.load();
  assert.deepEqual([puzzles.counts.solved, puzzles.counts.weak, puzzles.own.length], [0, 0, 0]);
  // A position may be a mistake as well.
  await puzzles.addOwn([ENDING]);
  await endings.note(ENDING, false);
  const [[, { ending, own, tries }]] = await app.store.all('puzzles');
  assert.deepEqual([ending, own, tries, endings.own.length], [true, true, 3, 1]);
});

test('a move that ends the game has no answers in the solution', async (t) => {
  const there = await page(t);
  const { app, current, time } = there;
  const position = `--${'X'.repeat(7)}O${'X'.repeat(55)}`;
  const { tree } = app.study;
  // Of two that are asked for at once, the later one begins.
  beginEnding(there);
  await beginEnding(there, ofUser(position));
  assert.equal(current().game.tree, tree);
  app.press('b1');
  await time.until('the solution', () => current().solution?.isDone);
  assert.match(solutionOf(current()), /^2 of 2 moves win[^…]*63–0[^…]*$/);
});

test('an ending waits for an engine that stopped, and refuses moves at other positions', async (t) => {
  const there = await page(t);
  const { app, current, stage, time } = there;
  await beginEnding(there);
  await stage('ask');
  const [move] = rules.moves(OWN);
  app.press(move);
  await stage('wait');
  await time.until('a line of the console', () => app.engine.raw('ping 1'));
  await time.until('the trouble', () => current().unjudged);
  app.control.revive();
  await time.until('the answer', () => app.study.node.ply >= 2);
  await stage('ask');
  // At another position a press returns to the game.
  const head = app.study.node;
  app.study.go(app.study.tree.root);
  app.press(move);
  const { keepsGame, mayDelete, stage: then, takesLines } = current();
  assert.deepEqual([app.study.node, then], [head, 'ask']);
  assert.ok(keepsGame && !mayDelete && !takesLines);
});

test('the next ending has the same grade', async (t) => {
  const { app, button, current, time } = await page(t);
  // Before it, a reload with modes that do not resume, and without a setup.
  for (const begun of ['ending', ['match', {}], ['puzzle']]) await app.modes.resume(begun);
  assert.deepEqual([current(), app.shown], [null, []]);
  await (await app.panels.get('puzzles')).nextEnding('hard');
  const { puzzle } = current();
  button('Next');
  await time.until('the next ending', () => current().puzzle !== puzzle);
  assert.deepEqual([gradeOf(puzzle), gradeOf(current().puzzle)], ['hard', 'hard']);
});

test('one review runs through lines, own mistakes, puzzles and endings, and ends with the game on the board', async (t) => {
  const there = await training(t);
  const { app, at, begin, button, current, stage, time } = there;
  app.openGame({ moves: 'f5d6c3' });
  const { puzzles, endings } = await app.panels.get('puzzles');
  await Promise.all([puzzles.load(), endings.load()]);
  await endings.note(ENDING, false);
  await puzzles.addOwn([{ ...puzzles.suite.at(-1), own: true }]);
  await puzzles.note(puzzles.suite[0], false);
  const line = { moves: 'f5d6c3', names: null };
  repertoireOf(app.store).note(line, 'O', false);
  await begin('review');
  await at('f5');
  app.press('d6');
  await stage('done');
  button('Next due (3)');
  // The last puzzle fails at first: it follows again after the ending, and then after itself.
  for (const [step, left] of [3, 2, 2, 1, 1].entries()) {
    const isRight = [true, false, null, false, true][step];
    await time.until('an exercise', () => current()?.puzzle && !current().verdict);
    assert.ok(current().detail.endsWith(` · ${left} left today`), current().detail);
    const { kind, puzzle } = current();
    assert.equal(kind, isRight === null ? 'ending' : 'puzzle');
    if (isRight === null) await playOut(there, (moves) => moves[0]);
    else {
      const answers = Object.entries(puzzle.scores).sort(([, a], [, b]) => b - a);
      app.press(answers.at(isRight ? 0 : -1)[0]);
    }
    assert.equal(current().verdict.right, isRight ?? true);
    button('Next');
    await time.until('the next step', () => !current()?.verdict);
  }
  assert.match(app.shown.at(-1), /nothing more is due today/);
  assert.deepEqual([current(), app.study.game().moves], [null, 'f5d6c3']);
});
