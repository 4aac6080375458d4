// How a match feels: two presses to the first move, pauses and turning discs, sound, two people, the engine alone, openings.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { SIZES } from '../harness/screens.js';
import { stage } from '../harness/stage.js';
import {
  assertSeen,
  beginMatch,
  cell,
  opened,
  playMatch,
  ply,
  reopened,
  until,
  untilNotice,
  usersTurn,
} from './hands.js';

const site = stage();
const phone = (width, height) => ({ ...SIZES['390x844'], viewport: { width, height } });
const button = (page, name) => page.locator('#mode button', { hasText: name });
const setting = (page, name, value) =>
  page.evaluate(([name, value]) => outflank.settings.set(name, value), [name, value]);

test('a phone needs two presses from the first visit to the first own move', async () => {
  for (const [width, height] of [
    [320, 640],
    [360, 740],
    [667, 375],
  ]) {
    const page = await opened(site, '/', phone(width, height));
    // The first button is that of the document, which the view of the next step replaces.
    const play = page.locator('#next .solid:not([data-do])', { hasText: 'Play' });
    await play.waitFor();
    await assertSeen(page, '#next .solid', 44);
    await play.tap();
    await page.locator('.faces button').nth(2).waitFor();
    await assertSeen(page, '.faces button', 44);
    await page.locator('.faces button').nth(1).tap();
    await usersTurn(page);
    assert.equal(await page.evaluate(() => outflank.modes.current.opponent.id), 'club');
    await cell(page, 'f5').tap();
    await page.waitForFunction(() => outflank.study.node.ply === 1);
  }
});

/** The times between the moves of the user and the answers, and what was on the board in between. Runs in the page. */
async function answers(moves) {
  const { modes, rules, study } = outflank;
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const rings = () => document.querySelectorAll('.dots .sq.legal').length;
  const found = [];
  for (let i = 0; i < moves; i++) {
    while (modes.current.thinking) await frame();
    await frame();
    const marked = rings();
    const began = performance.now();
    outflank.press(rules.moves(study.position)[0]);
    const { flips, ply } = study.node;
    await frame();
    await frame();
    const turning = document
      .getAnimations()
      .filter(({ animationName }) => /^(turn|place)/.test(animationName));
    const squares = new Set(turning.map(({ effect }) => effect.target.closest('.sq').dataset.square));
    const properties = turning.flatMap(({ effect }) =>
      effect.getKeyframes().flatMap((of) => Object.keys(of)),
    );
    let most = 0;
    while (study.node.ply === ply) {
      most = Math.max(most, rings());
      await frame();
    }
    const time = performance.now() - began;
    await frame();
    const last = document.querySelector('.sq.last')?.dataset.square;
    found.push({
      time,
      marked,
      most,
      turning: squares.size,
      flips: flips.length,
      properties,
      last,
      move: study.node.move,
    });
  }
  return found;
}

test('the engine answers after a pause, with discs that turn and no marks while it is its turn', async () => {
  const page = await site.open('/version.json', { serviceWorkers: 'block' });
  await page.route(/style\/parts\.css/, (route) => setTimeout(() => route.continue(), 3000));
  await reopened(page, site.address);
  await beginMatch(page);
  await setting(page, 'pace', 400);
  const found = await page.evaluate(answers, 5);
  for (const { time, marked, most, turning, flips, properties, last, move } of found) {
    assert.ok(time >= 400, `${time} ms`);
    assert.ok(marked > 0);
    assert.equal(most, 0, 'no square is marked while the engine is to move');
    assert.equal(turning, flips + 1);
    // Other properties would be animated by the main thread.
    const moved = properties.filter((name) => !/^(offset|computedOffset|easing|composite)$/.test(name));
    assert.deepEqual([...new Set(moved)].sort(), ['opacity', 'transform']);
    assert.equal(last, move);
  }
  const times = found.map(({ time }) => time).sort((a, b) => a - b);
  assert.ok(times[2] <= 900, `${times}`);
  await setting(page, 'pace', 1500);
  const [{ time }] = await page.evaluate(answers, 1);
  assert.ok(time >= 1500, `${time} ms`);
});

test('with reduced motion no disc turns, and the pause stays', async () => {
  const page = await opened(site, '/', { reducedMotion: 'reduce' });
  await beginMatch(page);
  await setting(page, 'pace', 400);
  const [{ time, turning }] = await page.evaluate(answers, 1);
  assert.ok(time >= 400);
  assert.equal(turning, 0);
});

test('a move taken back, a resignation or a reload during the pause leaves no late answer', async () => {
  const page = await opened(site, '/');
  await beginMatch(page);
  await setting(page, 'pace', 1500);
  const begun = async () => {
    await page.evaluate(() => outflank.press(outflank.rules.moves(outflank.study.position)[0]));
    await page.waitForTimeout(300);
    assert.equal(await page.evaluate(() => outflank.modes.current.thinking), true);
  };
  await begun();
  await button(page, 'Take back').click();
  assert.equal(await ply(page), 0);
  await page.waitForTimeout(3200);
  assert.equal(await ply(page), 0);
  await begun();
  await reopened(page);
  await untilNotice(page, 'Your match continues');
  await usersTurn(page);
  assert.equal(await ply(page), 2);
  await begun();
  await button(page, 'Resign').click();
  await page.locator('.match-sum').waitFor();
  await page.waitForTimeout(3200);
  assert.equal(await ply(page), 3);
});

test('a move clicks once for its disc and once for each disc that turns, if sound is on', async () => {
  const page = await opened(site, '/');
  await page.evaluate(() => {
    window.clicks = [];
    const { start } = OscillatorNode.prototype;
    OscillatorNode.prototype.start = function (at) {
      window.clicks.push(at);
      return start.call(this, at);
    };
  });
  const clicks = () => page.evaluate(() => window.clicks.length);
  await beginMatch(page);
  await cell(page, 'f5').click();
  await usersTurn(page);
  assert.equal(await clicks(), 0);
  await page.evaluate(() => outflank.act('settings'));
  await page.locator('dialog label', { hasText: 'Sound of moves' }).locator('input').check();
  await page.keyboard.press('Escape');
  await page.evaluate(() => outflank.press(outflank.rules.moves(outflank.study.position)[0]));
  await usersTurn(page);
  const turned = await page.evaluate(() =>
    outflank.study.node.path.slice(3).map(({ flips }) => flips.length + 1),
  );
  assert.equal(await clicks(), turned[0] + turned[1]);
});

/** Starts a match with the dialog: choices by the name and the value of their group. */
async function choose(page, wanted) {
  await page.evaluate(() => void outflank.act('play'));
  await page.locator('dialog summary').waitFor();
  if ((await page.locator('dialog details[open]').count()) === 0)
    await page.locator('dialog summary').click();
  for (const [name, value] of Object.entries(wanted))
    await page.locator(`dialog input[name="${name}"][value="${value}"]`).check();
  const before = await page.evaluateHandle(() => outflank.modes.current);
  await page.locator('dialog .solid').click();
  await page.waitForFunction(
    (before) => outflank.modes.current?.opponent && outflank.modes.current !== before,
    before,
  );
}

test('two people play on one device: either takes back, asks for a hint and resigns', async () => {
  const page = await opened(site, '/');
  await choose(page, { colour: 'XO' });
  assert.equal(await page.locator('.rivals').count(), 0);
  const said = page.locator('#engine .figures');
  for (const [move, next] of [
    ['f5', 'White to move'],
    ['d6', 'Black to move'],
    ['c3', 'White to move'],
  ]) {
    await cell(page, move).click();
    await said.getByText(next).waitFor();
  }
  await button(page, 'Take back').click();
  await said.getByText('Black to move').waitFor();
  assert.equal(await ply(page), 2);
  await button(page, 'Hint').click();
  await page.locator('.sq.told').waitFor();
  await reopened(page);
  await untilNotice(page, 'Your match continues');
  await cell(page, 'c4').click();
  await said.getByText('White to move').waitFor();
  await page.locator('.sq.legal').first().waitFor();
  await button(page, 'Resign').click();
  await page.locator('.match-sum strong', { hasText: 'White resigned' }).waitFor();
  assert.equal(await page.evaluate(() => outflank.study.tree.tags.result), 64);
  assert.equal(await page.locator('.match-sum button', { hasText: 'Play the other side' }).count(), 0);
  // The dialog shows the choice that is not usual.
  await page.locator('.match-sum button', { hasText: 'New game' }).click();
  await page.locator('dialog details[open]').waitFor();
  assert.equal(await page.locator('.rivals').isVisible(), false);
});

test('the engine plays itself while its user watches', async () => {
  const page = await opened(site, '/');
  await setting(page, 'pace', 0);
  await choose(page, { colour: '' });
  await page.waitForFunction(() => outflank.study.node.ply >= 6);
  assert.equal(await page.locator('.sq.legal').count(), 0);
  assert.deepEqual(await page.locator('#mode button').allTextContents(), ['Leave (the game is saved)']);
  await page.evaluate(() => outflank.act('back'));
  const stopped = await page.evaluate(() => outflank.modes.current.head.ply);
  await page.waitForTimeout(400);
  assert.equal(await page.evaluate(() => outflank.modes.current.head.ply), stopped);
  await button(page, 'Back to the game').click();
  await page.waitForFunction((ply) => outflank.study.node.ply > ply, stopped);
  const headline = page.locator('.match-sum strong');
  await headline.waitFor({ timeout: 60_000 });
  assert.match(await headline.textContent(), /^(Black won|White won|A draw), \d+–\d+$/);
});

test('a match starts from a random even opening or a known one, which is not taken back', async () => {
  const page = await opened(site, '/');
  await setting(page, 'pace', 0);
  // The same openings in each run, so that a run does not fail by chance.
  await page.evaluate(() => {
    let state = 1;
    Math.random = () => {
      state = (state * 16807) % 2147483647;
      return state / 2147483647;
    };
  });
  const openings = [];
  for (let i = 0; i < 2; i++) {
    await choose(page, { from: 'even', colour: 'X' });
    await usersTurn(page);
    const { moves, first, value } = await page.evaluate(async () => {
      const { head, first } = outflank.modes.current;
      const opening = head.path[first];
      const { searchBest } = (await import('/js/shell/parts.js')).part('js/engine/queue.js');
      const value = await new Promise((resolve) =>
        searchBest(outflank.engine, opening.position, 14, (row) => resolve(row.value)),
      );
      return { moves: opening.moves.join(''), first, value };
    });
    assert.equal(first, 8);
    // A deeper search than that of the choice.
    assert.ok(Math.abs(value) <= 5, `${moves}: ${value}`);
    openings.push(moves);
  }
  assert.notEqual(openings[0], openings[1]);
  await button(page, 'Take back').click();
  assert.ok((await ply(page)) >= 8);
  await page.keyboard.press('Home');
  await page.waitForFunction(() => outflank.study.node.ply === 0);
  await page.evaluate(() => outflank.press(outflank.rules.moves(outflank.study.position)[0]));
  assert.equal(await page.locator('#mode .told').count(), 0);
  // Only a match with a move is saved.
  await button(page, 'Back to the game').click();
  await playMatch(page, 1);
  await reopened(page);
  await usersTurn(page);
  assert.equal(await page.evaluate(() => outflank.modes.current.first), 8);
  await choose(page, { from: 'known' });
  await until(() => page.evaluate(() => outflank.modes.current?.first >= 5), true);
  assert.notEqual(await page.evaluate(() => outflank.openings.along(outflank.modes.current.head)), null);
});

test('the end of a match is visible as a whole at every size', async () => {
  const parts = '.match-sum :is(strong, .lesson, .lesson svg, .buttons button:nth-child(-n + 3))';
  for (const locale of ['en-GB', 'fr-FR']) {
    const page = await opened(site, '/', { ...phone(844, 390), locale });
    await setting(page, 'reviewDepth', 4);
    await beginMatch(page);
    await page.evaluate(async () => {
      const { current } = outflank.modes;
      for (let i = 0; i < 8; i++) {
        outflank.press(outflank.rules.moves(outflank.study.position).at(-1));
        while (current.thinking) await new Promise((resolve) => setTimeout(resolve, 5));
      }
      current.resign();
    });
    await page.waitForFunction(() => outflank.modes.current?.review?.running === false);
    await page.locator('.lesson .played').waitFor();
    for (const [width, height] of [
      [844, 390],
      [667, 375],
      [1024, 600],
      [320, 640],
      [360, 740],
    ]) {
      await page.setViewportSize({ width, height });
      await page.waitForTimeout(150);
      assert.equal(await page.locator(parts).count(), 6);
      await assertSeen(page, parts, 44);
      assert.equal(await page.evaluate(() => scrollY), 0, `${width}×${height}`);
      assert.equal(
        await page.locator('.match-sum').evaluate((node) => node.scrollHeight > node.clientHeight),
        false,
      );
    }
  }
});
