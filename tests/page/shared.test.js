// The page as an installed app: shared content arrives as a POST that the service worker handles, also offline and in a folder of a
// host; launched files arrive through the launch queue of the browser.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { untilNotice, untilValues } from './hands.js';
import { hosting } from './harness/hosted.js';

const WWW = fileURLToPath(new URL('../../www/', import.meta.url));
const MANIFEST = JSON.parse(readFileSync(`${WWW}manifest.webmanifest`, 'utf8'));
const SGF = '(;FF[4]GM[2]SZ[8]PB[Cyd];B[f5];W[f6])';

const site = hosting();

/** Shares as a phone does: a form with the fields of the manifest. */
async function share(context, address, { files = [], text = '' }) {
  const page = await context.newPage();
  const { action, method, enctype, params } = MANIFEST.share_target;
  await page.evaluate(
    ({ target, method, enctype, params, files, text }) => {
      const form = Object.assign(document.createElement('form'), { action: target, method, enctype });
      const data = new DataTransfer();
      for (const [name, bytes] of files) data.items.add(new File([new Uint8Array(bytes)], name));
      const input = Object.assign(document.createElement('input'), {
        type: 'file',
        name: params.files[0].name,
        multiple: true,
      });
      input.files = data.files;
      const words = Object.assign(document.createElement('input'), { name: params.text, value: text });
      form.append(input, words);
      document.body.append(form);
      form.submit();
    },
    {
      target: new URL(action, `${address}/manifest.webmanifest`).href,
      method,
      enctype,
      params,
      files: files.map(([name, bytes]) => [name, [...Buffer.from(bytes)]]),
      text,
    },
  );
  return page;
}

/** Waits until the page has loaded these moves. */
const untilMoves = (page, moves) =>
  page.waitForFunction((moves) => {
    const shown = [...document.querySelectorAll('#moves .mv span')].map((move) => move.textContent);
    return window.outflank && shown.join('') === moves;
  }, moves);

test('shared content is opened, offline and in a folder, and neither stored nor sent', async (t) => {
  const { page: first, server, stop } = await site.open(t, { below: 'some/folder/', engine: 'recorded' });
  const context = first.context();
  const address = `${server.address}/some/folder`;
  await first.goto(`${address}/version.json`);
  await first.evaluate(async () => {
    await navigator.serviceWorker.register('sw.js');
    await navigator.serviceWorker.ready;
  });
  await first.close();
  // The host is gone: no POST can have reached it.
  await stop();

  // Files before words; several files at once.
  const files = /** @type {[string, string][]} */ ([
    ['a.sgf', SGF],
    ['b.txt', 'f5f4'],
  ]);
  let page = await share(context, address, { files, text: 'look at this' });
  await untilMoves(page, 'f5f6');
  await untilNotice(page, '2 games');
  const { pathname, search } = new URL(page.url());
  assert.deepEqual([pathname, search], ['/some/folder/', '']);
  assert.deepEqual(await page.evaluate(() => caches.keys()), ['outflank-files', 'outflank-clients']);
  await page.close();

  page = await share(context, address, { text: 'f5d6c3d3' });
  await untilMoves(page, 'f5d6c3d3');
  // A reload shows the same study and opens nothing again.
  await page.waitForFunction(() => location.hash.length > 1);
  await page.reload();
  await untilMoves(page, 'f5d6c3d3');
  await page.close();

  // Missing content is reported, and the page works.
  page = await context.newPage();
  await page.goto(`${address}/?shared`);
  await untilNotice(page, 'cannot be opened');
  await untilValues(page);
});

test('launched files are opened like dropped ones', async (t) => {
  const { page, server } = await site.open(t, { engine: 'recorded' });
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
  await untilNotice(page, 'Neither a game nor a position');
  await untilMoves(page, 'f5d6c3');
});

test('the manifest names existing files', () => {
  for (const { src } of MANIFEST.icons) readFileSync(`${WWW}${src}`);
  // What may be opened may be shared, and chosen on the page.
  const picker = /id="file"[^>]*accept="([^"]*)"/
    .exec(readFileSync(`${WWW}index.html`, 'utf8'))?.[1]
    .split(',');
  const shared = MANIFEST.share_target.params.files[0].accept;
  for (const ending of MANIFEST.file_handlers.flatMap(({ accept }) => Object.values(accept).flat())) {
    assert.ok(picker?.includes(ending) && shared.includes(ending), ending);
  }
});
