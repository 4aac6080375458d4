// Whole games against the engine through the real page, with passes on both sides.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { stage } from '../harness/stage.js';
import { beginMatch, cell, endEngine, ggfResult, opened, ply, untilNotice } from './hands.js';

const site = stage();

/** Sixty games have every combination of opponent, color, clock, corners and input once, thirty every pair of them. */
const GAMES = Number(process.env.OUTFLANK_GAMES ?? (process.env.OUTFLANK_LONG_TESTS ? 600 : 30));
/** Pages that play in parallel. */
const TABLES = 2;
/** One of this many games is played by clicks on squares, the others by the function that a click calls. */
const CLICKED = 5;
/** Time to wait for the engine's move. The watchdog of the engine is faster. */
const MOVE_LIMIT_MS = 30_000;

/** After g5 the engine plays, and the user must pass. */
const BEFORE_PASS = '/#f5d6c3d3c2f3e3f4g3e2d7f2e1f1f6d1g1h1d2c1g2e6f7h4h3g6h5h2@28';
/** The shortest game: White has no disc left. */
const FINISHED = 'e6f4e3f6g5d6e7f5c5';
const RESULT = /(You|you) (won|lost)|A draw/;

/** Chooses an opponent in the dialog. */
async function startMatch(page, { here = false, clock = 'None', opponent = 4 } = {}) {
  await page.getByRole('button', { name: 'Play', exact: true }).first().click();
  await page.evaluate(() => outflank.settings.set('pace', 0));
  await page.locator('dialog summary').click();
  await page.locator('#strength').fill(String(opponent));
  await page.locator('dialog label', { hasText: clock }).click();
  if (here) await page.locator('dialog label', { hasText: 'this position' }).click();
  await page.locator('dialog .solid').click();
  await page.waitForFunction(() => outflank.modes.current?.opponent);
}

/** The engine has not crashed, and is busy or idle. */
const assertAlive = async (page) => {
  const { crashes, state } = await page.evaluate(() => ({
    crashes: outflank.engine.crashes,
    state: outflank.engine.state,
  }));
  assert.equal(crashes, 0, 'no restart');
  assert.ok(['idle', 'busy', 'stopping'].includes(state), state);
  assert.equal(await page.locator('.notice.fault').count(), 0);
};

/** Strengths of opponents by the seed of the game: mostly quick ones, all kinds of them. */
const OPPONENTS = [0, 3, 2, 5, 1, 4, 0, 6, 8, 2];

/**
 * Runs in the page: plays games of seeds `from`, `from + step`, … below `end`, and tells of each
 * `{ plies, mine, its, acrossPass, killed, said }`: moves played, passes of the person and of the engine, moves taken back
 * across a pass, workers killed, and what was said.
 */
async function playGames({ from, step, end, clicked, limit, opponents, result }) {
  const isResult = (message) => new RegExp(result).test(message);
  const { rules, engine, notices } = outflank;
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  const until = async (what, condition) => {
    for (const began = performance.now(); !condition(); await pause(0)) {
      // After three crashes within a minute the engine must be switched on again.
      if (engine.state === 'crashed') outflank.act('engine');
      if (performance.now() - began > limit)
        throw new Error(
          `waited for ${what}: engine ${engine.state}, ${outflank.modes.current?.constructor.name}, ` +
            `${[...document.querySelectorAll('dialog')].map(({ open, textContent }) => `${open} ${textContent}`)}, ` +
            `${location.hash}, said ${said.join(' | ')}`,
        );
    }
  };
  // The summary may take longer.
  outflank.settings.set('workers', 1);
  outflank.settings.set('pace', 0);
  let said = [];
  const say = notices.say.bind(notices);
  notices.say = (message) => {
    said.push(message);
    say(message);
  };
  const play = async (seed) => {
    const random = randomOf(seed);
    /** Any legal move, or one that leaves the engine the fewest, so that it must also pass. */
    const pick = (narrow) => {
      const { position } = outflank.study;
      const left = (move) => {
        const after = rules.play(position, move);
        return after.passed ? -1 : rules.look(after.position).legal.length;
      };
      const all = rules.moves(position);
      const least = narrow && Math.min(...all.map(left));
      const pool = narrow ? all.filter((move) => left(move) === least) : all;
      return pool[random(pool.length)];
    };
    said = [];
    outflank.modes.leave();
    // An opening of up to 23 random moves. In every fourth game the user starts with all corners, so that the engine must also
    // pass.
    await outflank.act('new');
    const given = seed % 4 === 0 ? ((seed >> 1) % 2 ? 'O' : 'X') : '-';
    const squares = [...outflank.study.position];
    for (const corner of [0, 7, 56, 63]) squares[corner] = given;
    const { constructor: Tree } = outflank.study.tree;
    outflank.loadTree(new Tree(rules, squares.join('')));
    for (let left = random(3) === 0 ? random(24) : 1 + random(5); left > 0; left--) {
      if (rules.look(outflank.study.position).over) break;
      outflank.study.play(pick(false));
    }
    outflank.act('play');
    await until('the dialog', () => document.querySelector('dialog[open]'));
    const choose = (name, value) =>
      document.querySelector(`dialog[open] input[name="${name}"][value="${value}"]`)?.click();
    const slider = document.querySelector('dialog[open] #strength');
    slider.value = opponents[seed % opponents.length];
    slider.dispatchEvent(new Event('input'));
    choose('colour', (seed >> 1) % 2 ? 'O' : 'X');
    choose('clock', seed % 3 === 0 ? '2' : '0');
    choose('from', 'here');
    document.querySelector('dialog[open] .solid').click();
    await until('the match', () => outflank.modes.current?.opponent);
    const { current: mode } = outflank.modes;
    const first = outflank.study.node;
    const { colour } = mode;
    const byHand = seed % clicked === 0;
    let [acrossPass, killed] = [0, 0];
    const over = () => outflank.modes.current !== mode;
    const turn = () => over() || (!mode.thinking && outflank.study.position[64] === colour);
    while (!over()) {
      await until('the engine', turn);
      if (over()) break;
      const before = outflank.study.node;
      // Moves are taken back at random, mostly after a pass.
      const passed = before.passed || before.parent?.passed;
      if (before.ply > first.ply + 1 && random(passed ? 2 : 40) === 0 && acrossPass < 3) {
        mode.takeBack();
        if (passed) acrossPass++;
        await until('the turn before', turn);
        if (over()) break;
      }
      const at = outflank.study.node;
      const name = pick(seed % 4 < 2);
      if (byHand) {
        await frame();
        document.querySelector(`[data-square="${name}"]`).click();
      } else outflank.press(name);
      if (outflank.study.node.parent !== at && !outflank.study.node.path.includes(at))
        throw new Error(`${name} was not played at ${location.hash}`);
      // In every tenth game a worker crashes while it thinks.
      if (seed % 10 === 7 && killed === 0 && mode.thinking && engine.worker && random(6) === 0) {
        killed++;
        engine.worker.onerror({ message: 'on purpose' });
      }
    }
    await until('the word', () => said.some(isResult));
    const { tags } = outflank.study.tree;
    const nodes = outflank.study.node.path.slice(first.ply + 1);
    const passes = (mover) =>
      nodes.filter((node) => node.passed && (node.parent.position[64] === colour) === mover).length;
    const { over: played, margin } = rules.look(outflank.study.position);
    return {
      seed,
      opponent: mode.opponent.id,
      plies: nodes.length,
      mine: passes(false),
      its: passes(true),
      acrossPass,
      killed,
      over: played,
      right: tags.result === margin && outflank.study.node.isMain,
      said,
    };
  };
  const games = [];
  for (let seed = from; seed < end; seed += step)
    games.push(await play(seed).catch(({ message }) => ({ seed, fault: message, said })));
  return games;
}

/** The next draw has one move to choose from. */
const leaveOnly = (page, move) =>
  page.evaluate((move) => {
    const { engine } = outflank;
    const submit = engine.submit.bind(engine);
    engine.submit = (job) => {
      if (!outflank.modes.current?.opponent) return submit(job);
      engine.submit = submit;
      return submit({ ...job, onValue: (row) => row.move === move && job.onValue(row) });
    };
  }, move);

test('the engine moves again if the user must pass', async () => {
  const page = await opened(site, BEFORE_PASS);
  await startMatch(page, { here: true });
  await page.waitForFunction(() => outflank.modes.current);
  await leaveOnly(page, 'g4');
  await cell(page, 'g5').click();
  await untilNotice(page, /passes/);
  // The engine has moved, the user passed, and the engine has moved again.
  await page.waitForFunction(
    () => outflank.study.node.ply >= 31 && outflank.modes.current?.thinking !== true,
  );
  await assertAlive(page);
});

/** Delays all lines of the engine except pongs until `release` is called. */
const holdAnswers = (page) =>
  page.evaluate(() => {
    const { worker } = outflank.engine;
    const { onmessage } = worker;
    const held = [];
    worker.onmessage = (event) =>
      String(event.data).startsWith('pong') ? onmessage(event) : held.push(event);
    window.release = () => {
      worker.onmessage = onmessage;
      for (const event of held) onmessage(event);
    };
  });
const release = (page) => page.evaluate(() => window.release());
const thinking = (page) => page.waitForFunction(() => outflank.modes.current?.thinking === true);
/** Plays the first legal move. */
const playAny = (page) =>
  page.evaluate(() => {
    outflank.press(outflank.rules.moves(outflank.study.position)[0]);
  });
const untilPly = (page, plies) =>
  page.waitForFunction(
    (plies) => outflank.study.node.ply === plies && outflank.modes.current?.thinking !== true,
    plies,
  );

test('a pass of the user at the first move can be taken back', async () => {
  const page = await opened(site, `${BEFORE_PASS.replace('@28', '')}g5`);
  await page.keyboard.press('End');
  // The engine is to move, and its first move leaves the user none.
  await page.evaluate(() => outflank.store.set('match', { colour: 'X' }));
  await leaveOnly(page, 'g4');
  await startMatch(page, { here: true });
  await untilNotice(page, /passes/);
  await page.waitForFunction(() => outflank.study.node.ply > 30 && outflank.modes.current?.thinking !== true);
  await assertAlive(page);
  const [before, turn] = await page.evaluate(() => [outflank.study.node.ply, outflank.study.position[64]]);
  assert.equal(turn, 'X');
  // The user had no turn before: nothing is taken back, and the match continues.
  await page.locator('#mode button', { hasText: 'Take back' }).click();
  assert.ok((await ply(page)) <= before);
  await playAny(page);
  await page.waitForFunction(() => outflank.modes.current?.thinking !== true);
  await assertAlive(page);
});

test('taking back at the first move does not stop the engine', async () => {
  const page = await opened(site, '/');
  await page.evaluate(() => outflank.store.set('match', { colour: 'O' }));
  await page.evaluate(() => outflank.settings.set('engine', false));
  await page.waitForFunction(() => outflank.engine.state === 'idle');
  await holdAnswers(page);
  await startMatch(page);
  await thinking(page);
  await page.locator('#mode button', { hasText: 'Take back' }).click();
  await release(page);
  await untilPly(page, 1);
  await assertAlive(page);
});

test('undoing a move while the engine thinks also drops the answer', async () => {
  const page = await opened(site, '/');
  await startMatch(page);
  await holdAnswers(page);
  await cell(page, 'f5').click();
  await thinking(page);
  await page.keyboard.press('Control+z');
  await untilPly(page, 0);
  await release(page);
  await cell(page, 'd3').click();
  await untilPly(page, 2);
  assert.deepEqual(await page.evaluate(() => outflank.study.tree.main[1].move), 'd3');
  // The engine's move is undone: it is the user's turn before it.
  await page.keyboard.press('Control+z');
  await untilPly(page, 0);
  await assertAlive(page);
});

test('the match ends when a clock runs out, and the analysis continues', async () => {
  const page = await opened(site, '/');
  await startMatch(page, { clock: '1+0' });
  await holdAnswers(page);
  await page.evaluate(() => {
    outflank.modes.current.clock.left.O = 0.5;
  });
  await cell(page, 'f5').click();
  await page.locator('.match-sum strong', { hasText: 'White is out of time: you won' }).waitFor();
  await release(page);
  await page.waitForFunction(() => outflank.analysis.running || outflank.analysis.done);
  assert.equal(await ply(page), 1);
  assert.equal(await ggfResult(page), '+64.000:t');
  await assertAlive(page);

  // The clock of the user, at an earlier position.
  await startMatch(page, { clock: '1+0' });
  await cell(page, 'f5').click();
  await untilPly(page, 2);
  await page.keyboard.press('Home');
  await page.evaluate(() => {
    outflank.modes.current.clock.left.X = 0.3;
  });
  await page.locator('.match-sum strong', { hasText: 'Black is out of time: you lost' }).waitFor();
  assert.equal(await ply(page), 2);
  assert.equal(await ggfResult(page), '-64.000:t');
  await page.getByRole('tab', { name: 'Games' }).click();
  await page.locator('#panel-games li', { hasText: '−64' }).waitFor();
});

test('a larger table, a console line or a crash while the engine thinks loses no move', async () => {
  const page = await opened(site, '/');
  await startMatch(page);
  await holdAnswers(page);
  await cell(page, 'f5').click();
  await thinking(page);
  await page.evaluate(() => outflank.settings.set('hash', 32));
  await untilPly(page, 2);
  await holdAnswers(page);
  await playAny(page);
  await thinking(page);
  await page.evaluate(() => outflank.control.raw('ping 2'));
  await page.locator('#engine', { hasText: 'Controlled from the console' }).waitFor();
  await page.evaluate(() => {
    window.release();
    outflank.act('engine');
  });
  await untilPly(page, 4);
  await holdAnswers(page);
  await playAny(page);
  await thinking(page);
  await endEngine(page);
  await untilNotice(page, /was switched off/);
  await page.keyboard.press('l');
  await untilPly(page, 6);
});

test(`${GAMES} whole games against all opponents end with their result`, async (t) => {
  const tables = Array.from({ length: TABLES }, async (_, table) => {
    const page = await opened(site, '/');
    return page.evaluate(playGames, {
      from: table,
      step: TABLES,
      end: GAMES,
      clicked: CLICKED,
      limit: MOVE_LIMIT_MS,
      opponents: OPPONENTS,
      result: RESULT.source,
    });
  });
  const games = (await Promise.all(tables)).flat();
  assert.equal(games.length, GAMES);
  for (const { seed, fault, over, said, right, killed } of games) {
    assert.equal(fault, undefined, `game ${seed}`);
    assert.ok(over, `game ${seed} was played to its end`);
    assert.ok(right, `game ${seed} has its result, and is the main line`);
    const words = said.filter((message) => RESULT.test(message));
    assert.equal(words.length, 1, `game ${seed}: ${said.join(' | ')}`);
    const troubles = said.filter((message) => /restarted|stays off|illegal/.test(message)).length;
    assert.ok(troubles <= killed, `game ${seed}: ${said.join(' | ')}`);
  }
  const sum = (count) => games.reduce((total, game) => total + count(game), 0);
  const [plies, mine, its] = [sum((game) => game.plies), sum((game) => game.mine), sum((game) => game.its)];
  const [acrossPass, killed] = [sum((game) => game.acrossPass), sum((game) => game.killed)];
  t.diagnostic(
    `${games.length} games, ${plies} moves; the person passed ${mine} times, the engine ${its} times; ` +
      `${acrossPass} moves taken back across a pass, ${killed} workers killed`,
  );
  if (GAMES < 30) return;
  // The moves of the engine are drawn: it passed 2 to 16 times in 30 games.
  assert.ok(mine >= 10 && its >= 1, `passes: ${mine} of the person, ${its} of the engine`);
  assert.ok(acrossPass >= 5 && killed >= 2, `${acrossPass} across a pass, ${killed} killed`);
});

test('a new match starts empty, and a finished position starts none', async () => {
  const page = await opened(site, '/');
  await beginMatch(page);
  await page.evaluate(() => outflank.modes.current.resign());
  await page.waitForFunction(() => outflank.study.tree.tags.ending === 'resigned');
  await page.evaluate(() => outflank.act('new'));
  assert.deepEqual(await page.evaluate(() => outflank.study.tree.tags), {});

  await page.goto(`${new URL(page.url()).origin}/#${FINISHED}`);
  await page.waitForFunction(() => outflank.study.node.ply > 8);
  await page.getByRole('button', { name: 'Play', exact: true }).first().click();
  await page.locator('dialog').waitFor();
  assert.equal(await page.locator('dialog label', { hasText: 'this position' }).count(), 0);
});
