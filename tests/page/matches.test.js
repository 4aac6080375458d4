// Whole games against the engine through the real page, with passes on both sides.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { stage } from '../harness/stage.js';
import { cell, opened, untilNotice } from './hands.js';

const site = stage();

const GAMES = Number(process.env.OUTFLANK_GAMES ?? 100);
/** Pages that play side by side. */
const TABLES = 2;
/** Of so many games one is played by clicks on the squares, the others by what a click calls. */
const CLICKED = 5;
/** How long a page may wait for the engine's move. The watchdog of the engine would bark before. */
const MOVE_LIMIT_MS = 15_000;

/** After g5 the engine plays, and the person has to pass. */
const BEFORE_PASS = '/#f5d6c3d3c2f3e3f4g3e2d7f2e1f1f6d1g1h1d2c1g2e6f7h4h3g6h5h2@28';
const RESULT = /^(You won|You lost|A draw)/;

/** Chooses level 1 in the dialog, as a person would. */
async function startMatch(page, { here = false, clock = 'none' } = {}) {
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await page.locator('dialog label', { hasText: /^1$/ }).click();
  await page.locator('dialog label', { hasText: clock }).click();
  if (here) await page.locator('dialog label', { hasText: 'this position' }).click();
  await page.locator('dialog .solid').click();
}

/** The engine has never died, and works or rests. */
const assertAlive = async (page) => {
  const { deaths, state } = await page.evaluate(() => ({
    deaths: outflank.engine.deaths,
    state: outflank.engine.state,
  }));
  assert.equal(deaths, 0, 'no restart');
  assert.ok(['idle', 'busy', 'stopping'].includes(state), state);
  assert.equal(await page.locator('.notice.fault').count(), 0);
};

/**
 * Runs in the page: plays games of seeds `from`, `from + step`, … below `end` at level 1, and tells of each
 * `{ plies, mine, its, said, states }`: moves played, passes of the person and of the engine, the word at the
 * end, and the states that the engine was in.
 */
async function playGames({ from, step, end, clicked, limit }) {
  const { rules, engine, notices } = outflank;
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  const until = async (what, condition) => {
    for (const began = performance.now(); !condition(); await pause(0))
      if (performance.now() - began > limit)
        throw new Error(`waited for ${what}: engine ${engine.state}, ${location.hash}`);
  };
  let said = [];
  const show = notices.show.bind(notices);
  notices.show = (message, options) => {
    said.push(message);
    return show(message, options);
  };
  const play = async (seed) => {
    let state = seed * 2_654_435_761 + 1;
    const random = (n) => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return (state >>> 8) % n;
    };
    /** Any legal move, or, so that the engine has to pass, too, one that leaves it the fewest. */
    const pick = (narrow) => {
      const { position } = outflank.study;
      const left = (move) => {
        const after = rules.play(position, move);
        return after.passed ? -1 : rules.look(after.position).legal.length;
      };
      const all = rules.look(position).legal.map((square) => 'abcdefgh'[square & 7] + ((square >> 3) + 1));
      const least = narrow && Math.min(...all.map(left));
      const pool = narrow ? all.filter((move) => left(move) === least) : all;
      return pool[random(pool.length)];
    };
    said = [];
    const states = new Set();
    outflank.modes.leave();
    // An opening of up to 23 random moves; in every fourth game the person has all corners from the start, so
    // that the engine runs out of moves, too.
    await outflank.act('new');
    const given = seed % 4 === 0 ? ((seed >> 1) % 2 ? 'O' : 'X') : '-';
    const squares = [...outflank.study.position];
    for (const corner of [0, 7, 56, 63]) squares[corner] = given;
    outflank.table.load({ start: squares.join(''), moves: '' });
    for (let left = random(3) === 0 ? random(24) : random(6); left > 0; left--) {
      if (rules.look(outflank.study.position).over) break;
      outflank.study.play(pick(false));
    }
    outflank.act('play');
    await until('the dialog', () => document.querySelector('dialog[open]'));
    const choose = (name, value) =>
      document.querySelector(`dialog input[name="${name}"][value="${value}"]`)?.click();
    choose('level', '1');
    choose('colour', (seed >> 1) % 2 ? 'O' : 'X');
    choose('clock', '0');
    choose('from', 'here');
    document.querySelector('dialog .solid').click();
    await until('the match', () => outflank.modes.current);
    const { current: mode } = outflank.modes;
    const first = outflank.study.node;
    const { colour } = mode;
    const byHand = seed % clicked === 0;
    while (outflank.modes.current === mode) {
      states.add(engine.state);
      await until(
        'the engine',
        () => outflank.modes.current !== mode || (!mode.thinking && outflank.study.position[64] === colour),
      );
      if (outflank.modes.current !== mode) break;
      const name = pick(seed % 4 < 2);
      const before = outflank.study.node;
      if (byHand) {
        await frame();
        document.querySelector(`[data-square="${name}"]`).click();
      } else outflank.table.press(name);
      if (outflank.study.node.parent !== before)
        throw new Error(`${name} was not played at ${location.hash}`);
    }
    const nodes = outflank.study.node.path.slice(first.ply + 1);
    const passes = (mover) =>
      nodes.filter((node) => node.passed && (node.parent.position[64] === colour) === mover).length;
    return {
      seed,
      plies: nodes.length,
      mine: passes(false),
      its: passes(true),
      over: rules.look(outflank.study.position).over,
      said,
      states: [...states],
    };
  };
  const games = [];
  for (let seed = from; seed < end; seed += step)
    games.push(await play(seed).catch(({ message }) => ({ seed, fault: message, said })));
  return games;
}

test('the engine passes on to the person, who has to pass: it moves again at once', async () => {
  const page = await opened(site, BEFORE_PASS);
  await startMatch(page, { here: true });
  await cell(page, 'g5').click();
  await untilNotice(page, /passes/);
  // The engine has moved, the person passed, and the engine has moved again.
  await page.waitForFunction(
    () => outflank.study.node.ply >= 31 && outflank.modes.current?.thinking !== true,
  );
  await assertAlive(page);
});

/** Makes the engine think for long: what it says waits until `release` is called, but for pongs. */
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
const ply = (page) => page.evaluate(() => outflank.study.node.ply);
/** Plays the first legal move. */
const playAny = (page) =>
  page.evaluate(() => {
    const [square] = outflank.rules.look(outflank.study.position).legal;
    outflank.table.press('abcdefgh'[square & 7] + ((square >> 3) + 1));
  });
const untilPly = (page, plies) =>
  page.waitForFunction(
    (plies) => outflank.study.node.ply === plies && outflank.modes.current?.thinking !== true,
    plies,
  );

test('a person may have to pass at the first move, and take it back', async () => {
  const page = await opened(site, `${BEFORE_PASS.replace('@28', '')}g5`);
  await page.keyboard.press('End');
  // The engine is to move, and its first move leaves the person none.
  await page.evaluate(() => outflank.store.set('match', { colour: 'X' }));
  await startMatch(page, { here: true });
  await untilNotice(page, /passes/);
  await page.waitForFunction(() => outflank.study.node.ply > 30 && outflank.modes.current?.thinking !== true);
  await assertAlive(page);
  const [before, turn] = await page.evaluate(() => [outflank.study.node.ply, outflank.study.position[64]]);
  assert.equal(turn, 'X');
  // There is no turn of the person before: nothing is taken back, and the game goes on.
  await page.locator('#mode button', { hasText: 'Take back' }).click();
  assert.ok((await ply(page)) <= before);
  await playAny(page);
  await page.waitForFunction(() => outflank.modes.current?.thinking !== true);
  await assertAlive(page);
});

test('taking back where there is nothing to take back lets the engine think on', async () => {
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

test('a move undone while the engine thinks about it is gone, and so is its answer', async () => {
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
  // The engine's move undone: it is the person's turn before it.
  await page.keyboard.press('Control+z');
  await untilPly(page, 0);
  await assertAlive(page);
});

test('the clock of the engine runs out while it thinks: the game is over, the analysis goes on', async () => {
  const page = await opened(site, '/');
  await startMatch(page, { clock: '1+0' });
  await holdAnswers(page);
  await page.evaluate(() => {
    outflank.modes.current.left.O = 0.5;
  });
  await cell(page, 'f5').click();
  await untilNotice(page, /White is out of time/);
  await release(page);
  await page.waitForFunction(
    () => outflank.modes.current === null && (outflank.analysis.running || outflank.analysis.done),
  );
  assert.equal(await ply(page), 1);
  await assertAlive(page);
});

test('a larger table, a line in the console or a death while the engine thinks cost no move', async () => {
  const page = await opened(site, '/');
  await startMatch(page);
  await holdAnswers(page);
  await cell(page, 'f5').click();
  await thinking(page);
  await page.evaluate(() => outflank.settings.set('hash', 32));
  await untilPly(page, 2);
  await holdAnswers(page);
  const move = () => playAny(page);
  await move();
  await thinking(page);
  await page.evaluate(() => outflank.control.raw('ping 2'));
  await page.locator('#engine', { hasText: 'Driven from the console' }).waitFor();
  await page.evaluate(() => {
    window.release();
    outflank.act('engine');
  });
  await untilPly(page, 4);
  await holdAnswers(page);
  await move();
  await thinking(page);
  await page.evaluate(() => {
    const { engine } = outflank;
    const { spawn } = engine;
    engine.spawn = () => {
      throw new Error('on purpose');
    };
    engine.worker.onerror({ message: 'on purpose' });
    engine.spawn = spawn;
  });
  await untilNotice(page, /stays off/);
  await page.keyboard.press('l');
  await untilPly(page, 6);
});

test(`${GAMES} whole games at level 1 end with their word and without a restart`, async (t) => {
  const tables = Array.from({ length: TABLES }, async (_, table) => {
    const page = await opened(site, '/');
    const games = await page.evaluate(playGames, {
      from: table,
      step: TABLES,
      end: GAMES,
      clicked: CLICKED,
      limit: MOVE_LIMIT_MS,
    });
    if (games.every(({ fault }) => !fault)) await assertAlive(page);
    return games;
  });
  const games = (await Promise.all(tables)).flat();
  assert.equal(games.length, GAMES);
  const count = (pattern) =>
    games.reduce((sum, { said }) => sum + said.filter((message) => pattern.test(message)).length, 0);
  t.diagnostic(
    `${games.length} games, ${count(/restarted/)} restarts, given up ${count(/stays off/)} times, ${games.filter(({ fault }) => fault).length} broken off`,
  );
  for (const { seed, fault, over, said, states } of games) {
    assert.equal(fault, undefined, `game ${seed}`);
    assert.ok(over, `game ${seed} was played to its end`);
    assert.equal(
      said.filter((message) => RESULT.test(message)).length,
      1,
      `game ${seed}: ${said.join(' | ')}`,
    );
    assert.deepEqual(
      said.filter((message) => /restarted|stays off|illegal/.test(message)),
      [],
      `game ${seed}`,
    );
    assert.ok(!states.includes('dead'), `game ${seed}`);
  }
  const sum = (count) => games.reduce((total, game) => total + count(game), 0);
  const [plies, mine, its] = [sum((game) => game.plies), sum((game) => game.mine), sum((game) => game.its)];
  t.diagnostic(
    `${games.length} games, ${plies} moves; the person passed ${mine} times, the engine ${its} times`,
  );
  assert.ok(mine >= 10 && its >= 10, `passes: ${mine} of the person, ${its} of the engine`);
});
