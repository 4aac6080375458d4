// Without storage, with full storage or with another database the page works, and reports once what is not stored.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  holdTimers,
  notices,
  passTimers,
  paste,
  rowsIn,
  until,
  untilBoard,
  untilNotice,
  untilValues,
} from './hands.js';
import { STATES } from './harness/screens.js';
import { stage } from './harness/stage.js';

const site = stage();
/** Time within which a database must open. */
const OPEN_TIMEOUT_MS = 5000;

/** A page on a device that `spoil` changes before the scripts of the page. */
async function on(spoil = () => {}, prepare = async (_page) => {}) {
  const page = await site.open('/version.json', { engine: 'recorded', settings: { pace: 0 } });
  await prepare(page);
  await page.addInitScript(spoil);
  await page.goto(`${site.address}/`);
  await untilBoard(page);
  return page;
}

const noticed = async (page, pattern) => (await notices(page)).filter((text) => pattern.test(text)).length;

const games = (page) => page.locator('#panel-games .game');

/** Pastes and finds a game. */
async function keepsGame(page) {
  await paste(page, 'f5d6c3d3c4');
  await page.getByRole('tab', { name: 'Games' }).click();
  await games(page).first().waitFor();
}

/** Pastes and finds a game, starts a puzzle, finds the openings and plays a move of a match. */
async function works(page) {
  await untilValues(page);
  await keepsGame(page);
  await page.getByRole('tab', { name: 'Puzzles' }).click();
  await page.locator('#panel-puzzles .solid').first().click();
  await page.locator('#mode', { hasText: 'Puzzle' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('tab', { name: 'Openings' }).click();
  await page.locator('#panel-openings .notes p').waitFor();
  await page.keyboard.press('n');
  await page.locator('.played tbody').first().waitFor();
  await STATES.play(page);
  await page.keyboard.press('Enter');
  await page.locator('#mode', { hasText: 'Resign' }).waitFor();
  await page.locator('[aria-label*="legal"]').first().click();
  await until(() => page.locator('.room .cur').count(), 1);
  await page.getByRole('button', { name: /^Leave/ }).click();
}

test('with a database that never answers the page works, and reports once what is not stored', async () => {
  const silent = () => {
    IDBFactory.prototype.open = () => ({});
  };
  const page = await on(silent, (page) => holdTimers(page, OPEN_TIMEOUT_MS));
  await untilValues(page);
  await passTimers(page);
  await untilNotice(page, /does not store games, puzzles or values/);
  // Requests after the time limit do not wait for the database.
  await works(page);
  assert.equal(await noticed(page, /does not store games/), 1);
  // Small values are stored nevertheless.
  await page.keyboard.press('f');
  await page.reload();
  await untilBoard(page);
  assert.equal(await page.locator('[role=gridcell]').first().getAttribute('data-square'), 'h8');
});

test('without small values the page works, reports it once, and stores the games', async () => {
  const page = await on(() => {
    Object.defineProperty(window, 'localStorage', {
      get: () => {
        throw new DOMException('denied', 'SecurityError');
      },
    });
  });
  await untilNotice(page, /does not store settings, the current match or trained lines/);
  await keepsGame(page);
  await page.reload();
  await page.getByRole('tab', { name: 'Games' }).click();
  await games(page).first().waitFor();
});

test('full storage: new data last until the page closes, old data stay, and it is reported once', async () => {
  const page = await on();
  await paste(page, 'f5f6e6f4');
  await until(() => rowsIn(page, 'outflank', 'games'), 1);
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
  await page.reload();
  await untilBoard(page);
  await keepsGame(page);
  await until(() => games(page).count(), 2);
  assert.equal(await noticed(page, /The storage of this device is full/), 1);
});

test('a database of a newer version gets its missing tables', async () => {
  const page = await site.open('/version.json', { engine: 'recorded' });
  await page.evaluate(
    () =>
      new Promise((resolve, reject) => {
        const request = indexedDB.open('outflank', 7);
        request.onupgradeneeded = () => request.result.createObjectStore('games').put({ odd: true }, 'x');
        request.onsuccess = () => resolve(request.result.close());
        request.onerror = reject;
      }),
  );
  await page.goto(`${site.address}/`);
  await untilBoard(page);
  await paste(page, 'f5d6c3d3c4');
  await until(() => rowsIn(page, 'outflank', 'games'), 2);
  await until(async () => (await rowsIn(page, 'outflank', 'meta')) > 0, true);
  assert.equal(await noticed(page, /does not store/), 0);
});

test('a database that opens late is used, and gets earlier changes', async () => {
  const late = () => {
    const { open } = IDBFactory.prototype;
    const opened = new Promise((resolve) => {
      window.openNow = resolve;
    });
    IDBFactory.prototype.open = function (...all) {
      if (all[0] !== 'outflank') return open.apply(this, all);
      const request = {};
      opened.then(() => {
        const real = open.apply(this, all);
        for (const name of ['onupgradeneeded', 'onsuccess', 'onerror'])
          real[name] = (event) => {
            Object.assign(request, { result: real.result });
            request[name]?.(event);
          };
      });
      return /** @type {any} */ (request);
    };
  };
  const page = await on(late, (page) => holdTimers(page, OPEN_TIMEOUT_MS));
  await untilValues(page);
  await passTimers(page);
  await paste(page, 'f5f6e6f4');
  await untilNotice(page, /does not store games/);
  await page.evaluate(() => window.openNow());
  // Another page opens the database at once.
  const other = await page.context().newPage();
  await other.goto(`${site.address}/`);
  await other.getByRole('tab', { name: 'Games' }).click();
  await games(other).first().waitFor();
  await paste(page, 'f5d6c3d3');
  await until(() => games(other).count(), 2);
});
