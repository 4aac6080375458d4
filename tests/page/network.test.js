// The large network: loaded on request, equal in the browser and the native program, stored for offline use, and refused if it is
// not the built file.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { launchBrowser } from '../harness/browser.js';
import { game, line, lines, send, startWorker } from '../harness/engine.js';
import { hosting } from '../harness/hosted.js';
import { askNative } from '../harness/native.js';
import { ISOLATED, versionOf } from '../harness/static.js';
import {
  GAME,
  paste,
  reviewEnds,
  until,
  untilNotice,
  untilOffline,
  untilValues,
  withCores,
} from './hands.js';

const FILES = {
  small: new URL('../../engine/weights/outflank.weights', import.meta.url),
  large: new URL('../../cli/weights/outflank-large.weights', import.meta.url),
};
const BYTES = readFileSync(FILES.large);
/** The size as the page states it. */
const MEGABYTES = Number((BYTES.length / 1e6).toFixed(1));
/** Where the head of a file has its checksum. */
const CHECKSUM_AT = 14;
const checksumOf = (file) => readFileSync(file).readBigUInt64LE(CHECKSUM_AT).toString(16).padStart(16, '0');
const SMALL = checksumOf(FILES.small);
const LARGE = checksumOf(FILES.large);

const DEPTH = 8;
const question = (moves = '') => ['nboard 2', game(moves), `set depth ${DEPTH}`, 'hint 64'];
const QUESTION = question('B[F5]W[D6]B[C3]');
const ANSWERED = /^status .* is waiting/;

const site = hosting();

/** The page on a separate host, with one core and a small depth, so that values are reproducible. */
async function opened(t, path = '/') {
  const { host, server, page, stop } = await site.open(t, { headers: ISOLATED, depth: DEPTH });
  await withCores(page, 1);
  await page.goto(server.address + path);
  if (path === '/') await untilValues(page);
  return { host, server, page, stop };
}

const isLarge = (path) => path.includes('outflank-large');
const asked = ({ asked }) => asked.filter(isLarge).length;
const weights = (page) => page.evaluate(() => outflank.engine.info?.weights);
const setting = (page) => page.evaluate(() => outflank.settings.get('network'));

/** The choice in the settings dialog, which is opened. */
async function choice(page) {
  await page.evaluate(() => outflank.dialog('showSettings'));
  await page.locator('dialog details.fold summary').click();
  const field = page.getByRole('group', { name: 'Evaluation' });
  await field.waitFor();
  return {
    small: field.getByRole('radio', { name: 'fast', exact: true }),
    large: field.getByRole('radio', { name: `more accurate, slower (${MEGABYTES} MB, once)` }),
    state: field.getByRole('status'),
  };
}

/** Chooses the large network and waits until the engine has it. */
async function chooseLarge(page) {
  await (await choice(page)).large.check();
  await until(() => weights(page), LARGE);
  await page.keyboard.press('Escape');
}

/** The addresses under which a large network is stored. */
const keptLarge = (page) =>
  page.evaluate(async () => {
    const cache = await caches.open('outflank-files');
    return (await cache.keys()).map(({ url }) => url).filter((url) => url.includes('outflank-large'));
  });

/** Waits until the service worker is active and its cache has the large network. */
async function untilKept(page) {
  await untilOffline(page);
  await until(async () => (await keptLarge(page)).length, 1);
}

/** The values of the last iteration. The number of earlier values depends on the time. */
const valuesIn = (said) => said.filter((line) => line.startsWith('search') && line.endsWith(` 0 ${DEPTH}`));

/** The values that the native program gives with a network. */
const native = async (file, lines) => valuesIn(await askNative(['--eval', file.pathname], lines, ANSWERED));

for (const name of [`network=large`, 'network=large&threads=1'])
  test(`a worker called ${name} answers like the native engine with the large network`, async (t) => {
    const { page } = await opened(t, '/version.json');
    const info = await startWorker(page, name);
    assert.equal(info.weights, LARGE);
    assert.equal(info.missed, undefined);
    assert.equal(info.threads > 0, name.includes('threads'));
    await send(page, ...QUESTION);
    await line(page, /^search/);
    await line(page, ANSWERED);
    const [large, small] = [await native(FILES.large, QUESTION), await native(FILES.small, QUESTION)];
    assert.ok(large.length >= 4, large.join('\n'));
    assert.deepEqual(valuesIn(await lines(page)), large);
    assert.notDeepEqual(small, large, 'the networks differ');
  });

test('selecting a network loads it and drops the values of the other', async (t) => {
  const { page, server } = await opened(t);
  const done = () => page.waitForFunction(() => outflank.analysis.done && outflank.engine.state === 'idle');
  await untilValues(page);
  await done();
  assert.equal(await weights(page), SMALL);
  assert.equal(asked(server), 0, 'nothing is loaded before it is wanted');

  const rows = () =>
    page.evaluate(() =>
      outflank.evaluations
        .added(outflank.study.position)
        .rows.map(({ move, value }) => [move, value])
        .sort(),
    );
  const nativeRows = async (file) =>
    (await native(file, question()))
      .slice(-4)
      .map((text) => text.split(' '))
      .map(([, pv, value]) => [pv.slice(0, 2).toLowerCase(), Number(value)])
      .sort();
  assert.deepEqual(await rows(), await nativeRows(FILES.small));
  // A value so deep that no later one replaces it, stored on the device.
  await page.evaluate(() => {
    const { evaluations, study } = outflank;
    const proof = { kind: 'heuristic', depth: 50, level: 50 };
    evaluations.add(study.position, 'rows', { move: 'f5', value: 33, proof, pv: ['f5'] });
    evaluations.keep(study.position);
  });
  assert.deepEqual((await rows())[3], ['f5', 33]);
  await chooseLarge(page);
  await done();
  assert.deepEqual(await rows(), await nativeRows(FILES.large));
  assert.equal(await setting(page), 'large');

  await (await choice(page)).small.check();
  await until(() => weights(page), SMALL);
  await done();
  assert.deepEqual(await rows(), await nativeRows(FILES.small));
});

test('a review uses the current network and ends when another one is selected', async (t) => {
  const { page } = await opened(t);
  await page.evaluate(() => {
    const { Worker } = window;
    window.made = [];
    window.Worker = class extends Worker {
      constructor(address, options) {
        super(address, options);
        window.made.push(options.name);
      }
    };
    for (const [key, value] of Object.entries({ reviewDepth: 4, workers: 1 }))
      outflank.settings.set(key, value);
  });
  await chooseLarge(page);
  await paste(page, GAME);
  await reviewEnds(page);
  const made = await page.evaluate(() => window.made);
  assert.ok(made.includes('hash=16&network=large'), made.join());
  assert.ok(!made.includes('hash=16'), made.join());
  // One that is far from its end.
  await page.evaluate(() => {
    outflank.settings.set('reviewDepth', 40);
    return outflank.act('review');
  });
  await page.waitForFunction(() => {
    const { review } = outflank.panels.made.get('report');
    return review.left > 0 && review.engines.some(({ info }) => info);
  });
  await page.evaluate(() => outflank.settings.set('network', 'small'));
  await until(() => weights(page), SMALL);
  await until(() => page.evaluate(() => outflank.panels.made.get('report').review.running), false);
  const told = await page.locator('.notice').allTextContents();
  assert.ok(!told.some((text) => /restarted|could not|newer/i.test(text)), told.join());
});

test('the large network is stored for reloads and offline use', async (t) => {
  const { page, server, stop } = await opened(t);
  await chooseLarge(page);
  // It is stored whether it was chosen before or after the start of the service worker.
  await untilKept(page);
  const before = asked(server);
  await page.reload();
  await untilValues(page);
  await until(() => weights(page), LARGE);
  assert.equal(asked(server), before, 'it is not asked for again');
  await stop();
  await page.reload();
  await untilValues(page);
  await until(() => weights(page), LARGE);
});

test('offline without the stored file the small network is used with a notice, and the choice stays', async (t) => {
  const { page, stop } = await opened(t);
  await untilOffline(page);
  await page.reload();
  await untilValues(page);
  await stop();
  const field = await choice(page);
  await field.large.click();
  await untilNotice(page, /could not be loaded/);
  await until(() => field.small.isChecked(), true);
  assert.equal(await setting(page), 'small');
  assert.equal(await weights(page), SMALL);
  // Chosen when it was available, then deleted by the browser.
  await page.evaluate(() => outflank.settings.set('network', 'large'));
  await untilNotice(page, /could not be loaded/);
  await until(() => weights(page), SMALL);
  await until(() => field.small.isChecked(), true);
  await page.reload();
  await untilNotice(page, /could not be loaded/);
  await untilValues(page);
  assert.equal(await weights(page), SMALL);
  assert.equal(await setting(page), 'large');
});

test('damaged bytes are refused with a notice; the next download is used', async (t) => {
  const { host, page } = await opened(t);
  const damaged = Buffer.from(BYTES);
  damaged[BYTES.length >> 1] ^= 1;
  const field = await choice(page);
  for (const body of [damaged, BYTES.subarray(0, BYTES.length >> 1), Buffer.from('')]) {
    host.instead = (path) => (isLarge(path) ? { body } : null);
    await page.evaluate(() => document.querySelector('#notices').replaceChildren());
    await field.large.click();
    await untilNotice(page, /could not be loaded/);
    await until(() => field.small.isChecked(), true);
    assert.equal(await weights(page), SMALL);
  }
  // A worker that finds them also refuses them.
  const info = await startWorker(page, 'network=large');
  assert.equal(info.weights, SMALL);
  assert.ok(info.missed);
  host.instead = null;
  await field.large.click();
  await until(() => weights(page), LARGE);
  await untilValues(page);
});

test('a foreign file in the cache of the browser in the place of the small network is replaced', async (t) => {
  const { host, page } = await opened(t, '/version.json');
  const isSmall = (path) => /outflank-[0-9a-f]+\.weights$/.test(path);
  const { files } = await (await page.request.get(page.url())).json();
  const path = Object.keys(files).find(isSmall);
  // A network that shows its own page first.
  const headers = { 'cache-control': 'max-age=3600', 'content-type': 'text/html' };
  host.instead = (path) => (isSmall(path) ? { headers, body: '<p>Please sign in</p>' } : null);
  await page.evaluate((path) => fetch(`/${path}`), path);
  host.instead = null;
  const info = await startWorker(page, '');
  assert.equal(info.weights, SMALL);
});

test('without enough memory the small network is used', async (t) => {
  const narrow = await launchBrowser({ args: ['--js-flags=--wasm-max-mem-pages=300'] });
  t.after(() => narrow.close());
  const { page, server } = await site.open(t, { headers: ISOLATED, browser: narrow });
  await page.goto(`${server.address}/version.json`);
  const info = await startWorker(page, 'hash=1&network=large');
  assert.equal(info.weights, SMALL);
  assert.match(info.missed, /memory/);
  await send(page, ...QUESTION);
  await line(page, ANSWERED);
});

test('during the download the engine continues, and the choice reports it', async (t) => {
  const { page } = await opened(t);
  // The answer waits for the checks of the test.
  await page.evaluate(() => {
    const { fetch } = window;
    window.fetch = async (...about) => {
      if (String(about[0]).includes('outflank-large'))
        await new Promise((resolve) => {
          window.goOn = () => {
            window.goOn = null;
            resolve();
          };
        });
      return fetch(...about);
    };
  });
  const field = await choice(page);
  await field.large.check();
  await until(() => field.state.textContent(), 'Loading…');
  await page.waitForFunction(() => window.goOn);
  assert.equal(await weights(page), SMALL);
  // Another choice ends it.
  await field.small.check();
  await until(() => field.state.textContent(), '');
  await page.evaluate(() => window.goOn());
  await field.large.check();
  await page.waitForFunction(() => window.goOn);
  assert.equal(await setting(page), 'small');
  await page.evaluate(() => window.goOn());
  await until(() => weights(page), LARGE);
  await until(() => field.state.textContent(), '');
  assert.ok(await field.large.isChecked());
});

test('a build with another large network removes the old one', async (t) => {
  const { host, page } = await opened(t);
  await chooseLarge(page);
  await untilKept(page);
  const list = JSON.parse(readFileSync(new URL('../../dist/version.json', import.meta.url), 'utf8'));
  const path = list.later.find((file) => file.includes('large'));
  const files = Object.fromEntries(
    Object.entries(list.files).map(([name, digest]) =>
      name === path ? [path.replace('large-', 'large-x'), digest] : [name, digest],
    ),
  );
  const version = versionOf(files);
  const later = [path.replace('large-', 'large-x')];
  host.instead = (path) =>
    path === 'version.json'
      ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify({ version, files, later }) }
      : null;
  // The service worker caches the list for a moment: the first visit may use the previous build.
  await until(async () => {
    await page.reload();
    await untilValues(page);
    return (await keptLarge(page)).length;
  }, 0);
});
