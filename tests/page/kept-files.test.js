// Offline use and isolation in a browser. `unit/service-worker.test.js` has the answers of hosts and networks.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { cell, untilValues, withCores } from './hands.js';
import { hosting } from './harness/hosted.js';
import { DIST, sha, versionOf } from './harness/static.js';

const read = (path) => readFileSync(DIST + path);
const manifest = () => JSON.parse(String(read('version.json')));

const site = hosting();

test('the list has the digest of every file, and of itself', () => {
  const { version, files } = manifest();
  for (const [path, digest] of Object.entries(files)) assert.equal(sha(read(path)), digest, path);
  assert.ok(Object.keys(files).length > 30);
  assert.equal(version, versionOf(files));
});

/** The stored files by their paths, with the SHA-256 of their bytes. */
const kept = (page) =>
  page.evaluate(async () => {
    const cache = await caches.open('outflank-files');
    const files = {};
    for (const request of await cache.keys()) {
      const bytes = await (await cache.match(request)).arrayBuffer();
      const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
      files[new URL(request.url).pathname.slice(1)] = Array.from(digest, (byte) =>
        byte.toString(16).padStart(2, '0'),
      ).join('');
    }
    return files;
  });

test('on a host without headers the second visit has threads, also without the host', async (t) => {
  const { page, server, stop } = await site.open(t);
  /** The started workers. */
  let workers = [];
  page.on('worker', (worker) => workers.push(new URL(worker.url()).pathname));
  const visited = async () => {
    await untilValues(page);
    const isIsolated = await page.evaluate(() => crossOriginIsolated);
    return [isIsolated, workers.includes('/thread.js')];
  };
  await withCores(page, 3);
  await page.goto(`${server.address}/`);
  assert.deepEqual(await visited(), [false, false]);
  // The open page does not change. By now all files are stored that are not for later.
  await page.waitForFunction(() => navigator.serviceWorker.controller);
  assert.deepEqual(await visited(), [false, false]);
  const { 'version.json': _, ...stored } = await kept(page);
  const { files, later } = manifest();
  assert.deepEqual(
    stored,
    Object.fromEntries(Object.entries(files).filter(([path]) => !later.includes(path))),
  );
  workers = [];
  await page.reload();
  assert.deepEqual(await visited(), [true, true]);
  await stop();
  workers = [];
  await page.goto(`${server.address}/#f5d6c3`);
  await page.reload();
  assert.deepEqual(await visited(), [true, true]);
  await cell(page, 'd3').click();
  await page.locator('#where', { hasText: 'move 4 of 4' }).waitFor();
  await page.getByRole('tab', { name: 'Puzzles' }).click();
  await page.locator('#panel-puzzles .solid').click();
  await page.locator('#mode', { hasText: 'Puzzle' }).waitFor();
});
