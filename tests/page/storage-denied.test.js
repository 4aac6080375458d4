// Without storage, with full storage or with another database the page works, and reports once what is not stored.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { stage } from '../harness/stage.js';
import {
  beginMatch,
  opened,
  paste,
  playMatch,
  reopened,
  rowsIn,
  until,
  untilNotice,
  untilValues,
} from './hands.js';

const site = stage();

/** A page on a device that `spoil` changed before the scripts of the page. */
async function on(spoil) {
  const page = await site.open('/version.json');
  await page.addInitScript(countNotices);
  await page.addInitScript(spoil);
  await page.goto(`${site.address}/`);
  await untilValues(page);
  return page;
}

/** Pastes and finds a game, and plays a puzzle and a match. */
async function works(page) {
  await paste(page, 'f5d6c3d3c4');
  await page.getByRole('tab', { name: 'Games' }).click();
  await page.locator('#panel-games .game').first().waitFor();
  await page.getByRole('tab', { name: 'Puzzles' }).click();
  await page.locator('#panel-puzzles .solid').first().click();
  await page.locator('#mode', { hasText: 'Puzzle' }).waitFor();
  await page.evaluate(() => outflank.modes.leave());
  await page.getByRole('tab', { name: 'Openings' }).click();
  await page.locator('#panel-openings .notes p').waitFor();
  await page.waitForFunction(async () => {
    const { moves } = await (await outflank.explorer()).lookUp(outflank.study.tree.root.position);
    return moves.length > 0;
  });
  await beginMatch(page);
  await playMatch(page, 2);
  await page.evaluate(() => outflank.modes.leave());
  await page.keyboard.press('f');
}

/** Number of notices with a text. */
const countNotices = () => {
  window.told = [];
  new MutationObserver((records) => {
    for (const { addedNodes } of records)
      for (const node of addedNodes)
        if (/** @type {Element} */ (node).classList?.contains('notice')) window.told.push(node.textContent);
  }).observe(document, { childList: true, subtree: true });
};
const told = (page, pattern) =>
  page.evaluate(
    (pattern) => window.told.filter((text) => new RegExp(pattern).test(text)).length,
    pattern.source,
  );

const DENIALS = {
  'a database that refuses to open by throwing': () => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('denied', 'SecurityError');
    };
  },
  'a database that answers that it does not open': () => {
    IDBFactory.prototype.open = () => {
      const request = {};
      setTimeout(() => {
        request.error = new DOMException('denied', 'InvalidStateError');
        request.onerror?.({});
      }, 5);
      return request;
    };
  },
  'a database that never answers': () => {
    IDBFactory.prototype.open = () => ({});
  },
};

for (const [what, spoil] of Object.entries(DENIALS)) {
  test(`${what}: the page works, and reports once what is not stored`, async () => {
    const page = await on(spoil);
    await untilNotice(page, /does not store games, puzzles or values/);
    await works(page);
    assert.equal(await told(page, /does not store games/), 1);
    // Small values are stored nevertheless.
    await page.evaluate(() => outflank.settings.set('depth', 20));
    await page.reload();
    await untilValues(page);
    assert.equal(await page.evaluate(() => outflank.settings.get('depth')), 20);
  });
}

test('without small values the page works, reports it once, and stores the games', async () => {
  const page = await on(() => {
    Object.defineProperty(window, 'localStorage', {
      get: () => {
        throw new DOMException('denied', 'SecurityError');
      },
    });
  });
  await untilNotice(page, /does not store settings, the current match or trained lines/);
  await works(page);
  await page.reload();
  await page.getByRole('tab', { name: 'Games' }).click();
  await page.locator('#panel-games .game').first().waitFor();
  // Without databases as well.
  await page.addInitScript(Object.values(DENIALS)[0]);
  await reopened(page);
  await untilNotice(page, /stores nothing on this device/);
  await untilValues(page);
});

test('full storage: new data last until the page closes, old data stay, and it is reported once', async () => {
  const page = await opened(site, '/');
  await untilValues(page);
  await paste(page, 'f5f6e6f4');
  await page.getByRole('tab', { name: 'Games' }).click();
  await page.locator('#panel-games .game').first().waitFor();
  await until(() => rowsIn(page, 'outflank', 'games'), 1);
  await page.addInitScript(countNotices);
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
  await untilValues(page);
  await works(page);
  await page.getByRole('tab', { name: 'Games' }).click();
  await until(() => page.locator('#panel-games .game').count(), 2);
  assert.equal(await told(page, /The storage of this device is full/), 1);
  // The explorer also knows both.
  const games = await page.evaluate(async () => {
    const explorer = await outflank.explorer();
    return (await explorer.lookUp(outflank.study.tree.root.position)).games;
  });
  assert.equal(games, 2);
  // Rows removed on this page are gone on this page.
  await page.evaluate(() => {
    IDBObjectStore.prototype.delete = () => {
      throw new DOMException('no', 'UnknownError');
    };
  });
  await page.evaluate(async () => {
    const { shelf } = await outflank.panels.get('games');
    await shelf.remove([...shelf.kept.keys()]);
  });
  assert.equal(await page.evaluate(async () => (await outflank.store.all('games')).length), 0);
});

test('a database of a newer version gets its missing tables', async () => {
  const page = await site.open('/version.json');
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
  await untilValues(page);
  await works(page);
  await page.reload();
  await page.getByRole('tab', { name: 'Games' }).click();
  await page.locator('#panel-games .game').first().waitFor();
  assert.equal(await page.evaluate(() => outflank.store.trouble), null);
});

test('a database deleted while the page is open is created again', async () => {
  const page = await opened(site, '/');
  await untilValues(page);
  await paste(page, 'f5f6e6f4');
  await until(() => rowsIn(page, 'outflank', 'games'), 1);
  await page.evaluate(
    () =>
      new Promise((resolve) => {
        indexedDB.deleteDatabase('outflank').onsuccess = resolve;
      }),
  );
  await paste(page, 'f5d6c3d3');
  await page.waitForFunction(async () => (await outflank.store.all('games')).length === 2);
  assert.equal(await page.evaluate(() => outflank.store.trouble), null);
  await until(() => rowsIn(page, 'outflank', 'games'), 1);
});

test('a database that opens late is used, and gets earlier changes', async () => {
  const page = await on(() => {
    const { open } = IDBFactory.prototype;
    IDBFactory.prototype.open = function (...all) {
      if (all[0] !== 'outflank') return open.apply(this, all);
      const late = {};
      setTimeout(() => {
        const request = open.apply(this, all);
        for (const name of ['onupgradeneeded', 'onsuccess', 'onerror'])
          request[name] = (event) => {
            Object.assign(late, { result: request.result });
            late[name]?.(event);
          };
      }, 7000);
      return /** @type {any} */ (late);
    };
  });
  await page.evaluate(() => outflank.store.write('puzzles', 'late', { at: 1 }));
  assert.equal(await page.evaluate(() => outflank.store.broken), true);
  await page.waitForFunction(() => !outflank.store.broken);
  // Another page opens the database at once.
  const other = await page.context().newPage();
  await other.goto(`${site.address}/version.json`);
  await until(() => rowsIn(other, 'outflank', 'puzzles'), 1);
  await page.evaluate(() => outflank.store.write('puzzles', 'late', { at: 2 }));
  assert.deepEqual(await page.evaluate(() => outflank.store.read('puzzles', 'late')), { at: 2 });
});
