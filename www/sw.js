// Offline use. Every file is kept under its fingerprint from `version.json`, so that what is answered
// from the cache is the build it belongs to: navigation asks the network first, files come from the
// cache first. A new build is fetched beside the old one and shown from the next load on.
//
// Isolation. Browsers share memory among workers, which the engine needs to search on several cores, only for a
// page whose host sends two headers with it and with the scripts of its workers. A static host that cannot send them
// need not: they are added here, from the second visit on, and until then the engine does without. `require-corp`
// since Safari does not know `credentialless`; nothing comes from elsewhere, so nothing is shut out.

const CACHE = 'outflank-files';
const MANIFEST = new URL('version.json', self.registration.scope).href;
const PATIENCE_MS = 3000;

let known = null;
let refreshing = null;

const keyOf = (path, print) => new URL(`${path}?${print}`, self.registration.scope).href;
const within = (promise, ms) =>
  Promise.race([promise, new Promise((_, reject) => setTimeout(() => reject(new Error('too slow')), ms))]);

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

async function stored() {
  const answer = await (await caches.open(CACHE)).match(MANIFEST);
  return answer ? answer.json() : null;
}

/** Asks which build is the newest; the files it lacks are fetched behind. */
function refresh() {
  refreshing ??= (async () => {
    try {
      const answer = await fetch(MANIFEST, { cache: 'no-store' });
      if (!answer.ok) return known ?? (await stored());
      const manifest = await answer.clone().json();
      known = manifest;
      return manifest;
    } catch {
      known ??= await stored();
      return known;
    } finally {
      setTimeout(() => {
        refreshing = null;
      }, 1000);
    }
  })();
  return refreshing;
}

/** Keeps every file of a build, then forgets those of others. */
async function keep(manifest) {
  if (!manifest?.files) return;
  const cache = await caches.open(CACHE);
  const wanted = new Set([MANIFEST]);
  await Promise.all(
    Object.entries(manifest.files).map(async ([path, print]) => {
      const key = keyOf(path, print);
      wanted.add(key);
      if (await cache.match(key)) return;
      const answer = await fetch(new URL(path, self.registration.scope), { cache: 'no-cache' });
      if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
      await cache.put(key, answer);
    }),
  );
  await cache.put(
    MANIFEST,
    new Response(JSON.stringify(manifest), { headers: { 'content-type': 'application/json' } }),
  );
  for (const request of await cache.keys()) if (!wanted.has(request.url)) await cache.delete(request);
}

async function fromCache(path) {
  const manifest = known ?? (await within(refresh(), PATIENCE_MS).catch(stored)) ?? (await stored());
  const print = manifest?.files?.[path];
  if (!print) return null;
  const cache = await caches.open(CACHE);
  return cache.match(keyOf(path, print));
}

async function navigate(event) {
  try {
    const [answer, manifest] = await within(Promise.all([fetch(event.request), refresh()]), PATIENCE_MS);
    if (!answer.ok) throw new Error(String(answer.status));
    event.waitUntil(keep(manifest).catch(() => {}));
    return answer;
  } catch {
    // Without the network the last build that was kept whole is the one to show.
    known = (await stored()) ?? known;
    return (await fromCache('index.html')) ?? Response.error();
  }
}

async function file(request, path) {
  return (await fromCache(path)) ?? fetch(request);
}

self.addEventListener('install', (event) => {
  self.skipWaiting();
  event.waitUntil(refresh().then(keep));
});

self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (
    request.method !== 'GET' ||
    url.origin !== self.location.origin ||
    !url.href.startsWith(self.registration.scope)
  )
    return;
  const path = url.pathname.slice(new URL(self.registration.scope).pathname.length);
  if (request.mode === 'navigate') event.respondWith(navigate(event).then(isolated));
  else if (path !== 'version.json') {
    // Other files are answered as they are: browsers keep the compiled form of a module with its own answer only.
    const isWorker = request.destination === 'worker';
    event.respondWith(isWorker ? file(request, path).then(isolated) : file(request, path));
  }
});
