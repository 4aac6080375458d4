// One analysis in all clients: the command line, Python, Node and the page give a game the same values, losses and best moves.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { paste, reviewEnds } from '../page/hands.js';
import { nameOf, randomGame } from '../page/harness/board.js';
import { launchBrowser } from '../page/harness/browser.js';
import { dice } from '../page/harness/dice.js';
import { startStatic } from '../page/harness/static.js';
import { installNpm, installWheel, run, unpacked } from './unpacked.js';

const GAMES = 20;
const DEPTH = 6;

/** What every client states of a move. */
const rowsOf = (game) => game.map(rowOf);
const rowOf = ({ value, loss, best, bestValue, exact, atLeast, changed, mistake }) => ({
  ...{ value, loss, best, bestValue, exact, atLeast, changed, mistake },
});
/** Reads lines of JSON with the names of fields in Node. */
const parsed = (text) =>
  JSON.parse(text.replaceAll('"best_value"', '"bestValue"').replaceAll('"at_least"', '"atLeast"'));

/** The rows of the page's analysis with one worker, whose table is empty at first. */
async function onPage(page, game, book) {
  await page.evaluate((book) => {
    outflank.values.forget();
    outflank.settings.set('book', book);
  }, book);
  await paste(page, game);
  await page.waitForFunction(
    ([plies, kind]) => {
      const { study, values } = outflank;
      const { main } = study.tree;
      return main.length === plies + 1 && (values.at(main[0]).point?.kind === 'book') === kind;
    },
    [game.length / 2, book],
  );
  await page.evaluate(() => outflank.act('review'));
  await reviewEnds(page);
  const discs = (value) => Math.round(value * 1e6) / 1e6 || 0;
  const rows = await page.evaluate(() =>
    outflank.study.tree.main.slice(1).map((node) => {
      const { point, loss } = outflank.values.at(node);
      return { value: point.value, loss: loss.loss, best: loss.best };
    }),
  );
  return rows.map(({ value, loss, best }) => ({ value: discs(value), loss: discs(loss), best }));
}

test('20 games have the same values, losses and best moves in every client', async (t) => {
  const [forNode, wheel] = [await installNpm(), await installWheel()];
  if (wheel.reason) return t.skip(wheel.reason);
  const random = dice(68);
  const games = Array.from({ length: GAMES }, () => randomGame(random).moves.map(nameOf).join(''));
  await writeFile(join(wheel.folder, 'games.txt'), games.join('\n'));
  const analyzed = async (...options) => {
    const lines = await wheel.outflank(['analyze', 'games.txt', '--depth', String(DEPTH), ...options]);
    return lines.stdout
      .trim()
      .split('\n')
      .map((line) => {
        const { losses, positions } = parsed(line);
        return losses.map((row, at) => {
          const [before, after] = [positions[at], positions[at + 1]];
          return rowOf({ ...row, value: after.value, best: before.best, bestValue: before.value });
        });
      });
  };
  const expected = await analyzed();
  assert.deepEqual(
    expected.map((rows) => rows.length),
    games.map((game) => game.length / 2),
  );

  const { stdout: ofPython } = await wheel.python([
    '-c',
    `import json, outflank
with outflank.Engine() as engine:
    print(json.dumps([engine.analyse(game, depth=${DEPTH}) for game in open("games.txt").read().split()]))`,
  ]);
  assert.deepEqual(parsed(ofPython).map(rowsOf), expected);

  const script = `
    import { Outflank } from 'outflank';
    const engine = await Outflank.start();
    const all = [];
    for (const game of ${JSON.stringify(games)}) all.push(await engine.analyse(game, { depth: ${DEPTH} }));
    console.log(JSON.stringify(all));`;
  await writeFile(join(forNode, 'script.js'), script);
  const { stdout: ofNode } = await run(process.execPath, ['script.js'], { cwd: forNode, maxBuffer: 1 << 26 });
  assert.deepEqual(JSON.parse(ofNode).map(rowsOf), expected);

  const { folder } = await unpacked(/^outflank-page-.*\.zip$/);
  const [server, browser] = await Promise.all([startStatic({ folder }), launchBrowser()]);
  t.after(async () => {
    await browser.close();
    await server.stop();
  });
  const page = await (await browser.newContext({ serviceWorkers: 'block' })).newPage();
  await page.goto(server.address);
  await page.waitForFunction(() => window.outflank?.engine?.info);
  await page.evaluate((depth) => {
    outflank.settings.set('engine', false);
    outflank.settings.set('workers', 1);
    outflank.settings.set('reviewDepth', depth);
  }, DEPTH);
  for (const [book, all] of /** @type {const} */ ([
    [false, expected],
    [true, await analyzed('--book', 'built-in')],
  ]))
    for (const [at, game] of games.entries()) {
      const told = all[at].map(({ value, loss, best }) => ({ value, loss, best }));
      assert.deepEqual(await onPage(page, game, book), told, `${game}, book: ${book}`);
    }
});
