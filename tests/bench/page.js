// Measures the budgets of the page in fresh headless browsers, three times, and prints the medians as JSON:
//
//   [{"what": "board shown", "value": 310, "unit": "ms", "budget": 1000}, …]
//
// A row with `optional` has the value `null` if the system does not provide it. Any other row without a value is an error.

import { painted, paste, WILD } from '../page/hands.js';
import { launchBrowser } from '../page/harness/browser.js';
import { largestRenderer } from '../page/harness/memory.js';
import { startServer, TOKEN } from '../page/harness/server.js';

const MIB = 2 ** 20;
const VIEWPORT = { width: 1280, height: 800 };
/** Milliseconds of thinking that are watched for long tasks, shifts and repaints. */
const WATCHED = 4000;
const STOPS = 7;
/** Plies of a search of the opening that does not end while it is watched. */
const ENDLESS = 60;
const RUNS = 3;
const REPORT_DEPTH = 18;

/** Runs in the page before its own scripts: notes times without touching what the page does. */
function watch() {
  const seen = { tasks: [], shift: 0, paints: [], stops: [], lines: 0 };
  window.seen = seen;
  const observe = (type, note) =>
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true });
  observe('longtask', ({ duration }) => seen.tasks.push(duration));
  observe('layout-shift', ({ hadRecentInput, value }) => (seen.shift += hadRecentInput ? 0 : value));
  window.painted = () =>
    new Promise((resolve) => {
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
    });
  const afterPaint = async (name) => (seen[name] = await window.painted());

  const note = ({ data }) => {
    // The first message of the program is text.
    if (data?.type === 'ready' || String(data).startsWith('{')) seen.ready ??= performance.now();
    // The page knows the values of the start position before: those of the engine are watched.
    const before = seen.lines;
    seen.lines += String(data).match(/^search/gm)?.length ?? 0;
    if (before < 4 && seen.lines >= 4) afterPaint('values');
  };
  const noting = (Real) =>
    class extends Real {
      constructor(...args) {
        super(...args);
        super.addEventListener('message', note);
      }
    };
  window.WebSocket = noting(window.WebSocket);
  window.Worker = class extends noting(window.Worker) {
    postMessage(line, ...rest) {
      const now = performance.now();
      if (String(line).startsWith('ping')) this.pinged ??= now;
      else if (/^(hint|go)/.test(line) && this.pinged !== undefined) {
        seen.stops.push(now - this.pinged);
        this.pinged = undefined;
      }
      super.postMessage(line, ...rest);
    }
  };

  new MutationObserver((records) => {
    if (seen.board === undefined && document.querySelectorAll('[role=gridcell]').length === 64) {
      seen.board = 0;
      afterPaint('board');
    }
    const onBoard = records.some(({ target }) => (target.parentElement ?? target).closest?.('.val'));
    if (onBoard) seen.paints.push(performance.now());
  }).observe(document, { childList: true, subtree: true, characterData: true });
}

/** The most entries of `times` within any second. */
const perSecond = (times) =>
  Math.max(0, ...times.map((start) => times.filter((time) => time >= start && time < start + 1000).length));

async function measure(address) {
  const browser = await launchBrowser();
  const page = await browser.newPage({ viewport: VIEWPORT });
  await page.goto('about:blank');
  const { bytes: blank } = await largestRenderer(browser);
  await page.addInitScript(watch);
  await page.goto(`${address}/`);
  await page.waitForFunction(() => window.seen.values > 0 && window.seen.ready > 0);
  const { bytes: memory } = await largestRenderer(browser);
  await page.waitForTimeout(WATCHED);
  const seen = await page.evaluate(() => window.seen);

  const repaints = await page.evaluate(() => {
    const { board, painter } = window.outflank;
    return Array.from({ length: 21 }, () => {
      // Every cell is drawn again, changed or not.
      board.label();
      const start = performance.now();
      painter.flush();
      return performance.now() - start;
    });
  });
  const click = await clickToDisc(page, 'f5');
  // Quick changes of position: each stops the search of the one before.
  await page.evaluate((depth) => outflank.settings.set('depth', depth), ENDLESS);
  await page.waitForTimeout(500);
  for (let i = 0; i < STOPS; i++) {
    await page.keyboard.press(i % 2 === 0 ? 'ArrowLeft' : 'ArrowRight');
    await page.waitForTimeout(400);
  }
  const { stops } = await page.evaluate(() => window.seen);
  const mib = (bytes) => bytes && (bytes - blank) / MIB;
  const { bytes: searched } = await largestRenderer(browser);
  const restyled = await restyledByStep(await browser.newPage({ viewport: VIEWPORT }), address);
  await browser.close();
  return [
    row('board shown', seen.board, 'ms', 1000),
    row('engine ready', seen.ready, 'ms', 1500),
    row('first values on all legal squares, after ready', Math.max(0, seen.values - seen.ready), 'ms', 100),
    row('click to disc drawn', click, 'ms', 50),
    row('stop to new search, median', median(stops), 'ms', 60),
    row('longest task of the page', Math.max(0, ...seen.tasks), 'ms', 50),
    row('full repaint, median', median(repaints), 'ms', 5),
    row('elements restyled by a step, median', restyled, '', 400),
    row('repaints of values in a second, most', perSecond(seen.paints), '', 8),
    row('layout shift', seen.shift, '', 0.02),
    { ...row('memory at start, over an empty page', mib(memory), 'MiB', 64), optional: true },
    { ...row('memory after searches, over an empty page', mib(searched), 'MiB', 192), optional: true },
  ];
}

/** First values of the native engine and of the browser's, and the report of a game with each, in turn. */
async function measureProgram(address) {
  const seconds = { true: [], false: [] };
  const firsts = [];
  for (let i = 0; i < 2 * RUNS; i++) {
    const program = i % 2 === 0;
    const browser = await launchBrowser();
    const page = await browser.newPage({ viewport: VIEWPORT });
    await page.addInitScript(watch);
    const kept = { program, book: false, reviewDepth: REPORT_DEPTH };
    const stored = { 'outflank.settings': JSON.stringify(kept), 'outflank.engine': TOKEN };
    await page.addInitScript((stored) => Object.assign(localStorage, stored), stored);
    await page.goto(`${address}/`);
    await page.waitForFunction(() => window.seen.values > 0 && window.seen.ready > 0);
    const seen = await page.evaluate(() => window.seen);
    if (program) firsts.push(Math.max(0, seen.values - Math.max(seen.ready, seen.board)));
    const start = performance.now();
    await paste(page, WILD);
    await page.locator('#panel-report .lead', { hasText: /^Learn/ }).waitFor({ timeout: 600_000 });
    seconds[program].push((performance.now() - start) / 1000);
    await browser.close();
  }
  const ratio = median(seconds.true) / median(seconds.false);
  return [
    row('first values of the native engine, after engine and page are ready', median(firsts), 'ms', 80),
    row(`report of 60 moves at depth ${REPORT_DEPTH}, browser`, median(seconds.false), 's', 60),
    row('the same with the native engine, share of the time', ratio, '', 1 / 1.5),
  ];
}

/** From the press on a legal square until its disc has been painted. */
async function clickToDisc(page, square) {
  const centre = await page.evaluate((square) => {
    const target = document.querySelector(`[role=gridcell][aria-label^="${square}," i]`);
    window.drawn = new Promise((resolve) => {
      let start;
      const press = () => (start = performance.now());
      document.addEventListener('mousedown', press, { capture: true, once: true });
      new MutationObserver((_, observer) => {
        if (!/black/i.test(target.getAttribute('aria-label'))) return;
        observer.disconnect();
        window.painted().then((time) => resolve(time - start));
      }).observe(target, { attributes: true });
    });
    const { x, y, width, height } = target.getBoundingClientRect();
    return [x + width / 2, y + height / 2];
  }, square);
  await page.mouse.click(...centre);
  return page.evaluate(() => window.drawn);
}

/** The elements whose style is computed at a step through a game, while the engine is off. */
async function restyledByStep(page, address) {
  await page.goto(`${address}/#f5d6c3d3c4f4f6g5`);
  await page.locator('.val.best').first().waitFor();
  await page.locator('#engine [data-part=toggle]').click();
  const devtools = await page.context().newCDPSession(page);
  const counts = [];
  devtools.on('Tracing.dataCollected', ({ value }) => {
    for (const { name, args } of value) if (name === 'UpdateLayoutTree') counts[0] += args.elementCount;
  });
  for (let i = 0; i < STOPS; i++) {
    counts.unshift(0);
    await devtools.send('Tracing.start', { traceConfig: { includedCategories: ['devtools.timeline'] } });
    await page.keyboard.press(i % 2 === 0 ? 'ArrowLeft' : 'ArrowRight');
    await page
      .locator('#where')
      .getByText(`move ${7 + (i % 2)} of 8`)
      .waitFor();
    await painted(page);
    const ended = new Promise((resolve) => devtools.once('Tracing.tracingComplete', resolve));
    await devtools.send('Tracing.end');
    await ended;
  }
  return median(counts);
}

const row = (what, value, unit, budget) => ({ what, value: value ?? null, unit, budget });

function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted.length ? sorted[sorted.length >> 1] : null;
}

/** Row by row the median of several runs: another program may disturb one of them. */
async function measured(address) {
  const runs = [];
  for (let i = 0; i < RUNS; i++) runs.push(await measure(address));
  return runs[0].map((first, i) => ({
    ...first,
    value: median(runs.map((rows) => rows[i].value).filter((value) => value !== null)),
  }));
}

const server = await startServer();
try {
  const { address } = server;
  const rows = [];
  for (const measure of [measured, measureProgram]) rows.push(await measure(address));
  console.log(JSON.stringify(rows.flat()));
} finally {
  await server.stop();
}
