// The database of the worker, in Node with the built module: without storage, and after random changes.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test, { afterEach } from 'node:test';

import { START } from '../../www/js/base/position.js';
import { GameDatabase } from '../../www/js/database/game-database.js';
import { nameFile, numbersOf, randomBase, wtb } from '../harness/base.js';
import { nameOf, randomGame } from '../harness/board.js';
import { dice } from '../harness/small-game.js';
import { rulesInNode } from './rules.js';

const DIST = new URL('../../dist/engine/', import.meta.url);

const rules = await rulesInNode();
const module = await import(String(new URL('database.js', DIST)));
module.initSync({ module: readFileSync(new URL('database_bg.wasm', DIST)) });

/** Channels between pages; there is one page here. */
const channels = [];
globalThis.BroadcastChannel = class {
  constructor() {
    channels.push(this);
  }

  postMessage() {}
};

let state;
const library = () => new GameDatabase(module, (told) => (state = told));
afterEach(() => {
  channels.length = 0;
});

const file = (name, bytes) => new File([bytes], name);
const small = (games, options) =>
  wtb(
    games.map((moves) => ({ moves: numbersOf(moves), discs: 32 })),
    options,
  );

test('without storage files last until the page is closed, and are marked', async () => {
  const library_ = library();
  await library_.open();
  const taken = await library_.add([file('a.wtb', small(['f5d6', 'd3c5']))]);
  assert.deepEqual(
    taken.map(({ name, games, faulty, list }) => [name, games, faulty, list.length]),
    [['a.wtb', 2, 0, 2]],
  );
  assert.deepEqual(
    state.files.map(({ games, kept }) => [games, kept]),
    [[2, false]],
  );
  const { games, moves } = await library_.lookUp(START, {});
  assert.deepEqual([games, moves.length, moves[0].games], [2, 1, 2]);
  assert.equal(await library_.remove('a.wtb'), false);
  assert.equal((await library_.lookUp(START, {})).games, 0);
});

test('without storage names also apply to games added later', async () => {
  const library_ = library();
  await library_.add([file('w.jou', nameFile(['Ann', 'Bob'], 20))]);
  await library_.add([file('a.wtb', small(['f5d6']))]);
  const { list } = await library_.lookUp(START, { list: 5 });
  assert.deepEqual([list[0].black, list[0].white], ['Ann', 'Ann']);
  assert.equal((await library_.lookUp(START, { player: 'an' })).games, 1);
  assert.equal((await library_.lookUp(START, { player: 'bob' })).games, 0);
});

test('a file replaces the one with the same name, unless it is damaged', async () => {
  const library_ = library();
  await library_.add([file('a.wtb', small(['f5d6']))]);
  await library_.add([file('A.WTB', small(['f5d6', 'f5f6', 'f5f4']))]);
  assert.equal((await library_.lookUp(START, {})).games, 3);
  const [refused] = await library_.add([file('a.wtb', Buffer.alloc(20, 255))]);
  assert.equal(refused.fault.code, 'wthor');
  assert.equal((await library_.lookUp(START, {})).games, 3);
  assert.equal(state.files.length, 1);
});

test('a file that is too large and too many games are refused by name', async () => {
  const library_ = library();
  const large = { name: 'large.wtb', size: 40_000_000, arrayBuffer: () => assert.fail('it is not read') };
  const [refused] = await library_.add([large]);
  assert.deepEqual(refused, { name: 'large.wtb', fault: { name: 'large.wtb', code: 'file-size' } });
  // Games without moves are games.
  const half = wtb(Array.from({ length: 500_000 }, () => ({ moves: [], discs: 2 })));
  for (const name of ['a.wtb', 'b.wtb']) {
    half[20] = name.charCodeAt(0);
    const [{ games }] = await library_.add([file(name, half)]);
    assert.equal(games, 500_000);
  }
  const [full] = await library_.add([file('c.wtb', small(['f5']))]);
  assert.equal(full.fault.code, 'database-full');
  // Another file can replace one of them.
  const [instead] = await library_.add([file('b.wtb', small(['f5']))]);
  assert.equal(instead.games, 1);
  assert.equal((await library_.lookUp(START, {})).games, 500_001);
});

test('requests are answered while a large file is read', async () => {
  const library_ = library();
  let done = false;
  const adding = library_
    .add([file('many.wtb', randomBase({ games: 20_000, seed: 7 }))])
    .then(() => (done = true));
  const seen = [];
  while (!done) {
    seen.push((await library_.lookUp(START, {})).games);
    await new Promise((resolve) => setTimeout(resolve));
  }
  await adding;
  assert.ok(seen.length >= 3, `${seen.length} answers`);
  assert.ok(
    seen.some((games) => games > 0 && games < 20_000),
    `${seen}`,
  );
  assert.equal((await library_.lookUp(START, {})).games, 20_000);
});

test('figures match the loaded files after random changes', async () => {
  const below = dice(11);
  const library_ = library();
  /** The expected content. @type {Map<string, { moves: string }[]>} */
  const there = new Map();
  let own = [];
  const games = () =>
    Array.from({ length: below(6) }, () => {
      const { moves, discs } = randomGame(below);
      const length = below(moves.length);
      return { moves: moves.slice(0, length), discs, black: below(4), white: below(4) };
    });
  const text = ({ moves }) => ({ moves: moves.map(nameOf).join('') });
  const waiting = [];
  for (let step = 0; step < 300; step++) {
    const name = `${'abcd'[below(4)]}.wtb`;
    const what = below(6);
    if (what === 0) {
      own = games().map((game) => ({ start: START, ...text(game), result: game.discs * 2 - 64 }));
      library_.own(own);
    } else if (what === 1) {
      there.delete(name);
      waiting.push(library_.remove(name));
    } else if (what === 2) {
      waiting.push(library_.add([file(name, Buffer.alloc(below(40), below(256)))]));
    } else if (what === 3) {
      waiting.push(library_.add([file('x.jou', nameFile(['A', 'B', 'C', 'D'], 20))]));
    } else {
      const added = games();
      const cut = below(3) === 0 ? 30 : 0;
      const bytes = wtb(added, { year: 2000 + step });
      const whole = added.length > 0 ? added.slice(0, added.length - (cut ? 1 : 0)) : added;
      there.set(name, whole.map(text));
      waiting.push(
        library_.add([file(name, bytes.subarray(0, bytes.length - (added.length > 0 ? cut : 0)))]),
      );
    }
    waiting.push(library_.lookUp(START, { player: below(2) ? 'a' : '', list: below(5) }));
    if (below(5) > 0) continue;
    await Promise.all(waiting.splice(0));
    // A plain count: every game of everything, by the position after each move.
    const kept = [...there.values()].flat().concat(own.filter(({ moves }) => moves !== ''));
    const from = kept.length > 0 ? kept[below(kept.length)].moves : '';
    let position = START;
    for (const move of from.match(/../g)?.slice(0, below(10)) ?? [])
      position = rules.play(position, move).position;
    const wanted = rules.canonical(position);
    let count = 0;
    for (const { moves } of kept) {
      let at = START;
      const reached = [at];
      for (const move of moves.match(/../g) ?? []) {
        at = rules.play(at, move).position;
        reached.push(at);
      }
      if (reached.some((there) => rules.canonical(there) === wanted)) count++;
    }
    const found = await library_.lookUp(position, {});
    assert.equal(found.games, count, `step ${step}`);
    let after = 0;
    for (const { games } of found.moves) after += games;
    assert.ok(after <= count);
  }
});
