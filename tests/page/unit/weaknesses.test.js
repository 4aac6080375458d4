// The sums of the user's games: every table adds up to the losses of the games, and the file in CSV has them.

import assert from 'node:assert/strict';
import test from 'node:test';

import { START } from '../../../www/js/base/position.js';
import { Store } from '../../../www/js/io/store.js';
import { SavedGames } from '../../../www/js/model/saved-games.js';
import { ownGames, weaknessesOf, writeCsv } from '../../../www/js/model/weaknesses.js';
import { emptyStorage } from '../harness/app.js';

const MOVES = 'f5d6c3d3c4f4f6f3e6e7d7c5b6d8c6c7d2f7e3c8b4e2f8b5e8f2g3h3a6a5a4a7b8a8b7g6h6h5h4h7g5g4';
const NONE = [null, '', 0, [0, 0, 0], []];
const CORNER = [1, 4, 'corner'];
const BLACK = [80, '', 4, [5, 0, 3], [CORNER, [41, 2.5, '']]];
const WHITE = [60, '', 8, [0, 8.5, 0], [[22, 8, 'mobility']]];
const players = { start: START, moves: MOVES };
const game = (black, white, report, more) => ({ ...players, black, white, report, ...more });
/** The user as Black, as White, against a rated player, not analyzed, with an old report; and the game of two others. */
const GAMES = [
  game('Me', 'Bob', { X: BLACK, O: NONE }, { result: 6 }),
  game('Bob', 'Me', { X: [9, '', 9, [9, 9, 9], []], O: WHITE }, { result: 6 }),
  game('Me', '=Dan', { X: [null, '', 0, [0, 0, 0.5], []], O: NONE }, { ratings: [1500, 1850], result: 0 }),
  game('Me', 'Eve', undefined),
  game('Me', 'Fay', { X: [81, '', 4], O: [70, '', 2] }),
  game('Ann', 'Bob', { X: NONE, O: NONE }),
];
const names = { sideIn: ({ black, white }) => (black === 'Me' ? 'X' : white === 'Me' ? 'O' : null) };
const openingOf = ({ white }) => (white === 'Bob' ? 'Tiger' : 'Rose');

/** Saves games. `read` returns the own ones, and those that are analyzed. */
async function saved(games = GAMES) {
  emptyStorage();
  const shelf = new SavedGames(new Store());
  const { keys } = await shelf.add(games);
  const read = () => {
    const all = ownGames(shelf, names);
    return { all, known: all.filter(({ figures }) => figures) };
  };
  return { keys, read, shelf };
}
const total = (rows) => rows.reduce((sum, { loss }) => sum + loss, 0);
const find = (rows, id) => rows.find((row) => row.id === id);

test('each table adds up to the losses of the own games; a removed game leaves the sums', async () => {
  const { keys, read, shelf } = await saved();
  const { all, known } = read();
  assert.deepEqual([all.length, known.length], [5, 3]);
  const { mistakes, tables } = weaknessesOf(known, openingOf);
  for (const [name, rows] of Object.entries(tables)) assert.equal(total(rows), 17, name);
  const phases = tables.phase.map(({ loss, mistakes }) => `${loss} ${mistakes}`);
  assert.equal(phases.join(), '5 1,8.5 1,3.5 1');
  const listed = mistakes.map(({ ply, loss, kind, phase }) => `${ply} ${loss} ${kind} ${phase}`);
  assert.equal(listed.join(), '22 8 mobility 1,1 4 corner 0,41 2.5 none 2');
  assert.equal(find(tables.kind, 'small').loss, 2.5);
  const rivals = ['Bob', '1800–1999'].map((id) => {
    const { games, scored, points, accuracy, rated } = find(tables.rival, id);
    return `${games} ${scored} ${points} ${accuracy} of ${rated}`;
  });
  assert.equal(rivals.join(), '2 2 1 140 of 2,1 1 0.5 0 of 0');
  assert.equal(find(tables.opening, 'Tiger').loss, 8);
  await shelf.remove([keys[1]]);
  const after = weaknessesOf(read().known, openingOf);
  assert.deepEqual([after.mistakes.length, total(after.tables.kind)], [2, 8.5]);
});

test('a game from another position counts in the phase of its discs', async () => {
  const start = `${'X'.repeat(20)}${START.slice(20)}`;
  const report = { X: [1, '', 4, [0, 4, 0], [[1, 4, '']]], O: NONE };
  const { read } = await saved([game('Me', 'Bob', report, { start })]);
  const { phase } = weaknessesOf(read().known, openingOf).tables;
  assert.equal(phase.map(({ mistakes }) => mistakes).join(), '0,1,0');
});

test('many opponents are shortened to a row whose sums are those of the others', async () => {
  const report = (loss) => ({ X: [50, '', 1, [loss, 0, 0], []], O: NONE });
  const games = Array.from({ length: 30 }, (_, i) => game('Me', `Player ${i}`, report(i), { result: 2 }));
  const { rival } = weaknessesOf((await saved(games)).read().known, openingOf).tables;
  const { others, games: sum, points } = rival.at(-1);
  assert.deepEqual([rival.length, others, sum, points], [8, 23, 23, 23]);
  assert.equal(total(rival), (29 * 30) / 2);
});

test('CSV has a line for each own game, quotes separators, and runs no formula', async () => {
  const { read } = await saved();
  const { all } = read();
  const [head, ...lines] = writeCsv(all, openingOf).split('\r\n');
  const sums =
    ',accuracy,mistakes,loss 1-20,loss 21-40,loss 41-60,loss mobility,loss corner,loss none,loss small,';
  assert.ok(head.startsWith('\ufeff') && head.includes(sums), head);
  assert.equal(lines.pop(), '');
  for (const [i, start] of [
    ',Me,Bob,,black,6,,Tiger,80,2,5,0,3,0,4,',
    ',Bob,Me,,white,-6,,Rose,60,1,0,8.5,0,8,0,',
    ",Me,'=Dan,,black,0,1850,Rose,,0,0,0,0.5,",
    ',Me,Eve,,black,,,Rose,,,,,,,,,,f5',
    ',Me,Fay,',
  ].entries())
    assert.ok(lines[i].startsWith(start), lines[i]);
  const widths = [head, ...lines].map((line) => line.split(',').length);
  assert.deepEqual(new Set(widths), new Set([18]));
  const quoted = { 'a,b': '"a,b"', 'a "b"': '"a ""b"""', '+1': "'+1", '@x;': `"'@x;"`, '＝1': "'＝1" };
  for (const [place, written] of Object.entries(quoted)) {
    const csv = writeCsv([{ ...all[0], record: { ...all[0].record, place } }], openingOf);
    assert.ok(csv.includes(`,${written},black,`), csv);
  }
});
