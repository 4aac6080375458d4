// Matches as modules: turns, passes, clocks, hints, take-backs, the end, crashes, and what is saved. The engine is recorded, and
// time is virtual.

import assert from 'node:assert/strict';
import test from 'node:test';

import { START } from '../../../www/js/base/position.js';
import { askEngine } from '../../../www/js/engine/searches.js';
import { writeLink } from '../../../www/js/model/link.js';
import { OPPONENTS, opponentOf } from '../../../www/js/model/opponents.js';
import { positionsOf } from '../../../www/js/model/rules.js';
import { parseSavedMatch, serializeMatch } from '../../../www/js/model/saved-match.js';
import { Tree } from '../../../www/js/model/tree.js';
import { MatchClock } from '../../../www/js/modes/match-clock.js';
import { evenOpening } from '../../../www/js/modes/match-start.js';
import { appInNode, pressButton, textOf, virtualTime } from '../harness/app.js';
import { dice } from '../harness/dice.js';
import { rules } from '../rules.js';

/** After g5 the engine plays g4, and the user must pass. */
const BEFORE_PASS = 'f5d6c3d3c2f3e3f4g3e2d7f2e1f1f6d1g1h1d2c1g2e6f7h4h3g6h5h2';

const setupOf = ({ opponent = 'beginner', ...more } = {}) => ({
  colour: 'X',
  opponent: opponentOf(opponent),
  time: null,
  hints: true,
  takeBack: true,
  ...more,
});

/** Begins a match. The summary that follows it is not shown. */
async function matchOn(t, { settings, ...setup } = {}) {
  const finished = [];
  const summary = { create: (_, { match }) => void finished.push(match.outcome) };
  const app = await appInNode(t, { settings, parts: { 'js/modes/match-summary.js': summary } });
  const { time } = app;
  const saved = [];
  app.saveGames = (games) => saved.push(...games);
  const begin = async (how) => {
    await app.modes.begin('match', setupOf(how));
    return app.modes.current;
  };
  const isOver = () => app.modes.current === null;
  /** Waits until the user is to move, or the match is over. */
  const turn = () =>
    time.until('the turn of the user', () => {
      const { current } = app.modes;
      return !current || (!current.thinking && current.colour.includes(current.head.position[64]));
    });
  const press = () => app.press(rules.moves(app.study.position)[0]);
  const play = async (moves = 1) => {
    for (let i = 0; i < moves && !isOver(); i++) {
      press();
      await turn();
    }
  };
  const mode = await begin(setup);
  if (mode.colour.length === 1) await turn();
  return { app, begin, finished, isOver, mode, play, press, saved, time, turn };
}

const movesOf = (match) => match.head.moves.join('');
const stored = () => JSON.parse(localStorage.getItem('outflank.game'));

test('the engine moves again if the user must pass; a pass at the first move is not taken back', async (t) => {
  const { app, mode, begin, play, turn } = await matchOn(t, { moves: BEFORE_PASS });
  // The opponent draws g4 where it may.
  const read = rules.readValues.bind(rules);
  t.mock.method(rules, 'readValues', (lines) => {
    const rows = read(lines);
    return rows.some(({ move }) => move === 'g4') ? [{ move: 'g4', value: 0 }] : rows;
  });
  app.press('g5');
  await turn();
  assert.match(movesOf(mode), /g5g4..../);
  assert.match(app.shown.join(), /passes/);
  // The bar says it until the next move, and no notice covers the page.
  assert.match(textOf(mode.bar), /^You have no move: you pass/);
  // A failed search has no values, but the engine still moves.
  const failed = t.mock.method(rules, 'readValues', () => []);
  const { ply } = mode.head;
  await play();
  assert.ok(mode.head.ply >= ply + 2);
  failed.mock.restore();
  const again = await begin({ moves: `${BEFORE_PASS}g5` });
  await turn();
  const before = movesOf(again);
  assert.match(before, /g5g4../);
  pressButton(app, 'Take back');
  assert.equal(movesOf(again), before);
  await play();
  assert.ok(movesOf(again).length >= before.length + 4);
});

test('a move taken back, a resignation or leaving while the engine thinks or waits leaves no late answer', async (t) => {
  const pace = 1500;
  const { app, mode, press, time, turn, finished } = await matchOn(t, { settings: { pace } });
  // The engine thinks for 25 ms, and then waits until its move is due.
  for (const after of [5, 200]) {
    app.press('f5');
    await time.pass(after);
    assert.ok(mode.thinking && mode.undo());
    await time.pass(3 * pace);
    assert.equal(mode.head.ply, 0);
  }
  // The same move again gets an answer after another pause, another move its own answer.
  app.press('f5');
  await time.pass(pace - 100);
  pressButton(app, 'Take back');
  app.press('f5');
  await time.pass(pace);
  assert.ok(mode.thinking);
  pressButton(app, 'Take back');
  app.press('d3');
  await turn();
  assert.deepEqual([mode.head.ply, app.study.tree.main[1].move], [2, 'd3']);
  press();
  await time.pass(200);
  pressButton(app, 'Resign');
  await time.pass(3 * pace);
  assert.deepEqual([app.study.node.ply, finished], [3, [{ result: -64, ending: 'resigned' }]]);
});

test('the engine answers after the pause of the settings, at once when it is short of time', async (t) => {
  const { app, begin, mode, press, time } = await matchOn(t, { settings: { pace: 400 }, time: [60, 1] });
  const answer = async () => {
    const began = Date.now();
    press();
    // The move of the engine is not played by the user.
    const { ply } = mode.head;
    press();
    assert.equal(mode.head.ply, ply);
    await time.until('the answer', () => !mode.thinking);
    return Date.now() - began;
  };
  for (let i = 0; i < 5; i++) {
    const after = await answer();
    assert.ok(after >= 400 && after < 900, `${after} ms`);
  }
  mode.clock.left.O = 4;
  assert.ok((await answer()) < 100);
  await begin({ colour: 'O' });
  assert.match(textOf(app.bar), /Engine to move/);
});

test('the match ends when a clock runs out, and the analysis continues', async (t) => {
  const { app, begin, finished, mode: first, saved, time, turn } = await matchOn(t, { time: [60, 0] });
  first.clock.left.O = 6;
  app.press('f5');
  app.engine.worker.isMute = true;
  await time.pass(6500);
  assert.deepEqual(finished, [{ result: 64, ending: 'timed-out' }]);
  assert.ok(rules.write(app.study.game(), 'ggf').includes('RE[+64.000:t]'));
  assert.equal(app.study.node.ply, 1);
  assert.ok(app.analysis.running || app.analysis.done);
  // The clock of the user, while an earlier position is on the board.
  app.engine.end();
  app.settings.set('pace', 0);
  const mode = await begin({ time: [60, 0] });
  app.press('f5');
  await turn();
  app.study.go(app.study.tree.root);
  await time.pass(61_000);
  assert.deepEqual(finished[1], { result: -64, ending: 'timed-out' });
  assert.deepEqual([app.study.node, saved.map(({ result }) => result)], [mode.head, [64, -64]]);
});

test('without aids none is offered, and nothing is taken back', async (t) => {
  const { app, mode, play } = await matchOn(t, { hints: false, takeBack: false });
  await play();
  assert.doesNotMatch(textOf(mode.bar), /Hint|Values|Take back/);
  assert.ok(mode.undo());
  assert.deepEqual([mode.head.ply, app.shown.at(-1)], [2, 'No move can be taken back in this match']);
});

test('clocks count the running side, add the increment, and skip the time the page slept', (t) => {
  const { tick } = virtualTime(t);
  const clock = new MatchClock([60, 2]);
  /** What the clocks show after some seconds. */
  const after = (seconds) => {
    tick(1000 * seconds);
    return `${Object.values(clock.seconds)} ${clock.running}`;
  };
  clock.run('X');
  assert.equal(after(10), '50,60 X');
  clock.endTurn();
  assert.equal(after(10), '52,60 null');
  clock.run('O');
  for (let i = 0; i < 5; i++) {
    tick(1000);
    clock.skipSleep();
  }
  tick(3_600_000);
  clock.skipSleep();
  assert.equal(after(0), '52,55 O');
  clock.run('X');
  tick(3_600_000);
  clock.run(null);
  assert.equal(after(0), '52,55 null');
});

test('moves that were taken back stay as a variation; the match is the main line, until a deleted move', async (t) => {
  const { app, mode, play, turn } = await matchOn(t);
  await play(3);
  for (let i = 0; i < 2; i++) pressButton(app, 'Take back');
  const known = mode.head.children.map(({ move }) => move);
  app.press(rules.moves(app.study.position).find((move) => !known.includes(move)));
  await turn();
  assert.deepEqual(app.study.tree.main, mode.head.path);
  assert.equal([...app.study.tree.nodes()].filter((node) => !node.isMain).length, 4);
  assert.equal(mode.used.takeBacks, 2);
  app.study.remove(app.study.tree.main[3]);
  await turn();
  assert.deepEqual([mode.head.ply, mode.used.takeBacks], [2, 3]);
  await play();
  assert.equal(mode.head.ply, 4);
});

test('the engine alone plays to the end, and stops while its user looks back', async (t) => {
  const { app, finished, mode: alone, time } = await matchOn(t, { colour: '' });
  await time.until('some moves', () => alone.head.ply >= 6);
  assert.equal(textOf(alone.bar), 'Engine to move…[Leave (the game is saved)]');
  assert.equal(alone.onBoard.waits, true);
  app.study.go(alone.head.parent);
  const { ply } = alone.head;
  await time.pass(10_000);
  assert.equal(alone.head.ply, ply);
  pressButton(app, 'Back to the game');
  await time.until('the end', () => finished.length === 1);
  assert.ok(rules.look(alone.head.position).over);
});

test('a match starts from a random even opening, which is not taken back', async (t) => {
  const { app, begin, time, turn } = await matchOn(t);
  const found = [];
  const until = (count) => time.until('a result', () => found.length === count);
  for (const count of [1, 2]) {
    evenOpening(app).then((one) => found.push(one));
    await until(count);
  }
  const [opening, other] = found;
  assert.notEqual(opening.moves, other.moves);
  const lines = rules.searchLines(positionsOf(rules, opening.moves).at(-1), 10, 'hint 1');
  askEngine(app.engine, lines, (rows) => found.push(rows));
  await until(3);
  const { value } = rules.readValues(found[2]).at(-1);
  assert.ok(opening.moves.length === 16 && Math.abs(value) <= 1.5, `${opening.moves}: ${value}`);
  const mode = await begin(opening);
  await turn();
  pressButton(app, 'Take back');
  assert.ok(mode.first === 8 && mode.head.ply >= 8 && app.study.tree.tags.given === 8);
  app.study.go(app.study.tree.root);
  app.press('d3');
  assert.doesNotMatch(textOf(mode.bar), /as move/);
});

const GAMES = Number(process.env.OUTFLANK_GAMES ?? 12);

test(`${GAMES} whole games against all opponents end with their result, also after moves that were taken back`, async (t) => {
  const { app, begin, finished, saved, time, turn, isOver } = await matchOn(t);
  const { modes, rules, study } = app;
  for (let seed = 1; seed <= GAMES; seed++) {
    const random = dice(seed);
    const of = (all) => all[random(all.length)];
    // In every fourth game one side has all corners, so that both must pass. The opening is random.
    const corners = seed % 4 === 0 ? 'XO'[(seed >> 2) % 2] : '-';
    const squares = [...START];
    for (const corner of [0, 7, 56, 63]) squares[corner] = corners;
    app.loadTree(new Tree(rules, squares.join('')));
    for (let left = random(20); left > 0; left--) study.play(of(rules.moves(study.position)));
    const opponent = OPPONENTS[seed % OPPONENTS.length].id;
    const setup = { opponent, colour: 'XO'[(seed >> 1) % 2], time: seed % 3 ? null : [300, 0] };
    const { start, moves } = study.game(false);
    const mode = await begin({ ...setup, start, moves });
    for (await turn(); !isOver(); await turn()) {
      if (random(mode.head.passed ? 2 : 20) === 0 && mode.used.takeBacks < 9) mode.takeBack();
      await turn();
      app.press(of(rules.moves(study.position)));
    }
    const { over, margin } = rules.look(mode.head.position);
    const { path } = mode.head;
    assert.ok(over, `game ${seed} is over: ${movesOf(mode)}`);
    assert.deepEqual(finished.pop(), { result: margin }, `game ${seed}`);
    assert.deepEqual([saved.length, saved.at(-1).moves], [seed, movesOf(mode)], `game ${seed}`);
    assert.deepEqual([study.tree.main, modes.current, stored()], [path, null, null], `game ${seed}`);
    time.tick(60_000);
  }
});

test('a match is saved at every move, and resumed with its aids, its clocks and its opening', async (t) => {
  const how = { colour: 'O', time: [60, 0], moves: 'f5d6c3' };
  const { app, mode, play, press, time } = await matchOn(t, how);
  // Only a match with a move is saved.
  assert.equal(stored(), null);
  await play(2);
  pressButton(app, 'Take back');
  pressButton(app, 'Hint');
  await play();
  // The page crashes while the engine thinks: nothing more is written.
  app.settings.set('pace', 1500);
  await time.pass(5000);
  press();
  const before = stored();
  const { X, O } = mode.clock.seconds;
  assert.ok(X > 54 && O < 56 && O > 50, `${X} ${O}`);
  assert.deepEqual([before.used, before.first], [{ hints: 1, takeBacks: 1 }, 3]);
  assert.equal(before.game, writeLink(app.study.tree, mode.head));
  app.modes.leave();
  await time.pass(60_000);
  const next = await appInNode(t, { isReload: true });
  await next.modes.begin('match', { kept: parseSavedMatch(rules, before) });
  const again = next.modes.current;
  assert.deepEqual([movesOf(again), again.used, again.first], [movesOf(mode), before.used, 3]);
  assert.ok(next.shown.includes('Your match continues'));
  // The time without the page does not count.
  assert.deepEqual(again.clock.seconds, before.left);
  await next.time.until('the answer', () => !again.thinking);
  assert.equal(again.head.ply, mode.head.ply + 1);
});

test('a match that another game or its user ended is offered, one that was played to its end is not', async (t) => {
  const { app, mode, play, time } = await matchOn(t);
  await play(2);
  const moves = movesOf(mode);
  const isBack = async () => {
    app.action();
    await time.until('the match', () => app.modes.current);
    const { current } = app.modes;
    assert.deepEqual([movesOf(current), current.opponent], [moves, mode.opponent]);
  };
  app.openGame({ moves: 'f5f6e6' });
  const shown = [stored().state, app.shown.at(-1), app.study.node.moves.join('')];
  assert.equal(shown.join(), 'away,Your match is saved,f5f6e6');
  await isBack();
  // A game or a mode that follows while the match waits for its lock keeps the board, and the lock is free.
  const drill = () => app.modes.begin('trainer', { lines: [{ moves: 'f5f6' }], side: 'X' });
  for (const follow of [() => app.openGame({ moves: 'f5' }), drill]) {
    app.modes.leave();
    let grant = null;
    const request = async (_name, _how, hold) => {
      await new Promise((resolve) => (grant = resolve));
      await hold({});
      grant = null;
    };
    navigator.locks = { request };
    const resuming = app.modes.begin('match', { kept: parseSavedMatch(rules, stored()) });
    await time.until('the lock', () => grant);
    const following = follow();
    grant();
    await Promise.all([resuming, following]);
    await time.until('the end of the lock', () => !grant);
  }
  delete navigator.locks;
  assert.equal(app.modes.current.side, 'X');
  await isBack();
  pressButton(app, 'Leave');
  // At the next visit it is not offered.
  const atNextVisit = async () => {
    await app.modes.begin('match', 'kept');
    return app.modes.current;
  };
  assert.deepEqual([stored().state, await atNextVisit()], ['ended', null]);
  await isBack();
  await play(99);
  assert.equal(stored(), null);
  // An invalid match is put aside, and reported.
  app.store.set('game', { state: 'on', game: 'f5a1' });
  assert.equal(await atNextVisit(), null);
  assert.equal(app.shown.at(-1), 'The saved match cannot be read');
  assert.deepEqual([stored(), app.store.get('game.unreadable').game], [null, 'f5a1']);
});

const SETUP = { ...setupOf(), opponent: 'club', time: [60, 0] };
const COUNTS = { left: { X: 50, O: 40 }, used: { hints: 0, takeBacks: 0 }, first: 0 };
const GOOD = { state: 'on', setup: SETUP, ...COUNTS, game: 'f5d6@2' };
const OVER = 'e6f4e3f6g5d6e7f5c5';

test('a saved match is restored, or rejected if it is invalid', async () => {
  const good = parseSavedMatch(rules, GOOD);
  assert.deepEqual([good.node.moves, serializeMatch(good)], [['f5', 'd6'], GOOD]);
  for (const [field, values] of Object.entries({
    state: ['off'],
    setup: [null, { ...SETUP, opponent: '__proto__' }],
    left: [{ X: 1e99, O: 1 }],
    used: [{ hints: -1, takeBacks: 0 }],
    first: [3, 0.5, '2'],
    game: ['f5a1', OVER, `${START}:f5d6(`, { length: 3 }, 'f5@99'],
  }))
    for (const invalid of values)
      assert.equal(parseSavedMatch(rules, { ...GOOD, [field]: invalid }), null, field);
  for (const odd of [null, undefined, 7, 'on', [], {}]) assert.equal(parseSavedMatch(rules, odd), null);
  const named = { ...GOOD, game: 'f5d6@2&black=Ann&given=2' };
  assert.deepEqual(serializeMatch(parseSavedMatch(rules, named)), named);
  // Of two people, of the engine alone, and with an opening.
  for (const colour of ['XO', ''])
    assert.equal(parseSavedMatch(rules, { ...GOOD, setup: { ...SETUP, colour } }).setup.colour, colour);
  assert.equal(parseSavedMatch(rules, { ...GOOD, first: 2 }).first, 2);
});
