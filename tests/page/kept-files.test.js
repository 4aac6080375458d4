// Offline use and isolation in a browser. `tests/unit/service-worker.test.js` has the answers of hosts and networks.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { hosting } from '../harness/hosted.js';
import { DIST, sha, versionOf } from '../harness/static.js';
import { cell, untilValues, withCores } from './hands.js';

const read = (path) => readFileSync(DIST + path);
const manifest = () => JSON.parse(String(read('version.json')));
/** A part of the page that is loaded late: the page works without it. */
const PART = 'js/shell/parts.js';

const site = hosting();

test('the list has the digest of every file, and of itself', () => {
  const { version, files } = manifest();
  for (const [path, digest] of Object.entries(files)) assert.equal(sha(read(path)), digest, path);
  assert.ok(Object.keys(files).length > 30);
  assert.equal(version, versionOf(files));
});

/** Registers the worker now instead of after the first values, and returns its final state. */
const installed = (page) =>
  page.evaluate(async () => {
    const { installing, waiting, active } = await navigator.serviceWorker.register('/sw.js');
    const worker = installing ?? waiting ?? active;
    const isFinal = () => ['activated', 'redundant'].includes(worker.state);
    await new Promise((resolve) => {
      worker.onstatechange = () => isFinal() && resolve();
      if (isFinal()) resolve();
    });
    return worker.state;
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

test('after an install with a sign-in page for a file nothing is stored, after the next one the page works offline', async (t) => {
  const { host, page, server, stop } = await site.open(t, { engine: 'recorded' });
  await page.addInitScript(() => {
    const { serviceWorker } = navigator;
    const register = serviceWorker.register.bind(serviceWorker);
    // The test registers the worker, not the page.
    serviceWorker.register = (address) =>
      address === '/sw.js' ? register(address) : Promise.reject(new Error('not yet'));
  });
  await page.goto(`${server.address}/`);
  await untilValues(page);
  const portal = { headers: { 'content-type': 'text/html' }, body: '<title>Sign in</title>' };
  host.instead = (path) => (path === PART ? portal : null);
  assert.equal(await installed(page), 'redundant');
  assert.ok(!('version.json' in (await kept(page))));
  host.instead = null;
  assert.equal(await installed(page), 'activated');
  const { 'version.json': _, ...stored } = await kept(page);
  const { files, later } = manifest();
  assert.deepEqual(
    stored,
    Object.fromEntries(Object.entries(files).filter(([path]) => !later.includes(path))),
  );
  await stop();
  await page.reload();
  await untilValues(page);
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
  // The open page does not change.
  await page.waitForFunction(() => navigator.serviceWorker.controller);
  assert.deepEqual(await visited(), [false, false]);
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
