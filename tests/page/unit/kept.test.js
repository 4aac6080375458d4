// Stored data: valid parts are used, everything else is ignored. Own names, and trained lines with their due times.

import assert from 'node:assert/strict';
import test from 'node:test';

import { START } from '../../../www/js/base/position.js';
import { Tables } from '../../../www/js/base/tables.js';
import { merge, mergeAgain } from '../../../www/js/base/validate.js';
import { numbered } from '../../../www/js/database/device-games.js';
import { readBackup, writeBackup } from '../../../www/js/io/backup.js';
import { Settings, threadsFor } from '../../../www/js/io/settings.js';
import { Store } from '../../../www/js/io/store.js';
import { readRecord } from '../../../www/js/model/game-record.js';
import { chosenBefore } from '../../../www/js/model/match-choice.js';
import { OwnNames } from '../../../www/js/model/own-names.js';
import { answered, RESTS_MS, readProgress, UNTRIED } from '../../../www/js/model/practice.js';
import { Puzzles } from '../../../www/js/model/puzzles.js';
import { Repertoire } from '../../../www/js/model/repertoire.js';
import { memoryDatabases } from '../harness/memory-databases.js';

class OneValue {
  constructor(kept) {
    this.kept = kept;
  }
  get = () => this.kept;
  set = (_, value) => Object.assign(this, { kept: JSON.parse(JSON.stringify(value)) });
}

test('own names are remembered in any case, width and spacing, and forgotten; those of another tab stay', () => {
  const store = new OneValue({ names: ['Ann'] });
  const tab = () => new OwnNames(new Settings(store));
  const own = tab();
  for (const name of ['  ', 'ann ', '太郎１', 'Bo']) own.add(name);
  assert.equal(`${own.list()} ${store.kept.names}`, 'Bo,太郎１,Ann Bo,太郎１,Ann');
  const names = ['ＡＮＮ', '太郎1 ', 'Bob', '', null, undefined];
  assert.deepEqual(names.map(own.isOwn, own), [true, true, false, false, false, false]);
  const other = tab();
  other.add('Cy  Lee');
  assert.ok(other.isOwn(' cy lee'));
  own.remove('BO');
  own.add('Di');
  assert.equal(store.kept.names.join(), 'Di,Cy  Lee,太郎１,Ann');
  store.kept.names = ['Ann', 7];
  assert.deepEqual(tab().list(), []);
});

test('the engine has a thread for all cores but one, on phones for half of these, and for a single core none', (t) => {
  const define = (value) => Object.defineProperty(globalThis, 'navigator', { value, configurable: true });
  t.after(define.bind(null, globalThis.navigator));
  globalThis.screen = { width: 390, height: 800 };
  for (const row of ['4 0 0 3 3', '5 5 0 2 4', '2 5 0 1 1', '1 0 0 0 0', '4 0 8 8 8']) {
    const [hardwareConcurrency, maxTouchPoints, chosen, ...expected] = row.split(' ').map(Number);
    define({ hardwareConcurrency, maxTouchPoints });
    const { threads, most } = threadsFor(chosen);
    assert.deepEqual([threads, most], expected, row);
  }
});

test('an unreadable small value is moved aside', (t) => {
  const rows = new Map([['outflank.game', '{{{']]);
  const setItem = (key, text) => rows.set(key, text);
  globalThis.localStorage = { getItem: (key) => rows.get(key), setItem };
  t.after(() => delete globalThis.localStorage);
  assert.equal(new Store().get('game', 'none'), 'none');
  assert.equal(rows.get('outflank.game.unreadable'), '{{{');
  // Without storage, values last until the page closes, which is reported once.
  const denied = () => assert.fail('denied');
  globalThis.localStorage = { getItem: denied, setItem: denied };
  const troubles = [];
  const store = new Store((trouble) => troubles.push(trouble));
  for (const value of [1, 2]) store.set('game', value);
  assert.deepEqual([store.get('game'), store.get('settings', 'none'), troubles], [2, 'none', ['small']]);
});

test('a database that another page changes or deletes is opened again', async (t) => {
  const databases = memoryDatabases();
  const opened = [];
  globalThis.indexedDB = { open: (...how) => opened[opened.push(databases.open(...how)) - 1] };
  t.after(() => delete globalThis.indexedDB);
  const tables = new Tables('outflank', ['games']);
  const count = () => tables.run('games', 'readonly', (rows) => rows.count());
  assert.equal(await count(), 0);
  const { length } = opened;
  opened.at(-1).result.onversionchange();
  assert.deepEqual([await count(), opened.length], [0, length + 1]);
});

test('a database of a newer version gets its missing tables, and a late one the changes until then', async (t) => {
  const databases = memoryDatabases();
  await new Promise((resolve) => (databases.open('outflank', 7).onsuccess = resolve));
  const late = {};
  globalThis.indexedDB = { open: () => late };
  t.after(() => delete globalThis.indexedDB);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const troubles = [];
  const store = new Store((trouble) => troubles.push(trouble));
  const first = store.write('games', 'a', 1);
  t.mock.timers.tick(5000);
  await first;
  assert.deepEqual([troubles, await store.all('games')], [['tables'], [['a', 1]]]);
  globalThis.indexedDB = databases;
  const opened = databases.open('outflank');
  opened.onsuccess = () => late.onsuccess();
  late.result = opened.result;
  while (store.broken || (await new Store().count('games')) === 0) await new Promise(setImmediate);
  await store.write('games', 'b', 2);
  assert.equal(String(await new Store().all('games')), 'a,1,b,2');
});

const LATE = '-XXX-O-X--XOXX-X-OOXOXXX-OOOOOXXXOOOOOXXOOOOOXOX--XXXOO-----OOO-X';
/** Values that a browser stores and the page never wrote. */
const ODD = [
  ...[undefined, null, true, -1, 1.5, 1e300, Number.NaN, 10n ** 30n, new Date(Number.NaN), /x/g],
  ...['', 'x', 'f5', 'f5d6', 'X', '<b>', '\ud800', START, '1'.repeat(3000)],
  ...[[], {}, new Uint8Array(9), new Map([['start', START]])],
  // It throws when it is converted to text or a number.
  { toString: 1, valueOf: 1, toJSON: 1 },
  // Unlike an assignment, this makes `__proto__` a property.
  JSON.parse('{"__proto__":{"moves":"f5","box":1},"constructor":7,"then":"x","0":[]}'),
];

/** Odd values, and a valid one with each of its fields, or of theirs, odd or missing in turn. */
function* spoiled(valid) {
  yield* ODD;
  if (typeof valid !== 'object') return;
  for (const [name, field] of Object.entries(valid))
    for (const odd of spoiled(field)) yield Object.assign(structuredClone(valid), { [name]: odd });
}

test('odd values among valid ones: every reader takes the valid ones and no other', async (t) => {
  t.mock.method(globalThis, 'fetch', async () => new Response('[]'));
  for (const kept of spoiled({ depth: 20, theme: 'dark' })) {
    const depth = new Settings({ get: () => kept }).get('depth');
    assert.ok(Number.isInteger(depth) && depth >= 1 && depth <= 60);
  }
  for (const kept of spoiled({ colour: 'O', opponent: 'club', clock: 1 }))
    assert.equal(typeof chosenBefore(kept).colour, 'string');
  const tree = { tree: 'f5d6(f4~so~)c3', comments: [[1, 'well']] };
  const game = { start: START, moves: 'f5d6c3', black: 'Ann', ...tree };
  const { games } = numbered([...spoiled(game), game], () => {});
  assert.deepEqual(games.at(-1), readRecord(game));
  // They can be drawn and written.
  assert.equal(readBackup(writeBackup(games)).games.length, games.length);
  const progress = { box: 2, due: 1, tries: 3, right: 2, last: 1 };
  for (const kept of spoiled(progress)) assert.ok((readProgress(kept)?.tries ?? 0) >= 0);
  const rules = { look: () => ({ legal: [1] }), play: (position) => ({ position }) };
  const line = { moves: 'f5d6c3d3c4', names: { en: 'Tiger', fr: 'Tigre' } };
  const trained = { lines: [line], progress: { f5d6c3d3c4X: progress } };
  for (const kept of [...spoiled(trained), { ...trained, lines: [...spoiled(line), line] }]) {
    const repertoire = new Repertoire({ get: () => kept }, rules);
    for (const { moves, names } of repertoire.lines)
      assert.ok(typeof moves === 'string' && (names === null || typeof names.en === 'string'));
  }
  const own = { ...progress, own: true, scores: { f5: 2 } };
  const ending = { ...progress, ending: true };
  const odd = [...spoiled(own)].entries();
  const stored = [...odd, [START, own], [LATE, ending], [`${START.slice(0, 64)}O`, ending]];
  for (const suite of ['puzzles', 'endings']) {
    const puzzles = new Puzzles({ all: async () => stored }, rules, suite);
    await puzzles.load();
    assert.deepEqual([puzzles.own.length, puzzles.progress.size], [1, 3]);
  }
});

test('a change that another tab overwrites is repeated, also after many changes of that tab', () => {
  const store = new OneValue(null);
  merge(store, 'own', (values) => ({ ...values, mine: 1 }));
  const overwrite = (kept) => {
    store.kept = kept;
    mergeAgain(store, 'own');
  };
  for (let i = 0; i < 20; i++) overwrite({ ...store.kept, theirs: i });
  overwrite({ theirs: 20 });
  assert.deepEqual(store.kept, { theirs: 20, mine: 1 });
  // Two tabs that disagree about one value stop overwriting each other.
  for (let i = 0; i < 20; i++) overwrite({ mine: 2 });
  assert.deepEqual(store.kept, { mine: 2 });
});

const sidesDue = (repertoire, now) => Array.from(repertoire.due(now), ({ side }) => side).join('');
const TIGER = { moves: 'c4e3f6e6f5', names: { en: 'Tiger', ja: '虎' } };
const unnamed = (moves) => ({ moves, names: null });

test('a line is stored once in all its symmetric forms, is due for its added sides, and can be removed', () => {
  const store = new OneValue(null);
  const repertoire = new Repertoire(store);
  let changes = 0;
  repertoire.changed.listen(() => changes++);
  repertoire.add(TIGER, ['X']);
  repertoire.add(unnamed('f5d6c3d3c4'), ['X', 'O']);
  assert.deepEqual([repertoire.lines.length, repertoire.lines[0].names.en, changes], [1, 'Tiger', 2]);
  assert.equal(sidesDue(repertoire, 1), 'XO');
  repertoire.remove(unnamed('e6f4c3c4d3'));
  assert.deepEqual([repertoire.lines, repertoire.due(1), new Repertoire(store).lines], [[], [], []]);
  for (const moves of ['f5z9', '']) assert.throws(() => repertoire.add(unnamed(moves), ['X']));
});

test('known lines rest longer each time, failed ones are due at once, also after a reload', () => {
  const store = new OneValue(null);
  const repertoire = new Repertoire(store);
  const now = 1_000_000;
  const later = now + RESTS_MS[1] + RESTS_MS[2];
  repertoire.add(TIGER, ['X', 'O']);
  repertoire.note(TIGER, 'X', true, now);
  assert.equal(sidesDue(repertoire, now), 'O');
  repertoire.note(TIGER, 'X', true, now + RESTS_MS[1]);
  repertoire.note(TIGER, 'O', false, now);
  const again = new Repertoire(store);
  assert.equal(again.of(TIGER, 'X').due, later);
  // If no other line is due, the same one comes again.
  const next = [now, later].map((time) => again.next({ line: TIGER, side: 'O' }, time).side);
  assert.deepEqual([...next, sidesDue(again, now), again.due(later).length], ['O', 'X', 'O', 2]);
  again.note(TIGER, 'O', true, now);
  assert.equal(again.next(null, now), null);
});

test('an added line keeps the answer that another tab stores at the same time', () => {
  const store = new OneValue(null);
  const line = unnamed('f5f6e6f4g5');
  const answer = answered(UNTRIED, true, 1_000_000);
  new Repertoire(store).add(line, ['X', 'O']);
  // The other tab has not read the added line, and overwrites it.
  store.kept = { lines: [line], progress: { [`${line.moves}X`]: answer } };
  mergeAgain(store, 'trainer');
  const again = new Repertoire(store);
  assert.deepEqual([again.of(line, 'X'), again.of(line, 'O')], [answer, UNTRIED]);
});
