// With any stored data and any address the page starts, loses no valid data, and deletes no invalid data.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { numbersOf, wtb } from '../harness/base.js';
import { stage } from '../harness/stage.js';
import { cell, opened, rowsIn, until, untilBoard, untilNotice, untilValues } from './hands.js';

const site = stage();

const ROUNDS = process.env.OUTFLANK_LONG_TESTS ? 60 : 6;
/** Odd rows in each table, in each round. */
const ROWS = 24;

const BASE = [...wtb([{ moves: numbersOf('f5d6c3d3c4'), discs: 40 }])];

/**
 * Runs in the page: puts odd values, the same ones for the same seed, among sound ones into all places. What was sound is
 * whatever the page itself would have written.
 */
const seed = (page, number, engine) =>
  page.evaluate(
    async ({ number, engine, rows, base }) => {
      const { Tables } = (await import('/js/shell/parts.js')).part('js/base/tables.js');
      const roll = randomOf(number);
      const pick = (list) => list[roll(list.length)];
      const START = `${'-'.repeat(27)}OX${'-'.repeat(6)}XO${'-'.repeat(27)}X`;
      const NAMES = [
        ...'__proto__ __defineGetter__ constructor toString valueOf toJSON then length start'.split(' '),
        ...'moves tree scores box rows root proof bytes name key x 0'.split(' '),
        '',
      ];
      /** Values that JSON knows, of any depth. */
      const plain = (depth = 0) => {
        const kind = roll(depth > 3 ? 12 : 16);
        if (kind < 12)
          return pick([
            ...[null, true, false, 0, -1, 1.5, 1e300, -1e300, 2 ** 53, 64, 99, '', START],
            ...['x', 'f5', 'f5d6', 'on', 'X', '100%', '<b>x</b>', '\u0000', '\ud800', '\u202e'],
            ...['1'.repeat(3000), '-'.repeat(65), 'X'.repeat(65)],
          ]);
        if (kind === 12) return Array.from({ length: roll(4) }, () => plain(depth + 1));
        if (kind === 13) return Array.from({ length: 300 }, () => pick([null, 'f5', 1]));
        return odd(depth);
      };
      /** An object with fields of any name, also of those that every object has by birth. */
      const odd = (depth) => {
        const fields = Array.from(
          { length: roll(4) },
          () => `${JSON.stringify(pick(NAMES))}:${JSON.stringify(plain(depth + 1))}`,
        );
        return JSON.parse(`{${fields.join(',')}}`);
      };
      /** Values that a database takes besides. */
      const any = () =>
        roll(3)
          ? plain()
          : pick([
              () => undefined,
              () => Number.NaN,
              () => Number.POSITIVE_INFINITY,
              () => 10n ** 30n,
              () => new Date(Number.NaN),
              () => new Date(0),
              () => /x/g,
              () => new Map([['start', START]]),
              () => new Set(['f5']),
              () => new Uint8Array(roll(100)),
              () => new Uint8Array(16).buffer,
              () => new Float64Array(4),
              () => new Blob(['x']),
              () => new Error('x'),
              () => Object(false),
              () => {
                const round = { start: START, moves: 'f5' };
                round.self = round;
                return round;
              },
            ])();
      /** A sound value with some of its fields, or of theirs, made odd or left out. */
      const spoiled = (sound, make) => {
        const copy = structuredClone(sound);
        let at = copy;
        for (;;) {
          const name = pick(Object.keys(at));
          const inner = at[name];
          if (
            (Array.isArray(inner) || inner?.constructor === Object) &&
            Object.keys(inner).length > 0 &&
            roll(2)
          ) {
            at = inner;
            continue;
          }
          if (roll(5)) at[name] = make();
          else delete at[name];
          return copy;
        }
      };

      const progress = { box: 2, due: 1, tries: 3, right: 2, last: 1 };
      const game = {
        ...{
          v: 2,
          start: START,
          moves: 'f5d6c3',
          black: 'Sound',
          white: 'Game',
          date: '2020',
          place: 'Paris',
        },
        ...{ result: 4, ending: 'resigned', folder: 'Kept', tags: ['a', 'b'], added: 1e12, base: 'a.wtb' },
        ...{ comments: [[1, 'well']], tree: 'f5d6(f4~so~)c3', scores: { f5: 1 } },
      };
      const proof = { kind: 'heuristic', depth: 14, level: 14.1 };
      const evaluation = {
        engine,
        rows: ['f5', 'e6', 'd3', 'c4'].map((move) => ({ move, value: 0.5, proof, pv: [move, 'f6'] })),
        root: {
          move: 'f5',
          value: 0.5,
          proof: { kind: 'selective', depth: 14, confidence: 84, level: 14.084 },
          pv: ['f5'],
        },
      };
      const puzzle = { ...progress, own: true, scores: { d6: 2, f4: -4, f6: -2 } };
      const AFTER = START.split('');
      for (const at of [28, 36, 37]) AFTER[at] = 'X';
      AFTER[64] = 'O';
      const after = AFTER.join('');
      const small = {
        settings: {
          depth: 20,
          theme: 'dark',
          lines: 3,
          engine: true,
          language: 'en',
          overlay: null,
          view: 1,
        },
        match: { colour: 'O', opponent: 'club', clock: 1, hints: true, takeBack: false },
        game: {
          state: 'away',
          setup: { colour: 'X', opponent: 'club', time: [60, 0], hints: true, takeBack: true },
          left: { X: 50, O: 40 },
          used: { hints: 0, takeBacks: 0 },
          game: 'f5d6@2',
        },
        trainer: {
          lines: [{ moves: 'f5d6c3d3c4', names: { en: 'Tiger', fr: 'Tigre' } }],
          progress: { f5d6c3d3c4X: progress },
        },
        'trainer.last': { side: 'O', more: true, value: 'mine f5d6c3d3c4' },
      };
      localStorage.clear();
      for (const [name, sound] of Object.entries(small)) {
        let text = JSON.stringify(pick([() => plain(), () => odd(0), () => spoiled(sound, plain)])());
        if (roll(6) === 0)
          text = pick([text.slice(0, roll(text.length)), '{', '\u0000', `${text}x`, '['.repeat(9999)]);
        // Properties of every object are not settings.
        if (name === 'settings' && roll(3)) {
          const fields = [NAMES[number % NAMES.length], pick(NAMES)].map(
            (field) => `"${field}":${JSON.stringify(plain())}`,
          );
          text = `{${fields.join(',')},${JSON.stringify(spoiled(sound, plain)).slice(1)}`.replace(',}', '}');
        }
        if (name === 'trainer') {
          // A valid line next to invalid ones.
          const { lines, progress } = sound;
          const others = Array.from({ length: 5 }, () => pick([plain, () => spoiled(lines[0], plain)])());
          const odd = Array.from({ length: 5 }, (_, i) => [pick([`f5d6X${i}`, ...NAMES]), plain()]);
          text = JSON.stringify({
            lines: [...others, ...lines, { moves: 'a1a2', names: null }],
            progress: Object.fromEntries([...odd, ...Object.entries(progress)]),
          });
        }
        localStorage.setItem(`outflank.${name}`, text);
      }

      const fill = async (name, tables) => {
        const database = new Tables(name, Object.keys(tables));
        const counts = {};
        for (const [table, { sound, keys }] of Object.entries(tables)) {
          const [[, like]] = sound;
          /** @type {[IDBValidKey, unknown][]} */
          const odd = Array.from({ length: rows }, (_, i) => {
            const key = pick([
              () => `${table} ${i}`,
              () => pick(NAMES),
              () => i,
              () => new Date(i),
              () => [i, 'x'],
              () => new Uint8Array([i]),
              keys ? () => pick(keys) : () => `x${i}`,
            ])();
            return [key, roll(3) ? spoiled(like, any) : any()];
          });
          counts[table] = await database.run(table, 'readwrite', (rows) => {
            rows.clear();
            for (const [key, value] of [...odd, ...sound]) rows.put(value, key);
            return rows.count();
          });
        }
        return counts;
      };
      const counts = await fill('outflank', {
        games: {
          sound: [
            ['one', game],
            ['two', { start: START, moves: 'f5d6', black: 'Sound', added: 2 }],
            ['three', { start: START, moves: 'f5f6', white: 'Sound' }],
          ],
        },
        // These are only a memory: any may be odd.
        evaluations: { sound: [['like', evaluation]], keys: [START, after] },
        puzzles: { sound: [[after, puzzle]], keys: [START, `${START.slice(0, 64)}O`] },
        meta: {
          sound: [
            ['like', { engine }],
            ['engine', roll(2) ? engine : (any() ?? {})],
          ],
        },
      });
      const lists = { players: null, tournaments: null };
      const file = { name: 'Sound.wtb', added: 5, ...lists, bytes: new Uint8Array(base) };
      const files = await fill('outflank-files', {
        games: { sound: [['sound.wtb', file]], keys: ['a.wtb', 'b.wtb', 'c.wtb'] },
        names: {
          sound: [['wthor.jou', { kind: 'players', name: 'WTHOR.JOU', added: 1, bytes: new Uint8Array(36) }]],
          keys: [' trying', 'x.jou'],
        },
      });
      return { games: counts.games, puzzles: counts.puzzles, files: files.games };
    },
    { number, engine, rows: ROWS, base: BASE },
  );

const ADDRESSES = [
  '',
  '#f5d6c3',
  '#%',
  '#%E0%A4%A',
  '#@',
  '#f5@9.9.9.9',
  '#__proto__',
  '#~~~~',
  `#${'('.repeat(2000)}`,
  `#f5${'(d6'.repeat(500)}`,
  `#${'X'.repeat(64)}X:f5`,
  `#${'-'.repeat(64)}O:`,
  `#${'f5'.repeat(60_000)}`,
  '#f5~%ff~d6',
  '#\u{1F600}',
];

test('with invalid stored values the page starts, uses valid ones, and leaves invalid ones stored', async (t) => {
  const page = await opened(site, '/');
  await untilValues(page);
  const engine = await page.evaluate(() => outflank.evaluations.key);
  let seeded = 0;
  for (let round = 0; round < ROUNDS; round++) {
    await page.goto(`${site.address}/version.json`);
    const counts = await seed(page, round, engine);
    seeded += 6 * ROWS + 5;
    await page.goto(`${site.address}/${ADDRESSES[round % ADDRESSES.length]}`);
    await untilBoard(page);
    await page.waitForFunction(() => outflank.engine.info !== null, null, { timeout: 60_000 });
    await page.evaluate(() => {
      outflank.settings.set('engine', true);
      outflank.settings.set('language', 'en');
      // Any resumed match or puzzle.
      outflank.modes.leave();
      location.hash = '#f5d6';
    });
    await untilValues(page);
    const where = `round ${round}`;

    await page.getByRole('tab', { name: 'Games' }).click();
    await page.locator('#panel-games input').fill('sound');
    await page.locator('#panel-games .game').nth(2).waitFor();
    const names = await page.locator('#panel-games .game button:not(.edit) span').allTextContents();
    assert.ok(names.includes('Sound – ?') && names.includes('? – Sound'), `${where}: ${names}`);
    // Every game of the list can be opened or says why not, drawn with its facts, and written.
    await page.locator('#panel-games input').fill('');
    const games = await page.locator('#panel-games .game button:not(.edit)').count();
    for (let i = 0; i < games; i++) {
      await page.locator('#panel-games .game button:not(.edit)').nth(i).click();
      await page.evaluate(() => outflank.painter.flush());
    }
    await page.evaluate(async () => {
      const { writeBackup, readBackup } = (await import('/js/shell/parts.js')).part('js/io/backup.js');
      const panel = await outflank.panels.get('games');
      const records = [...panel.shelf.kept.values()];
      const { games } = readBackup(writeBackup(records));
      if (games.length !== records.length)
        throw new Error(`${games.length} of ${records.length} games come back`);
    });

    await page.getByRole('tab', { name: 'Puzzles' }).click();
    await page.locator('#panel-puzzles .under .plain', { hasText: 'Your mistake' }).first().waitFor();
    for (let i = 0; i < 3; i++)
      await page.evaluate(async () => {
        const panel = await outflank.panels.get('puzzles');
        await panel.next(panel.puzzles.own);
        outflank.painter.flush();
      });
    await page.evaluate(() => outflank.modes.leave());

    await page.evaluate(() => {
      location.hash = '#f5';
    });
    await page.getByRole('tab', { name: 'Openings' }).click();
    await page.locator('.trained li', { hasText: 'f5d6c3d3c4' }).first().waitFor();
    const lines = await page.locator('.trained li .what small').allTextContents();
    assert.ok(lines.includes('f5d6c3d3c4') && !lines.includes('a1a2'), `${where}: ${lines}`);
    await page.locator('#panel-openings .notes p', { hasText: /games? reached/ }).waitFor();
    await page.waitForFunction(async () => {
      const { state } = await outflank.explorer();
      return (
        state.opened &&
        !state.loading &&
        state.files.some(({ name, games }) => name === 'Sound.wtb' && games === 1)
      );
    });

    for (const action of ['settings', 'play']) {
      await page.evaluate((action) => void outflank.act(action), action);
      await page.locator('dialog[open]').waitFor();
      await page.keyboard.press('Escape');
      await until(() => page.locator('dialog').count(), 0);
    }
    // Nothing was deleted.
    assert.ok((await rowsIn(page, 'outflank', 'games')) >= counts.games, where);
    assert.ok((await rowsIn(page, 'outflank', 'puzzles')) >= counts.puzzles, where);
    assert.equal(await rowsIn(page, 'outflank-files', 'games'), counts.files, where);
    assert.ok(await page.evaluate(() => localStorage.getItem('outflank.trainer').includes('a1a2')), where);
    await cell(page, 'd6').click();
    await page.waitForFunction(() => outflank.study.node.ply === 2);
    await untilValues(page);
  }
  t.diagnostic(`${seeded} odd values in ${ROUNDS} rounds`);
});

test('unreadable values are moved to another key before they are overwritten', async () => {
  const page = await opened(site, '/');
  await page.evaluate(() => {
    localStorage.setItem('outflank.settings', '{"depth":');
    localStorage.setItem('outflank.trainer', '{"lines":[{"moves":"f5d6"');
    localStorage.setItem('outflank.game', '{"state":"on","game":"f5d6"}');
  });
  await page.reload();
  await untilNotice(page, 'cannot be read');
  await page.keyboard.press('f');
  await page.getByRole('tab', { name: 'Openings' }).click();
  await page.locator('div.library').waitFor();
  const aside = await page.evaluate(() =>
    ['settings', 'trainer', 'game'].map((name) => localStorage.getItem(`outflank.${name}.unreadable`)),
  );
  assert.deepEqual(aside, ['{"depth":', '{"lines":[{"moves":"f5d6"', '{"state":"on","game":"f5d6"}']);
});

test('two tabs change lines, settings, games and puzzles at random, and no change is lost', async () => {
  const one = await opened(site, '/');
  const other = await one.context().newPage();
  await other.goto(one.url());
  await untilBoard(other);
  /** Runs in a page: changes everything that is stored, many times, and answers what was changed. */
  const change = async ([name, rounds]) => {
    const { repertoireOf } = (await import('/js/shell/parts.js')).part('js/model/repertoire.js');
    const { rules, settings, store } = outflank;
    const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    const games = await outflank.panels.get('games');
    const { puzzles } = await outflank.panels.get('puzzles');
    await puzzles.load();
    const repertoire = repertoireOf(store, rules);
    const made = [];
    let position = settings && outflank.study.position;
    let moves = '';
    for (let round = 0; round < rounds; round++) {
      const legal = rules.moves(position);
      const move = legal[(round * (name === 'one' ? 3 : 5)) % legal.length];
      ({ position } = rules.play(position, move));
      moves += move;
      repertoire.add({ moves, names: { en: name + round } }, [name === 'one' ? 'X' : 'O']);
      settings.set(name === 'one' ? 'depth' : 'lines', 12 + round);
      await games.add([{ start: outflank.study.position, moves, black: name }]);
      await puzzles.note(puzzles.suite[0], true);
      made.push(moves);
      await pause(Math.random() * 20);
    }
    return made;
  };
  const rounds = process.env.OUTFLANK_LONG_TESTS ? 50 : 12;
  const [mine, its] = await Promise.all([
    one.evaluate(change, ['one', rounds]),
    other.evaluate(change, ['other', rounds]),
  ]);
  const third = await one.context().newPage();
  await third.goto(one.url());
  await untilBoard(third);
  const kept = await third.evaluate(async () => {
    const { repertoireOf, fromF5 } = (await import('/js/shell/parts.js')).part('js/model/repertoire.js');
    const repertoire = repertoireOf(outflank.store, outflank.rules);
    const rows = await outflank.store.all('games');
    const puzzles = await outflank.store.all('puzzles');
    return {
      keys: [...repertoire.progress.keys()],
      games: rows.map(([, { black, moves }]) => `${black} ${moves}`),
      tries: puzzles.map(([, { tries }]) => tries),
      settings: JSON.parse(localStorage.getItem('outflank.settings')),
      canonical: Object.fromEntries(['f5', 'e6', 'd3', 'c4'].map((move) => [move, fromF5(move)])),
    };
  });
  assert.deepEqual(kept.settings.depth, 12 + rounds - 1);
  assert.deepEqual(kept.settings.lines, 12 + rounds - 1);
  assert.deepEqual(kept.tries, [2 * rounds]);
  for (const [name, all] of [
    ['one', mine],
    ['other', its],
  ])
    for (const moves of all) assert.ok(kept.games.includes(`${name} ${moves}`), `${name} ${moves}`);
  assert.equal(kept.keys.filter((key) => key.endsWith('X')).length, rounds);
  assert.equal(kept.keys.filter((key) => key.endsWith('O')).length, rounds);
  assert.equal(
    await one.evaluate(() => outflank.settings.get('lines')),
    12 + rounds - 1,
    'the other tab follows',
  );
});
