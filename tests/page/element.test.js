// `<outflank-board>` in pages of others: three boards, a strict content policy, keys, variations, values of a shared engine.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { GAME, until, untilCount } from './hands.js';
import { violations } from './harness/axe.js';
import { openHosted } from './harness/hosted.js';

const ROOT = new URL('../../', import.meta.url);
const TARGET = process.env.CARGO_TARGET_DIR
  ? new URL(`file://${process.env.CARGO_TARGET_DIR}/`)
  : new URL('target/', ROOT);
const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; worker-src 'self'";
const PAGE = `<!doctype html><html lang="fr"><meta charset="utf-8"><title>Blog</title><h1>Blog</h1>
<script type="module" src="outflank-board.js"></script>
<main>
<outflank-board id="a" moves="f5d6(f4~trop tôt~d3)c3~bien~d3c4" ply="1" values page="https://example.org/outflank/#old"></outflank-board>
<outflank-board id="b" moves="${GAME}" ply="24" values graph lang="en"></outflank-board>
<outflank-board id="c" moves="f5d6a1" lang="en"></outflank-board>
</main></html>`;

/** Files of the package beside the element, as the package has them. */
const fileOf = (path) => {
  if (path === 'outflank-board.js') return new URL('element/outflank-board.js', TARGET);
  if (path === 'client.js') return new URL('web/npm/client.js', ROOT);
  return path.startsWith('js/') ? new URL(`www/${path}`, ROOT) : null;
};

const status = (page, id) => page.locator(`${id} .status`).textContent();
const said = (page, id, square) => page.locator(`${id} [data-square=${square}]`).getAttribute('aria-label');

test('three boards of a page with a strict policy show games, variations, comments and errors by keys alone, and values', async (t) => {
  const { host, page, server } = await openHosted(t, { viewport: { width: 900, height: 1800 } });
  const problems = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  host.instead = (path) => {
    if (path === 'blog.html')
      return { headers: { 'content-type': 'text/html', 'content-security-policy': POLICY }, body: PAGE };
    const file = fileOf(path);
    return file && { headers: { 'content-type': 'text/javascript' }, body: readFileSync(file) };
  };
  await page.goto(`${server.address}/blog.html`);
  await page.shows('#c .status');
  assert.equal(await status(page, '#b'), 'move 24 of 60');
  assert.equal(await status(page, '#c'), 'move 3: a1 is not legal');
  assert.match(await said(page, '#a', 'f5'), /^f5, Noir, /);
  const buttons = page.locator('#a .variations button');
  assert.deepEqual(await buttons.allTextContents(), ['d6', 'f4']);
  await buttons.last().press('Enter');
  assert.equal(await page.locator('#a .comment').textContent(), 'trop tôt');
  const link = () => page.locator('#a a').getAttribute('href');
  const sent = 'https://example.org/outflank/#f5d6(f4~trop+t%C3%B4t~d3)c3~bien~d3c4@1.1.0';
  assert.equal(await link(), sent);
  await page.locator('#a .controls button').first().press('Home');
  for (const [key, text] of Object.entries({ ArrowRight: /1 .* 5/, End: /5 .* 5/, ArrowLeft: /4 .* 5/ })) {
    await page.keys(key);
    assert.match(await status(page, '#a'), text, key);
  }
  // A legal move of the reader is a variation.
  await page.locator('#a .sq.legal:not([data-square=c4])').first().click();
  assert.match(await link(), /d3c4\([a-h]\d\)@4\.1\.0$/);
  assert.deepEqual(await violations(page, 'main'), []);
  assert.ok(!server.asked.some((path) => path.endsWith('.wasm')), 'nothing of the engine is loaded');
  // Values and graph come from one engine, which is loaded at the first request.
  await page.locator('#a .controls button').first().press('Home');
  await page.keys('ArrowRight');
  const press = (id, name) => page.locator(id).getByRole('button', { name }).click();
  await press('#a', 'Valeurs');
  await press('#b', 'Values');
  await until(async () => /^d6, jouable, meilleur, plus \d+,\d, /.test(await said(page, '#a', 'd6')), true);
  await until(async () => /^f7, legal, best, minus/.test(await said(page, '#b', 'f7')), true);
  // A step shows the values of its position.
  for (const name of ['Last', 'Previous']) await press('#b', name);
  await until(async () => /, exact$/.test(await said(page, '#b', 'h6')), true);
  await press('#b', 'Analyse game');
  await untilCount(page.locator('#b .graph circle'), 61);
  assert.equal(await page.locator('#b .graph svg').getAttribute('aria-valuenow'), '59');
  assert.equal(server.asked.filter((path) => path === 'worker.js').length, 1, 'one engine');
  assert.deepEqual(problems, []);
});
