// The service worker: isolation on a host without headers from the second visit on, and offline use after the first.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { hosting } from '../harness/hosted.js';
import { ISOLATED } from '../harness/static.js';
import { cell, untilOffline, untilValues, withCores } from './hands.js';

const site = hosting();

test('on a host without headers the second visit has threads', async (t) => {
  const { page, server, stop } = await site.open(t);
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
  // The open page does not change.
  assert.equal(await page.evaluate(() => outflank.engine.info.threads), 0);
  await page.reload();
  assert.deepEqual(await state(), { isolated: true, shares: true, threads: true, lacks: undefined });
  // Without the host.
  await stop();
  await page.reload();
  assert.deepEqual(await state(), { isolated: true, shares: true, threads: true, lacks: undefined });
});

test('scripts of the offline cache receive their options', async (t) => {
  const { page, server } = await site.open(t, { headers: ISOLATED });
  await withCores(page, 4);
  await page.goto(`${server.address}/`);
  await untilValues(page);
  await untilOffline(page);
  await page.reload();
  await untilValues(page);
  assert.equal(await page.evaluate(() => outflank.engine.info.threads), 3);
});

test('the page works offline after the first visit', async (t) => {
  const { page, server, stop } = await site.open(t, { headers: ISOLATED });
  await page.goto(`${server.address}/`);
  await untilValues(page);
  // The cache is complete once the worker is active: it is filled during the installation.
  await untilOffline(page);
  await stop();
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
});
