// The page in Firefox, where a service worker that takes over a page waits for every worker of that page to answer.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { launchFirefox } from '../harness/firefox.js';
import { ISOLATED, startStatic } from '../harness/static.js';

/** Waits until the board shows values of the position at a ply. */
const untilValues = (firefox, ply) =>
  firefox.until((ply) => {
    const { outflank } = window;
    if (outflank?.study.node.ply !== ply || outflank.values.rows(outflank.study.position).sorted.length === 0)
      return false;
    return [...document.querySelectorAll('.val b')].some((value) => /\d/.test(value.textContent));
  }, ply);

const press = (firefox, selector) =>
  firefox.evaluate((selector) => document.querySelector(selector).click(), selector);
const play = (firefox, square) => press(firefox, `[role=gridcell][aria-label^="${square},"]`);

/** Loads a part of the page that is not loaded yet. */
const untilPart = async (firefox, tab) => {
  await press(firefox, `#tab-${tab}`);
  await firefox.until((tab) => window.outflank.panels.made.has(tab), tab);
};

test('the page in Firefox with threads: first visit, reload and offline use', async (t) => {
  const server = await startStatic({ headers: ISOLATED });
  const firefox = await launchFirefox();
  t.after(async () => {
    await firefox.stop();
    await server.stop();
  });
  await firefox.open(`${server.address}/`);
  await untilValues(firefox, 0);
  assert.ok(await firefox.evaluate(() => window.outflank.engine.info.threads > 0), 'the engine has threads');
  // The service worker is registered about 5 s after the page has started.
  await firefox.until(
    async () => (await navigator.serviceWorker.getRegistration())?.active?.state === 'activated',
  );
  await play(firefox, 'f5');
  await untilValues(firefox, 1);
  await untilPart(firefox, 'openings');
  for (const offline of [false, true]) {
    if (offline) await server.stop();
    await firefox.reload();
    await untilValues(firefox, offline ? 2 : 1);
    await play(firefox, offline ? 'c3' : 'd6');
    await untilValues(firefox, offline ? 3 : 2);
    await untilPart(firefox, 'puzzles');
  }
  assert.ok(await firefox.evaluate(() => window.outflank.engine.info.threads > 0), 'offline');
});
