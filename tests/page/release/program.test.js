// The program that serves the page is killed during the analysis of a game.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GAME, until, untilNotice } from '../hands.js';
import { startServer, TOKEN } from '../harness/server.js';
import { newContext, stage } from '../harness/stage.js';

const site = stage();

const named = (page, text) => page.locator('#engine [data-part=program]').filter({ hasText: text }).waitFor();
const COMPUTER = /^This computer: \d+ threads?, \d+ MiB$/;
const BROWSER = /^This browser: \d+ threads?$/;

for (const network of ['small', 'large'])
  test(`the program with the ${network} network is killed during the analysis of a game: the report ends with the engine of the browser`, async (t) => {
    const server = await startServer(['--threads', '1', '--eval', network]);
    const context = await newContext(site.browser, { settings: { reviewDepth: 8, depth: 60 } });
    t.after(() => Promise.all([context.close(), server.stop()]));
    const page = await context.newPage();
    await page.goto(`${server.address}/?engine=${TOKEN}#${GAME}`);
    await named(page, COMPUTER);
    // The files of the browser's engine are on the device.
    await page.evaluate(() => navigator.serviceWorker.ready);
    await until(() => page.evaluate(() => Boolean(navigator.serviceWorker.controller)), true);
    const left = () => page.evaluate(async () => (await outflank.panels.get('report')).review.left);
    await page.waitForFunction(() => {
      const review = outflank.panels.made.get('report')?.review;
      return review?.total > 0 && review.left < 50;
    });
    await server.stop();
    await untilNotice(page, /engine of this computer cannot be reached/);
    await page.locator('#panel-report .under .muted', { hasText: 'Depth 8 and exact endings' }).waitFor();
    assert.equal(await left(), 0);
    await named(page, BROWSER);
  });
