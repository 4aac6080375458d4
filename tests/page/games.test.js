// The Games tab in a browser: games are saved, found, edited, put into folders, exported and restored.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

import { numbersOf, wtb } from '../harness/base.js';
import { dice } from '../harness/small-game.js';
import { stage } from '../harness/stage.js';
import { drop, dropAll, GAME, opened, paste, until, untilNotice } from './hands.js';

const site = stage();

const ggf = (black, white, moves) => `(;GM[Othello]PB[${black}]PW[${white}]${moves};)`;
const THREE = ggf('Ann', 'Bob', 'B[F5]W[F6]') + ggf('Cyd', 'Bob', 'B[D3]W[C3]') + ggf('Dan', 'Eve', 'B[C4]');

const rows = (page) => page.locator('#panel-games .list .game');
const row = (page, text) => rows(page).filter({ hasText: text });

async function withGames(path = '/') {
  const page = await opened(site, path);
  await paste(page, THREE);
  await until(() => rows(page).count(), 3);
  return page;
}

/** The records of the browser's database. */
const kept = (page) => page.evaluate(() => outflank.store.all('games'));

test('edited fields of a game are found by the search and restored after a reload', async () => {
  const page = await withGames();
  await row(page, 'Cyd').locator('.edit').click();
  const dialog = page.locator('dialog');
  await dialog.getByLabel('White', { exact: true }).fill('Zoë');
  await dialog.getByLabel('Date').fill('2021-05-06');
  await dialog.getByLabel('Place').fill('Paris');
  await dialog.getByLabel(/Black minus White/).fill('-12');
  await dialog.getByLabel('How it ended').selectOption('resigned');
  await dialog.getByLabel('Folder').fill('World Cup');
  await dialog.getByLabel(/Tags/).fill('final, long game');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await row(page, 'Cyd – Zoë').waitFor();
  for (const query of ['zoë', '2021-05', 'paris', '#final', 'world', 'cyd long']) {
    await page.locator('#panel-games input').fill(query);
    await until(() => rows(page).count(), 1);
  }
  await page.locator('#panel-games input').fill('');
  await page.reload();
  await page.getByRole('tab', { name: 'Games' }).click();
  await row(page, 'Cyd – Zoë').waitFor();
  await page.getByLabel('Folder').selectOption('World Cup');
  await until(() => rows(page).count(), 1);
  await page.getByLabel('Folder').selectOption('Without folder');
  await until(() => rows(page).count(), 2);
  // The opened game has the fields, and its GGF the result.
  await page.getByLabel('Folder').selectOption('All folders');
  await row(page, 'Cyd – Zoë').locator('button').first().click();
  await until(() => page.evaluate(() => outflank.study.tree.main[1].move), 'd3');
  const written = await page.evaluate(() => outflank.rules.write(outflank.study.game(), 'ggf'));
  assert.match(written, /PC\[Paris\]DT\[2021-05-06\]PB\[Cyd\]PW\[Zoë\]RE\[-12\.000:r\]/);
});

test('a selection that ends outside leaves a dialog open, and success removes its error', async () => {
  const page = await opened(site, '/');
  await page.evaluate(() => outflank.dialog('askText'));
  const area = page.locator('dialog textarea');
  await area.fill('a1d6');
  await page.locator('dialog').getByRole('button', { name: 'Load' }).click();
  await page.locator('dialog .notice.fault').waitFor();
  const { x, y } = await area.boundingBox();
  await page.mouse.move(x + 4, y + 4);
  await page.mouse.down();
  await page.mouse.move(2, 2);
  await page.mouse.up();
  assert.equal(await page.locator('dialog[open]').count(), 1);
  await area.fill('f5d6');
  await area.press('Control+Enter');
  await until(() => page.locator('dialog').count(), 0);
  assert.equal(await page.locator('.notice.fault').count(), 0);
  await page.locator('body > #notices').waitFor({ state: 'attached' });
});

test('an invalid result keeps the dialog open; a game pasted again keeps its folder', async () => {
  const page = await withGames();
  await row(page, 'Ann').locator('.edit').click();
  const dialog = page.locator('dialog');
  await dialog.getByLabel(/Black minus White/).fill('65');
  await dialog.getByRole('button', { name: 'Save' }).click();
  assert.equal(await page.locator('dialog[open]').count(), 1);
  // Typed text is discarded at the second try only.
  await page.keyboard.press('Escape');
  await dialog.getByText('This text is not saved').waitFor();
  await page.keyboard.press('Escape');
  await until(() => dialog.count(), 0);
  await row(page, 'Ann').locator('.edit').click();
  await dialog.getByLabel('Folder').fill('Mine');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await row(page, 'Mine').waitFor();
  await paste(page, THREE);
  await until(() => rows(page).count(), 3);
  await row(page, 'Mine').waitFor();
});

test('removing one game and all shown games can be undone', async () => {
  const page = await withGames();
  await row(page, 'Ann').locator('.edit').click();
  await page.locator('dialog').getByRole('button', { name: 'Remove' }).click();
  await until(() => rows(page).count(), 2);
  await page.locator('.notice button', { hasText: 'Undo' }).click();
  await until(() => rows(page).count(), 3);
  await page.locator('#panel-games input').fill('bob');
  await page.getByRole('button', { name: /Edit or export 2 games/ }).click();
  await page.getByRole('button', { name: 'Remove 2 games' }).click();
  await page.locator('#panel-games input').fill('');
  await until(() => rows(page).count(), 1);
  await until(async () => (await kept(page)).length, 1);
  await page.locator('.notice button', { hasText: 'Undo' }).click();
  await until(() => rows(page).count(), 3);
  await until(async () => (await kept(page)).length, 3);
});

test('folders and tags are set for all shown games', async () => {
  const page = await withGames();
  await page.locator('#panel-games input').fill('bob');
  await page.getByRole('button', { name: /Edit or export 2 games/ }).click();
  await page.locator('dialog').getByLabel('Folder').fill('Bob’s');
  await page.getByRole('button', { name: 'Move to this folder' }).click();
  await until(() => row(page, 'Bob’s').count(), 2);
  await page.getByRole('button', { name: /Edit or export 2 games/ }).click();
  await page.locator('dialog').getByLabel(/Tags/).fill('a, b');
  await page.getByRole('button', { name: 'Add tags' }).click();
  await until(() => row(page, '#a · #b').count(), 2);
  await page.getByRole('button', { name: /Edit or export 2 games/ }).click();
  await page.locator('dialog').getByLabel(/Tags/).fill('a');
  await page.getByRole('button', { name: 'Remove tags' }).click();
  await until(() => row(page, '#a').count(), 0);
  await page.locator('.notice button', { hasText: 'Undo' }).click();
  await until(() => row(page, '#a · #b').count(), 2);
  await page.locator('#panel-games input').fill('');
  await page.getByLabel('Tag', { exact: true }).selectOption('#b');
  await until(() => rows(page).count(), 2);
});

test('the game on the board is saved once, with its variations', async () => {
  const page = await opened(site, '/#f5d6(f4~too%20early~)c3d3@2');
  await page.getByRole('tab', { name: 'Games' }).click();
  await page.getByRole('button', { name: 'Save this game…' }).click();
  await page.locator('dialog').getByLabel('Black', { exact: true }).fill('Me');
  await page.locator('dialog').getByRole('button', { name: 'Save it' }).click();
  await row(page, 'Me – ?').waitFor();
  await page.evaluate(() => outflank.study.comment(outflank.study.tree.main[1], 'the usual'));
  await page.getByRole('button', { name: 'Save this game…' }).click();
  assert.equal(await page.locator('dialog').getByLabel('Black', { exact: true }).inputValue(), 'Me');
  await page.locator('dialog').getByRole('button', { name: 'Save it' }).click();
  await untilNotice(page, /Saved in the games/);
  assert.equal(await rows(page).count(), 1);
  await page.keyboard.press('n');
  await row(page, 'Me – ?').locator('button').first().click();
  await until(() => page.evaluate(() => outflank.study.tree.main[1]?.comment), 'the usual');
  assert.equal(await page.evaluate(() => outflank.study.tree.main[1].children.length), 2);
  assert.equal(await page.evaluate(() => outflank.study.tree.tags.black), 'Me');
});

test('a finished game has its result in the dialog and in GGF', async () => {
  const page = await opened(site, `/#${GAME}`);
  await page.getByRole('tab', { name: 'Games' }).click();
  await page.getByRole('button', { name: 'Save this game…' }).click();
  const margin = await page.evaluate(
    () => outflank.rules.look(outflank.study.tree.main.at(-1).position).margin,
  );
  const field = page.locator('dialog').getByLabel(/Black minus White/);
  assert.equal(await field.inputValue(), String(margin));
  assert.equal(await field.getAttribute('readonly'), '');
  await page.keyboard.press('Escape');
  const written = await page.evaluate(() => outflank.rules.write(outflank.study.game(), 'ggf'));
  assert.match(written, new RegExp(`RE\\[[+-]${Math.abs(margin)}\\.000\\]`));
});

test('a backup restores all games; GGF restores comments', async () => {
  const page = await withGames();
  await row(page, 'Ann').locator('.edit').click();
  await page.locator('dialog').getByLabel('Folder').fill('Mine');
  await page.locator('dialog').getByLabel(/Tags/).fill('x');
  await page.locator('dialog').getByRole('button', { name: 'Save' }).click();
  await row(page, 'Mine').waitFor();
  const save = async (name) => {
    await page.getByRole('button', { name: /Edit or export 3 games/ }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name }).click(),
    ]);
    return readFile(await download.path());
  };
  const written = await save('GGF');
  assert.equal(written.toString().match(/\(;/g)?.length, 3);
  const backup = await save(/Backup/);
  const before = await kept(page);
  await page.getByRole('button', { name: /Edit or export 3 games/ }).click();
  await page.getByRole('button', { name: 'Remove 3 games' }).click();
  await until(() => rows(page).count(), 0);
  await drop(page, 'outflank-games.json', backup);
  await until(() => rows(page).count(), 3);
  await row(page, 'Mine · #x').waitFor();
  const plain = (entries) =>
    entries.map(([key, { added: _, ...record }]) => [key, record]).sort((a, b) => (a[0] < b[0] ? -1 : 1));
  assert.deepEqual(plain(await kept(page)), plain(before));
});

test('invalid records are skipped and counted, old ones are read, and no record is lost', async () => {
  const page = await opened(site, '/');
  await page.evaluate(async () => {
    const start = outflank.study.tree.root.position;
    await outflank.store.writeAll('games', [
      ['old', { start, moves: 'f5d6', black: 'Old', white: 'Record', result: 4, added: 5 }],
      ['odd1', null],
      ['odd2', { start, moves: 12 }],
      ['odd3', 'text'],
      ['half', { start, moves: 'f5', black: 7, tags: 'x', folder: {} }],
      ['bad', { start, moves: 'a1h8', black: 'Ill', white: 'Egal' }],
    ]);
  });
  await page.reload();
  await page.getByRole('tab', { name: 'Games' }).click();
  await until(() => rows(page).count(), 3);
  await untilNotice(page, /3 stored records contain no game/);
  // An illegal game is reported, and the board does not change.
  await row(page, 'Ill').locator('button').first().click();
  await untilNotice(page, /Move 1, a1, is illegal/);
  await row(page, 'Old').locator('button').first().click();
  await until(() => page.evaluate(() => outflank.study.node.ply), 2);
  assert.equal((await kept(page)).length, 6);
});

test('of eleven files at once the valid ones are opened and the others reported', async () => {
  const page = await opened(site, '/');
  const base = wtb(Array(3).fill({ moves: numbersOf('f5d6c3'), discs: 33 }));
  const files = {
    'a.txt': GAME,
    'b.ggf': '(;GM[Othello]PB[Ggf]B[F5];)(;GM[Othello]B[F9];)',
    'c.json': '{"position":{"moves":[{"m":"f5"},{"m":"f6"}]},"players":[{"name":"Quest"}]}',
    'd.pgn': '[Black "Pgn"]\n\n1. f5 f4',
    'e.txt': '',
    'f.bin': new Uint8Array(3000).map((_, i) => (i * 7919) % 256),
    'g.wtb': base.subarray(0, 150),
    'h.wtb': base.subarray(0, 9),
    'i.jou': new Uint8Array(30),
    'j.txt': 'f5d6\n'.repeat(21_000),
    'k.txt': 'f5d6c4\nnonsense\nf5f6e6\nf5a1\n',
  };
  await dropAll(
    page,
    Object.entries(files).map(([name, content]) => [name, Buffer.from(content)]),
  );
  await untilNotice(page, /skipped/);
  // Soon the notice disappears.
  await page.locator('.notice', { hasText: 'skipped' }).locator('button', { hasText: 'Show errors' }).click();
  const told = await page.locator('dialog textarea').inputValue();
  for (const name of ['b.ggf', 'e.txt', 'f.bin'])
    assert.match(told, new RegExp(`${name.replace('.', '\\.')}: `));
  assert.match(told, /k\.txt: .*2.*nonsense/);
  assert.match(told, /k\.txt: .*4.*Move 2, a1, is illegal/);
  await page.keyboard.press('Escape');
  await page.locator('dialog').waitFor({ state: 'detached' });
  for (const name of ['Ggf', 'Quest', 'Pgn']) {
    await page.locator('#panel-games input').fill(name);
    await until(() => rows(page).count(), 1);
  }
});

test('random pastes and drops leave the page unchanged or with a game', async () => {
  const page = await opened(site, '/');
  const random = dice(5);
  const texts = [
    THREE,
    GAME,
    '{"a":',
    '[Black "x"]',
    '棋譜：ｆ５',
    '\0\0',
    '🟢'.repeat(500),
    '\u202ef5d6',
    'f5\nhello\nf5f6',
    'https://x.y/#f5~%',
  ];
  for (let i = 0; i < 60; i++) {
    let text = texts[random(texts.length)];
    const at = random(text.length);
    if (random(2)) text = text.slice(0, at) + texts[random(texts.length)] + text.slice(at + random(5));
    if (random(3)) await paste(page, text);
    else await drop(page, `x${i}.txt`, Buffer.from(text));
    if (random(6) === 0) await page.keyboard.press('Control+z');
    if (random(9) === 0) await page.evaluate(() => outflank.act('edit'));
  }
  await page.keyboard.press('Escape');
  await page.evaluate(() => {
    for (const dialog of document.querySelectorAll('dialog')) dialog.close();
  });
  await page.evaluate(() => outflank.modes.leave());
  await paste(page, 'f5d6c3d3');
  await page.locator('#where', { hasText: 'move 4 of 4' }).waitFor();
});

/** Three games of Othello Quest, of which Ann won one and lost one. */
const quest = (name = 'Ann') => {
  const game = (id, black, white, moves) => ({
    id,
    created: `2024-05-0${id}T07:08:09.000Z`,
    players: [{ name: black }, { name: white }],
    position: { moves: moves.match(/../g).map((m) => ({ m, t: 1000 })) },
  });
  const over = 'e6f4e3f6g5d6e7f5c5';
  const games = [game(1, name, 'Bob', over), game(2, 'Cyd', name, over), game(3, name, 'Dan', 'f5d6c3')];
  return JSON.stringify({ games });
};

test('games of an account have names, results, dates and boards, and the own ones are marked', async () => {
  const page = await opened(site, '/');
  await paste(page, quest());
  await until(() => rows(page).count(), 3);
  await untilNotice(page, /Are you Ann\?/);
  await page.getByRole('button', { name: 'Yes, that is me' }).click();
  await row(page, 'Ann – Bob')
    .filter({ hasText: '+64Won · May 1, 2024 · Othello Quest · 9 moves' })
    .waitFor();
  await row(page, 'Cyd – Ann').filter({ hasText: '\u221264Lost · May 2, 2024' }).waitFor();
  await until(() => rows(page).locator('svg.mini').count(), 3);
  assert.equal(await row(page, 'Ann – Dan').locator('.mini circle:not(.mini-last)').count(), 7);
  await page.getByLabel('Tag', { exact: true }).selectOption({ label: 'My games' });
  await until(() => rows(page).count(), 3);
  // The name is known after a reload, and the same games arrive by a file and a drop.
  await page.reload();
  await page.locator('#file').setInputFiles({
    name: 'games.json',
    mimeType: 'application/json',
    buffer: Buffer.from(quest()),
  });
  await until(() => rows(page).count(), 3);
  await drop(page, 'others.json', Buffer.from(quest('Eve')));
  await until(() => rows(page).count(), 6);
  await until(() => page.locator('#panel-games .game.own').count(), 3);
  await page.getByRole('button', { name: 'Get my games…' }).click();
  await until(() => page.locator('dialog figure svg[aria-label]').count(), 3);
  await page.keyboard.press('Escape');
  await page.evaluate(() => outflank.settings.set('language', 'fr'));
  await row(page, '1 mai 2024').first().waitFor();
});

test('variations are loaded, saved and loaded again in SGF, PGN and GGF; a cut game says where', async () => {
  const page = await opened(site, '/');
  const pgn =
    '[Black "Ann"]\n\n1. f5 d6 {so ] \\ far} (1... f4 {or "this"} 2. e3 (2. d3)) 2. c3 (2. zz 9) d3 *';
  await paste(page, pgn);
  const link = () => page.evaluate(() => outflank.study.tree.link());
  // The variation that cannot be read is a comment on the move before it.
  const before = 'f5d6~so+%5D+%5C+far%0Azz+9~(f4~or+%22this%22~e3(d3))c3d3';
  await until(link, before);
  for (const name of ['Game (SGF)', 'Game (PGN)']) {
    await page.evaluate(() => outflank.act('save'));
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name, exact: true }).click(),
    ]);
    const bytes = await readFile(await download.path());
    await page.evaluate(() => outflank.act('new'));
    await until(link, '');
    await drop(page, download.suggestedFilename(), bytes);
    await until(link, before);
    assert.equal(await page.evaluate(() => outflank.study.tree.tags.black), 'Ann', name);
  }
  await page.evaluate(() => outflank.act('copy-moves'));
  await untilNotice(page, /Moves copied: the line on the board/);
  await paste(page, 'f5d6c3d3c4a1f6');
  await untilNotice(page, /Move 6, a1, is illegal\. The moves before it are on the board/);
  assert.equal(await link(), 'f5d6c3d3c4');
});
