// The openings explorer: files of games are dropped, searched, and stored for the next visit.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { nameFile, numbersOf, randomBase, wtb } from '../harness/base.js';
import { egaroucidBook } from '../harness/books.js';
import { stage } from '../harness/stage.js';
import { cell, discs, drop, dropAll, opened, paste, until, untilNotice } from './hands.js';

const site = stage();

const PLAYERS = ['Ann', 'Bob', 'Jérôme', 'Dee'];
const TOURNAMENTS = ['Paris', 'Tōkyō'.normalize('NFD').replace(/\p{M}/gu, '')];
const game = (moves, discs, black, white, tournament = 0) => ({
  moves: numbersOf(moves),
  discs,
  black,
  white,
  tournament,
});
/** Four games of 2004: three by f5d6, of which two meet by another order of moves, one by f5f6. */
const BASE = wtb([
  game('f5d6c3d3c4', 40, 0, 1),
  game('c4e3f6e6f5', 20, 2, 0, 1),
  game('f5d6c3d3c4f4', 32, 1, 2),
  game('f5f6e6f4', 44, 2, 3, 1),
]);

const NAMES = [
  ['WTHOR.JOU', nameFile(PLAYERS, 20)],
  ['WTHOR.TRN', nameFile(TOURNAMENTS, 26)],
];
/** Drops the base with its names, and waits until its games are also listed. */
async function dropBase(page) {
  await dropAll(page, [...NAMES, ['WTH_2004.wtb', BASE]]);
  await page.locator('#panel-games .list button').nth(3).waitFor({ timeout: 40_000 });
}

const openings = async (page) => {
  await page.getByRole('tab', { name: 'Openings' }).click();
  await page.locator('#panel-openings .notes p').waitFor();
};
/** Removes a file by its button. */
async function remove(page, name) {
  const button = page.getByRole('button', { name: `Remove ${name}` });
  if (!(await button.isVisible()))
    await page.locator('#panel-openings summary', { hasText: /\d files?/ }).click();
  await button.click();
}
const note = (page) => page.locator('#panel-openings .notes p');
const reached = (page, pattern) => note(page).filter({ hasText: pattern }).waitFor({ timeout: 40_000 });
/** The shown figures, except those of the engine. */
const figures = (page) =>
  page.locator('.played tbody').evaluateAll((rows) =>
    rows.map((row) =>
      [...row.rows[0].cells]
        .slice(0, 4)
        .map((cell) => cell.textContent)
        .join(' '),
    ),
  );
const listed = (page) =>
  page
    .locator('#panel-openings .list button')
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((part) => part.textContent).join(' | ')));
const fresh = async (page) => {
  await page.evaluate(() => outflank.act('new'));
  await page.waitForFunction(() => outflank.study.node.ply === 0);
};
/** Opens the page with the base. */
async function withBase() {
  const page = await opened(site, '/');
  await dropBase(page);
  return page;
}
/** Shows the openings at the start position, and waits for the note. */
async function explored(page, pattern) {
  await openings(page);
  await fresh(page);
  await reached(page, pattern);
}
/** Adds a file of many bytes. Returns the time and the longest task of the page. */
async function added(page, name, bytes) {
  // In parts: a page takes no argument of that size.
  const PART = 1_000_000;
  await page.evaluate(() => {
    window.parts = [];
  });
  for (let at = 0; at < bytes.length; at += PART)
    await page.evaluate(
      (text) => {
        window.parts.push(Uint8Array.from(atob(text), (character) => character.charCodeAt(0)));
      },
      bytes.subarray(at, at + PART).toString('base64'),
    );
  return page.evaluate(async (name) => {
    const file = new File(window.parts, name);
    window.parts = null;
    const explorer = await outflank.explorer();
    await explorer.lookUp(outflank.study.position);
    let longest = 0;
    const tasks = new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) longest = Math.max(longest, duration);
    });
    tasks.observe({ entryTypes: ['longtask'] });
    const start = performance.now();
    await explorer.add([file]);
    const seconds = (performance.now() - start) / 1000;
    await new Promise((resolve) => setTimeout(resolve, 100));
    tasks.disconnect();
    return { seconds, longest };
  }, name);
}
const forgetGames = (page) => page.evaluate(() => outflank.store.clear('games'));

test('a dropped base is searched over all symmetries, with names and games', async () => {
  const page = await opened(site, '/');
  await openings(page);
  await reached(page, /stay on this device/);
  await dropBase(page);
  await explored(page, /4 games reached this position/);
  // White won one of four, one was drawn: Black has 2.5 of 4. Results of Black: +16, −24, 0, +24.
  assert.deepEqual(await figures(page), ['f5 4 63% +4.0']);
  await page.locator('.played button').click();
  // The number of games is unchanged, so the figures show when they are painted.
  await until(async () => (await figures(page)).join(), 'd6 3 50% −2.7,f6 1 0% +24.0');
  await reached(page, /4 games/);
  assert.deepEqual(await page.locator('.played .name').allTextContents(), ['Perpendicular', 'Diagonal']);
  assert.deepEqual((await listed(page)).slice(0, 2), [
    'Ann – Bob | +16 | 2004 · Paris · 5 moves',
    'Jérôme – Ann | −24 | 2004 · Tokyo · 5 moves',
  ]);
  await page.waitForFunction(() =>
    [...document.querySelectorAll('.played .value span')].every((value) => /\d/.test(value.textContent)),
  );
});

test('the explorer plays moves by keyboard with the values of the lines, opens games, hides, and refuses invalid files', async () => {
  const page = await withBase();
  await explored(page, /4 games/);
  await page.locator('.played button').focus();
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement?.textContent === 'd6');
  await page.keyboard.press('ArrowDown');
  await page.waitForFunction(() => document.activeElement?.textContent === 'f6');
  await page.locator('#preview strong', { hasText: 'f6' }).waitFor();
  // A row has one button: the other arrows step through the game.
  await page.keyboard.press('ArrowLeft');
  await page.waitForFunction(() => document.activeElement?.textContent === 'f5');
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction(() => document.activeElement?.textContent === 'd6');
  await page.keyboard.press('ArrowDown');
  const values = () =>
    page.evaluate(() => {
      const { map } = outflank.scores.rows(outflank.study.position);
      return [...document.querySelectorAll('.played tbody')].every(
        (row) =>
          row.querySelector('.value span').textContent ===
            document.querySelector(`#lines-body tr[data-move="${row.dataset.move}"] .value`)?.textContent &&
          map.has(row.dataset.move),
      );
    });
  await until(values, true);
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => outflank.study.node.move === 'f6');
  // A game opens at the looked-up position, transformed to the board.
  await fresh(page);
  for (const move of ['f5', 'd6', 'c3', 'd3', 'c4'])
    await page.evaluate((move) => outflank.playMove(move), move);
  await reached(page, /3 games/);
  const before = await discs(page);
  await page.locator('#panel-openings .list button', { hasText: 'Jérôme – Ann' }).click();
  await page.locator('#name-black', { hasText: 'Jérôme' }).waitFor();
  assert.equal(await discs(page), before);
  assert.equal(await page.evaluate(() => outflank.study.node.ply), 5);
  assert.equal(await page.evaluate(() => outflank.study.game().moves), 'f5d6c3d3c4');
  // The explorer is hidden while values are hidden.
  await fresh(page);
  await reached(page, /4 games/);
  await page.evaluate(() => outflank.modes.begin('editor'));
  await reached(page, /Hidden while/);
  for (const part of ['.played', '.fold'])
    assert.equal(await page.locator(`#panel-openings ${part} >> visible=true`).count(), 0);
  await page.evaluate(() => outflank.modes.leave());
  await reached(page, /4 games/);
  // An invalid file is refused by name, and loaded files stay.
  await drop(page, 'WTH_2004.wtb', [1, 2, 3]);
  await untilNotice(page, /WTH_2004.wtb.*WTHOR/);
  await drop(page, 'short.jou', [1]);
  await untilNotice(page, /short.jou.*WTHOR/);
  await drop(page, 'cut.jou', NAMES[0][1].subarray(0, 50));
  await untilNotice(page, /cut.jou: 3 names are missing/);
  await dropAll(page, [['again.wtb', BASE]]);
  await untilNotice(page, /again.wtb contains the same games as WTH_2004.wtb/);
  await reached(page, /4 games/);
  await until(() => page.locator('.loaded > li').count(), 1);
});

test('player, side, tournament and years are filters', async () => {
  const page = await withBase();
  await dropAll(page, [['WTH_1990.wtb', wtb([game('f5d6c4', 50, 3, 1, 0)], { year: 1990 })]]);
  await page.locator('#panel-games .list .game', { hasText: '1990' }).first().waitFor();
  await explored(page, /5 games/);
  await page.locator('#panel-openings summary', { hasText: 'Filter' }).click();
  const field = (label) => page.getByLabel(label, { exact: true });
  await field('Player').fill('jerome');
  await reached(page, /3 games/);
  await page.locator('.fields select').selectOption({ label: 'Black' });
  await reached(page, /2 games/);
  await page.locator('summary', { hasText: 'jerome (Black)' }).waitFor();
  await field('Tournament').fill('tok');
  await reached(page, /2 games/);
  await field('Tournament').fill('par');
  await reached(page, /No game that matches/);
  await page.getByRole('button', { name: 'All games' }).click();
  await reached(page, /5 games/);
  await field('To year').fill('1995');
  await reached(page, /1 game reached/);
  assert.deepEqual(await listed(page), ['Dee – Bob | +36 | 1990 · Paris · 3 moves']);
  await field('From year').fill('1991');
  await reached(page, /No game that matches/);
});

test('files and names are stored for the next visit until they are removed', async () => {
  const page = await withBase();
  await forgetGames(page);
  await page.goto('about:blank');
  await page.goto(`${site.address}/`);
  await openings(page);
  await reached(page, /4 games/);
  assert.match((await listed(page))[0], /Ann – Bob/);
  await remove(page, 'WTH_2004.wtb');
  await reached(page, /stay on this device/);
  await page.locator('.notice button', { hasText: 'Undo' }).click();
  await reached(page, /4 games/);
  await remove(page, 'WTH_2004.wtb');
  await reached(page, /stay on this device/);
  await page.reload();
  await openings(page);
  await reached(page, /stay on this device/);
});

test('saved games count once, also those of a file', async () => {
  const page = await opened(site, '/');
  await openings(page);
  await paste(page, 'f5d6c4');
  await explored(page, /1 game reached/);
  await dropBase(page);
  await explored(page, /5 games/);
  // Without the file its games are still in the list.
  await remove(page, 'WTH_2004.wtb');
  await reached(page, /5 games/);
  await forgetGames(page);
  await reached(page, /stay on this device/);
});

test('a saved game opens with its variations and comments', async () => {
  const page = await opened(site, '/#f5d6(f4~narrow~)c3d3');
  await page.evaluate(async () =>
    (await outflank.panels.get('games')).add([
      {
        start: outflank.study.tree.root.position,
        moves: 'f5d6c3d3',
        black: 'Ann',
        tree: 'f5d6(f4~narrow~)c3d3',
      },
      {
        start: outflank.study.tree.root.position,
        moves: 'd3c5',
        black: 'Bob',
        comments: [[1, 'so it goes']],
      },
    ]),
  );
  await openings(page);
  await fresh(page);
  await page.evaluate(() => outflank.playMove('f5'));
  await reached(page, /2 games/);
  await page.locator('#panel-openings .list button', { hasText: 'Ann' }).click();
  await page.locator('#name-black', { hasText: 'Ann' }).waitFor();
  assert.deepEqual(
    await page.evaluate(() => [outflank.study.node.ply, outflank.study.node.children.length]),
    [1, 2],
  );
  await reached(page, /2 games/);
  await page.locator('#panel-openings .list button', { hasText: 'Bob' }).click();
  await page.locator('#name-black', { hasText: 'Bob' }).waitFor();
  assert.deepEqual(await page.evaluate(() => [outflank.study.game().moves, outflank.study.node.comment]), [
    'f5d6',
    'so it goes',
  ]);
});

test('invalid records of a damaged file are reported, the others are loaded', async () => {
  const records = [
    game('f5d6c3', 40, 0, 1),
    { moves: [56, 64, 11], discs: 40 },
    { moves: [56, 9], discs: 40 },
    game('f5f6', 200, 0, 1),
    game('f5f4', 30, 900, 1),
  ];
  const cut = wtb(records, { year: 60_000, records: 9 });
  const page = await opened(site, '/');
  await dropAll(page, [...NAMES, ['cut.wtb', cut.subarray(0, cut.length + 30)]]);
  await untilNotice(page, /3 games in the database/);
  await explored(page, /3 games.* 1 without a result/);
  await page.locator('#panel-openings summary', { hasText: '5 errors' }).first().click();
  await page.locator('.faults summary').click();
  const told = await page.locator('.faults li').allTextContents();
  for (const pattern of [
    /5 of 9 games are there/,
    /invalid year: 60000/,
    /Game 2: Move 3, a1, is illegal/,
    /Game 3: Move 2 cannot be read: 9 is not a square/,
    /Game 4: Ignored an invalid score: 200 discs/,
  ])
    assert.ok(
      told.some((line) => pattern.test(line)),
      `${pattern} in ${told.join(' / ')}`,
    );
  await page.locator('.loaded small', { hasText: '1 game whose names are not in the lists' }).waitFor();
});

test('names added after the games apply to them', async () => {
  const page = await opened(site, '/');
  await dropAll(page, [['WTH_2004.wtb', BASE]]);
  // Its games are shown once they are loaded: another panel is opened after that.
  await page.locator('#panel-games .list .game').first().waitFor();
  await explored(page, /4 games/);
  assert.match((await listed(page))[0], /Players unknown/);
  await dropAll(page, NAMES);
  await page.locator('#panel-openings .list button', { hasText: 'Ann – Bob' }).first().waitFor();
  // The base is stored again with its names.
  await page.evaluate(() => outflank.taking());
  await page.waitForTimeout(1000);
  await page.reload();
  await openings(page);
  await page.locator('#panel-openings .list button', { hasText: 'Ann – Bob' }).first().waitFor();
});

test('a crashed worker is replaced, and the files are loaded again', async () => {
  const page = await opened(site, '/');
  await page.evaluate(() => {
    const Real = Worker;
    window.started = [];
    window.Worker = class extends Real {
      constructor(...args) {
        super(...args);
        if (String(args[0]).includes('database')) window.started.push(this);
      }
    };
  });
  await dropBase(page);
  await explored(page, /4 games/);
  await page.evaluate(() => {
    const worker = window.started.at(-1);
    worker.terminate();
    worker.onmessage({ data: { fatal: 'out of memory' } });
  });
  await page.evaluate(() => outflank.playMove('f5'));
  await reached(page, /4 games/);
  assert.equal(await page.evaluate(() => window.started.length), 2);
});

test('two pages have the same files after additions and removals', async () => {
  const page = await opened(site, '/');
  const other = await page.context().newPage();
  await other.goto(`${site.address}/`);
  await openings(other);
  await reached(other, /stay on this device/);
  await dropBase(page);
  await reached(other, /4 games/);
  await forgetGames(page);
  await remove(other, 'WTH_2004.wtb');
  await reached(other, /stay on this device/);
  await openings(page);
  await reached(page, /stay on this device/);
});

test('a file that crashed the worker twice is listed, and other files are loaded', async () => {
  const page = await withBase();
  await dropAll(page, [['other.wtb', wtb([game('f5f6', 30, 0, 1)])]]);
  await untilNotice(page, /other.wtb: 1 game/);
  await forgetGames(page);
  await page.evaluate(async () => {
    const { Tables } = (await import('/js/shell/parts.js')).part('js/base/tables.js');
    const tables = new Tables('outflank-files', ['names']);
    await tables.run('names', 'readwrite', (rows) => rows.put({ 'wth_2004.wtb': 2 }, ' trying'));
  });
  await page.reload();
  await explored(page, /1 game reached/);
  await remove(page, 'WTH_2004.wtb');
  await until(() => page.locator('.loaded > li').count(), 1);
  await reached(page, /1 game reached/);
  // It is tried again when it is dropped again.
  await dropBase(page);
  await forgetGames(page);
  await page.reload();
  await explored(page, /5 games/);
});

test('leaving the page while a file is read does no harm', async () => {
  const page = await withBase();
  await forgetGames(page);
  await drop(page, 'many.wtb', randomBase({ games: 20_000, seed: 9 }));
  await page.reload();
  await explored(page, /^(4|20,004) games/);
});

/** Number of games in the large base. */
const MANY_GAMES = process.env.OUTFLANK_LONG_TESTS ? 150_000 : 60_000;

test(`${MANY_GAMES} games are read, looked up and stored without blocking the page`, async (t) => {
  const page = await opened(site, '/');
  await openings(page);
  const bytes = randomBase({ games: MANY_GAMES, seed: 1 });
  await page.evaluate(() => outflank.settings.set('engine', false));
  const { seconds } = await added(page, 'all.wtb', bytes);
  const all = new RegExp(`^${MANY_GAMES.toLocaleString('en')} games reached`);
  await reached(page, all);
  const times = await page.evaluate(async () => {
    const { rules } = outflank;
    const explorer = await outflank.explorer();
    const times = [];
    let { position } = outflank.study;
    for (let ply = 0; ply < 20; ply++) {
      const start = performance.now();
      const { moves } = await explorer.lookUp(position, { list: 100 });
      times.push(performance.now() - start);
      if (moves.length === 0) break;
      position = rules.play(position, moves[0].move).position;
    }
    return times;
  });
  const memory = await page.evaluate(async () => (await outflank.explorer()).state.bytes / 1e6);
  await page.reload();
  await openings(page);
  await reached(page, all);
  t.diagnostic(
    `read in ${seconds.toFixed(2)} s; ${memory.toFixed(1)} MB; a position in ${times.map(Math.round)} ms`,
  );
  // Limits for a busy machine. The figures are printed above.
  assert.ok(seconds < 30, `${seconds} s`);
  assert.ok(memory < MANY_GAMES * 430e-6, `${memory} MB`);
  assert.ok(Math.min(...times) < 20, `${times} ms`);
});

const bytesOf = (text) => Buffer.from(text);
/** The value of the book for a move in the explorer. */
const booked = (page, move) => page.locator(`.played tbody[data-move=${move}] .book`);

test('a book shows its values on the board and beside the engine, is exported, and is found after a reload', async () => {
  const page = await opened(site, '/#f5');
  await drop(page, 'my.txt', bytesOf('% lines\nf5d6c3d3c4 +0.50\nf5f6e6f4 -21.25\n'));
  await untilNotice(page, /my.txt: 9 positions/);
  await openings(page);
  await until(() => booked(page, 'f6').textContent(), '−21.3');
  await until(() => booked(page, 'd6').textContent(), '+0.5');
  // For Black. The engine does not agree that f6 wins by 21.
  await page.waitForFunction(() =>
    /[+−]\d\./.test(document.querySelector('.played [data-move=f6] .value').textContent),
  );
  await page.waitForFunction(() => /21.*book/.test(document.querySelector('[data-square=f6]').ariaLabel));
  assert.match(await cell(page, 'f4').getAttribute('aria-label'), /f4, legal/);
  // The book is exported as a text, which is a book again.
  await page.locator('#panel-openings summary', { hasText: '9 positions' }).first().click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save as text' }).click(),
  ]);
  const chunks = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk);
  const text = Buffer.concat(chunks);
  assert.match(String(text), /^% .*\n(.{64} [XO];( [+-]\d+\.\d\d;)?\n){9}$/);
  // It is shown after a reload without a press, and only then.
  await page.reload();
  await page.waitForFunction(
    () => /21.*book/.test(document.querySelector('[data-square=f6]')?.ariaLabel),
    null,
    {
      timeout: 60_000,
    },
  );
  await openings(page);
  await remove(page, 'my.txt');
  await page.waitForFunction(() => !/book/.test(document.querySelector('[data-square=f6]').ariaLabel));
  await drop(page, 'again.txt', text);
  await untilNotice(page, /again.txt: 9 positions/);
  await until(() => booked(page, 'f6').textContent(), '−21.3');
});

test('a damaged book is refused with the invalid field, and one with invalid positions is loaded without them', async () => {
  const page = await opened(site, '/');
  const whole = egaroucidBook({ positions: 60, seed: 3 });
  await drop(page, 'cut.egbk3', whole.subarray(0, 12));
  await untilNotice(
    page,
    /cut.egbk3: Not a readable opening book: the file ends in the field `number of positions`/,
  );
  await drop(page, 'stored.book', bytesOf('redb\u001a\n'));
  await untilNotice(page, /stored.book: .*outflank book export/);
  await drop(page, 'bad.txt', bytesOf('f5d6 +0.50\nf5f6 +99\n'));
  await untilNotice(page, /bad.txt: .*line 2: the value `\+99` is not a number from -64 to 64/);
  await drop(page, 'short.egbk3', whole.subarray(0, -2));
  await untilNotice(page, /short.egbk3: \d+ positions; the errors are listed/);
  await openings(page);
  await page.locator('#panel-openings summary', { hasText: '1 error' }).first().click();
  await page.locator('.faults summary').click();
  await page
    .locator('.faults li', { hasText: 'position 60 of 60: the file ends in the field `best other move`' })
    .waitFor();
});

test('a book of 100,000 positions is read without blocking the page', async (t) => {
  const page = await opened(site, '/');
  await page.evaluate(() => outflank.settings.set('engine', false));
  const { seconds, longest } = await added(page, 'all.egbk3', egaroucidBook({ positions: 160_000, seed: 7 }));
  const [{ positions }] = await page.evaluate(async () => (await outflank.explorer()).state.files);
  t.diagnostic(`${positions} positions in ${seconds.toFixed(2)} s; longest task ${Math.round(longest)} ms`);
  assert.ok(positions > 100_000, `${positions}`);
  // Limits for a busy machine. The figures are printed above.
  assert.ok(seconds < 20, `${seconds} s`);
  assert.ok(longest < 500, `${longest} ms`);
});
