// The unpacked page: its files, and hosts that cannot serve it. `page/installed.test.js` has a subfolder of a plain host.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { openPlain, unpacked } from './unpacked.js';

const { folder } = await unpacked(/^outflank-page-/);

test('the package has a file of headers', async () => {
  const headers = await readFile(join(folder, '_headers'), 'utf8');
  assert.ok(headers.startsWith('/*\n  cross-origin-opener-policy: same-origin\n'), headers);
  assert.ok(headers.includes("content-security-policy: default-src 'none';"), headers);
});

test('every listed file exists, and no address starts at the root', async () => {
  const { files } = JSON.parse(await readFile(join(folder, 'version.json'), 'utf8'));
  for (const path of Object.keys(files)) await readFile(join(folder, path));
  assert.ok(files['engine/outflank-threads_bg.wasm']);
  const page = await readFile(join(folder, 'index.html'), 'utf8');
  assert.doesNotMatch(page, /(href|src)="\//);
});

/** Returns what the page reports at an address, or with these options of its host. */
async function reported(t, options, address = null) {
  const { page, server } = await openPlain(t, { folder, ...options });
  await page.goto(address ?? server.address);
  const notice = await page.waitForSelector('.notice.fault');
  assert.equal(await page.textContent('[data-part="depth"]'), 'Not started');
  return (await notice.textContent()).replace('Outflank could not start: ', '');
}

test('a host that sends scripts with a wrong type, or none of them, is reported', async (t) => {
  const types = { '.js': 'text/plain' };
  for (const headers of [{}, { 'x-content-type-options': 'nosniff' }])
    assert.equal(
      await reported(t, { types, headers }),
      'the server sends js/shell/main.js as text/plain, not as text/javascript',
    );
  const missing = (path) => (path.endsWith('main.js') ? { status: 404 } : null);
  assert.equal(await reported(t, { instead: missing }), 'js/shell/main.js cannot be loaded');
});

test('a page opened as a file reports it', async (t) => {
  const address = pathToFileURL(join(folder, 'index.html')).href;
  assert.equal(await reported(t, {}, address), 'open it from a web server, not as a file');
});
