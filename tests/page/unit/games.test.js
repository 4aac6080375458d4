// The saved games as a module: added once, changed, removed, searched, and written with their variations.

import assert from 'node:assert/strict';
import test from 'node:test';

import { START } from '../../../www/js/base/position.js';
import { errorText, readFiles, readText } from '../../../www/js/io/import.js';
import { Store } from '../../../www/js/io/store.js';
import { keyOf, readRecord, reportOf } from '../../../www/js/model/game-record.js';
import { gameOf, treeOf, writeStudy } from '../../../www/js/model/game-tree.js';
import { SavedGames } from '../../../www/js/model/saved-games.js';
import { appInNode, emptyStorage, json } from '../harness/app.js';
import { rules } from '../rules.js';

const game = (black, white, moves) => ({ start: START, moves, black, white });
const THREE = [game('Ann', 'Bob', 'f5f6'), game('Cyd', 'Bob', 'd3c3'), game('Dan', 'Eve', 'c4')];

/** Saves the three games. Returns them as they are now, also in the store. */
async function three() {
  emptyStorage();
  const store = new Store();
  const games = new SavedGames(store);
  await games.add(THREE);
  const names = () => games.entries.map(([, { black }]) => black).join(' ');
  const isStored = async () =>
    assert.deepEqual(new Map(await store.all('games')), new Map(games.kept), 'the store has the same games');
  return { store, games, names, isStored, keys: THREE.map(keyOf) };
}

test('a game is saved once: it becomes the newest one, and keeps its folder and its tags', async () => {
  const { games, names, isStored, keys } = await three();
  assert.equal(names(), 'Ann Cyd Dan');
  await games.change([keys[2]], () => ({ folder: 'Mine', tags: ['a'] }));
  const { keys: again, left } = await games.add([{ ...THREE[2], tags: ['b'], place: 'Paris' }]);
  assert.deepEqual([again, left, games.kept.size], [[keys[2]], 0, 3]);
  const { folder, tags, place } = games.kept.get(keys[2]);
  assert.equal(`${folder} ${tags} ${place}`, 'Mine a,b Paris');
  // A game without a move is not saved.
  assert.deepEqual((await games.add([game('X', 'Y', '')])).keys, [null]);
  await isStored();
});

test('records without a game are counted and stay stored', async () => {
  emptyStorage();
  const store = new Store();
  const rows = {
    old: { ...game('Old', '', 'f5d6'), result: 4, added: 5 },
    ...[null, game('X', 'Y', 12), 'text'],
    half: { ...game(7, {}, 'f5'), tags: 'x', folder: {} },
    bad: game('Ill', 'Egal', 'a1h8'),
  };
  await store.writeAll('games', Object.entries(rows));
  const games = new SavedGames(store);
  await games.ready;
  assert.equal(`${[...games.kept.keys()].sort()} ${games.odd}`, 'bad,half,old 3');
  await games.add(THREE);
  assert.equal(await store.count('games'), 9);
  // An illegal game is reported when it is opened.
  assert.throws(() => treeOf(rules, games.kept.get('bad')), { code: 'illegal' });
});

test('variations and comments are written and read again in SGF and PGN; a game with an illegal move is cut', async (t) => {
  const app = await appInNode(t);
  const put = (text) => {
    const { games, faults } = readText(rules, text);
    const tree = treeOf(rules, games[0]);
    app.study.load(tree);
    return { tree, faults };
  };
  const pgn =
    '[Black "Ann"]\n[Variant "xot"]\n\n1. f5 d6 {so ] \\ far} (1... f4 {or "this"} 2. e3 (2. d3)) 2. c3 (2. zz 9) d3 *';
  // The variation that cannot be read is a comment on the move before it.
  const link = 'f5d6~so+%5D+%5C+far~(f4~or+%22this%22~e3(d3))c3~zz+9~d3';
  assert.equal(put(pgn).tree.link(), link);
  for (const notation of ['sgf', 'pgn']) {
    const { tree } = put(writeStudy(app, notation));
    const { black, given } = readRecord(gameOf(tree));
    assert.equal(`${tree.link()} ${black} ${given}`, `${link} Ann 4`, notation);
  }
  // In SGF a variation is cut, and marks are properties as well.
  const [{ cut, tree: rest }] = readText(rules, '(;GM[2];B[f5](;W[d6])(;W[f4];B[be]))').games;
  assert.equal(`${cut} ${rest}`, 'move 3: `;B[be]` f5d6(f4)');
  const { marks } = put('(;GM[2];B[f5]C[so]AR[f5:d6]CR[c4])').tree.main[1];
  assert.equal(marks.join(), 'Gf5d6,Gc4');
  const written = writeStudy(app, 'sgf');
  assert.ok(written.includes('B[f5]C[so ') && written.includes(']AR[f5:d6]CR[c4]'), written);
  // Moves from another start follow it.
  const { tree: other } = put(`${START.slice(0, 64)} O f4`);
  assert.equal(put(writeStudy(app, 'moves')).tree.link(), other.link());
  const { tree, faults } = put('f5d6c3d3c4a1f6');
  assert.equal(tree.link(), 'f5d6c3d3c4');
  assert.match(errorText(faults[0], app.words), /Move 6, a1, is illegal/);
  // Of many errors the first are listed, and all are counted.
  const many = readText(rules, `${'(;GM[Othello]B[F5]W[A1];)'.repeat(300)}(;GM[Othello]B[A1];)`);
  assert.equal(`${many.skipped} ${many.cut}`, '301 300');
});

test('a report stays with its game until other moves; invalid reports, mistakes and ratings are dropped', async () => {
  const { games, keys, isStored } = await three();
  const old = [81, '1. f5', 4.5];
  const start = [4.5, 0, 0.25];
  const mistake = [1, 4.5, 'corner'];
  const O = [null, '', 9, [0, 0, 0], []];
  const report = { X: [...old, start, [mistake]], O };
  await games.change([keys[0]], () => ({ report }));
  await games.add(THREE.slice(0, 1));
  await isStored();
  const record = games.kept.get(keys[0]);
  assert.deepEqual([record.report, reportOf(record, null)], [report, O]);
  /** Reads the record with another report, or other ratings. */
  const read = (changes) => readRecord({ ...record, ...changes });
  const odd = [[0, 1, ''], [1, Number.NaN, ''], [1, 1, null], null].map((one) => [start, [one]]);
  const parts = [...odd, [start, [mistake, mistake]], [[1, 2, -3], []], [null, []], []];
  const sides = [...parts.map((part) => [...old, ...part]), [101, '', 1, start, []]];
  for (const report of [7, {}, { O }, ...sides.map((X) => ({ X, O }))])
    assert.equal(reportOf(read({ report }), 'X'), null, JSON.stringify(report));
  await games.change([keys[0]], () => ({ moves: 'f5d6' }));
  assert.equal(reportOf(games.kept.get(keys[0]), 'X'), null);
  const ratings = [[1700.5, null], [-1, 1800, 3], [null, '1800'], 'text'].map(
    (ratings) => read({ ratings }).ratings,
  );
  assert.deepEqual(ratings, [[1700.5, null], [null, 1800], undefined, undefined]);
});

test('a file that is too large is refused, and a picture as a picture', async () => {
  const huge = Object.defineProperty(new File([], 'huge.txt'), 'size', { value: 17_000_000 });
  await assert.rejects(readFiles(rules, [huge]), { code: 'file-size' });
  const picture = new File(['\x89PNG'], 'board.png', { type: 'image/png' });
  await assert.rejects(readFiles(rules, [picture]), { code: 'picture' });
  assert.ok(json('lang/parts/en')['fault.picture']);
});
