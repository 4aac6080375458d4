// The program that serves the page is killed during the analysis of a game.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BROWSER, COMPUTER, GAME, until } from '../hands.js';
import { startServer, TOKEN } from '../harness/server.js';
import { newContext, site } from '../harness/stage.js';

/** A script that keeps questions of analyses from the program after the first `most`, so that it cannot finish. */
function holdQuestions({ question, most }) {
  const { send } = WebSocket.prototype;
  let asked = 0;
  WebSocket.prototype.send = function (line) {
    const isHeld = /\bhash=16\b/.test(this.url) && String(line) === question && ++asked > most;
    if (isHeld) Object.assign(window, { held: true });
    else send.call(this, line);
  };
}

const POSITIONS = { network: 'small', when: 'the searches of positions', question: 'hint 1', most: 10 };
// The lines after a mistake are compared.
const REASONS = { network: 'small', when: 'the explanations', question: 'hint 3', most: 1 };

for (const { network, when, ...held } of [POSITIONS, REASONS, { ...POSITIONS, network: 'large' }])
  test(`the program with the ${network} network is killed during ${when}: the report ends with the engine of the browser`, async (t) => {
    const server = await startServer(['--threads', '1', '--eval', network]);
    const context = await newContext(site.browser, { settings: { reviewDepth: 8, depth: 60 } });
    t.after(() => Promise.all([context.close(), server.stop()]));
    await context.addInitScript(holdQuestions, held);
    const page = await context.newPage();
    await page.goto(`${server.address}/?engine=${TOKEN}#${GAME}`);
    await page.engineNamed(COMPUTER);
    // The files of the browser's engine are on the device.
    await page.evaluate(() => navigator.serviceWorker.ready);
    await until(() => page.evaluate(() => Boolean(navigator.serviceWorker.controller)), true);
    await page.waitForFunction(() => 'held' in window);
    await server.stop();
    await page.untilNotice(/engine of this computer cannot be reached/);
    await page.shows('#panel-report .under .muted', 'Depth 8 and exact endings');
    const left = await page.evaluate(() => {
      const { review } = outflank.panels.made.get('report');
      return review.left + Number(review.running);
    });
    assert.equal(left, 0);
    await page.engineNamed(BROWSER);
  });
