// A match survives a reload, a crash, another opened game, a second page and broken storage.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { parseSavedMatch, serializeMatch } from '../../www/js/model/saved-match.js';
import { stage } from '../harness/stage.js';
import {
  beginMatch,
  cell,
  opened,
  paste,
  playMatch,
  playOther,
  reopened,
  untilBoard,
  untilNotice,
  usersTurn,
} from './hands.js';
import { rulesInNode } from './rules.js';

const site = stage();

const state = (page) =>
  page.evaluate(() => {
    const { current } = outflank.modes;
    return {
      moves: outflank.study.node.moves.join(''),
      colour: current?.colour ?? null,
      opponent: current?.opponent?.id ?? null,
      used: current?.used ?? null,
      left: current?.clock?.seconds ?? null,
    };
  });
const kept = (page) => page.evaluate(() => JSON.parse(localStorage.getItem('outflank.game')));

test('a match is resumed after every reload, with its aids, until its end', async () => {
  const page = await opened(site, '/');
  await beginMatch(page, { colour: 'O' });
  await playMatch(page, 2);
  await page.locator('#mode button', { hasText: 'Take back' }).click();
  await page.locator('#mode button', { hasText: 'Hint' }).click();
  for (let sitting = 0; sitting < 4; sitting++) {
    await usersTurn(page);
    const before = await state(page);
    await reopened(page);
    await untilNotice(page, 'Your match continues');
    await usersTurn(page);
    assert.deepEqual(await state(page), before);
    assert.equal(before.colour, 'O');
    assert.deepEqual(before.used, { hints: 1, takeBacks: 1 });
    await playMatch(page, 2);
  }
  await playMatch(page);
  await page.locator('.match-sum').waitFor();
  assert.equal(await kept(page), null);
  await reopened(page);
  await page.waitForTimeout(500);
  assert.equal(await page.evaluate(() => outflank.modes.current), null);
});

test('a reload right after a replacing move restores the match for any address', async () => {
  const page = await opened(site, '/');
  await beginMatch(page);
  await playMatch(page, 2);
  await page.waitForFunction(() => location.hash.length > 6);
  await page.locator('#mode button', { hasText: 'Take back' }).click();
  await page.evaluate(() => {
    // The address is no longer written.
    history.replaceState = () => {};
  });
  await playOther(page);
  const before = await state(page);
  await reopened(page);
  await untilNotice(page, 'Your match continues');
  await usersTurn(page);
  assert.deepEqual(await state(page), before);
});

test('a match is resumed at the move of the engine, and the time without the page does not count', async () => {
  const page = await opened(site, '/');
  await beginMatch(page, { time: [60, 0] });
  await playMatch(page, 1);
  await page.evaluate(() => {
    // The answer no longer arrives.
    outflank.engine.worker.onmessage = () => {};
    outflank.press(outflank.rules.moves(outflank.study.position)[0]);
  });
  const before = await kept(page);
  assert.ok(before.left.X < 60 && before.left.X > 40, JSON.stringify(before.left));
  // A crash: nothing is written.
  await page.evaluate(() => {
    outflank.store.set = () => {};
  });
  await page.goto('about:blank');
  await page.waitForTimeout(3000);
  await page.goBack();
  await untilBoard(page);
  await usersTurn(page);
  const after = await state(page);
  assert.equal(after.moves.length, 2 * 4);
  assert.ok(before.left.X - after.left.X < 2, `${before.left.X} → ${after.left.X}`);
});

test('a link or a new board does not lose a running match', async () => {
  const page = await opened(site, '/');
  await beginMatch(page);
  await playMatch(page, 2);
  const before = await state(page);
  const backToMatch = async () => {
    await page.locator('.notice button', { hasText: 'Back to the match' }).click();
    await usersTurn(page);
    assert.deepEqual(await state(page), before);
  };
  // Within the page.
  await page.waitForFunction((moves) => location.hash.startsWith(`#${moves}`), before.moves);
  await page.evaluate(() => {
    location.hash = '#f5f6e6';
  });
  await untilNotice(page, 'Your match is saved');
  assert.equal((await state(page)).moves, 'f5f6e6');
  await backToMatch();
  // By loading the page again.
  await reopened(page, `${site.address}/#f5d6c4`);
  await untilNotice(page, 'There is an unfinished match');
  assert.equal((await state(page)).moves, 'f5d6c4');
  await backToMatch();
  await page.keyboard.press('n');
  await backToMatch();
  // A pasted game, a review.
  await paste(page, 'f5d6c3d3c4');
  await backToMatch();
});

test('a match ended by the user is not resumed by a reload, but can be continued', async () => {
  const page = await opened(site, '/');
  await beginMatch(page);
  await playMatch(page, 2);
  const before = await state(page);
  await page.locator('#mode button', { hasText: 'Leave' }).click();
  await untilNotice(page, 'Your match is saved');
  await reopened(page);
  await page.waitForTimeout(700);
  assert.equal((await state(page)).opponent, null);
  await page.getByRole('button', { name: 'Play', exact: true }).first().click();
  await page.locator('dialog button', { hasText: 'Continue' }).click();
  await usersTurn(page);
  assert.deepEqual(await state(page), before);
});

test('one of two pages owns the match; the other can take it over', async () => {
  const first = await opened(site, '/');
  await beginMatch(first);
  await playMatch(first, 2);
  const before = await state(first);
  const second = await first.context().newPage();
  await second.goto(`${site.address}/`);
  await untilNotice(second, 'Your match is being played in another tab');
  assert.equal((await state(second)).opponent, null);
  await playMatch(first, 1);
  const now = await state(first);
  await second.locator('.notice button', { hasText: 'Continue here' }).click();
  await usersTurn(second);
  assert.deepEqual(await state(second), now);
  assert.notDeepEqual(now, before);
  await untilNotice(first, 'Your match is being played in another tab');
  assert.equal((await state(first)).opponent, null);
  // The first page plays another match, which is not saved; that of the second one is.
  await beginMatch(first, { colour: 'O' });
  await untilNotice(first, 'is lost if you reload');
  await playMatch(first, 1);
  await playMatch(second, 1);
  assert.equal((await kept(second)).setup.colour, 'X');
});

const START = `${'-'.repeat(27)}OX${'-'.repeat(6)}XO${'-'.repeat(27)}X`;
const GOOD = {
  state: 'on',
  setup: { colour: 'X', opponent: 'club', time: [60, 0], hints: true, takeBack: true },
  left: { X: 50, O: 40 },
  used: { hints: 0, takeBacks: 0 },
  first: 0,
  game: 'f5d6@2',
};
const OVER = 'e6f4e3f6g5d6e7f5c5';

test('a saved match is restored, or rejected if it is invalid', async () => {
  const rules = await rulesInNode();
  const good = parseSavedMatch(rules, GOOD);
  assert.deepEqual(good.node.moves, ['f5', 'd6']);
  assert.deepEqual(serializeMatch(good), GOOD);
  const { setup } = GOOD;
  for (const [field, value] of [
    ['state', 'off'],
    ['setup', null],
    ['setup', { ...setup, colour: 'x' }],
    ['setup', { ...setup, colour: 'OX' }],
    ['setup', { ...setup, opponent: '__proto__' }],
    ['setup', { ...setup, time: ['60', 0] }],
    ['setup', { ...setup, time: [60] }],
    ['setup', { ...setup, time: [1e9, 0] }],
    ['left', null],
    ['left', 'x'],
    ['left', { X: 1e99, O: 1 }],
    ['used', undefined],
    ['used', { hints: -1, takeBacks: 0 }],
    ['used', { hints: 0.5, takeBacks: 0 }],
    ...[3, -1, 0.5, '2', null].map((first) => ['first', first]),
    ['game', 'f5a1'],
    ['game', OVER],
    ['game', `${START}:f5d6(`],
    ['game', { length: 3 }],
    ['game', 'f5@99'],
  ])
    assert.equal(
      parseSavedMatch(rules, { ...GOOD, [field]: value }),
      null,
      `${field}: ${JSON.stringify(value)}`,
    );
  for (const odd of [null, undefined, 7, 'on', [], {}]) assert.equal(parseSavedMatch(rules, odd), null);
  // Of two people, of the engine alone, and with an opening.
  for (const colour of ['XO', ''])
    assert.equal(parseSavedMatch(rules, { ...GOOD, setup: { ...setup, colour } }).setup.colour, colour);
  assert.equal(parseSavedMatch(rules, { ...GOOD, first: 2 }).first, 2);
});

test('the page starts with an invalid saved match', async () => {
  const page = await opened(site, '/');
  for (const text of ['{', '[]', JSON.stringify({ ...GOOD, game: 'f5a1' })]) {
    await page.evaluate((text) => localStorage.setItem('outflank.game', text), text);
    await reopened(page, `${site.address}/`);
    // Invalid JSON is ignored, other invalid data are reported and dropped.
    if (text !== '{') await untilNotice(page, 'cannot be read');
    await cell(page, 'f5').click();
    await page.waitForFunction(() => outflank.study.node.ply === 1);
    assert.equal((await state(page)).opponent, null, text);
  }
  await page.evaluate((text) => localStorage.setItem('outflank.game', text), JSON.stringify(GOOD));
  await reopened(page, `${site.address}/`);
  await untilNotice(page, 'Your match continues');
  await usersTurn(page);
  assert.equal((await state(page)).moves, 'f5d6');
});
