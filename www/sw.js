// The service worker: offline use, isolation, and sharing.
//
// Offline use. Every file is stored under its SHA-256 from `version.json`, and only if it has this digest. A build consists of the
// files of one list. A page request is answered by the network first, a file request by the cache first. A new build is downloaded
// next to the old one and shown at the next load. Each page gets all its files from the build it was loaded from, and these files stay
// stored while the page is open. If an answer of a build is wrong, for example the sign-in page of a network, half a file, or an error
// page, the build is not used and the previous one stays. Some time after each start the stored files are checked, and damaged ones
// are downloaded again. Large optional files are listed under `later`: they are stored at their first request.
//
// Isolation. Browsers share memory among workers, which the engine needs for threads, only if the page and its worker scripts have two
// headers. For hosts that do not send them, this worker adds them, from the second visit on. It uses `require-corp`, since Safari does
// not support `credentialless`. The page loads nothing from other hosts.
//
// Control. A page that was loaded before this worker is controlled only on request: Firefox waits until every worker of the page has
// answered, and threads that sleep in shared memory never answer.
//
// Sharing. Content shared with the installed page arrives as a POST request, which a static host cannot handle. This worker stores it
// for the page, which reads it like a dropped file. It is sent nowhere else.

const CACHE = 'outflank-files';
/** The build of each open page and worker, as its list of files. */
const CLIENTS = 'outflank-clients';
const SHARED = 'outflank-shared';
const SHARE = 'share';
/** Most bytes of shared content. */
const MAX_SHARED_BYTES = 64_000_000;
const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const SCOPE = worker.registration.scope;
const MANIFEST = new URL('version.json', SCOPE).href;
const PAGE = 'index.html';
const NETWORK_TIMEOUT_MS = 3000;
/** Delay of the check of stored files: the page starts before. */
const CHECK_DELAY_MS = 5000;
/** Time during which a page that was answered counts as open, even if the browser does not list it yet. */
const ARRIVAL_MS = 60_000;

const DIGEST = /^[0-9a-f]{64}$/;

/** Content types that browsers require, by file name extension. Other files must not be pages. */
const HTML = /^text\/html\b/i;
const TYPES = new Map([
  ['html', HTML],
  ['js', /^(text|application)\/(x-)?(java|ecma)script\b/i],
  ['css', /^text\/css\b/i],
  ['svg', /^image\/svg\+xml\b/i],
]);

/** @typedef {{ version: string, files: Record<string, string>, later: string[] }} Manifest */

/** The build of the last answered page. @type {Manifest | null} */
let shown = null;
/** Builds by client id. @type {Map<string, Promise<Manifest | null>>} */
const builds = new Map();
/** Client ids of pages and workers that were answered recently. @type {Set<string>} */
const arrivals = new Set();
/** @type {Promise<Manifest | null> | null} */
let refreshing = null;
/** Changes of the cache run in sequence. @type {Promise<unknown>} */
let queue = Promise.resolve();

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const within = (promise, ms) =>
  Promise.race([promise, pause(ms).then(() => Promise.reject(new Error('too slow')))]);
const keyOf = (path, digest) => new URL(`${path}?${digest}`, SCOPE).href;
const enqueue = (work) => {
  const done = queue.then(work);
  queue = done.catch(() => {});
  return done;
};

/** The SHA-256 of some bytes in hexadecimal digits. @param {BufferSource} bytes */
async function digestOf(bytes) {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Reads the list of files in an answer. Returns `null` if it is invalid: its version must be the digest of the list.
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

/** Returns what is wrong with an answer, or `null` if it is exactly that file.
 *  @param {Response} answer @param {string} path @param {string} digest */
async function faultOf(answer, path, digest) {
  if (answer.status !== 200) return `status ${answer.status}`;
  const type = answer.headers.get('content-type') ?? '';
  const wanted = TYPES.get(path.slice(path.lastIndexOf('.') + 1));
  if (wanted ? !wanted.test(type) : HTML.test(type)) return `type ${type}`;
  return (await digestOf(await answer.clone().arrayBuffer())) === digest ? null : 'other bytes';
}

/** Downloads a file. Throws if the answer is wrong. @param {string} path @param {string} digest */
async function fetched(path, digest) {
  // Some hosts redirect the name of the page to its folder.
  const url = new URL(path === PAGE ? './' : path, SCOPE);
  /** @type {string | null} */
  let fault = null;
  // The second attempt bypasses the browser's own cache, which may have a wrong answer.
  for (const cache of /** @type {RequestCache[]} */ (['no-cache', 'reload'])) {
    const answer = await fetch(url, { cache, mode: 'same-origin' });
    fault = await faultOf(answer, path, digest);
    if (fault) continue;
    // A redirected answer cannot answer a navigation. Other answers are stored unchanged: browsers cache compiled code only with
    // the original answer.
    return answer.redirected ? new Response(answer.body, { headers: answer.headers }) : answer;
  }
  throw new Error(`${path}: ${fault}`);
}

const ISOLATION = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
};

/** Adds the headers that isolate the page, if they are missing. @param {Response} answer */
function isolated(answer) {
  // Redirections and errors cannot be read, and are not pages.
  if (answer.type === 'error' || answer.type === 'opaqueredirect' || !answer.body) return answer;
  const missing = Object.entries(ISOLATION).filter(([name]) => !answer.headers.has(name));
  if (missing.length === 0) return answer;
  const headers = new Headers(answer.headers);
  for (const [name, value] of missing) headers.set(name, value);
  return new Response(answer.body, { status: answer.status, statusText: answer.statusText, headers });
}

/** The stored build, or `null`. */
const stored = async () => {
  try {
    return await manifestIn(await (await caches.open(CACHE)).match(MANIFEST));
  } catch {
    return null;
  }
};

/** The newest build of the network, or the stored one. */
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
  // After its first request the browser lists the client.
  arrivals.delete(id);
  const known = builds.get(id);
  if (known) return known;
  const build = (async () => {
    // This worker may have been restarted since the page was loaded.
    const found =
      id &&
      (await caches
        .open(CLIENTS)
        .then((cache) => cache.match(clientKey(id)))
        .catch(() => null));
    const manifest = found ? await manifestIn(found) : null;
    if (manifest) return manifest;
    const other =
      shown ?? (await stored()) ?? (await within(refresh(), NETWORK_TIMEOUT_MS).catch(() => null));
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
      if (arrivals.has(id) || (await worker.clients.get(id))) return manifestIn(await cache.match(request));
      builds.delete(id);
      await cache.delete(request);
      return null;
    }),
  );
  return found.filter((manifest) => manifest !== null);
}

/** Stores the files of a build except those for later, then deletes the files of builds without an open page. With `isCheck`,
 *  damaged files are downloaded again. Throws if a file cannot be downloaded. @param {Manifest | null} manifest */
async function store(manifest, isCheck = false) {
  if (!manifest) throw new Error('there is no list of files');
  const cache = await caches.open(CACHE);
  const there = new Set((await cache.keys()).map(({ url }) => url));
  const wanted = new Set([MANIFEST]);
  await Promise.all(
    Object.entries(manifest.files).map(async ([path, digest]) => {
      const key = keyOf(path, digest);
      wanted.add(key);
      const answer = there.has(key) && isCheck ? await cache.match(key) : null;
      const isDamaged = answer && (await faultOf(answer, path, digest));
      if (isDamaged) await cache.delete(key);
      if (isDamaged || (!there.has(key) && !manifest.later.includes(path)))
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

/** A stored file of a build, or `null`. */
async function cached(manifest, path) {
  if (!manifest || !Object.hasOwn(manifest.files, path)) return null;
  return (await (await caches.open(CACHE)).match(keyOf(path, manifest.files[path]))) ?? null;
}

/** The page of the stored build, which also answers its other requests. @param {string} id */
async function cachedPage(id) {
  const manifest = await stored();
  const answer = await cached(manifest, PAGE).catch(() => null);
  if (answer) show(id, manifest);
  return answer;
}

/** Records the build of a page. @param {string} id @param {Manifest | null} manifest */
function show(id, manifest) {
  shown = manifest;
  if (manifest) remember(id, manifest).catch(() => {});
}

/** Stores a build, then repairs it after the start of the page. If `later`, the page uses the previous build and starts first.
 *  @param {boolean} later */
async function maintain(manifest, later) {
  if (later) await pause(CHECK_DELAY_MS);
  await enqueue(() => store(manifest)).catch(() => {});
  if (!later) {
    await pause(CHECK_DELAY_MS);
    // The previous page is closed by now, and its build can be deleted.
    await enqueue(() => store(manifest)).catch(() => {});
  }
  await enqueue(async () => store(await stored(), true)).catch(() => {});
}

/** Answers a request for the page. @param {FetchEvent} event */
async function navigate(event) {
  const { request, resultingClientId: id } = event;
  const coming = Promise.all([fetch(request), refresh()]);
  try {
    const [answer, manifest] = await within(coming, NETWORK_TIMEOUT_MS);
    if (!answer.ok) throw new Error(String(answer.status));
    // A page that does not match the list is from another host, or from a build that is being uploaded.
    const isOther = manifest && (await faultOf(answer, PAGE, manifest.files[PAGE])) !== null;
    const instead = isOther ? await cachedPage(id) : null;
    event.waitUntil(maintain(manifest, instead !== null));
    if (instead) return instead;
    show(id, manifest);
    return answer;
  } catch {
    // Without the network the stored build is shown.
    const instead = await cachedPage(id);
    if (!instead) return coming.then(([answer]) => answer).catch(() => Response.error());
    // A slow host may have a new build. The next load shows it.
    const { version } = /** @type {Manifest} */ (shown);
    const update = async (manifest) => {
      if (manifest?.version !== version) await maintain(manifest, true);
    };
    event.waitUntil(refresh().then(update));
    return instead;
  }
}

/** Answers any other navigation: by the host, or by the stored file if there is no answer.
 *  @param {FetchEvent} event @param {string} path */
const open = (event, path) =>
  fetch(event.request).catch(async () => (await cached(await stored(), path)) ?? Response.error());

/** @param {FetchEvent} event @param {string} path */
async function file(event, path) {
  const build = await buildOf(event.clientId);
  // A worker belongs to the build of its page.
  if (build) remember(event.resultingClientId, build).catch(() => {});
  const found = await cached(build, path).catch(() => null);
  if (found) return found;
  return build && Object.hasOwn(build.files, path)
    ? late(event, path, build.files[path])
    : fetch(event.request);
}

/** Downloads a file and stores it. Throws if the host has it only in another build.
 *  @param {ExtendableEvent} event @param {string} path @param {string} digest */
async function late(event, path, digest) {
  const answer = await fetched(path, digest);
  const copy = answer.clone();
  const put = async () => (await caches.open(CACHE)).put(keyOf(path, digest), copy);
  // The answer does not wait for other files.
  event.waitUntil(enqueue(put).catch(() => {}));
  return answer;
}

/** Stores shared content for the page, and redirects the browser to it. If nothing is stored, the page reports it.
 *  @param {Request} request */
async function share(request) {
  await caches.delete(SHARED).catch(() => {});
  const body = await request.blob().catch(() => null);
  if (body && body.size <= MAX_SHARED_BYTES) {
    const headers = { 'content-type': request.headers.get('content-type') ?? '' };
    await caches
      .open(SHARED)
      .then((cache) => cache.put(new URL(SHARE, SCOPE).href, new Response(body, { headers })))
      .catch(() => {});
  }
  return Response.redirect(new URL('./?shared', SCOPE).href, 303);
}

worker.addEventListener('install', (event) => {
  worker.skipWaiting();
  event.waitUntil(refresh().then((manifest) => enqueue(() => store(manifest))));
});

/** Requests of pages that this worker does not control: `claim` to take control, `{ keep: address }` to store a file. */
worker.addEventListener('message', (event) => {
  const { data } = event;
  if (data === 'claim') event.waitUntil(worker.clients.claim());
  if (typeof data?.keep !== 'string' || !data.keep.startsWith(SCOPE)) return;
  const path = data.keep.slice(SCOPE.length);
  const keepFile = async () => {
    const build = await stored();
    if (build && !(await cached(build, path))) await late(event, path, build.files[path]);
  };
  event.waitUntil(keepFile().catch(() => {}));
});

worker.addEventListener('fetch', (event) => {
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
    // The build of the page, not the one of the host.
    event.respondWith(
      buildOf(event.clientId).then((build) => (build ? Response.json(build) : fetch(request))),
    );
  } else if (path !== 'version.json') {
    // Other answers are passed unchanged: browsers cache compiled code only with the original answer.
    const isWorker = request.destination === 'worker';
    event.respondWith(isWorker ? file(event, path).then(isolated) : file(event, path));
  }
});
