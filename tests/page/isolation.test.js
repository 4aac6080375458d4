// A host that sends no headers: the first visit does without threads, later ones are isolated by the service worker.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { launchBrowser } from '../harness/browser.js';
import { ISOLATED, startStatic } from '../harness/static.js';
import { untilOffline, untilValues, withCores } from './hands.js';

test('on a host without headers the second visit has threads', async () => {
  const [server, browser] = await Promise.all([startStatic(), launchBrowser()]);
  try {
    const page = await (await browser.newContext()).newPage();
    const state = async () => {
      await untilValues(page);
      return page.evaluate(() => ({
        isolated: window.crossOriginIsolated,
        shares: typeof window.SharedArrayBuffer !== 'undefined',
        threads: outflank.engine.info.threads > 0,
        lacks: outflank.engine.info.lacks,
      }));
    };
    await withCores(page, 3);
    await page.goto(`${server.address}/`);
    assert.deepEqual(await state(), { isolated: false, shares: false, threads: false, lacks: undefined });
    assert.ok(!server.asked.some((path) => path === 'thread.js'));
    await page.waitForFunction(() => navigator.serviceWorker.controller);
    // The page that is open stays as it is.
    assert.equal(await page.evaluate(() => outflank.engine.info.threads), 0);
    await page.reload();
    assert.deepEqual(await state(), { isolated: true, shares: true, threads: true, lacks: undefined });
    // And without the host.
    await server.stop();
    await page.reload();
    assert.deepEqual(await state(), { isolated: true, shares: true, threads: true, lacks: undefined });
  } finally {
    await browser.close();
    await server.stop().catch(() => {});
  }
});

test('scripts of the offline cache receive their options', async () => {
  const [server, browser] = await Promise.all([startStatic({ headers: ISOLATED }), launchBrowser()]);
  try {
    const page = await (await browser.newContext()).newPage();
    await withCores(page, 4);
    await page.goto(`${server.address}/`);
    await untilValues(page);
    await untilOffline(page);
    await page.reload();
    await untilValues(page);
    assert.equal(await page.evaluate(() => outflank.engine.info.threads), 3);
  } finally {
    await browser.close();
    await server.stop();
  }
});
