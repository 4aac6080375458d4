// A long session with the page in a headless browser: rapid changes of position, matches, and a tab that is hidden, frozen and shown
// again. Prints response times of the engine, memory, and errors.
//
//   node tests/bench/soak.js [--changes 1000] [--matches 50] [--hides 40] [--seed 1]
//
// Errors are: an uncaught error, an error in the console, a crashed engine, a value of another position, a tab that searches while it
// is hidden or does not search while it is visible. Any of them ends with status 1.

import { parseArgs } from 'node:util';
import { beginMatch, hide, untilAtWork, untilValues, usersTurn } from '../page/hands.js';
import { launchBrowser } from '../page/harness/browser.js';
import { dice } from '../page/harness/dice.js';
import { rendererMemory } from '../page/harness/memory.js';
import { startServer } from '../page/harness/server.js';
import { DEFINE_RANDOM, watchProblems } from '../page/harness/stage.js';

const MIB = 1 << 20;
/** Before memory is measured first: what is loaded late is there by then. */
const WARM_UP = 40;
/** Number of position changes before the first check. */
const BATCH = 25;
/** A hidden tab may take so long to come to rest. */
const REST_MS = 1000;

const { values: given } = parseArgs({
  options: {
    changes: { type: 'string', default: '1000' },
    matches: { type: 'string', default: '50' },
    hides: { type: 'string', default: '40' },
    seed: { type: 'string', default: '1' },
  },
});
const wanted = Object.fromEntries(
  Object.entries(given).map(([name, text]) => {
    if (!/^\d{1,6}$/.test(text)) throw new Error(`--${name}: ${text} is no number`);
    return [name, Number(text)];
  }),
);

/** Runs in the page before its own scripts: notes what is said to the engine at work on the board, and when. */
function listen() {
  const heard = { pongs: [], firsts: [], told: [] };
  window.heard = heard;
  const RealWorker = window.Worker;
  window.Worker = class extends RealWorker {
    constructor(address, ...rest) {
      super(address, ...rest);
      if (!/\/worker\.js$/.test(new URL(address, location.href).pathname)) return;
      this.isEngine = true;
      super.addEventListener('message', ({ data }) => {
        if (typeof data !== 'string') return;
        const now = performance.now();
        if (data === `pong ${this.ping}`) {
          heard.pongs.push(now - this.pinged);
          this.ping = undefined;
        } else if (data.startsWith('search ')) {
          if (this.asked !== undefined) heard.firsts.push(now - this.asked);
          this.asked = undefined;
          // After a ping whatever comes belongs to the job before.
          if (this.ping === undefined && this.game)
            heard.told.push([this.game, data.split(' ')[1].slice(0, 2)]);
        }
      });
    }

    postMessage(line, ...rest) {
      if (this.isEngine) {
        const now = performance.now();
        const text = String(line);
        if (text.startsWith('ping ')) {
          this.ping = text.slice(5);
          this.pinged = now;
          this.asked = undefined;
        } else if (text.startsWith('set game'))
          this.game = /BO\[8 (\S{64}) (\S);/.exec(text)?.slice(1).join('');
        else if (/^hint /.test(text)) this.asked = now;
      }
      super.postMessage(line, ...rest);
    }
  };
}

/** Changes positions as a hand that does not rest: moves, ways back and forth, links, other games, undone. */
const change = (page, times, seed) =>
  page.evaluate(
    async ({ times, seed }) => {
      const roll = randomOf(seed);
      for (let i = 0; i < times; i++) {
        const { rules, study } = outflank;
        const moves = rules.moves(study.position);
        const way = moves.length === 0 ? 5 + roll(4) : roll(9);
        if (way < 5) outflank.press(moves[roll(moves.length)]);
        else if (way === 5) await outflank.act(['back', 'forward', 'first', 'last'][roll(4)]);
        else if (way === 6) await outflank.act(['undo', 'redo', 'variation-up', 'variation-down'][roll(4)]);
        else if (way === 7) await outflank.act(['delete', 'new'][roll(2)]);
        else location.hash = ['#f5d6c3d3c4', '#f5f6e6f4g5', '#d3c5f6f5e6@2', '#f5f4'][roll(4)];
        if (roll(3) > 0) await new Promise((resolve) => setTimeout(resolve, roll(120)));
      }
    },
    { times, seed },
  );

/** A match to its end, with hints, moves taken back, and now and then another look at the board. */
async function play(page, random) {
  await page.evaluate(() => outflank.modes.leave());
  await beginMatch(page, { colour: random(2) ? 'X' : 'O' });
  let moves = 0;
  for (;;) {
    const went = await page.evaluate((dice) => {
      const mode = outflank.modes.current;
      if (!mode?.opponent) return 'over';
      const moves = outflank.rules.moves(outflank.study.position);
      outflank.press(moves[Math.floor(dice * moves.length)]);
      return 'moved';
    }, random());
    if (went === 'over') return moves;
    moves++;
    // An earlier position, and back.
    if (random(8) === 0) await page.evaluate(() => outflank.act('back'));
    await page.evaluate(() => outflank.act('last'));
    const isOver = await page
      .waitForFunction(
        () => {
          const mode = outflank.modes.current;
          if (!mode?.opponent) return 'over';
          return !mode.thinking && outflank.study.position[64] === mode.colour && 'turn';
        },
        null,
        { timeout: 60_000, polling: 20 },
      )
      .then((found) => found.jsonValue())
      .then((found) => found === 'over');
    if (isOver) return moves;
    for (const aid of ['Hint', 'Take back']) {
      if (random(15) > 0) continue;
      const button = page.locator('#mode button', { hasText: aid });
      await button.click({ timeout: 2000 }).catch(() => {});
      await usersTurn(page);
    }
  }
}

const sorted = (times) => [...times].sort((a, b) => a - b);
const told = (times) => {
  const all = sorted(times);
  if (all.length === 0) return 'none';
  const at = (share) => `${all[Math.min(all.length - 1, Math.floor(all.length * share))].toFixed(0)} ms`;
  return `${all.length}; median ${at(0.5)}, 99 of 100 within ${at(0.99)}, worst ${at(1)}`;
};
const mib = (bytes) => (bytes === null ? '–' : `${(bytes / MIB).toFixed(1)} MiB`);
const row = (what, text) => console.log(`${what.padEnd(24)} ${text}`);

const [server, browser] = await Promise.all([startServer(), launchBrowser()]);
const faults = [];
try {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' });
  await context.addInitScript(DEFINE_RANDOM);
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Performance.enable');
  watchProblems(page, (problem) => faults.push(problem));
  await page.addInitScript(listen);
  await page.goto(`${server.address}/`);
  await untilValues(page);
  // As deep as it goes: nothing is ever finished before it is stopped.
  await page.evaluate(() => outflank.settings.set('depth', 60));

  const measured = async () => {
    await page.evaluate(() => {
      outflank.modes.leave();
      return outflank.act('new');
    });
    await page.waitForTimeout(500);
    await devtools.send('HeapProfiler.collectGarbage');
    await page.waitForTimeout(1500);
    const { metrics } = await devtools.send('Performance.getMetrics');
    const metric = (wanted) => metrics.find(({ name }) => name === wanted)?.value ?? null;
    return {
      process: rendererMemory(),
      heap: metric('JSHeapUsedSize'),
      nodes: metric('Nodes'),
      listeners: metric('JSEventListeners'),
      known: await page.evaluate(() => outflank.evaluations.known.size),
    };
  };
  /** Looks through what was heard. */
  const look = async () => {
    const { stale, dead } = await page.evaluate(() => {
      const { heard, outflank } = window;
      const stale = heard.told.filter(([game, move]) => {
        const position = game.replaceAll('*', 'X');
        const square = (move.charCodeAt(1) - 49) * 8 + move.toLowerCase().charCodeAt(0) - 97;
        return !/^pa/i.test(move) && !outflank.rules.look(position).legal.includes(square);
      });
      heard.told = [];
      return { stale, dead: outflank.engine.crashes };
    });
    for (const [game, move] of stale) faults.push(`stale: ${move} for ${game}`);
    if (dead > 0) faults.push(`the engine died (${dead})`);
  };

  const random = dice(wanted.seed);
  await change(page, WARM_UP, wanted.seed + 1_000_000);
  const start = await measured();
  await page.evaluate(() => {
    window.heard.pongs = [];
    window.heard.firsts = [];
  });

  let begun = Date.now();
  for (let done = 0; done < wanted.changes; done += BATCH) {
    await change(page, Math.min(BATCH, wanted.changes - done), Math.floor(random() * 2 ** 32));
    await look();
    // Where it comes to rest it is analysed.
    if (!(await page.evaluate(() => outflank.rules.look(outflank.study.position).over)))
      await page
        .waitForFunction(() => outflank.evaluations.added(outflank.study.position).rows.length > 0, null, {
          timeout: 20_000,
        })
        .catch(() => faults.push('no values 20 s after the last change'));
  }
  row('positions changed', `${wanted.changes} in ${((Date.now() - begun) / 1000).toFixed(0)} s`);
  const { pongs, firsts } = await page.evaluate(() => window.heard);
  row('stopped', told(pongs));
  row('asked to first value', told(firsts));
  const between = await measured();

  begun = Date.now();
  let moves = 0;
  for (let match = 0; match < wanted.matches; match++) {
    moves += await play(page, random);
    await look();
  }
  row(
    'matches',
    `${wanted.matches} with ${moves} moves of the user in ${((Date.now() - begun) / 1000).toFixed(0)} s`,
  );

  await page.evaluate(() => {
    outflank.modes.leave();
    outflank.settings.set('engine', true);
    outflank.settings.set('values', true);
  });
  const back = [];
  for (let hidden = 0; hidden < wanted.hides; hidden++) {
    await change(page, 3, Math.floor(random() * 2 ** 32));
    await page.evaluate(() => outflank.act('new'));
    await hide(page, true);
    await page
      .waitForFunction(() => outflank.engine.state !== 'busy', null, { timeout: REST_MS, polling: 20 })
      .catch(() => faults.push('a hidden tab continues to search'));
    if (hidden % 4 === 3) {
      await devtools.send('Page.setWebLifecycleState', { state: 'frozen' });
      await new Promise((resolve) => setTimeout(resolve, 300));
      await devtools.send('Page.setWebLifecycleState', { state: 'active' });
    }
    const shown = Date.now();
    await hide(page, false);
    await untilAtWork(page).catch(() => faults.push('a shown tab does not search'));
    back.push(Date.now() - shown);
    await look();
  }
  row('hidden, shown, at work', told(back));

  const end = await measured();
  const memory = (name, text = mib) =>
    row(name[1], [start, between, end].map((at) => text(at[name[0]])).join(' → '));
  console.log('at the start, after the changes, at the end:');
  memory(['process', 'renderer']);
  memory(['heap', 'heap of the page']);
  memory(['nodes', 'nodes'], String);
  memory(['listeners', 'listeners'], String);
  memory(['known', 'positions known'], String);
} catch (error) {
  faults.push(`given up: ${error instanceof Error ? error.message : error}`);
} finally {
  await browser.close();
  await server.stop();
}
row('faults', String(faults.length));
for (const fault of new Set(faults)) console.log(`  ${fault}`);
process.exitCode = faults.length > 0 ? 1 : 0;
