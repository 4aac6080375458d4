// Offline use, isolation, and the page as an installed app: shared content arrives as a POST that the service worker handles, launched
// files through the launch queue of the browser. `unit/service-worker.test.js` has the answers of hosts and networks.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { openHosted } from './harness/hosted.js';
import { DIST } from './harness/static.js';

const MANIFEST = JSON.parse(readFileSync(new URL('../../www/manifest.webmanifest', import.meta.url), 'utf8'));
const SGF = '(;FF[4]GM[2]SZ[8]PB[Cyd];B[f5];W[f6])';
const FOLDER = 'some/folder/';
/** What a plain host calls files that it does not know. */
const TYPES = { '.wasm': 'application/octet-stream', '.webmanifest': 'text/plain', '.weights': 'text/plain' };

const kept = (page) =>
  page.evaluate(async () => (await (await caches.open('outflank-files')).keys()).map(({ url }) => url));

/** Shares as a phone does: a form with the fields of the manifest. */
async function share(context, address, { files = [], text = '' }) {
  const page = await context.newPage();
  const action = new URL(MANIFEST.share_target.action, `${address}manifest.webmanifest`).href;
  const bytes = files.map(([name, bytes]) => [name, [...Buffer.from(bytes)]]);
  await page.evaluate(
    ({ action, method, enctype, params, files, text }) => {
      const make = (tag, fields) => Object.assign(document.createElement(tag), fields);
      const data = new DataTransfer();
      for (const [name, bytes] of files) data.items.add(new File([new Uint8Array(bytes)], name));
      const form = make('form', { action, method, enctype });
      const input = make('input', { type: 'file', name: params.files[0].name, multiple: true });
      input.files = data.files;
      form.append(input, make('input', { name: params.text, value: text }));
      document.body.append(form);
      form.submit();
    },
    { ...MANIFEST.share_target, action, files: bytes, text },
  );
  return page;
}

const untilMoves = (page, moves) =>
  page.waitForFunction((moves) => {
    const shown = [...document.querySelectorAll('#moves .mv span')].map((move) => move.textContent);
    return window.outflank && shown.join('') === moves;
  }, moves);

test('on a host without headers the second visit has threads; then shared content is opened without the host', async (t) => {
  const { page: first, server, stop } = await openHosted(t, { below: FOLDER, types: TYPES });
  const address = `${server.address}/${FOLDER}`;
  let workers = [];
  first.on('worker', (worker) => workers.push(worker.url()));
  const visited = async () => {
    await first.untilValues();
    return [await first.evaluate(() => crossOriginIsolated), workers.includes(`${address}thread.js`)];
  };
  await first.withCores(3);
  await first.goto(address);
  assert.deepEqual(await visited(), [false, false]);
  // The open page does not change. By now all files are stored that are not for later.
  await first.waitForFunction(() => navigator.serviceWorker.controller);
  assert.deepEqual(await visited(), [false, false]);
  const { files, later } = JSON.parse(readFileSync(`${DIST}version.json`, 'utf8'));
  const built = Object.keys(files).filter((path) => !later.includes(path));
  const stored = built.map((path) => `${address}${path}?${files[path]}`);
  assert.deepEqual((await kept(first)).sort(), [...stored, `${address}version.json`].sort());
  workers = [];
  await first.reload();
  assert.deepEqual(await visited(), [true, true]);
  await first.close();
  const outside = server.asked.filter((path) => !path.startsWith(FOLDER) && path !== 'favicon.ico');
  assert.deepEqual(outside, []);
  // The host is gone: no POST can have reached it.
  await stop();

  // Files before words; several files at once.
  const context = first.context();
  const games = Object.entries({ 'a.sgf': SGF, 'b.txt': 'f5f4' });
  let page = await share(context, address, { files: games, text: 'look at this' });
  await untilMoves(page, 'f5f6');
  await page.untilNotice('2 games');
  const { pathname, search } = new URL(page.url());
  assert.deepEqual([pathname, search], [`/${FOLDER}`, '']);
  assert.deepEqual(await page.evaluate(() => caches.keys()), ['outflank-files', 'outflank-clients']);
  await page.close();

  page = await share(context, address, { text: 'f5d6c3d3' });
  await untilMoves(page, 'f5d6c3d3');
  // A reload shows the same study and opens nothing again.
  await page.waitForFunction(() => location.hash.length > 1);
  await page.reload();
  await untilMoves(page, 'f5d6c3d3');
  await page.openTab('Puzzles');
  await page.locator('#panel-puzzles .solid').click();
  await page.shows('.mode', 'find the best move');
  await page.close();

  // Missing content is reported, and the page works.
  page = await context.newPage();
  await page.goto(`${address}?shared`);
  await page.untilNotice('cannot be opened');
  await page.untilValues();
});

test('launched files are opened like dropped ones', async (t) => {
  const { page, server } = await openHosted(t, { engine: 'recorded' });
  await page.addInitScript(() => {
    const launchQueue = {
      setConsumer(take) {
        globalThis.launched = (files) =>
          take({ files: files.map(([name, text]) => ({ getFile: async () => new File([text], name) })) });
      },
    };
    Object.defineProperty(window, 'launchQueue', { value: launchQueue, configurable: true });
  });
  await page.goto(`${server.address}/`);
  await page.waitForFunction(() => globalThis.launched);
  const open = (...files) => page.evaluate((files) => globalThis.launched(files), files);
  // Started without a file.
  await open();
  await open(['game.pgn', '[Black "Ann"]\n[White "Bob"]\n\n1. f5 d6 2. c3 *\n']);
  await untilMoves(page, 'f5d6c3');
  await open(['bad.obf', 'XXOO X; F5:+0;']);
  await page.untilNotice('Neither a game nor a position');
  await untilMoves(page, 'f5d6c3');
});
