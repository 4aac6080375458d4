// One server and one browser for the tests of a file.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, afterEach, before } from 'node:test';

import * as hands from '../hands.js';
import { HANG_MS, sharedBrowser } from './browser.js';
import { dice } from './dice.js';
import { startServer } from './server.js';

/** A script that defines `randomOf` in a page, and makes the moves of opponents reproducible. */
const DEFINE_RANDOM = `window.randomOf = ${dice}; Math.random = randomOf(64)`;

/** A script that keeps every notice in `noticed`: it disappears from the page after some seconds. */
const KEEP_NOTICES = `window.noticed = [];
  new MutationObserver((records) => {
    for (const node of records.flatMap(({ addedNodes }) => [...addedNodes]))
      if (node.classList?.contains('notice')) noticed.push(node);
  }).observe(document, { childList: true, subtree: true })`;

const script = (name) =>
  readFileSync(new URL(name, import.meta.url), 'utf8').replaceAll(/^(import .*\n|export )/gm, '');

const RECORD_ENGINE = `{${script('board.js')}${script('recorded-engine.js')}replaceEngine()}`;

/** Depth of the analysis in pages of the tests. The usual depth keeps all cores busy while a page is open, which delays the tests. */
const DEPTH = 10;

const VIEWPORT = { width: 1280, height: 800 };

const storedSettings = (settings) => JSON.stringify({ depth: DEPTH, book: false, ...settings });

/** A script that stores settings, unless a page has stored some. */
const storeSettings = (settings) =>
  `try { localStorage['outflank.settings'] ??= '${storedSettings(settings)}'; } catch { /* A page without an address. */ }`;

/** Creates a browser profile for pages of the tests, which have the actions of `hands.js` as methods.
 *  @param {{ settings?: object, engine?: 'real' | 'recorded', [option: string]: unknown }} options stored settings, without the
 *    book by default; `recorded` replaces the engine by that of `recorded-engine.js`; others of Playwright's `newContext` */
export async function newContext(browser, { settings = {}, engine = 'real', ...options } = {}) {
  const context = await browser.newContext({ locale: 'en-GB', ...options });
  context.setDefaultTimeout(HANG_MS);
  await context.addInitScript([DEFINE_RANDOM, KEEP_NOTICES, storeSettings(settings)].join(';'));
  if (engine === 'recorded') await context.addInitScript(RECORD_ENGINE);
  context.on('page', (page) => {
    for (const [name, act] of Object.entries(hands))
      if (typeof act === 'function') page[name] = act.bind(null, page);
  });
  return context;
}

let server;
let browser;
let problems = [];
let expected = [];
let contexts = [];
/** Pages that were used by earlier tests, by their engine. A new profile and its process take longer than the page. */
const used = new Map();

before(async () => {
  [server, browser] = await Promise.all([startServer(), sharedBrowser()]);
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

afterEach(async () => {
  await Promise.all(contexts.map((context) => context.close()));
  for (const page of used.values()) {
    for (const other of page.context().pages()) if (other !== page) await other.close();
    // A page of another site would need another process.
    await page.goto(`${server.address}/version.json`);
  }
  const unexpected = problems.filter((problem) => !expected.some((known) => known.test(problem)));
  [contexts, problems, expected] = [[], [], []];
  assert.deepEqual(unexpected, [], 'the page reported no problem');
});

/** Notes each uncaught error and each logged one of a page. */
function watchProblems(page) {
  page.on('pageerror', (error) => problems.push(`uncaught: ${error.message}`));
  page.on('console', (message) => {
    const { url } = message.location();
    // Requested by the browser for a document without an icon.
    if (message.type() !== 'error' || url.endsWith('/favicon.ico')) return;
    problems.push(`console: ${message.text()} (${url})`);
  });
}

/** The site of the server, and the browser: one each for all tests of a process. A test fails if its page had an uncaught error, logged
 *  one or broke the content policy, unless `expectProblem` permits it. */
export const site = {
  /** Address of the site, without a slash at the end. */
  get address() {
    return server.address;
  },

  get browser() {
    return browser;
  },

  /** Opens a page of the site in a new browser profile, without its service worker, which would load and digest every file. Its engine
   *  is recorded by default. `path` begins with a slash, `options` are those of `newContext`. */
  async open(path = '/', options = {}) {
    const how = { engine: 'recorded', viewport: VIEWPORT, serviceWorkers: 'block', ...options };
    const context = await newContext(browser, how);
    contexts.push(context);
    const page = await context.newPage();
    watchProblems(page);
    await page.goto(server.address + path);
    return page;
  },

  /** Opens a page of the site in an empty profile, which earlier tests may have used, and waits until its board is there. The profile
   *  is a new one for other options than settings and engine. */
  async opened(path = '/', options = {}) {
    const { settings = {}, engine = 'recorded', ...others } = options;
    if (Object.keys(others).length > 0) {
      const page = await this.open(path, options);
      await page.untilBoard();
      return page;
    }
    if (!used.has(engine)) {
      used.set(engine, await this.open('/version.json', { engine }));
      contexts.pop();
    }
    const page = used.get(engine);
    await page.emulateMedia({ media: null, reducedMotion: null });
    await page.mouse.move(0, 0);
    await page.setViewportSize(VIEWPORT);
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Storage.clearDataForOrigin', { origin: server.address, storageTypes: 'all' });
    await devtools.detach();
    await page.evaluate((stored) => {
      sessionStorage.clear();
      localStorage['outflank.settings'] = stored;
    }, storedSettings(settings));
    await page.goto(server.address + path);
    await page.untilBoard();
    return page;
  },

  /** Opens a page with shallow analyses of whole games, and waits for the parts that it loads last. */
  async openedWhole(path = '/', { settings = {}, ...options } = {}) {
    const page = await this.opened(path, { settings: { reviewDepth: 4, ...settings }, ...options });
    await page.locator('#graph svg').waitFor({ state: 'attached' });
    await page.waitForFunction(() => document.querySelector('link[href="style/parts.css"]')?.sheet);
    return page;
  },

  expectProblem(pattern) {
    expected.push(pattern);
  },
};
