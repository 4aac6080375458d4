// Invalid input and failures around the page: a notice names the error, and the board does not change.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { stage } from '../harness/stage.js';
import {
  cell,
  discs,
  drop,
  openConsole,
  opened,
  painted,
  paste,
  until,
  untilAtWork,
  untilNotice,
  untilValues,
} from './hands.js';

const site = stage();

test('invalid input is reported, and the board does not change', async () => {
  const page = await opened(site, '/#f5d6c3');
  await cell(page, 'c3').waitFor();
  const before = await discs(page);
  for (const [text, said] of [
    ['a1d6', /Move 1, a1, is illegal/],
    ['hello there', /Neither a game nor a position/],
    ['f5'.repeat(50_001), /Too long/],
    ['https://example.org/#f5d6!!', /link is invalid/],
  ]) {
    await paste(page, text);
    await untilNotice(page, said);
    assert.equal(await discs(page), before);
  }
  await drop(page, 'broken.wtb', new Uint8Array([1, 2, 3]));
  await untilNotice(page, /WTHOR/);
  assert.equal(await discs(page), before);
  // A position without a side to move is asked about.
  await paste(page, '---------------------------OX------XO---------------------------');
  await page.locator('dialog button', { hasText: 'White to move' }).click();
  await page.locator('#turn-white', { hasText: 'to move' }).waitFor();
});

test('an invalid address and invalid stored settings are reported, and the page works', async () => {
  const page = await opened(site, '/#f5d6zz');
  await untilNotice(page, /link is invalid at character 5/);
  await untilValues(page);
  await page.evaluate(() => {
    location.hash = '#f5(d3';
  });
  await untilNotice(page, /not closed/);
  await page.evaluate(() => localStorage.setItem('outflank.settings', '{"depth":900,"theme":5}'));
  await page.reload();
  await untilNotice(page, /Ignored invalid settings: depth, theme/);
  await page.evaluate(() => localStorage.setItem('outflank.settings', '{{{'));
  await page.reload();
  await untilValues(page);
});

test('a crashed engine is replaced, and the position analysed again', async () => {
  const page = await opened(site, '/#f5d6c3');
  await untilValues(page);
  await page.evaluate(() => {
    outflank.evaluations.forget();
    outflank.engine.worker.onmessage({ data: { type: 'fatal', message: 'panicked on purpose' } });
  });
  await untilNotice(page, /crashed and was restarted \(panicked on purpose\)/);
  await page.waitForFunction(
    () =>
      ['busy', 'idle'].includes(outflank.engine.state) &&
      outflank.evaluations.added(outflank.study.position).rows.length > 0,
  );
});

test('an engine ended from the console is restarted, and any line leaves the page alive', async () => {
  const page = await opened(site, '/');
  await untilValues(page);
  await openConsole(page);
  await page.keyboard.type('quit');
  await page.keyboard.press('Enter');
  await untilNotice(page, /was restarted/);
  await untilAtWork(page);
  for (const line of ['set game nonsense', 'set depth -4', 'hint x', 'move a1', '(;;)', '\u{1F600}', 'go']) {
    await page.keyboard.type(line);
    await page.keyboard.press('Enter');
  }
  await page.locator('#engine [data-part=toggle]').click();
  await untilAtWork(page);
  await untilValues(page);
});

test('a failed part is requested again; then a notice offers to reload, and the action still works', async () => {
  site.expectProblem(/Failed to load resource|net::ERR_FAILED/);
  /** The page in which the script of the parts fails this many times. */
  const withFailures = async (number) => {
    const page = await site.open('/version.json', { serviceWorkers: 'block' });
    const parts = { asked: [], failures: number };
    await page.route(/\/js\/shell\/parts\.js/, (route) => {
      parts.asked.push(route.request().url());
      parts.failures -= 1;
      return parts.failures >= 0 ? route.abort() : route.continue();
    });
    await page.goto(site.address);
    await untilValues(page);
    return { page, parts };
  };
  const first = await withFailures(1);
  await first.page.evaluate(() => outflank.act('save'));
  await first.page.locator('dialog[open]').waitFor();
  assert.equal(first.parts.asked.length, 2, `${first.parts.asked}`);

  const { page, parts } = await withFailures(Number.POSITIVE_INFINITY);
  await page.getByRole('tab', { name: 'Report' }).click();
  await untilNotice(page, /could not be loaded/);
  await page.evaluate(() => outflank.act('edit'));
  assert.equal(await page.evaluate(() => outflank.modes.current), null);
  parts.failures = 0;
  await page.evaluate(() => outflank.act('edit'));
  await page.waitForFunction(() => outflank.modes.current !== null);
  await page.evaluate(() => outflank.modes.leave());
  await page.getByRole('tab', { name: 'Report' }).click();
  await page.waitForFunction(() => outflank.panels.made.has('report'));
  await page.locator('.notice button', { hasText: 'Reload' }).click();
  await page.waitForFunction(() => document.querySelectorAll('.notice').length === 0);
  await untilValues(page);
});

test('names and styles that could not be loaded are requested again', async () => {
  site.expectProblem(/Failed to load resource|net::ERR_FAILED/);
  const page = await site.open('/version.json', { serviceWorkers: 'block' });
  let broken = true;
  const failed = new Set();
  await page.route(/openings\.json|samples\.json|style\/parts\.css/, (route) => {
    if (broken) failed.add(new URL(route.request().url()).pathname.split('/').at(-1));
    return broken ? route.abort() : route.continue();
  });
  await page.goto(site.address);
  await untilValues(page);
  await until(() => failed.size, 3);
  broken = false;
  const known = () =>
    page.evaluate(() => [
      outflank.openings.names.size > 0,
      document.querySelectorAll('#samples button').length > 0,
      !!document.querySelector('link[href="style/parts.css"]')?.sheet,
    ]);
  await page.evaluate(() => {
    dispatchEvent(new Event('online'));
    return outflank.act('help');
  });
  await until(async () => String(await known()), 'true,true,true');
});

test('styles that never arrive delay the first action for five seconds, and no later one', async () => {
  const page = await site.open('/version.json', { serviceWorkers: 'block' });
  await page.route(/style\/parts\.css/, () => {});
  await page.goto(`${site.address}/#f5d6c3`);
  await untilValues(page);
  const times = await page.evaluate(async () => {
    const times = [];
    for (const name of ['first', 'forward', 'edit']) {
      const began = performance.now();
      await outflank.act(name);
      times.push(performance.now() - began);
    }
    return [...times, outflank.study.node.ply, outflank.modes.current !== null];
  });
  assert.deepEqual(times.slice(3), [1, true]);
  assert.ok(times[0] < 10_000 && times[1] < 1000 && times[2] < 5000, `${times}`);
});

test('a language is used when all its texts are loaded, and only the one selected last', async () => {
  site.expectProblem(/Failed to load resource|net::ERR_FAILED/);
  const page = await site.open('/', { serviceWorkers: 'block' });
  await untilValues(page);
  const held = [];
  await page.route(/lang\/parts\/fr/, (route) => route.abort());
  await page.route(/lang\/parts\/zh/, (route) => held.push(route));
  const select = (language) => page.evaluate((name) => outflank.settings.set('language', name), language);
  const used = () => page.evaluate(() => `${outflank.words.language} ${document.documentElement.lang}`);
  await select('fr');
  await untilNotice(page, /could not be loaded/);
  assert.equal(await used(), 'en en');
  await select('zh');
  await select('ja');
  await until(used, 'ja ja');
  const loaded = page.waitForResponse(/lang\/parts\/zh/);
  await held[0].continue();
  await (await loaded).finished();
  await painted(page);
  assert.equal(await used(), 'ja ja');
});

for (const file of ['rules_bg\\.wasm', 'shell/start\\.js'])
  test(`a page that cannot start without ${file} offers to reload`, async () => {
    site.expectProblem(/./);
    const page = await site.open('/version.json', { serviceWorkers: 'block' });
    let broken = true;
    await page.route(new RegExp(file), (route) => (broken ? route.abort() : route.continue()));
    await page.goto(site.address);
    await untilNotice(page, /could not start/);
    broken = false;
    await page.locator('.notice button', { hasText: 'Reload' }).click();
    await untilValues(page);
  });
