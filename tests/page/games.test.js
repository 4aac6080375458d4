// The Games tab in a browser: games are saved, found, edited, put into folders, exported and restored.
// `unit/games.test.js` tests the saved games as a module.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GAME, untilCount, WILD } from './hands.js';
import { site } from './harness/stage.js';

const ggf = (black, white, moves) => `(;GM[Othello]PB[${black}]PW[${white}]${moves};)`;
const THREE = ggf('Ann', 'Bob', 'B[F5]W[F6]') + ggf('Cyd', 'Bob', 'B[D3]W[C3]') + ggf('Dan', 'Eve', 'B[C4]');

const rows = (page) => page.locator('#panel-games .list .game');
const row = (page, text) => rows(page).filter({ hasText: text });

async function withGames() {
  const page = await site.opened();
  await page.paste(THREE);
  await untilCount(rows(page), 3);
  return page;
}

const editAll = (page, n) => page.getByRole('button', { name: `Edit or export ${n} games` }).click();

test('edited fields of a game are found by the search and restored after a reload', async () => {
  const page = await withGames();
  await row(page, 'Cyd').locator('.edit').click();
  const dialog = page.locator('dialog');
  const fill = (label, text) => dialog.getByLabel(label).fill(text);
  const save = () => dialog.getByRole('button', { name: 'Save' }).click();
  await fill(/^White$/, 'Zoë');
  await fill('Date', '2021-05-06');
  await fill('Place', 'Paris');
  // An invalid result keeps the dialog open. Typed text is discarded at the second try only.
  await fill(/Black minus White/, '65');
  await save();
  await page.keys('Escape');
  await dialog.getByText('This text is not saved').waitFor();
  await fill(/Black minus White/, '-12');
  await dialog.getByLabel('How it ended').selectOption('resigned');
  await fill('Folder', 'World Cup');
  await fill(/Tags/, 'final, long game');
  await save();
  await row(page, 'Cyd – Zoë').filter({ hasText: '\u221212May 6, 2021 · Paris' }).waitFor();
  for (const query of ['zoë', '2021-05', '#final', 'cyd long', '']) {
    await page.locator('#panel-games input').fill(query);
    await untilCount(rows(page), query ? 1 : 3);
  }
  await page.reopened();
  await page.openTab('Games');
  await row(page, 'Cyd – Zoë').waitFor();
  await page.getByLabel('Folder').selectOption('World Cup');
  await untilCount(rows(page), 1);
  // The opened game has the fields.
  await row(page, 'Cyd – Zoë').locator('button').first().click();
  await page.shows('#name-white', 'Zoë');
  await page.untilMove(2, 2);
});

test('games are removed, put into folders, tagged, exported and restored, and each change can be undone', async () => {
  const page = await withGames();
  await row(page, 'Ann').locator('.edit').click();
  await page.locator('dialog').getByRole('button', { name: 'Remove' }).click();
  await untilCount(rows(page), 2);
  await page.pressNotice('Undo');
  await untilCount(rows(page), 3);
  await page.locator('#panel-games input').fill('bob');
  await editAll(page, 2);
  await page.locator('dialog').getByLabel('Folder').fill('Bob’s');
  await page.button('Move to this folder').click();
  await untilCount(row(page, 'Bob’s'), 2);
  await editAll(page, 2);
  await page.locator('dialog').getByLabel(/Tags/).fill('a, b');
  await page.button('Add tags').click();
  await untilCount(row(page, '#a · #b'), 2);
  await editAll(page, 2);
  await page.button('Remove 2 games').click();
  await page.locator('#panel-games input').fill('');
  await untilCount(rows(page), 1);
  await page.pressNotice('Undo');
  await untilCount(rows(page), 3);
  const tags = page.getByLabel('Tag', { exact: true });
  await tags.selectOption('#b');
  await untilCount(rows(page), 2);
  await tags.selectOption('All tags');
  // A backup restores all games with their folders, GGF their moves.
  for (const [name, folders] of Object.entries({ Backup: 2, GGF: 0 })) {
    await editAll(page, 3);
    const file = await page.saved(() => page.getByRole('button', { name }).click());
    await editAll(page, 3);
    await page.button('Remove 3 games').click();
    await untilCount(rows(page), 0);
    await page.drop(file.name, file);
    await untilCount(rows(page), 3);
    assert.equal(await row(page, 'Bob’s').count(), folders);
  }
});

test('the game on the board is saved once, with its variations; the result of a finished game is fixed', async () => {
  const page = await site.opened('/#f5d6(f4~too%20early~)c3d3@2');
  await page.openTab('Games');
  const dialog = page.locator('dialog');
  await page.button('Save this game…').click();
  await dialog.getByLabel('Black', { exact: true }).fill('Me');
  await dialog.getByRole('button', { name: 'Save it' }).click();
  await row(page, 'Me – ?').waitFor();
  // A move more is saved in the same game.
  await page.keys('End');
  await page.cell('c4').click();
  await page.untilMove(5, 5);
  await page.button('Save this game…').click();
  assert.equal(await dialog.getByLabel('Black', { exact: true }).inputValue(), 'Me');
  await dialog.getByRole('button', { name: 'Save it' }).click();
  await page.untilNotice(/Saved in the games/);
  assert.equal(await rows(page).count(), 1);
  await page.keys('n');
  await row(page, 'Me – ?').locator('button').first().click();
  await page.untilMove(5, 5);
  await page.shows('#name-black', 'Me');
  await page.openTab('Moves');
  await page.shows('#moves', 'too early');
  await page.typeAddress(GAME);
  await page.untilMove('\\d+', 60);
  await page.openTab('Games');
  await page.button('Save this game…').click();
  const result = dialog.getByLabel(/Black minus White/);
  assert.deepEqual([await result.inputValue(), await result.getAttribute('readonly')], ['0', '']);
});

/** Games of Othello Quest: Black, White, the moves, and the rating of White. */
const quest = (...games) =>
  JSON.stringify({
    games: games.map(([black, white, moves, oldR], i) => ({
      id: i + 1,
      created: `2024-05-0${i + 1}T07:08:09.000Z`,
      players: [{ name: black }, { name: white, oldR }],
      position: { moves: moves.match(/../g).map((m) => ({ m, t: 1000 })) },
    })),
  });
const OVER = 'e6f4e3f6g5d6e7f5c5';
/** Ann won one and lost one. */
const QUEST = quest(['Ann', 'Bob', OVER], ['Cyd', 'Ann', OVER], ['Ann', 'Dan', 'f5d6c3']);
/** Two games of Me, one of them against a rated player. */
const MINE = quest(['Me', 'Bob', GAME, 1850], ['Cyd', 'Me', WILD]);

test('of several files the valid games are opened and the others reported; those of an account are marked', async () => {
  const page = await site.opened();
  const files = {
    'b.ggf': '(;GM[Othello]PB[Ggf]B[F5];)(;GM[Othello]B[F9];)',
    'c.json': '{"position":{"moves":[{"m":"f5"},{"m":"f6"}]},"players":[{"name":"Quest"}]}',
    'd.pgn': '[Black "Pgn"]\n\n1. f5 f4',
    'e.txt': '',
    'f.bin': new Uint8Array(3000).map((_, i) => (i * 7919) % 256),
    'k.txt': 'f5d6c4\nnonsense\nf5f6e6\nf5a1\n',
  };
  await page.dropAll(Object.entries(files));
  await page.pressNotice('Show errors');
  const faults = await page.locator('dialog textarea').inputValue();
  assert.match(faults, /b\.ggf: .*Game 2.*e\.txt: .*f\.bin: .*k\.txt: .*2.*nonsense/s);
  assert.match(faults, /k\.txt: .*4.*Move 2, a1, is illegal/);
  await page.keys('Escape');
  for (const name of ['Ggf', 'Quest', 'Pgn']) await row(page, name).waitFor();
  // Games of an account have names, results, dates and boards, and the own ones are marked.
  const others = await rows(page).count();
  const untilGames = (count) => untilCount(rows(page), others + count);
  await page.paste(QUEST);
  await untilGames(3);
  await page.untilNotice(/Are you Ann\?/);
  await page.getByRole('button', { name: 'Yes, that is me' }).click();
  const won = '+64Won · May 1, 2024 · Othello Quest · 9 moves';
  await row(page, 'Ann – Bob').filter({ hasText: won }).waitFor();
  await row(page, 'Cyd – Ann').filter({ hasText: '\u221264Lost · May 2, 2024' }).waitFor();
  assert.equal(await row(page, 'Ann – Dan').locator('.mini circle:not(.mini-last)').count(), 7);
  // The name is known after a reload, and the same games arrive by a file.
  await page.reopened();
  await page.drop('games.json', Buffer.from(QUEST));
  await untilGames(3);
  await untilCount(page.locator('#panel-games .game.own'), 3);
  await page.set('language', 'fr');
  await row(page, '1 mai 2024').first().waitFor();
});

test('my games are analysed in one press; their sums are listed; the worst positions are opened and repeated', async () => {
  const page = await site.opened();
  await page.set('reviewDepth', 10);
  await page.paste(MINE);
  await page.pressNotice('Yes, that is me');
  const dialog = page.locator('dialog');
  const openDialog = () => page.button('My weaknesses').click();
  const status = (text) => dialog.getByRole('status').filter({ hasText: text }).waitFor();
  await openDialog();
  await status('2 games of yours, 0 analysed');
  await dialog.getByRole('button', { name: 'Analyse 2 more games' }).click();
  await status('2 games of yours, 2 analysed');
  const table = (name) => dialog.getByRole('table').filter({ has: page.getByRole('columnheader', { name }) });
  await table('Phase').getByRole('row').nth(3).waitFor();
  await table('Opponent').getByRole('rowheader', { name: '1800–1999' }).waitFor();
  // A row chooses the mistakes, by keyboard.
  const row = table('Opponent').getByRole('button', { name: 'Cyd' });
  await row.press('Enter');
  await dialog.getByRole('heading', { name: 'Your worst moves: Cyd' }).waitFor();
  await row.press('Enter');
  const first = dialog.locator('.mistakes button').first();
  const csv = await page.saved(() => dialog.getByRole('button', { name: 'Save as CSV' }).click());
  assert.match(csv.toString(), /^\ufeffdate,black,.*\r\n.*,Me,Bob,Othello Quest,black,.*1850/s);
  const ply = Number.parseInt(await first.locator('span').nth(1).textContent(), 10);
  await first.click();
  await page.untilMove(ply - 1, 60);
  await page.openTab('Games');
  // A game that is removed, here or in another tab, leaves the sums.
  await openDialog();
  await page.evaluate(() => {
    const { shelf } = outflank.panels.made.get('games');
    return shelf.remove([shelf.entries[1][0]]);
  });
  await status('1 game of yours, 1 analysed');
  // A game from another position numbers its moves differently.
  await page.paste(
    '(;GM[Othello]PB[Me]PW[Zoe]BO[8 ---------------------------OOO-----*O--------------------------- *]B[F5];)',
  );
  await dialog.getByText('20–1 empty squares').waitFor();
  await dialog.getByRole('button', { name: /Repeat the worst/ }).click();
  await page.shows('.mode');
});
