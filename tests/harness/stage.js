// One server and one browser for the tests of a file.

import assert from 'node:assert/strict';
import { after, afterEach, before } from 'node:test';

import { launchBrowser } from './browser.js';
import { startServer } from './server.js';
import { dice } from './small-game.js';

/** A script that defines `randomOf` in a page: `dice`. */
export const DEFINE_RANDOM = `window.randomOf = ${dice}`;

/** Depth of the analysis in pages of the tests. The usual depth keeps all cores busy while a page is open, which delays the tests. */
const DEPTH = 10;

/** A script that sets the depth of the analysis, unless a page has stored settings. */
export const limitDepth = (depth = DEPTH) =>
  `try { localStorage['outflank.settings'] ??= '{"depth":${depth}}'; } catch { /* A page without an address. */ }`;

/** Calls `report` for each uncaught error and each logged one of a page. @param {(problem: string) => void} report */
export function watchProblems(page, report) {
  page.on('pageerror', (error) => report(`uncaught: ${error.message}`));
  page.on('console', (message) => {
    const { url } = message.location();
    // Requested by the browser for a document without an icon.
    if (message.type() !== 'error' || url.endsWith('/favicon.ico')) return;
    report(`console: ${message.text()} (${url})`);
  });
}

/**
 * Call at the top of a test file: starts the server and the browser before its tests and ends
 * them after. Every page opened is closed after its test, and the test fails when the page met an
 * uncaught error, logged one, or broke the content policy, unless it declared that with `expectProblem`.
 */
export function stage() {
  let server;
  let browser;
  let contexts = [];
  let problems = [];
  let expected = [];

  before(async () => {
    [server, browser] = await Promise.all([startServer(), launchBrowser()]);
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

    /**
     * Opens a page of the site in a browser profile of its own.
     * @param {string} path from the root, with its slash
     * @param {{ depth?: number, [option: string]: unknown }} options depth of the analysis; others of Playwright's `newContext`
     */
    async open(path = '/', { depth, ...options } = {}) {
      const context = await browser.newContext({
        viewport: { width: 1280, height: 800 },
        locale: 'en-GB',
        ...options,
      });
      contexts.push(context);
      await context.addInitScript(`${DEFINE_RANDOM};${limitDepth(depth)}`);
      const page = await context.newPage();
      watchProblems(page, (problem) => problems.push(problem));
      await page.goto(server.address + path);
      return page;
    },

    /** Permits matching problems in the current test. */
    expectProblem(pattern) {
      expected.push(pattern);
    },
  };
}
