// One server and one browser for the tests of a file.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, afterEach, before } from 'node:test';

import * as hands from '../hands.js';
import { HANG_MS, sharedBrowser } from './browser.js';
import { dice } from './dice.js';
import { startServer } from './server.js';

/** A script that defines `randomOf` in a page: `dice`. */
const DEFINE_RANDOM = `window.randomOf = ${dice}`;

/** A script that makes the moves of opponents reproducible. */
const SEED_RANDOM = `Math.random = (${dice})(64)`;

/** A script that keeps every notice in `noticed`: it disappears from the page after some seconds. */
const KEEP_NOTICES = `window.noticed = [];
  new MutationObserver((records) => {
    for (const node of records.flatMap(({ addedNodes }) => [...addedNodes]))
      if (node.classList?.contains('notice')) noticed.push(node);
  }).observe(document, { childList: true, subtree: true })`;

/** The text of a module of this folder as a script. */
const script = (name) =>
  readFileSync(new URL(name, import.meta.url), 'utf8').replaceAll(/^(import .*\n|export )/gm, '');

/** A script that replaces the engine of a page by `recorded-engine.js`. */
const RECORD_ENGINE = `{${script('board.js')}${script('recorded-engine.js')}replaceEngine()}`;

/** Depth of the analysis in pages of the tests. The usual depth keeps all cores busy while a page is open, which delays the tests. */
const DEPTH = 10;

/** A script that stores settings, unless a page has stored some. */
const storeSettings = (settings) =>
  `try { localStorage['outflank.settings'] ??= '${JSON.stringify(settings)}'; } catch { /* A page without an address. */ }`;

/** Creates a browser profile for pages of the tests, which have the actions of `hands.js` as methods.
 *  @param {{ settings?: object, engine?: 'real' | 'recorded', [option: string]: unknown }} options stored settings, without the
 *    book by default; `recorded` replaces the engine by that of `recorded-engine.js`; others of Playwright's `newContext` */
export async function newContext(browser, { settings = {}, engine = 'real', ...options } = {}) {
  const context = await browser.newContext({ locale: 'en-GB', ...options });
  context.setDefaultTimeout(HANG_MS);
  await context.addInitScript(
    [
      DEFINE_RANDOM,
      SEED_RANDOM,
      KEEP_NOTICES,
      storeSettings({ depth: DEPTH, book: false, ...settings }),
    ].join(';'),
  );
  if (engine === 'recorded') await context.addInitScript(RECORD_ENGINE);
  context.on('page', (page) => {
    for (const [name, act] of Object.entries(hands))
      if (typeof act === 'function') page[name] = act.bind(null, page);
  });
  return context;
}

/** Calls `report` for each uncaught error and each logged one of a page. @param {(problem: string) => void} report */
function watchProblems(page, report) {
  page.on('pageerror', (error) => report(`uncaught: ${error.message}`));
  page.on('console', (message) => {
    const { url } = message.location();
    // Requested by the browser for a document without an icon.
    if (message.type() !== 'error' || url.endsWith('/favicon.ico')) return;
    report(`console: ${message.text()} (${url})`);
  });
}

/** Call at the top of a test file: provides the server and a browser for its tests. Every page is closed after its test. The test
 *  fails if the page had an uncaught error, logged one or broke the content policy, unless `expectProblem` permits it. */
export function stage() {
  let server;
  let browser;
  let contexts = [];
  let problems = [];
  let expected = [];

  before(async () => {
    [server, browser] = await Promise.all([startServer(), sharedBrowser()]);
  });

  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  afterEach(async () => {
    await Promise.all(contexts.map((context) => context.close()));
    const unexpected = problems.filter((problem) => !expected.some((known) => known.test(problem)));
    contexts = [];
    problems = [];
    expected = [];
    assert.deepEqual(unexpected, [], 'the page reported no problem');
  });

  return {
    /** Address of the site, without a slash at the end. */
    get address() {
      return server.address;
    },

    get browser() {
      return browser;
    },

    /** Opens a page of the site in a new browser profile, without its service worker, which would load and digest every file.
     *  @param {string} path from the root, with its slash @param {{ [option: string]: unknown }} [options] those of `newContext` */
    async open(path = '/', options = {}) {
      const context = await newContext(browser, {
        viewport: { width: 1280, height: 800 },
        serviceWorkers: 'block',
        ...options,
      });
      contexts.push(context);
      const page = await context.newPage();
      watchProblems(page, (problem) => problems.push(problem));
      await page.goto(server.address + path);
      return page;
    },

    /** Opens a page of the site and waits until its board is there. */
    async opened(path, options) {
      const page = await this.open(path, options);
      await page.untilBoard();
      return page;
    },

    /** Opens a page with the recorded engine and shallow analyses of whole games, and waits for the parts that it loads last. */
    async openedWhole(path = '/', { settings = {}, ...options } = {}) {
      const how = { engine: 'recorded', settings: { reviewDepth: 4, ...settings }, ...options };
      const page = await this.opened(path, how);
      await page.locator('#graph svg').waitFor({ state: 'attached' });
      await page.waitForFunction(() => document.querySelector('link[href="style/parts.css"]')?.sheet);
      return page;
    },

    /** Permits matching problems in the current test. */
    expectProblem(pattern) {
      expected.push(pattern);
    },
  };
}
