// The files stored for offline use equal the build despite wrong answers such as sign-in pages, errors and half files, and damaged
// stored files are replaced. The service worker isolates the page on a host without headers, from the second visit on.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { hosting } from '../harness/hosted.js';
import { ISOLATED, sha, startStatic, versionOf } from '../harness/static.js';
import { cell, until, untilValues, withCores } from './hands.js';

const DIST = new URL('../../dist/', import.meta.url);
const read = (path) => readFileSync(new URL(path, DIST));

const PORTAL = {
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: '<!doctype html><title>Sign in</title><h1>Welcome to the train</h1>',
};
/** A part of the page that is loaded late: the page works without it. */
const PART = 'js/shell/parts.js';

const site = hosting();

/** Registers the worker now instead of after the first values, and returns its final state. */
const installed = (page) =>
  page.evaluate(async () => {
    const { installing, waiting, active } = await navigator.serviceWorker.register('/sw.js');
    const worker = installing ?? waiting ?? active;
    while (!['activated', 'redundant'].includes(worker?.state))
      await new Promise((resolve) => setTimeout(resolve, 20));
    return worker?.state;
  });

/** Opens the page and waits until its worker has this state. */
async function visited(page, server, state = 'activated') {
  await page.goto(`${server.address}/`);
  await untilValues(page);
  assert.equal(await installed(page), state);
}

/** Reloads the page, which must work. */
async function reloaded(page) {
  await page.reload();
  await untilValues(page);
}

/** Prevents the page's own registration: the test registers the worker. */
const byHand = (page) =>
  page.addInitScript(() => {
    const { serviceWorker } = navigator;
    const register = serviceWorker.register.bind(serviceWorker);
    serviceWorker.register = (address) =>
      address === '/sw.js' ? register(address) : Promise.reject(new Error('not yet'));
  });

/** The stored files, as paths with the SHA-256 of their bytes, and their build. */
const kept = (page) =>
  page.evaluate(async () => {
    const cache = await caches.open('outflank-files');
    const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
    const files = {};
    let version = null;
    for (const request of await cache.keys()) {
      const { pathname, search } = new URL(request.url);
      const answer = await cache.match(request);
      // Deleted in the meantime.
      if (!answer) continue;
      if (pathname === '/version.json') version = (await answer.json()).version;
      else {
        const bytes = await answer.arrayBuffer();
        const digest = hex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));
        files[pathname.slice(1)] = { wanted: search.slice(1), digest };
      }
    }
    return { version, files };
  });

/** Asserts that every stored file is the listed one. */
function assertSound({ files }) {
  for (const [path, { wanted, digest }] of Object.entries(files)) assert.equal(digest, wanted, path);
}

const manifest = () => JSON.parse(String(read('version.json')));

/** The files that are stored without a request. */
const atFirst = ({ files, later }) => Object.keys(files).filter((path) => !later.includes(path));

/** Gives the host a build with other bytes in some files. Returns its list of files. */
function rebuild(host, changes) {
  const { files, later } = manifest();
  for (const [path, change] of Object.entries(changes)) files[path] = sha(change(String(read(path))));
  const list = { version: versionOf(files), files, later };
  Object.assign(host.change, changes, { 'version.json': () => JSON.stringify(list) });
  return list;
}
const changed = (text) => `${text}\n/* next build */`;

test('the list has the digest of every file, and of itself', () => {
  const { version, files } = manifest();
  for (const [path, digest] of Object.entries(files)) assert.equal(sha(read(path)), digest, path);
  assert.ok(Object.keys(files).length > 30);
  assert.equal(version, versionOf(files));
});

const script = (body) => ({ headers: { 'content-type': 'text/javascript' }, body });

const WRONG = [
  ['the sign-in page of a network', () => PORTAL],
  [
    'a redirection to the sign-in page of a network',
    (elsewhere) => ({ status: 302, headers: { location: `${elsewhere}/` } }),
  ],
  ['an error', () => ({ status: 503, ...script('busy') })],
  ['nothing', () => script('')],
  ['half of the file', () => script(read(PART).subarray(0, read(PART).length >> 1))],
  ['another file', () => script(read('js/shell/main.js'))],
  ['the file under a type that no script has', () => ({ ...PORTAL, body: read(PART) })],
];

test('an install with a wrong answer fails, the page works, and the next one succeeds', async (t) => {
  const elsewhere = await startStatic({ instead: () => PORTAL });
  t.after(() => elsewhere.stop());
  const { host, page, server, stop } = await site.open(t);
  await byHand(page);
  await page.goto(`${server.address}/`);
  await untilValues(page);
  for (const [what, answer] of WRONG) {
    host.instead = (path) => (path === PART ? answer(elsewhere.address) : null);
    assert.equal(await installed(page), 'redundant', what);
    const partly = await kept(page);
    assert.equal(partly.version, null, `${what}: no build is kept`);
    assertSound(partly);
  }
  host.instead = null;
  await reloaded(page);
  assert.equal(await installed(page), 'activated');
  const all = await kept(page);
  assert.deepEqual(Object.keys(all.files).sort(), atFirst(manifest()).sort());
  assertSound(all);
  await stop();
  await reloaded(page);
});

test('a host that answers the name of the page with a redirection works offline, too', async (t) => {
  const { host, page, server, stop } = await site.open(t, { headers: ISOLATED });
  host.instead = (_path, address) =>
    address === '/index.html' ? { status: 308, headers: { location: './' } } : null;
  await visited(page, server);
  await stop();
  for (const address of ['/index.html#f5d6', '/#f5d6c3']) {
    await page.goto(server.address + address);
    await untilValues(page);
  }
});

test('a sign-in page for every request does not change the stored build', async (t) => {
  const elsewhere = await startStatic({ instead: () => PORTAL });
  t.after(() => elsewhere.stop());
  const sent = { status: 302, headers: { location: `${elsewhere.address}/` } };
  const { host, page, server, stop } = await site.open(t);
  await visited(page, server);
  const before = await kept(page);
  for (const portal of [() => PORTAL, (path) => (path === 'index.html' ? null : PORTAL), () => sent]) {
    host.instead = portal;
    await reloaded(page);
    await page.waitForTimeout(500);
    assert.deepEqual(await kept(page), before);
  }
  // An incomplete list of files is rejected.
  const half = manifest();
  delete half.files[PART];
  host.instead = (path) =>
    path === 'version.json'
      ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(half) }
      : null;
  await reloaded(page);
  await page.waitForTimeout(500);
  assert.deepEqual(await kept(page), before);
  await stop();
  await reloaded(page);
});

test('a new build with a wrong answer is not used until it is complete', async (t) => {
  const { host, page, server, stop } = await site.open(t);
  await visited(page, server);
  const { version } = await kept(page);
  const { files, version: newest } = rebuild(host, { [PART]: changed, 'thread.js': changed });
  host.instead = (path) => (path === PART ? PORTAL : null);
  const awake = async () => {
    await reloaded(page);
    await page.waitForTimeout(1500);
  };
  await awake();
  assert.equal((await kept(page)).version, version, 'the build before is the one that is kept');
  assert.equal((await kept(page)).files[PART].wanted, manifest().files[PART]);
  host.instead = null;
  await awake();
  const now = await kept(page);
  assert.equal(now.version, newest);
  assertSound(now);
  for (const [path, { digest }] of Object.entries(now.files)) assert.equal(digest, files[path], path);
  await stop();
  await reloaded(page);
});

/** A file as the page receives it, and the version that the page counts as its own. */
const seen = (page, path) =>
  page.evaluate(
    async (path) => [
      await (await fetch(path)).text(),
      (await (await fetch('version.json?shown')).json()).version,
    ],
    path,
  );

test('an open page keeps its build after a restart of the worker while another tab has the next one', async (t) => {
  const { host, page, server } = await site.open(t, { headers: ISOLATED });
  await visited(page, server);
  await reloaded(page);
  const [old, version] = await seen(page, PART);
  assert.equal(version, manifest().version);
  const { version: newest } = rebuild(host, { [PART]: changed });
  // The service worker asks for the list of files once a second at most.
  await page.waitForTimeout(1200);
  const tab = await page.context().newPage();
  await tab.goto(`${server.address}/`);
  await untilValues(tab);
  await until(async () => (await kept(tab)).version, newest);
  for (const asleep of [false, true]) {
    if (asleep) {
      const devtools = await site.browser.newBrowserCDPSession();
      const { targetInfos } = await devtools.send('Target.getTargets');
      for (const { targetId, type } of targetInfos)
        if (type === 'service_worker') await devtools.send('Target.closeTarget', { targetId });
    }
    assert.deepEqual(await seen(page, PART), [old, version]);
    assert.deepEqual(await seen(tab, PART), [changed(old), newest]);
  }
  // Gone with the page.
  await page.close();
  await tab.reload();
  await untilValues(tab);
  await tab.reload();
  const digest = manifest().files[PART];
  const keys = () =>
    tab.evaluate(async () =>
      (await (await caches.open('outflank-files')).keys()).map(({ url }) => url).join(' '),
    );
  await until(async () => (await keys()).includes(digest), false);
});

test('a slow host shows the stored build, and the new one at the next load', async (t) => {
  const { host, page, server } = await site.open(t);
  await visited(page, server);
  const { version: newest } = rebuild(host, { [PART]: changed });
  const slow = () => new Promise((resolve) => setTimeout(() => resolve(null), 4000));
  host.instead = (path) => (['index.html', 'version.json'].includes(path) ? slow() : null);
  await reloaded(page);
  assert.equal((await seen(page, PART))[1], manifest().version);
  await until(async () => (await kept(page)).version, newest);
  await reloaded(page);
  assert.equal((await seen(page, PART))[1], newest);
});

test('an unknown address gets the answer of the host, but its other page is not shown instead of the stored one', async (t) => {
  const { host, page, server, stop } = await site.open(t);
  await visited(page, server);
  host.instead = (path) =>
    path === 'index.html'
      ? {
          headers: { 'content-type': 'text/html' },
          body: String(read('index.html')).replaceAll('js/shell/main.js', 'js/shell/old.js'),
        }
      : null;
  await reloaded(page);
  const answer = await page.goto(`${server.address}/no/such/page`);
  assert.equal(answer?.status(), 404);
  await stop();
  await assert.rejects(page.goto(`${server.address}/no/such/page`));
  await page.waitForURL(/^chrome-error/);
  await page.goto(`${server.address}/`);
  await untilValues(page);
});

/** Gives the host a worker with a cache changed by `spoil`. */
const spoilCache = (host, spoil) => {
  host.change['sw.js'] = (text) => `(${spoil})();${text}`;
};

test('a device without space stores no build, and the page works', async (t) => {
  const { host, page, server } = await site.open(t);
  spoilCache(host, () => {
    const { put } = Cache.prototype;
    let left = 30;
    Cache.prototype.put = function (...all) {
      left -= 1;
      if (left < 0) throw new DOMException('full', 'QuotaExceededError');
      return put.apply(this, all);
    };
  });
  await byHand(page);
  await visited(page, server, 'redundant');
  assert.equal((await kept(page)).version, null);
  await reloaded(page);
});

test('a failing cache does not block the network', async (t) => {
  const { host, page, server } = await site.open(t);
  spoilCache(host, () => {
    const { open } = CacheStorage.prototype;
    CacheStorage.prototype.open = function (...all) {
      return self.registration.active
        ? Promise.reject(new DOMException('broken', 'UnknownError'))
        : open.apply(this, all);
    };
  });
  // The file of the worker also differs.
  rebuild(host, { 'sw.js': host.change['sw.js'] });
  await visited(page, server);
  for (let visit = 0; visit < 3; visit++) {
    await reloaded(page);
  }
});

test('damaged stored files are downloaded again after a start', async (t) => {
  const { page, server, stop } = await site.open(t);
  await visited(page, server);
  const names = 'js/shell/main.js style/base.css engine/rules_bg.wasm index.html js/shell/parts.js';
  const spoiled = names.split(' ');
  await page.evaluate(async (spoiled) => {
    const cache = await caches.open('outflank-files');
    for (const request of await cache.keys()) {
      const path = new URL(request.url).pathname.slice(1);
      const at = spoiled.indexOf(path);
      if (at < 0) continue;
      // A sign-in page as a script, other bytes under the right type, an empty answer, one that is gone.
      const { headers } = await cache.match(request);
      if (at === 4) await cache.delete(request);
      else if (at === 2) await cache.put(request, new Response(null, { headers }));
      else if (at === 1) await cache.put(request, new Response('body { display: none', { headers }));
      else
        await cache.put(
          request,
          new Response('<h1>Sign in</h1>', { headers: { 'content-type': 'text/html' } }),
        );
    }
  }, spoiled);
  // The page is broken now and does not run.
  await page.reload();
  await page.waitForTimeout(1000);
  assert.equal(await page.evaluate(() => 'outflank' in window), false);
  const end = Date.now() + 30_000;
  const { files } = manifest();
  for (;;) {
    const now = await kept(page);
    if (spoiled.every((path) => now.files[path]?.digest === files[path])) break;
    assert.ok(Date.now() < end, 'it is mended');
    await page.waitForTimeout(200);
  }
  await stop();
  await reloaded(page);
});

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
