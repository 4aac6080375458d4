// The analysis of a whole game as a module: the losses of both sides, refutations, and an analysis that continues.

import assert from 'node:assert/strict';
import test from 'node:test';

import { Review } from '../../../www/js/engine/searches.js';
import { lineOf } from '../../../www/js/panels/played-line.js';
import { appInNode } from '../harness/app.js';

/** A game with eight passes, won by White with 59 discs to 5. */
const PASSES =
  'd3c3c4e3d2b4b5c5a5b2f4f2d6f6g1c7b8f3e2f1e1f5g3c2b3a4g5h3a2g4h5h4g7c1b1a1h2a3h6d1g2a6e7d7b7d8h1b6a7h7g6c6a8c8e8e6f7f8g8h8';

/** Opens the game, and begins its analysis. `isReload` keeps what an earlier page stored. */
async function reviewOf(t, { reviewDepth = 4, program = {}, isReload = false } = {}) {
  const app = await appInNode(t, { settings: { reviewDepth, engine: false }, isReload });
  Object.assign(app.program, program);
  const { time } = app;
  await time.until('the engine', () => app.values.key);
  app.openGame({ moves: PASSES });
  const { main } = app.study.tree;
  const review = new Review(app, () => {});
  t.after(() => review.stop());
  review.start(main);
  const ends = () => time.until('the end of the analysis', () => !review.running);
  return { app, main, review, ends, time };
}

test('every move of a game with passes belongs to its side, and each refutation can be played', async (t) => {
  const { app, main, ends } = await reviewOf(t);
  await ends();
  const { study, values } = app;
  const { X, O } = values.summary(main);
  assert.deepEqual([X.known + O.known, X.moves + O.moves], [60, 60]);
  assert.ok(X.moves < 30 && X.mistakes.length > 0 && O.mistakes.length > 0);
  for (const { node, side } of values.mistakes(main)) {
    assert.equal(node.parent.position[64], side);
    study.go(node.parent);
    const moves = values.why(node)?.played ?? [node.move, ...(values.rows(node.position).best?.pv ?? [])];
    const played = lineOf(app, node, node.move).states.map(({ move }) => move);
    assert.equal(String(played), String(moves.slice(0, played.length)));
    assert.ok(played.length >= Math.min(8, moves.length));
  }
  const { value, exact } = values.at(main.at(-1)).point;
  assert.deepEqual([value, exact], [-54, true]);
});

test('an analysis that ended early continues at the next visit with the values so far', async (t) => {
  // At this depth only the searches of the last positions end.
  const { main, review, time } = await reviewOf(t, { reviewDepth: 40 });
  await time.pass(2000);
  assert.equal(review.total, main.length);
  assert.ok(review.running && review.left > 30 && review.left < 50, `${review.left} left`);
  review.stop();
  assert.equal(review.running, false);
  const { review: next, time: later } = await reviewOf(t, { reviewDepth: 40, isReload: true });
  await later.until('the start', () => next.engines.length > 0);
  // The recorded engine has solved the last seven positions, and has not reached this depth in others.
  assert.equal(next.left, next.total - 1 - 7);
});

test('the program ends during an analysis: the engine of the browser analyzes all positions, also with other weights', async (t) => {
  const { app, main, review, ends, time } = await reviewOf(t, { program: { isUsed: true } });
  await time.until('some positions', () => review.left < 50);
  const [engine] = review.engines;
  Object.assign(app.program, { isUsed: false, hasEnded: true });
  engine.worker.crash();
  await time.until('an engine of the browser', () => review.engines[0]?.state === 'busy');
  assert.equal(engine.state, 'off');
  // The engine of the page is ready after that of the analysis.
  app.values.engineIs({ ...app.engine.info, weights: '1'.repeat(16) });
  await ends();
  assert.equal(review.left, 0);
  const { X, O } = app.values.summary(main);
  assert.deepEqual([X.known + O.known, X.moves + O.moves], [60, 60]);
});

test('a game is not analyzed again after a reload, and the reasons of its mistakes are known', async (t) => {
  const { app, ends } = await reviewOf(t, { reviewDepth: 10 });
  await ends();
  app.values.settle();
  const told = ({ values, study }) =>
    values.mistakes(study.tree.main).map(({ node }) => [node.ply, values.why(node)]);
  const before = told(app);
  assert.ok(before.some(([, why]) => why));
  const again = await reviewOf(t, { reviewDepth: 10, isReload: true });
  await again.ends();
  // No mistake is explained again.
  assert.equal(again.review.total, again.main.length);
  const after = new Map(told(again.app));
  for (const [ply, why] of before) if (why) assert.deepEqual(after.get(ply), why, `move ${ply}`);
});
