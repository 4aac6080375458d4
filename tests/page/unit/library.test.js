// The database of games and books behind the openings explorer, in Node with the built module: pages share their storage in memory.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test, { beforeEach } from 'node:test';
import { pathToFileURL } from 'node:url';

import { START } from '../../../www/js/base/position.js';
import { Tables } from '../../../www/js/base/tables.js';
import { GameDatabase } from '../../../www/js/database/game-database.js';
import * as base from '../harness/base.js';
import { memoryDatabases } from '../harness/memory-databases.js';
import { DIST } from '../harness/static.js';
import { rules } from '../rules.js';

const { game, randomBase, wtb } = base;
const module = await import(String(pathToFileURL(`${DIST}engine/database.js`)));
module.initSync({ module: readFileSync(`${DIST}engine/database_bg.wasm`) });

const BOOK = new URL('../../../cli/book/opening.packed', import.meta.url);

let channels = [];
globalThis.BroadcastChannel = class {
  constructor() {
    channels.push(this);
  }

  postMessage(data) {
    for (const other of channels) if (other !== this) other.onmessage?.({ data });
  }
};
beforeEach(() => {
  channels = [];
  globalThis.indexedDB = memoryDatabases();
});

/** Opens a page: its database, and the last reported state. `onState` is called with each. */
function opened(onState = () => {}) {
  const page = { state: null, database: null };
  const note = (state) => {
    page.state = state;
    onState(state);
  };
  page.database = new GameDatabase({ ...module, book: BOOK }, note);
  return page;
}
async function loaded() {
  const page = opened();
  await page.database.open();
  return page;
}

const file = (name, bytes) => new File([bytes], name);
const small = (...games) => wtb(games.map((moves) => game(moves)));
const count = async ({ database }, wanted = {}, position = START) =>
  (await database.lookUp(position, wanted)).games;

const NAMES = base.NAMES.map(([name, bytes]) => file(name, bytes));
const BASE = file('WTH_2004.wtb', base.BASE);

test('without storage files last until the page is closed, and are marked; a removed one cannot be restored', async () => {
  delete globalThis.indexedDB;
  const page = await loaded();
  const taken = await page.database.add([file('a.wtb', small('f5d6', 'd3c5'))]);
  const files = taken.map(({ name, games, faulty, list }) => `${name} ${games} ${faulty} ${list.length}`);
  assert.equal(files.join(), 'a.wtb 2 0 2');
  assert.equal(String(page.state.files.map(({ games, kept }) => [games, kept])), '2,false');
  assert.equal(await count(page), 2);
  assert.equal(await page.database.remove('a.wtb'), false);
  assert.equal(await count(page), 0);
});

test('files, names and books are stored for the next visit until they are removed, which can be undone', async () => {
  const page = await loaded();
  await page.database.add([...NAMES, BASE, file('my.txt', Buffer.from('f5d6c3 +0.50\nf5f6 -21.25\n'))]);
  const next = await loaded();
  assert.equal(await count(next, { player: 'dee' }), 1);
  const { position } = rules.play(START, 'f5');
  const values = next.database.book(position).map(({ move, value }) => `${move} ${value}`);
  assert.equal(values.join(), 'f6 21.25,d6 -0.5');
  const again = file('again.txt', Buffer.from(next.database.bookText('my.txt')));
  assert.equal((await next.database.add([again]))[0].positions, 5);
  assert.equal(await next.database.remove('wth_2004.wtb'), true);
  for (const other of [page, await loaded()]) assert.equal(await count(other), 0);
  await next.database.restore();
  assert.equal(await count(next), 4);
  assert.equal(await count(await loaded(), { player: 'dee' }), 1);
});

test('a file replaces the one with the same name, unless it is damaged or has the games of another one', async () => {
  const page = await loaded();
  await page.database.add([file('a.wtb', small('f5d6'))]);
  await page.database.add([file('A.WTB', small('f5d6', 'f5f6', 'f5f4'))]);
  assert.equal(await count(page), 3);
  const files = [file('a.wtb', Buffer.alloc(20, 255)), file('b.wtb', small('f5d6', 'f5f6', 'f5f4'))];
  const [refused, twin] = await page.database.add(files);
  assert.equal(refused.fault.code, 'wthor');
  assert.equal(twin.sameAs, 'A.WTB');
  assert.deepEqual([await count(page), page.state.files.length], [3, 1]);
});

test('a file that is too large is refused by name', async () => {
  delete globalThis.indexedDB;
  const page = await loaded();
  const large = { name: 'large.wtb', size: 40_000_000, arrayBuffer: () => assert.fail('it is not read') };
  const [refused] = await page.database.add([large]);
  assert.deepEqual(refused, { name: 'large.wtb', fault: { name: 'large.wtb', code: 'file-size' } });
});

test('a large file is read in parts: requests in between are answered, and its memory is in proportion', async () => {
  const GAMES = 5000;
  /** The answers to requests during the reading, by the number of games read until then. */
  const asked = new Map();
  const page = opened(({ loading }) => {
    if (loading) asked.set(loading.done, count(page));
  });
  // The first request reads the saved games, which takes a while.
  await count(page);
  await page.database.add([file('many.wtb', randomBase({ games: GAMES, seed: 7 }))]);
  const size = module.part_size();
  const parts = Array.from({ length: Math.ceil(GAMES / size) }, (_, i) => i * size);
  assert.deepEqual([...asked.keys()], parts);
  assert.deepEqual(await Promise.all(asked.values()), parts);
  assert.equal(await count(page), GAMES);
  assert.ok(page.state.bytes < GAMES * 430, `${page.state.bytes / GAMES} bytes for each game`);
});

test('a file whose loading never ended twice is listed and not loaded, until it is added again', async () => {
  const page = await loaded();
  await page.database.add([file('other.wtb', small('f5f6'))]);
  // The page is closed while the file is read.
  const closed = opened(({ loading }) => {
    if (loading) throw new Error('closed');
  });
  await assert.rejects(closed.database.add([file('many.wtb', randomBase({ games: 3000, seed: 9 }))]));
  assert.equal(await count(await loaded()), 1);
  await page.database.add([BASE]);
  const tables = new Tables('outflank-files', ['names']);
  await tables.run('names', 'readwrite', (rows) => rows.put({ 'wth_2004.wtb': 2 }, ' trying'));
  const next = await loaded();
  assert.equal(await count(next), 1);
  const { faults } = next.state.files.find(({ name }) => name === BASE.name);
  assert.deepEqual(faults, [{ code: 'database-unloaded' }]);
  await next.database.add([BASE]);
  assert.equal(await count(await loaded()), 5);
});

test('saved games count once, also those of a file; they open with their variations and comments', async () => {
  const page = await loaded();
  const { list } = (await page.database.add([...NAMES, BASE])).at(-1);
  assert.equal(list.length, 4);
  const saved = [
    { start: START, moves: 'f5d6c3d3', black: 'Ann', tree: 'f5d6(f4~narrow~)c3d3' },
    { start: START, moves: 'd3c5', black: 'Bob', comments: [[1, 'so it goes']] },
  ];
  page.database.own([...list, ...saved]);
  assert.equal(await count(page), 6);
  await page.database.remove('wth_2004.wtb');
  assert.equal(await count(page), 6);
  page.database.own(saved);
  const { position } = rules.play(START, 'f5');
  const found = await page.database.lookUp(position, { list: 9 });
  const gameOf = (name) =>
    page.database.game(
      found.list.find(({ black }) => black === name),
      position,
    );
  const { moves, comments } = gameOf('Bob');
  assert.deepEqual([gameOf('Ann').tree, moves, comments], [saved[0].tree, 'f5d6', saved[1].comments]);
});

test('the book of the page answers what no other book does, and a damaged one is refused', async () => {
  const whole = readFileSync(BOOK);
  let bytes = whole;
  globalThis.fetch = async () => new Response(bytes);
  const page = await loaded();
  const { database } = page;
  await database.add([file('my.txt', Buffer.from('f5 +21.25\n'))]);
  await database.useBook(true);
  assert.ok(page.state.booked > 10_000);
  const areSmall = () =>
    database
      .book(START)
      .map(({ value }) => Math.abs(value) < 3)
      .join();
  assert.equal(areSmall(), 'false,false,false,false');
  await database.remove('my.txt');
  assert.equal(areSmall(), 'true,true,true,true');
  bytes = whole.subarray(0, 1000);
  await assert.rejects(database.useBook(true), ({ fault }) => /number of positions/.test(fault.message));
  assert.deepEqual([database.book(START), page.state.booked], [[], 0]);
});
