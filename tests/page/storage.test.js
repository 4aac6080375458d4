// With any stored data, without storage or with full storage the page starts and works, loses no valid data, deletes no invalid data, and
// reports once what is not stored. `unit/kept.test.js` has databases that are late or of another version.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until, untilCount, WILD } from './hands.js';
import { numbersOf, wtb } from './harness/base.js';
import { site } from './harness/stage.js';

const SMALL = {
  settings: '{"__proto__":{"x":1},"constructor":7,"depth":10,"lines":"all","theme":{"toString":1}}',
  match: '{"colour":{"toString":1},"opponent":[],"clock":99}',
  game: '{"state":"on","setup":{"colour":"X","opponent":"club","time":[60]},"game":"f5z9","used":null}',
  trainer:
    '{"lines":[null,7,{"moves":"a1a2","names":null},{"moves":"c4e3f6e6f5","names":{"en":"Tiger","fr":7}}],"progress":{"__proto__":1,"f5d6c3d3c4X":{"box":99}}}',
  'trainer.last': '{{{',
};

/** Runs in the page: stores a valid row and invalid ones in each table. */
const storeRows = async (base) => {
  const { Tables } = (await import('/js/shell/parts.js')).part('js/base/tables.js');
  const START = `${'-'.repeat(27)}OX${'-'.repeat(6)}XO${'-'.repeat(27)}X`;
  const odd = [null, 7n, JSON.parse('{"toString":1,"__proto__":{"moves":"f5"}}')];
  const sound = { start: START, moves: 'f5d6c3', black: 'Sound', tags: ['a'], tree: 'f5d6(f4~so~)c3' };
  const mistake = { box: 1, due: 1, tries: 1, right: 1, last: 1, own: true, scores: { f5: 2 } };
  for (const [name, table, key, row = odd[0]] of [
    ['outflank', 'games', 'sound', sound],
    ['outflank', 'puzzles', START, mistake],
    ['outflank', 'evaluations', START],
    ['outflank', 'meta', 'engine'],
    ['outflank-files', 'games', 'sound.wtb', { name: 'Sound.wtb', added: 5, bytes: new Uint8Array(base) }],
    ['outflank-files', 'names', ' trying'],
    ['outflank-files', 'books', 'a.txt'],
  ])
    await new Tables(name, [table]).run(table, 'readwrite', (stored) => {
      stored.put(row, key);
      for (const [i, value] of odd.entries()) stored.put(value, `${table} ${i}`);
    });
};

test('with invalid stored values the page starts, uses valid ones, and leaves invalid ones stored', async () => {
  const page = await site.open('/version.json');
  await page.evaluate((small) => {
    for (const [name, value] of Object.entries(small)) localStorage.setItem(`outflank.${name}`, value);
  }, SMALL);
  await page.evaluate(storeRows, [...wtb([{ moves: numbersOf('f5d6c3d3c4'), discs: 40 }])]);
  await page.reopened(`${site.address}/#f5`);
  await page.untilNotice(/lines, theme/);
  await page.untilValues();
  await page.openTab('Games');
  await page.locator('#panel-games .game button', { hasText: 'Sound' }).first().click();
  await page.untilMove('\\d', 3);
  await page.openTab('Puzzles');
  await page.locator('#panel-puzzles .under .plain', { hasText: 'Your mistake' }).click();
  await page.shows('.mode', 'find the best move');
  await page.keys('Escape');
  await page.openTab('Openings');
  await page.shows('#panel-openings .trained li', 'f5d6c3d3c4');
  assert.equal(await page.locator('#panel-openings .trained li', { hasText: 'a1a2' }).count(), 0);
  const file = page.locator('#panel-openings .loaded > li', { hasText: 'Sound.wtb' });
  await file.waitFor({ state: 'attached' });
  // Nothing was deleted.
  for (const name of ['outflank', 'outflank-files']) assert.ok((await page.rowsIn(name, 'games')) >= 4, name);
  assert.ok((await page.rowsIn('outflank', 'puzzles')) >= 4);
  assert.ok(await page.evaluate(() => localStorage['outflank.trainer'].includes('a1a2')));
  await page.keys('n');
  await page.cell('f5').click();
  await page.shows('#where', 'move 1 of 1');
  await page.untilValues();
});

test('two tabs change lines, settings, games and puzzles, and no change is lost', async () => {
  const first = await site.open('/version.json');
  // A change is repeated for two seconds after another tab has overwritten it. A busy machine may take longer to deliver it.
  await first.context().addInitScript((now) => (Date.now = () => now), Date.now());
  const tab = async () => {
    const page = await first.context().newPage();
    await page.reopened(`${site.address}/`);
    return page;
  };
  const [one, other] = [await tab(), await tab()];
  /** Runs in a page: changes everything that is stored, once for each move of a line. */
  const change = async ([side, setting, line]) => {
    const { repertoireOf } = (await import('/js/shell/parts.js')).part('js/model/repertoire.js');
    const { panels, rules, settings, store, study } = outflank;
    const games = await panels.get('games');
    const { puzzles } = await panels.get('puzzles');
    await puzzles.load();
    for (let end = 2; end <= line.length; end += 2) {
      const moves = line.slice(0, end);
      repertoireOf(store, rules).add({ moves, names: null }, [side]);
      settings.set(setting, 11 + end / 2);
      await games.add([{ start: study.position, moves }]);
      await puzzles.note(puzzles.suite[0], true);
    }
  };
  await Promise.all([
    one.evaluate(change, ['X', 'depth', 'f5d6c3']),
    other.evaluate(change, ['O', 'lines', 'd3c5f6']),
  ]);
  // Each tab repeats the changes that the other one has overwritten.
  const kept = (page) =>
    page.evaluate(async () => {
      const { settings, store } = outflank;
      const lines = Object.keys(JSON.parse(localStorage['outflank.trainer']).progress).length;
      const games = (await store.all('games')).map(([, { moves }]) => moves).sort();
      const tries = (await store.all('puzzles')).map(([, puzzle]) => puzzle.tries);
      return [lines, ...games, tries, settings.get('depth'), settings.get('lines')].join(' ');
    });
  const all = '6 d3 d3c5 d3c5f6 f5 f5d6 f5d6c3 6 14 14';
  for (const page of [one, other, await tab()]) await until(() => kept(page), all);
});

/** A page on a device that `spoil` changes before the scripts of the page. */
async function on(spoil = () => {}) {
  const page = await site.open('/version.json', { settings: { pace: 0 } });
  await page.addInitScript(spoil);
  await page.reopened(`${site.address}/`);
  return page;
}

const games = (page) => page.locator('#panel-games .game');

async function keepsGame(page) {
  await page.paste('f5d6c3d3c4');
  await page.openTab('Games');
  await games(page).first().waitFor();
}

test('without any storage and without the clipboard, a game is pasted as text, its mistakes are learned, and all else works', async () => {
  const page = await on(() => {
    const denied = () => {
      throw new DOMException('denied', 'SecurityError');
    };
    for (const name of ['localStorage', 'sessionStorage', 'caches'])
      Object.defineProperty(window, name, { get: denied });
    IDBFactory.prototype.open = denied;
    const refuse = () => Promise.reject(new DOMException('no', 'NotAllowedError'));
    for (const name of ['readText', 'writeText', 'write']) navigator.clipboard[name] = refuse;
    document.execCommand = () => false;
  });
  await page.untilNotice(/stores nothing on this device/);
  await page.button('Paste').click();
  await page.shows('dialog textarea:focus');
  const moves = WILD.slice(0, 56);
  await page.keyboard.insertText(moves);
  await page.keys('Control+Enter');
  await page.untilMove('\\d+', 28);
  await page.locator('.question').getByRole('button', { name: 'White' }).click();
  await page.locator('#panel-report .lead', { hasText: 'Learn' }).click();
  await page.shows('.mode', 'Mistake 1 of');
  await page.keys('Escape');
  await page.button('Copy link').click();
  const shown = page.getByRole('textbox', { name: 'Copy this text' });
  await until(async () => (await shown.inputValue()).includes(`#${moves}`), true);
  assert.equal(await shown.evaluate(({ value }) => String(getSelection()) === value), true);
  await page.keys('Escape');
  await keepsGame(page);
  await page.openTab('Puzzles');
  await page.locator('#panel-puzzles .solid').first().click();
  await page.shows('.mode', 'find the best move');
  await page.keys('Escape');
  await page.openTab('Openings');
  await page.keys('n');
  await page.locator('.played tbody').first().waitFor();
});

test('full storage: new data last until the page closes, old data stay, and it is reported once', async () => {
  const page = await on();
  await page.paste('f5f6e6f4');
  await until(() => page.rowsIn('outflank', 'games'), 1);
  await page.addInitScript(() => {
    const full = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
    Storage.prototype.setItem = full;
    const { put } = IDBObjectStore.prototype;
    IDBObjectStore.prototype.put = function (value, key) {
      // Like a transaction without space: the request succeeds, and the transaction is aborted.
      const request = put.call(this, value, key);
      const { transaction } = this;
      Object.defineProperty(transaction, 'error', { value: new DOMException('full', 'QuotaExceededError') });
      transaction.abort();
      request.addEventListener('error', (event) => event.preventDefault());
      return request;
    };
  });
  await page.reopened();
  await keepsGame(page);
  await untilCount(games(page), 2);
  const full = (await page.notices()).filter((text) => /The storage of this device is full/.test(text));
  assert.equal(full.length, 1);
});
