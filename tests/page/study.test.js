// The board and the tree, used with mouse and keyboard in a browser.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { SIZES } from '../harness/screens.js';
import { stage } from '../harness/stage.js';
import {
  cell,
  centreOf,
  GAME,
  hide,
  opened,
  painted,
  paste,
  ply,
  until,
  untilBoard,
  untilNotice,
  untilValues,
  withCores,
} from './hands.js';

const site = stage();

test('another move than the game’s makes a variation; deleting it can be undone', async () => {
  const page = await opened(site, '/#f5d6c3d3@1');
  await cell(page, 'f4').click();
  const variation = page.locator('#moves .var button');
  await until(() => variation.count(), 1);
  assert.match(await variation.textContent(), /2\. f4/);
  await page.keyboard.press('Delete');
  await until(() => variation.count(), 0);
  await page.locator('.notice button', { hasText: 'Undo' }).click();
  await until(() => variation.count(), 1);
  await until(() => page.locator('#moves .mv').count(), 5);
});

test('the address follows and restores the study, also if a move is made just before a reload', async () => {
  const page = await opened(site, '/#f5d6c3@1');
  await untilValues(page);
  // The module that writes the address is loaded after the first values.
  await page.waitForLoadState('networkidle');
  // With a slow answer, the page writes its address after the reload has begun.
  for (const [ply, delay] of [
    [2, 0],
    [3, 1500],
  ]) {
    await page.route(/\/$/, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, delay));
      await route.continue();
    });
    await page.evaluate(() => {
      outflank.act('forward');
      return new Promise((resolve) => {
        outflank.study.changed.listen(() => setTimeout(() => resolve(location.reload())));
      });
    });
    await page.locator('#where', { hasText: `move ${ply} of 3` }).waitFor();
    await page.waitForFunction((hash) => location.hash === hash, `#f5d6c3@${ply}`);
    await page.waitForFunction(() => performance.now() > 3000 && outflank.screen);
    await page.waitForLoadState('networkidle');
    await page.unroute(/\/$/);
  }
});

test('an overlay is named while it is on; the language changes without a reload', async () => {
  const page = await opened(site, '/#f5d6c3d3c4');
  await untilValues(page);
  const legend = page.locator('#legend');
  await page.keyboard.press('4');
  await legend.filter({ hasText: 'Regions' }).waitFor();
  await until(() => page.locator('.sq.odd, .sq.even').count(), 55);
  await page.keyboard.press('2');
  await legend.filter({ hasText: 'Frontier' }).waitFor();
  await page.keyboard.press('2');
  await until(() => legend.isHidden(), true);
  // The language changes without a reload.
  await page.evaluate(() => outflank.settings.set('language', 'ja'));
  await page.getByRole('tab', { name: '棋譜' }).waitFor();
  await page.locator('#opening', { hasText: '虎' }).waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.lang), 'ja');
  // The open settings follow.
  await page.evaluate(() => outflank.act('settings'));
  await page.locator('dialog h2', { hasText: '設定' }).waitFor();
  await page.locator('dialog input[value=fr]').click();
  await page.getByRole('tab', { name: 'Coups', includeHidden: true }).waitFor();
  await page.locator('dialog h2', { hasText: 'Réglages' }).waitFor();
  assert.equal(await page.locator('dialog').count(), 1);
});

test('rapid changes of position leave one search, of the last position; a hidden tab stops it', async () => {
  const page = await opened(site, `/#${GAME}@0`);
  await untilValues(page);
  for (let i = 0; i < 30; i++) await page.keyboard.press('ArrowRight', { noWaitAfter: true });
  await page.waitForFunction(() => outflank.study.node.ply === 30);
  await untilValues(page);
  const [analysed, shown, crashes] = await page.evaluate(() => [
    outflank.analysis.position,
    outflank.study.position,
    outflank.engine.crashes,
  ]);
  assert.equal(analysed, shown);
  assert.equal(crashes, 0);
  // A hidden tab stops the engine and resumes it when shown.
  await hide(page, true);
  await page.waitForFunction(() => outflank.engine.state === 'idle');
  await hide(page, false);
  // A search with its values in the table may end before the check.
  await page.waitForFunction(() => outflank.engine.state === 'busy' || outflank.analysis.done);
});

test('a swipe over the board steps through the moves, and plays none', async () => {
  const page = await opened(site, '/#f5d6c3d3@2', SIZES['390x844']);
  const touch = await page.context().newCDPSession(page);
  const swipe = async (from, to) => {
    const at = (x) => [{ x, y: 300 }];
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(from) });
    for (const x of [(2 * from + to) / 3, (from + 2 * to) / 3, to])
      await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(x) });
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  };
  await until(() => page.evaluate(() => performance.getEntriesByName('swipes-heard').length > 0), true);
  await page.touchscreen.tap(...(await centreOf(page, 'c3')));
  await until(() => ply(page), 3);
  await swipe(300, 150);
  await until(() => ply(page), 4);
  await swipe(150, 300);
  await until(() => ply(page), 3);
  assert.equal(await page.evaluate(() => outflank.study.tree.main.length), 5);
  // The trainer has the board: the current game does not change.
  await page.evaluate(() => {
    void outflank.modes.begin('trainer', { lines: [{ moves: 'f5d6c3d3c4', names: null }], side: 'X' });
  });
  await page.waitForFunction(() => outflank.modes.current?.stage === 'show');
  await swipe(150, 300);
  await painted(page);
  assert.equal(await ply(page), 3);
});

test('all mistakes of a report become puzzles, and the game stays, also with late frames', async () => {
  const page = await opened(site, `/#${GAME}`);
  await page.evaluate(() => {
    const frame = window.requestAnimationFrame;
    window.requestAnimationFrame = (paint) => frame(() => setTimeout(paint, 60_000));
  });
  await page.evaluate(() => outflank.settings.set('reviewDepth', 4));
  await page.keyboard.press('a');
  await page.locator('#panel-report button', { hasText: 'Add to puzzles' }).click({ timeout: 50_000 });
  await untilNotice(page, /saved as puzzles/);
  const [kept, different, shown, game] = await page.evaluate(() => [
    outflank.panels.made.get('puzzles').puzzles.own.length,
    new Set(outflank.panels.made.get('puzzles').puzzles.own.map(({ id }) => id)).size,
    document.querySelectorAll('#panel-report .mistakes li').length,
    outflank.study.game().moves,
  ]);
  assert.ok(kept > 1 && kept === different && kept === shown, `${kept} puzzles of ${shown} mistakes`);
  assert.equal(game, GAME);
});

for (const [cores, workers] of [
  [1, 1],
  [4, 3],
]) {
  test(`on ${cores} cores ${workers} workers analyse a game, and a crashed one is replaced`, async () => {
    const page = await site.open('/version.json');
    await withCores(page, cores);
    await page.goto(`${site.address}/`);
    await untilBoard(page);
    await page.evaluate(() => {
      outflank.settings.set('engine', false);
      outflank.settings.set('reviewDepth', 4);
    });
    await paste(page, GAME);
    const most = await page.evaluate(async () => {
      const { review } = await outflank.panels.get('report');
      let most = 0;
      let done = 0;
      const changed = review.changed;
      review.changed = () => {
        most = Math.max(most, review.engines.length);
        done++;
        // One of them crashes during the review.
        if (done === 20)
          review.engines.at(-1).worker.onmessage({ data: { type: 'fatal', message: 'on purpose' } });
        changed();
      };
      outflank.act('review');
      while (review.total === 0 || review.running) await new Promise((resolve) => setTimeout(resolve, 20));
      return most;
    });
    assert.equal(most, workers);
    await untilNotice(page, /was restarted \(on purpose\)/);
    const points = await page.evaluate(() =>
      outflank.study.tree.main
        .map((node) => outflank.scores.value(node.position))
        .map((point) => point && [point.exact, point.kind, Number.isFinite(point.value), point.level >= 4]),
    );
    assert.equal(points.length, 61);
    for (const [i, point] of points.entries()) assert.deepEqual(point?.slice(2), [true, true], `point ${i}`);
    const exact = points.map(([exact]) => exact);
    assert.ok(exact.slice(exact.indexOf(true)).every(Boolean), 'the end is exact without a gap');
    assert.ok(exact.indexOf(true) <= 52, `exact from ${exact.indexOf(true)} on`);
    assert.equal(await page.evaluate(() => outflank.panels.made.get('report').review.engines.length), 0);
  });
}

test('the console uses separate engines for other protocols', async () => {
  const page = await opened(site, '/#f5d6c3');
  await untilValues(page);
  await page.keyboard.press('`');
  const log = page.locator('#console-log');
  const prompt = page.locator('#console-form input');
  for (const [name, line, answer] of [
    ['Cassio', 'ENGINE-PROTOCOL get-version', /Outflank/],
    ['Hub', 'ping', /^pong$/],
    ['XBoard', 'ping 7', /^pong 7$/],
  ]) {
    await page.getByLabel('Protocol', { exact: true }).selectOption(name);
    await prompt.fill(line);
    await prompt.press('Enter');
    await log.locator('.in', { hasText: answer }).first().waitFor();
  }
  // The page's own engine has continued, and receives the lines again.
  assert.notEqual(await page.evaluate(() => outflank.engine.state), 'manual');
  await page.getByLabel('Protocol', { exact: true }).selectOption('NBoard');
  await prompt.fill('ping 99');
  await prompt.press('Enter');
  await log.getByText('pong 99').waitFor();
  await page.waitForFunction(() => outflank.engine.state === 'manual');
});

test('an address typed just before the page writes its own is not lost', async () => {
  const page = await opened(site, '/');
  for (let wait = 340; wait <= 460; wait += 10) {
    // Never the current one, which is not a change.
    const typed = wait % 20 === 0 ? 'f5d6' : 'f5f4';
    await page.evaluate(
      async ([wait, typed]) => {
        const { study } = outflank;
        study.go(study.tree.root);
        study.play('d3');
        await new Promise((resolve) => setTimeout(resolve, wait));
        location.hash = `#${typed}`;
      },
      [wait, typed],
    );
    await until(() => page.evaluate(() => location.hash), `#${typed}@2`);
    assert.equal(await page.evaluate(() => outflank.study.node.moves.join('')), typed, `after ${wait} ms`);
  }
});

test('a study too long for a link survives a reload and is reported', async () => {
  const page = await opened(site, '/#f5d6c3d3c4f4');
  await page.evaluate(() => {
    for (const node of outflank.study.tree.main) outflank.study.comment(node, '黒'.repeat(1900));
  });
  await page.waitForFunction(() => location.hash.startsWith('#kept='));
  await untilNotice(page, /link to this study has/);
  await page.reload();
  await page.waitForFunction(() => globalThis.outflank?.study.tree.main.length === 7);
  const lengths = await page.evaluate(() => outflank.study.tree.main.map(({ comment }) => comment.length));
  assert.deepEqual(lengths, Array(7).fill(1900));
  // A second tab of the address has a separate study from its first change on.
  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.waitForFunction(() => globalThis.outflank?.study.tree.main.length === 7);
  await other.evaluate(() => outflank.study.comment(outflank.study.tree.root, 'other'));
  await other.waitForFunction((hash) => location.hash !== hash, new URL(page.url()).hash);
  await page.reload();
  await page.waitForFunction(() => globalThis.outflank?.study.tree.main.length === 7);
  assert.equal(await page.evaluate(() => outflank.study.tree.root.comment.length), 1900);
});
