// The service worker: isolation on a host without headers from the second visit on, and offline use after the first.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { hosting } from '../harness/hosted.js';
import { cell, untilValues, withCores } from './hands.js';

const site = hosting();

test('on a host without headers the second visit has threads, also without the host', async (t) => {
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
  await page.goto(`${server.address}/#f5d6c3`);
  await page.reload();
  assert.deepEqual(await state(), { isolated: true, shares: true, threads: true, lacks: undefined });
  await cell(page, 'd3').click();
  await page.waitForFunction(() => outflank.study.node.ply === 4);
  await page.getByRole('tab', { name: 'Puzzles' }).click();
  await page.locator('#panel-puzzles .solid').click();
  await page.locator('#mode', { hasText: 'Puzzle' }).waitFor();
});
