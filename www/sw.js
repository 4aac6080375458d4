// Offline use. Every file is kept under its SHA-256 from `version.json`, so that what is answered from the cache is the
// build it belongs to: navigation asks the network first, files come from the cache first. A new build is fetched beside
// the old one and shown from the next load on. Each page is answered from the build that it was loaded from, and the
// files of that build are stored while the page is open.
//
// Whoever stands between page and host may answer anything at any moment: the sign-in page of a network, half a file, an
// error as a success. Nothing is kept that does not have its digest; a build of which one answer is wrong is not taken,
// and the one before goes on. What is kept is looked through a while after each start, and what went bad is fetched anew.
//
// Some files are large and not for everybody: the list names them under `later`. They are kept from the first time on that
// somebody asks for them, likewise under their digests.
//
// Isolation. Browsers share memory among workers, which the engine needs to search on several cores, only for a
// page whose host sends two headers with it and with the scripts of its workers. A static host that cannot send them
// need not: they are added here, from the second visit on, and until then the engine does without. `require-corp`
// since Safari does not know `credentialless`; nothing comes from elsewhere, so nothing is shut out.
//
// Control. A page that was loaded before this worker is taken over only on request. Firefox waits until every worker of
// the page has answered; threads that sleep in shared memory never do, and all requests would wait with them.
//
// Sharing. What other programs share with the installed page comes as a POST, which no static host could take. It is
// left here for the page, which reads it like any file that is dropped; it goes nowhere else.

const CACHE = 'outflank-files';
/** The build of each open page and worker, as its list of files. */
const CLIENTS = 'outflank-clients';
const SHARED = 'outflank-shared';
const SHARE = 'share';
/** More than the page would read of any files. */
const SHARED_BYTES = 64_000_000;
const SCOPE = self.registration.scope;
const MANIFEST = new URL('version.json', SCOPE).href;
const PAGE = 'index.html';
const PATIENCE_MS = 3000;
/** Looking through what is kept waits until the page has started. */
const LOOK_MS = 5000;
/** A page that was answered within this time counts as open, even if the browser does not list it yet. */
const ARRIVAL_MS = 60_000;

const DIGEST = /^[0-9a-f]{64}$/;

/** What browsers ask of the types of files, by their names' ends; any other file is at least no page. */
const HTML = /^text\/html\b/i;
const TYPES = new Map([
  ['html', HTML],
  ['js', /^(text|application)\/(x-)?(java|ecma)script\b/i],
  ['css', /^text\/css\b/i],
  ['svg', /^image\/svg\+xml\b/i],
]);

/** @typedef {{ version: string, files: Record<string, string>, later: string[] }} Manifest */

/** The build that a page was last answered from. @type {Manifest | null} */
let shown = null;
/** Builds by client id. @type {Map<string, Promise<Manifest | null>>} */
const builds = new Map();
/** Client ids of pages and workers that were answered a moment ago. @type {Set<string>} */
const arrivals = new Set();
let refreshing = null;
/** What is done to the cache is done one after the other. @type {Promise<unknown>} */
let line = Promise.resolve();

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const within = (promise, ms) =>
  Promise.race([promise, pause(ms).then(() => Promise.reject(new Error('too slow')))]);
const keyOf = (path, digest) => new URL(`${path}?${digest}`, SCOPE).href;
const inLine = (work) => {
  const done = line.then(work);
  line = done.catch(() => {});
  return done;
};

/** The SHA-256 of some bytes in hexadecimal digits. @param {BufferSource} bytes */
async function digestOf(bytes) {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The list of files in an answer, or null where it is none: its version is the digest of all of it.
 *  @param {Response | undefined} answer @returns {Promise<Manifest | null>} */
async function manifestIn(answer) {
  try {
    if (!answer?.ok) return null;
    const { version, files, later = [] } = await answer.json();
    const list = Object.entries(files);
    if (!Object.hasOwn(files, PAGE) || !list.every(([, digest]) => DIGEST.test(digest))) return null;
    const text = list.map(([path, digest]) => `${path} ${digest}\n`).join('');
    const isWhole = version === (await digestOf(new TextEncoder().encode(text)));
    return isWhole
      ? { version, files, later: later.filter((path) => path !== PAGE && Object.hasOwn(files, path)) }
      : null;
  } catch {
    return null;
  }
}

/** What is wrong with an answer, or nothing: it is that file, byte for byte.
 *  @param {Response} answer @param {string} path @param {string} digest */
async function faultOf(answer, path, digest) {
  if (answer.status !== 200) return `status ${answer.status}`;
  const type = answer.headers.get('content-type') ?? '';
  const wanted = TYPES.get(path.slice(path.lastIndexOf('.') + 1));
  if (wanted ? !wanted.test(type) : HTML.test(type)) return `type ${type}`;
  return (await digestOf(await answer.clone().arrayBuffer())) === digest ? null : 'other bytes';
}

/** A file from the network; throws where something else is answered. @param {string} path @param {string} digest */
async function fetched(path, digest) {
  // Some hosts answer the name of the page with a redirection to its folder.
  const url = new URL(path === PAGE ? './' : path, SCOPE);
  let fault = null;
  // What another answer left in the browser's own cache is not asked a second time.
  for (const cache of /** @type {RequestCache[]} */ (['no-cache', 'reload'])) {
    const answer = await fetch(url, { cache, mode: 'same-origin' });
    fault = await faultOf(answer, path, digest);
    if (fault) continue;
    // An answer that was redirected is no answer to a navigation. Others are kept as they are: browsers keep the
    // compiled form of a module with its own answer only.
    return answer.redirected ? new Response(answer.body, { headers: answer.headers }) : answer;
  }
  throw new Error(`${path}: ${fault}`);
}

const ISOLATION = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
};

/** The same answer with the headers that isolate the page, where it lacks them. @param {Response} answer */
function isolated(answer) {
  // Redirections and failures cannot be read, and are no pages.
  if (answer.type === 'error' || answer.type === 'opaqueredirect' || !answer.body) return answer;
  const missing = Object.entries(ISOLATION).filter(([name]) => !answer.headers.has(name));
  if (missing.length === 0) return answer;
  const headers = new Headers(answer.headers);
  for (const [name, value] of missing) headers.set(name, value);
  return new Response(answer.body, { status: answer.status, statusText: answer.statusText, headers });
}

/** The build that was kept whole last, or null. */
const stored = async () => {
  try {
    return await manifestIn(await (await caches.open(CACHE)).match(MANIFEST));
  } catch {
    return null;
  }
};

/** Which build is the newest, as the network says, or the one that is kept. */
function refresh() {
  refreshing ??= (async () => {
    try {
      return (await manifestIn(await fetch(MANIFEST, { cache: 'no-store' }))) ?? (await stored());
    } catch {
      return stored();
    } finally {
      setTimeout(() => {
        refreshing = null;
      }, 1000);
    }
  })();
  return refreshing;
}

const clientKey = (id) => new URL(`client/${id}`, SCOPE).href;

/** Stores the build of a client, for as long as the client exists. @param {string} id @param {Manifest} manifest */
async function remember(id, manifest) {
  if (!id) return;
  builds.set(id, Promise.resolve(manifest));
  arrivals.add(id);
  setTimeout(() => arrivals.delete(id), ARRIVAL_MS);
  await (await caches.open(CLIENTS)).put(clientKey(id), new Response(JSON.stringify(manifest)));
}

/** Returns the build that a client was loaded from. For an unknown client this is the build shown last.
 *  @param {string} id @returns {Promise<Manifest | null>} */
function buildOf(id) {
  // Its first request shows that the browser lists it.
  arrivals.delete(id);
  const known = builds.get(id);
  if (known) return known;
  const build = (async () => {
    // This worker may have been asleep since the page came.
    const found =
      id &&
      (await caches
        .open(CLIENTS)
        .then((cache) => cache.match(clientKey(id)))
        .catch(() => null));
    const manifest = found ? await manifestIn(found) : null;
    if (manifest) return manifest;
    const other = shown ?? (await stored()) ?? (await within(refresh(), PATIENCE_MS).catch(() => null));
    if (other) remember(id, other).catch(() => {});
    else builds.delete(id);
    return other;
  })();
  if (id) builds.set(id, build);
  return build;
}

/** Returns the builds of all open pages and workers, and drops the entries of closed ones. */
async function openBuilds() {
  const cache = await caches.open(CLIENTS);
  const found = await Promise.all(
    (await cache.keys()).map(async (request) => {
      const id = request.url.slice(clientKey('').length);
      if (arrivals.has(id) || (await self.clients.get(id))) return manifestIn(await cache.match(request));
      builds.delete(id);
      await cache.delete(request);
      return null;
    }),
  );
  return found.filter((manifest) => manifest !== null);
}

/** Keeps every file of a build but those that are for later, then forgets those of builds that no open page is of; throws
 *  if a file cannot be loaded as it must be. */
async function keep(manifest) {
  if (!manifest) throw new Error('there is no list of files');
  const cache = await caches.open(CACHE);
  const there = new Set((await cache.keys()).map(({ url }) => url));
  const wanted = new Set([MANIFEST]);
  await Promise.all(
    Object.entries(manifest.files).map(async ([path, digest]) => {
      const key = keyOf(path, digest);
      wanted.add(key);
      if (!there.has(key) && !manifest.later.includes(path))
        await cache.put(key, await fetched(path, digest));
    }),
  );
  await cache.put(
    MANIFEST,
    new Response(JSON.stringify(manifest), { headers: { 'content-type': 'application/json' } }),
  );
  for (const { files } of await openBuilds().catch(() => []))
    for (const [path, digest] of Object.entries(files)) wanted.add(keyOf(path, digest));
  for (const key of there) if (!wanted.has(key)) await cache.delete(key);
}

/** Throws away what is kept and not what it should be, and fetches it anew where that can be had. */
async function mend() {
  const manifest = await stored();
  if (!manifest) return;
  const cache = await caches.open(CACHE);
  for (const [path, digest] of Object.entries(manifest.files)) {
    const key = keyOf(path, digest);
    const answer = await cache.match(key);
    if (!answer && manifest.later.includes(path)) continue;
    if (answer && !(await faultOf(answer, path, digest))) continue;
    await cache.delete(key);
    await fetched(path, digest).then(
      (anew) => cache.put(key, anew),
      () => {},
    );
  }
}

/** A file of a build out of the cache, or nothing. */
async function kept(manifest, path) {
  if (!manifest || !Object.hasOwn(manifest.files, path)) return null;
  return (await (await caches.open(CACHE)).match(keyOf(path, manifest.files[path]))) ?? null;
}

/** The page out of the build that was kept whole last; all else is answered from there, too. @param {string} id */
async function keptPage(id) {
  const manifest = await stored();
  const answer = await kept(manifest, PAGE).catch(() => null);
  if (answer) show(id, manifest);
  return answer;
}

/** Notes the build that a page is answered from. @param {string} id @param {Manifest | null} manifest */
function show(id, manifest) {
  shown = manifest;
  if (manifest) remember(id, manifest).catch(() => {});
}

/** Keeps a build, and mends what is kept when the page has started; a page of the build before needs that one first.
 *  @param {boolean} later */
async function lookAfter(manifest, later) {
  if (later) await pause(LOOK_MS);
  await inLine(() => keep(manifest)).catch(() => {});
  if (!later) {
    await pause(LOOK_MS);
    // The page that was left is gone by now, and its build with it.
    await inLine(() => keep(manifest)).catch(() => {});
  }
  await inLine(mend).catch(() => {});
}

/** The page. @param {FetchEvent} event */
async function navigate(event) {
  const { request, resultingClientId: id } = event;
  const coming = Promise.all([fetch(request), refresh()]);
  try {
    const [answer, manifest] = await within(coming, PATIENCE_MS);
    if (!answer.ok) throw new Error(String(answer.status));
    // A page that is not the one of the list is another one's, or of a build that is just being put there.
    const isOther = manifest && (await faultOf(answer, PAGE, manifest.files[PAGE])) !== null;
    const instead = isOther ? await keptPage(id) : null;
    event.waitUntil(lookAfter(manifest, instead !== null));
    if (instead) return instead;
    show(id, manifest);
    return answer;
  } catch {
    // Without the network the last build that was kept whole is the one to show.
    const instead = await keptPage(id);
    if (!instead) return coming.then(([answer]) => answer).catch(() => Response.error());
    // A slow host may have a new build, which the next load shows.
    const { version } = /** @type {Manifest} */ (shown);
    event.waitUntil(refresh().then((manifest) => manifest?.version !== version && lookAfter(manifest, true)));
    return instead;
  }
}

/** Any other address that is opened: the answer of the host, or the stored file of that name if there is no answer.
 *  @param {FetchEvent} event @param {string} path */
const open = (event, path) =>
  fetch(event.request).catch(async () => (await kept(await stored(), path)) ?? Response.error());

/** @param {FetchEvent} event @param {string} path */
async function file(event, path) {
  const build = await buildOf(event.clientId);
  // A worker belongs to the build of its page.
  if (build) remember(event.resultingClientId, build).catch(() => {});
  const found = await kept(build, path).catch(() => null);
  if (found) return found;
  return build && Object.hasOwn(build.files, path)
    ? late(event, path, build.files[path])
    : fetch(event.request);
}

/** A file that is kept from now on, if it can be; throws if the host has it only of another build.
 *  @param {ExtendableEvent} event @param {string} path @param {string} digest */
async function late(event, path, digest) {
  const answer = await fetched(path, digest);
  const copy = answer.clone();
  const put = async () => (await caches.open(CACHE)).put(keyOf(path, digest), copy);
  // The answer does not wait for what is being kept before it.
  event.waitUntil(inLine(put).catch(() => {}));
  return answer;
}

/** Leaves what was shared for the page, and sends the browser there. What cannot be left is told of by the page.
 *  @param {Request} request */
async function share(request) {
  await caches.delete(SHARED).catch(() => {});
  const body = await request.blob().catch(() => null);
  if (body && body.size <= SHARED_BYTES) {
    const headers = { 'content-type': request.headers.get('content-type') ?? '' };
    await caches
      .open(SHARED)
      .then((cache) => cache.put(new URL(SHARE, SCOPE).href, new Response(body, { headers })))
      .catch(() => {});
  }
  return Response.redirect(new URL('./?shared', SCOPE).href, 303);
}

self.addEventListener('install', (event) => {
  self.skipWaiting();
  event.waitUntil(refresh().then((manifest) => inLine(() => keep(manifest))));
});

/** Requests of pages that this worker does not control: `claim` to take control, `{ keep: address }` to store a file. */
self.addEventListener('message', (event) => {
  const { data } = event;
  if (data === 'claim') event.waitUntil(self.clients.claim());
  if (typeof data?.keep !== 'string' || !data.keep.startsWith(SCOPE)) return;
  const path = data.keep.slice(SCOPE.length);
  const keepFile = async () => {
    const build = await stored();
    if (build && !(await kept(build, path))) await late(event, path, build.files[path]);
  };
  event.waitUntil(keepFile().catch(() => {}));
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== self.location.origin || !url.href.startsWith(SCOPE)) return;
  const path = url.pathname.slice(new URL(SCOPE).pathname.length);
  if (request.method === 'POST' && request.mode === 'navigate' && path === SHARE)
    event.respondWith(share(request));
  if (request.method !== 'GET') return;
  if (request.mode === 'navigate') {
    const isPage = path === '' || path === PAGE;
    event.respondWith((isPage ? navigate(event) : open(event, path)).then(isolated));
  } else if (url.search === '?shown' && path === 'version.json') {
    // The build that the page was loaded from, not the one that the host has.
    event.respondWith(
      buildOf(event.clientId).then((build) => (build ? Response.json(build) : fetch(request))),
    );
  } else if (path !== 'version.json') {
    // Other files are answered as they are: browsers keep the compiled form of a module with its own answer only.
    const isWorker = request.destination === 'worker';
    event.respondWith(isWorker ? file(event, path).then(isolated) : file(event, path));
  }
});
