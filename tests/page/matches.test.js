// Matches in a browser: the dialog, the board and the bar during a match, its end, and matches that continue after a reload or in
// another tab. `unit/match.test.js` tests their rules.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GAME, until, untilCount } from './hands.js';
import { SIZES } from './harness/screens.js';
import { site } from './harness/stage.js';

const yourTurn = (page) => page.told('Your move');
const summary = (page, headline) => page.shows('.match-sum strong', headline);

/** Opens a page whose opponents answer at once. */
const table = (path = '/', { settings = {}, ...options } = {}) =>
  site.opened(path, { ...options, settings: { pace: 0, reviewDepth: 4, ...settings } });

/** Opens the dialog and starts a match. `choices` are values by the name of their group. */
async function start(page, choices = {}) {
  await page.button('Play', { exact: true }).first().click();
  await page.shows('dialog .faces');
  for (const [name, value] of Object.entries(choices))
    await page.locator(`dialog input[name="${name}"][value="${value}"]`).check();
  await page.locator('dialog .actions .solid').click();
  await page.locator('dialog').waitFor({ state: 'detached' });
}

/** Plays moves of the user: always the first legal square. The engine answers each. */
async function play(page, moves = 1) {
  for (let i = 0; i < moves; i++) {
    await page.locator('.sq.legal').first().click();
    await yourTurn(page);
  }
}

test('a phone needs two presses from the first visit to the first own move', async () => {
  const page = await table('/', { ...SIZES['390x844'], viewport: { width: 320, height: 640 } });
  // The first button is that of the document, which the view of the next step replaces.
  const first = page.locator('.next .solid:not([data-do])', { hasText: 'Play' });
  await first.waitFor();
  await page.assertSeen('.next .solid', 44);
  await first.tap();
  await page.locator('.faces button').nth(2).waitFor();
  await page.assertSeen('.faces button', 44);
  await page.locator('.faces button').nth(1).tap();
  await yourTurn(page);
  await page.shows('#name-white', 'Club player');
  await page.cell('f5').tap();
  await page.untilMove(2);
  // The next match like this one needs one press.
  await page.modeButton('Leave').tap();
  await page.button('New', { exact: true }).tap();
  await page.getByRole('button', { name: 'Again: Club player, you are Black' }).tap();
  await yourTurn(page);
  await page.shows('#name-white', 'Club player');
});

test('two people choose their match; it continues after a reload, and a link offers it', async () => {
  const page = await table();
  await start(page, { colour: 'XO' });
  await page.told('Black to move');
  await page.cell('f5').click();
  await page.told('White to move');
  await page.cell('d6').click();
  await page.shows('.sq.turned[data-square=d5]');
  await page.reopened();
  await page.untilNotice('Your match continues');
  await page.reopened(`${site.address}/#f5f6`);
  await page.untilMove(2, 2);
  await page.untilNotice('There is an unfinished match');
  await page.pressNotice('Back to the match');
  await page.cell('c3').click();
  await page.modeButton('Take back').click();
  await page.told('Black to move');
  await page.modeButton('Resign').click();
  await summary(page, 'Black resigned');
  // The move that was taken back has left the game.
  await untilCount(page.locator('#moves .mv'), 2);
  assert.equal(await page.locator('.match-sum button', { hasText: 'Play the other side' }).count(), 0);
});

test('a hint, the values, looking back, a move there and a resignation are in the bar and on the board', async () => {
  const page = await table();
  await start(page);
  await yourTurn(page);
  await play(page, 3);
  const marked = page.locator('.sq.told');
  const values = page.locator('.val b').filter({ hasText: /\d/ }).filter({ visible: true });
  for (const turn of [1, 2]) {
    await page.modeButton('Hint').click();
    await marked.waitFor();
    assert.deepEqual([await marked.count(), await values.count()], [1, 0]);
    assert.equal(await page.modeButton('Values').getAttribute('aria-pressed'), 'true');
    // The next move hides the hint.
    if (turn === 1) await play(page);
    await untilCount(marked, turn - 1);
  }
  await page.modeButton('Values').click();
  await values.first().waitFor();
  assert.equal(await marked.count(), 0);
  await page.modeButton('Hide').click();
  await untilCount(values, 0);
  // Each position counts once, and an earlier one is no place for a hint.
  await page.modeButton('Hint').click();
  await page.keys('Home', 'ArrowRight');
  await page.told('Looking back at move 1');
  assert.equal(await page.locator('.sq.legal').count(), 0);
  await page.modeButton('Back to the game').click();
  await page.untilMove(8);
  await page.keys('Home');
  await page.told('Looking back at move 0');
  assert.equal(await page.modeButton('Hint').count(), 0);
  await page.locator('.sq.legal').nth(1).click();
  await page.told('as move 1?');
  await page.modeButton('Take back').click();
  await page.untilMove(2);
  await yourTurn(page);
  await page.modeButton('Resign').click();
  await page.locator('.match-sum').getByText('Hints used: 2, moves taken back: 1').waitFor();
  // It can be revoked; the other side and a new game follow.
  await summary(page, 'You resigned');
  await page.openTab('Games');
  await page.shows('#panel-games li', '−64');
  await page.modeButton('Continue').click();
  await yourTurn(page);
  await page.untilMove(2);
  await page.modeButton('Resign').click();
  await page.modeButton('Play the other side').click();
  await page.shows('#name-white', 'You');
  await page.untilMove(1);
});

test('a whole match against the engine ends with its result, one lesson, both accuracies and the next steps', async () => {
  const page = await table(`/#${GAME.slice(0, 80)}@40`);
  await start(page, { colour: 'O', from: 'here' });
  // Until the match begins, the squares of the analysis are legal.
  await yourTurn(page);
  const sum = page.locator('.match-sum');
  // The first legal square at each turn.
  await page.waitForFunction(() => {
    const { opponent, thinking } = outflank.modes.current ?? {};
    if (opponent && !thinking) document.querySelector('.sq.legal')?.click();
    return document.querySelector('.match-sum strong');
  });
  const headline = await sum.locator('strong').textContent();
  assert.match(headline, /^(You won|You lost|A draw), \d+–\d+$/);
  // The card leaves the graph its room.
  await page.assertSeen('#graph svg');
  const counts = await page.locator('#count-white, #count-black').allTextContents();
  assert.deepEqual(counts.map(Number), headline.match(/\d+/g).map(Number).reverse());
  await sum.getByText(/^Accuracy out of 100: Casual player \d+ · You \d+$/).waitFor();
  // The lesson is the largest loss of the user, and leads to the position before it.
  const worst = await page.evaluate(() => {
    const { study, values } = outflank;
    const [{ node, best, loss }] = values.summary(study.tree.main).O.mistakes.sort((a, b) => b.loss - a.loss);
    return { move: node.move, number: node.ply, best, loss };
  });
  assert.ok(worst.loss > 2, 'the first legal move is not always good');
  const lesson = sum.locator('.lesson', { hasText: `One lesson: move ${worst.number}` });
  await page.shows('.lesson .played', new RegExp(`^${worst.move} lost .*\\d discs$`));
  await page.shows('.lesson .better', `${worst.best} was better`);
  assert.equal(await lesson.locator('.mini-played, .mini-better').count(), 2);
  // A position that is over starts no match.
  await page.modeButton('New game').click();
  await page.locator('dialog input[name=from][value=even]').waitFor({ state: 'attached' });
  assert.equal(await page.locator('dialog input[name=from][value=here]').count(), 0);
  await page.keys('Escape');
  await lesson.click();
  await page.untilMove(worst.number - 1);
  await sum.locator('button', { hasText: 'Review' }).click();
  await page.locator('#panel-report .sides').first().waitFor();
  // A match from a position without moves: a draw with empty squares.
  await page.typeAddress(`#XO${'-'.repeat(59)}OOOX:`);
  await page.shows('.next .told', 'Black to move');
  await start(page, { colour: 'X', from: 'here' });
  await page.cell('c1').click();
  await page.shows('.match-sum strong', 'A draw, 3–3');
});

test('one of two tabs owns the match; the other can take it over', async () => {
  const first = await table();
  await start(first);
  await yourTurn(first);
  await play(first);
  const second = await first.context().newPage();
  await second.goto(`${site.address}/`);
  await second.untilNotice('Your match is being played in another tab');
  assert.equal(await second.locator('.mode').isVisible(), false);
  await play(first);
  const board = await first.discs();
  await second.pressNotice('Continue here');
  await yourTurn(second);
  await until(() => second.discs(), board);
  await first.untilNotice('Your match is being played in another tab');
  await first.locator('.mode').waitFor({ state: 'hidden' });
  await second.close();
  await first.untilNotice('There is an unfinished match');
});
