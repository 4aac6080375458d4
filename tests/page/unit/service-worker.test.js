// The service worker with an invented network, storage and clock: the stored build is always complete, whatever the host answers.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import vm from 'node:vm';

import { ISOLATED, sha, versionOf } from '../harness/static.js';

const SOURCE = readFileSync(new URL('../../../www/sw.js', import.meta.url), 'utf8');
const SCOPE = 'https://host/';
const PART = 'js/part.js';
const TYPES = { html: 'text/html', js: 'text/javascript', css: 'text/css', json: 'application/json' };
const FILES = {
  'index.html': '<!doctype html><title>Page</title>',
  [PART]: 'export const build = 1;',
  'style.css': 'body { margin: 0 }',
  'engine.wasm': 'a module',
  'large.weights': 'a network',
};
const LATER = ['large.weights'];
const PORTAL = () => answer('<h1>Welcome to the train</h1>', 'html');

const answer = (body, ending, status = 200) =>
  new Response(body, { status, headers: { 'content-type': TYPES[ending] ?? 'application/octet-stream' } });
/** An answer that the host gave at another address. A browser refuses it as the answer to a navigation. */
const redirected = (response, value = true) => Object.defineProperty(response, 'redirected', { value });
const copyOf = (response) => redirected(response.clone(), response.redirected);

const listOf = (files) => {
  const digests = Object.fromEntries(Object.entries(files).map(([path, text]) => [path, sha(text)]));
  return { version: versionOf(digests), files: digests, later: LATER };
};

class Caches {
  all = new Map();

  async open(name) {
    if (!this.all.has(name)) this.all.set(name, new Map());
    const rows = this.all.get(name);
    const keyOf = (request) => request.url ?? String(request);
    return {
      match: async (request) => {
        const stored = rows.get(keyOf(request));
        return stored && copyOf(stored);
      },
      put: async (request, response) => rows.set(keyOf(request), copyOf(response)),
      delete: async (request) => rows.delete(keyOf(request)),
      keys: async () => [...rows.keys()].map((url) => ({ url })),
    };
  }
}

/** A host with a build, and a browser with the worker. */
function world() {
  /** `instead` replaces answers, by path. */
  const host = { files: FILES, instead: () => null, isOnline: true };
  const caches = new Caches();
  const open = new Set();
  let serial = 0;
  const listeners = {};
  let timers = [];
  let now = 0;
  /** What the worker still does for its events. */
  const work = [];

  const fetched = async (request) => {
    if (!host.isOnline) throw new TypeError('no network');
    const path = new URL(request.url ?? request).pathname.slice(1) || 'index.html';
    const other = await host.instead(path);
    if (other) return other;
    if (path === 'version.json') return answer(JSON.stringify(listOf(host.files)), 'json');
    const text = host.files[path];
    return text ? answer(text, path.split('.').at(-1)) : answer('missing', 'html', 404);
  };

  /** Starts the worker, also again. */
  const start = () => {
    timers = [];
    const self = {
      registration: { scope: SCOPE },
      location: new URL(SCOPE),
      clients: { get: async (id) => (open.has(id) ? { id } : undefined), claim: async () => {} },
      skipWaiting() {},
      addEventListener: (name, listener) => (listeners[name] = listener),
    };
    const digest = async (_, bytes) =>
      Uint8Array.from(createHash('sha256').update(new Uint8Array(bytes)).digest()).buffer;
    const context = {
      ...{ self, caches, URL, Response, Headers, TextEncoder, Uint8Array, fetch: fetched },
      crypto: { subtle: { digest } },
      setTimeout: (run, ms = 0) => timers.push({ at: now + ms, run }),
    };
    vm.runInNewContext(SOURCE, context);
  };
  start();

  /** Runs the next timer of the worker. Returns `false` if there is none. */
  const tick = () => {
    const next = timers.sort((a, b) => a.at - b.at).shift();
    now = Math.max(now, next?.at ?? 0);
    next?.run();
    return Boolean(next);
  };

  /** Waits for `promise`. Time passes only when the worker can do nothing else. */
  const settled = async (promise) => {
    let isDone = false;
    const end = () => (isDone = true);
    promise.then(end, end);
    for (let turn = 1; !isDone; turn++) {
      await new Promise(setImmediate);
      if (turn % 50 === 0 && !tick()) assert.fail('the worker waits for nothing');
    }
    return promise;
  };

  /** Sends an event. Returns the answer of the worker, or that of the host without one. */
  const send = (name, event) => {
    const answers = [];
    const waitUntil = (promise) => work.push(promise);
    listeners[name]({ ...event, waitUntil, respondWith: (promise) => answers.push(promise) });
    return settled(answers[0] ?? Promise.resolve(event.request && fetched(event.request)));
  };
  const request = (path, mode = 'no-cors') => ({ url: SCOPE + path, method: 'GET', mode });

  /** Waits for all that the worker does after its answers. */
  const rest = async () => {
    do await settled(Promise.allSettled(work.splice(0)));
    while (work.length > 0 || tick());
  };

  return {
    caches,
    start,
    host,
    rest,
    /** Opens a page, and waits for all that follows. */
    async visited() {
      const page = await this.visit();
      await rest();
      return page;
    },
    install() {
      send('install', {});
      return settled(work.pop());
    },
    /** Opens a page. Returns its text and a function that reads a file of it. */
    async visit() {
      const id = `client-${++serial}`;
      const navigation = { request: request('', 'navigate'), resultingClientId: id };
      const response = await send('fetch', navigation);
      open.add(id);
      const read = async (path) => (await send('fetch', { request: request(path), clientId: id })).text();
      const { redirected } = response;
      return { text: await response.text(), redirected, read, close: () => open.delete(id) };
    },
    say: (data) => send('message', { data }),
    /** The stored files, and the version of their build. */
    async kept() {
      const paths = [];
      let version = null;
      for (const [url, response] of caches.all.get('outflank-files') ?? []) {
        const { pathname, search } = new URL(url);
        const text = await response.clone().text();
        if (pathname === '/version.json') ({ version } = JSON.parse(text));
        else {
          assert.equal(sha(text), search.slice(1), `${pathname} is stored as it was built`);
          paths.push(pathname.slice(1));
        }
      }
      return { version, paths: paths.sort() };
    },
  };
}

const ALL = Object.keys(FILES).sort();
const FIRST = ALL.filter((path) => !LATER.includes(path));
const { version: VERSION } = listOf(FILES);
const NEXT = { ...FILES, [PART]: 'export const build = 2;' };
const { version: NEWEST } = listOf(NEXT);

async function installed() {
  const all = world();
  await all.install();
  return all;
}

/** Asserts that a page and its files are those of a build. */
async function assertShown({ rest, visit }, files) {
  const page = await visit();
  assert.deepEqual([page.text, page.redirected], [files['index.html'], false]);
  for (const path of FIRST) assert.equal(await page.read(path), files[path], path);
  await rest();
}

/** Asserts it without the host. */
async function assertOffline(all, files) {
  all.host.isOnline = false;
  await assertShown(all, files);
  all.host.isOnline = true;
}

const assertVersion = async ({ kept }, version) => assert.equal((await kept()).version, version);
/** Asserts which build is stored, without the files for later. */
const assertKept = async ({ kept }, version) => assert.deepEqual(await kept(), { version, paths: FIRST });

const WRONG = {
  'the sign-in page of a network': PORTAL,
  'an error': () => answer(FILES[PART], 'js', 503),
  'half of the file': () => answer(FILES[PART].slice(0, 9), 'js'),
  'the file under a type that no script has': () => answer(FILES[PART], 'html'),
};

for (const [what, wrong] of Object.entries(WRONG))
  test(`${what} for a file: no build is stored, and the next install succeeds`, async () => {
    const all = world();
    all.host.instead = (path) => (path === PART ? wrong() : null);
    await assert.rejects(all.install());
    await assertVersion(all, null);
    all.host.instead = () => null;
    await all.install();
    await assertKept(all, VERSION);
    await assertOffline(all, FILES);
  });

test('a page that the host answers with a redirection works offline', async () => {
  const all = world();
  // With the headers that isolate it, so that the answer is passed unchanged.
  const headers = { 'content-type': 'text/html', ...ISOLATED };
  all.host.instead = (path) =>
    path === 'index.html' ? redirected(new Response(FILES[path], { headers })) : null;
  await all.install();
  await assertOffline(all, FILES);
});

test('a sign-in page for every request, or half of the list of files, does not change the stored build', async () => {
  const all = await installed();
  const half = listOf(NEXT);
  delete half.files[PART];
  for (const instead of [
    PORTAL,
    (path) => (path === 'index.html' ? null : PORTAL()),
    (path) => (path === 'version.json' ? answer(JSON.stringify(half), 'json') : null),
  ]) {
    all.host.instead = instead;
    await assertShown(all, FILES);
    await assertKept(all, VERSION);
  }
  await assertOffline(all, FILES);
});

test('a new build with a wrong answer is not used until it is complete', async () => {
  const all = await installed();
  all.host.files = NEXT;
  all.host.instead = (path) => (path === PART ? PORTAL() : null);
  await all.visited();
  await assertVersion(all, VERSION);
  await assertOffline(all, FILES);
  all.host.instead = () => null;
  await all.visited();
  await assertVersion(all, NEWEST);
  await assertOffline(all, NEXT);
});

test('an open page keeps its build after a restart of the worker while another tab has the next one', async () => {
  const all = await installed();
  const old = await all.visited();
  all.host.files = NEXT;
  const tab = await all.visited();
  await assertVersion(all, NEWEST);
  for (const isRestarted of [false, true]) {
    if (isRestarted) all.start();
    for (const [version, page] of Object.entries({ [VERSION]: old, [NEWEST]: tab })) {
      assert.equal(await page.read(PART), (page === old ? FILES : NEXT)[PART]);
      assert.equal(JSON.parse(await page.read('version.json?shown')).version, version);
    }
  }
  // A build goes with its last page.
  assert.equal((await all.kept()).paths.filter((path) => path === PART).length, 2);
  old.close();
  await all.visited();
  await assertKept(all, NEWEST);
});

test('a slow host shows the stored build, and the new one at the next load', async () => {
  const all = await installed();
  all.host.files = NEXT;
  let release;
  const slow = new Promise((resolve) => (release = resolve));
  all.host.instead = (path) => (['index.html', 'version.json'].includes(path) ? slow : null);
  const page = await all.visit();
  assert.equal(await page.read(PART), FILES[PART]);
  release();
  await all.rest();
  await assertVersion(all, NEWEST);
  assert.equal(await page.read(PART), FILES[PART]);
  const next = await all.visit();
  assert.equal(await next.read(PART), NEXT[PART]);
});

test('damaged stored files are downloaded again after a start', async () => {
  const all = await installed();
  const cache = await all.caches.open('outflank-files');
  const damage = {
    [PART]: answer('<h1>Sign in</h1>', 'html'),
    'style.css': answer('body { display: none', 'css'),
    'engine.wasm': answer(null, 'wasm'),
  };
  for (const { url } of await cache.keys()) {
    const path = new URL(url).pathname.slice(1);
    if (path in damage) await cache.put(url, damage[path]);
    if (path === 'index.html') await cache.delete(url);
  }
  // A file that cannot be downloaded now is removed.
  all.host.instead = (path) => (path === PART ? PORTAL() : null);
  await all.visited();
  await all.kept();
  all.host.instead = () => null;
  await all.visited();
  await assertKept(all, VERSION);
  await assertOffline(all, FILES);
});

test('without space no build is stored; with a broken cache requests go to the network', async () => {
  const full = world();
  const cache = await full.caches.open('outflank-files');
  const failing = (name) => Promise.reject(new DOMException('on purpose', name));
  let left = 2;
  const put = (...all) => (left-- > 0 ? cache.put(...all) : failing('QuotaExceededError'));
  full.caches.open = async () => ({ ...cache, put });
  await assert.rejects(full.install(), { name: 'QuotaExceededError' });
  await assertVersion(full, null);

  const broken = await installed();
  broken.caches.open = () => failing('UnknownError');
  for (let visit = 0; visit < 3; visit++) {
    broken.start();
    await assertShown(broken, FILES);
  }
});

test('a large file is stored at its first request, or on demand', async () => {
  const [used, wanted] = [await installed(), await installed()];
  const page = await used.visit();
  assert.equal(await page.read(LATER[0]), FILES[LATER[0]]);
  await wanted.say({ keep: SCOPE + LATER[0] });
  for (const all of [used, wanted]) {
    await all.rest();
    assert.deepEqual((await all.kept()).paths, ALL);
  }
  // It goes with its build.
  page.close();
  used.host.files = { ...FILES, [LATER[0]]: 'another network' };
  await used.visited();
  assert.deepEqual((await used.kept()).paths, FIRST);
});
