// After the first visit the page needs no network.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { launchBrowser } from '../harness/browser.js';
import { startServer } from '../harness/server.js';
import { cell, untilOffline, untilValues } from './hands.js';

test('the page works offline after the first visit', async () => {
  const [server, browser] = await Promise.all([startServer(), launchBrowser()]);
  let stopped = false;
  try {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${server.address}/`);
    await untilValues(page);
    // The cache is whole once the worker is active: it is filled while the worker installs itself.
    await untilOffline(page);
    // The server is really gone, not only the network emulated away.
    await server.stop();
    stopped = true;
    await page.goto(`${server.address}/#f5d6c3`);
    await page.reload();
    await untilValues(page);
    await cell(page, 'd3').click();
    await page.waitForFunction(() => outflank.study.node.ply === 4);
    await untilValues(page);
    await page.getByRole('tab', { name: 'Puzzles' }).click();
    await page.locator('#panel-puzzles .solid').click();
    await page.locator('#mode', { hasText: 'Puzzle' }).waitFor();
    assert.match(await page.locator('#engine [data-part=value]').textContent(), /–|\d/);
  } finally {
    await browser.close();
    if (!stopped) await server.stop();
  }
});
