// Exercises in a browser: learning from the mistakes of a game, puzzles, and the analyses that lead to them.
// `unit/exercises.test.js` tests their rules.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until, untilCount } from './hands.js';
import { MISTAKES } from './harness/mistakes.js';
import { site } from './harness/stage.js';

const spoken = (page, text) => page.locator('#live', { hasText: text }).waitFor({ state: 'attached' });

/** Values that the page shows outside the bar of the mode. */
const leaks = (page) =>
  page.evaluate(() => {
    const graph = document.querySelector('#graph svg');
    if (!graph) return 'the graph is not drawn yet';
    const forbidden = [
      ['.sq .val b', 'textContent', /\d/],
      ['[role=gridcell]', 'ariaLabel', /best|plus|minus|even|exact|depth/],
      ['#lines-body tr', 'textContent', /^/],
      ['#engine [data-part=value]:not([hidden])', 'textContent', /\d/],
      ['#bar', 'ariaLabel', /\d/],
      ['#graph svg', 'ariaValueText', /[^–—]$/],
      ['#moves [data-mistake]', 'textContent', /^/],
      ['#moves small', 'textContent', /./],
      ['[role=tabpanel]:not([hidden])', 'innerText', /better/],
    ];
    const found = forbidden.flatMap(([selector, property, pattern]) =>
      [...document.querySelectorAll(selector)]
        .filter((node) => pattern.test(node[property]))
        .map((node) => `${selector}: ${node[property]}`),
    );
    // A graph that is not shown keeps its points until it is.
    if (graph.checkVisibility() && graph.querySelector('circle, .mistake')) found.push('points of the graph');
    return found.join();
  });
const hidden = (page) => until(() => leaks(page), '');

test('the report leads to its mistakes; their answers are hidden in every view until they are found', async () => {
  const page = await site.opened(`/#${MISTAKES}`, { engine: 'real' });
  // The game of a link is analyzed. Its position stays.
  const report = page.locator('#panel-report');
  const row = report.locator('li', { hasText: 'c1' });
  await report.getByRole('button', { name: 'Black: learn from 3 mistakes' }).waitFor();
  assert.match(await row.textContent(), /c1 → a3.*draw → loss/);
  await row.locator('button').click();
  await until(() => row.locator('button').getAttribute('aria-current'), 'step');
  await report.getByRole('button', { name: 'Black: learn from 3 mistakes' }).click();
  // The moves are listed once, and the keys move over the board.
  await page.shows('.grid :focus');
  assert.equal(await page.locator('#lines table').locator('visible=true').count(), 0);
  await page.told(/^c1, draw → loss Black lost 6 discs here. Find a better move. Mistake 1 of 3$/);
  await spoken(page, 'Find a better move');
  for (const tab of ['Report', 'Openings', 'Puzzles', 'Games', 'Moves']) {
    await page.openTab(tab);
    await hidden(page);
  }
  // Not good enough: the refutation is played on the board, not in the game.
  const asked = await page.discs();
  await page.cell('a4').click();
  await page.told(/^a4 loses 12, draw → loss Not good enough: White answers a3/);
  await spoken(page, 'Not good enough');
  await page.shows('[data-square=a3].last');
  await hidden(page);
  // By keyboard: Enter presses the marked button, on the board as well, and the focus stays in the bar.
  await page.cell('c1').focus();
  await page.keys('Enter');
  await page.told(/^c1, draw → loss/);
  await until(() => page.discs(), asked);
  await page.modeButton('Answer').focus();
  await page.keys('Enter');
  await page.told(/^a3 was better/);
  // The pointer rests on a4, whose line covers no value.
  await page.locator('#lines tr', { hasText: 'a4' }).first().waitFor();
  await page.locator('.sq .val.best').first().waitFor();
  assert.equal(await page.locator('.ghost').count(), 0);
  await page.shows('.mode button:focus', 'Next');
  await page.keys('Enter');
  await page.told(/^g7 Black lost 14 discs here/);
  await hidden(page);
  // Another Enter does not press the button that took the place of the first.
  await page.shows('.mode:focus');
  await page.keys('Enter');
  // A saved match does not replace the lesson.
  await page.evaluate(() => outflank.store.set('game', {}));
  await page.reopened();
  await page.modeButton('Answer').click();
  await page.told(/^b8 was better/);
  await page.keys('Escape');
  await page.shows('.next:focus');
  await row.waitFor();
});

/** The moves of the puzzle on the board, the worst first, with their scores. */
const answers = (page) =>
  page.evaluate(() => Object.entries(outflank.modes.current.puzzle.scores).sort((a, b) => a[1] - b[1]));

test('by keyboard Enter and N continue, Escape leaves; verdicts are spoken; a wrongly answered puzzle comes back', async () => {
  const page = await site.opened('/#f5d6c3');
  await page.openTab('Puzzles');
  await page.locator('#panel-puzzles .solid').click();
  await spoken(page, 'find the best move');
  const first = await page.discs();
  const due = /^1 of \d+ solved · to repeat 1 · due now 1$/;
  const progress = page.locator('#panel-puzzles .progress', { hasText: due });
  const [best] = (await answers(page)).at(-1);
  await page.evaluate(() => document.activeElement.blur());
  // There is no verdict yet to continue from.
  await page.keys('Enter');
  await page.cell(best).click();
  await page.told(`${best} is right`);
  await spoken(page, ' is right');
  await page.keys('Enter');
  await page.told('find the best move');
  assert.notEqual(await page.discs(), first);
  const [[wrong]] = await answers(page);
  await page.cell(wrong).click();
  await page.told(`${wrong} loses`);
  // The line that refutes it is listed, with the value at each end; the whole solution is one press away, and back.
  const rows = page.locator('.played-line button b');
  await page.shows('.played-line li:nth-child(2)');
  assert.equal(await rows.first().textContent(), wrong);
  assert.equal(await page.locator('#lines .end').count(), 2);
  await page.modeButton('Solution').click();
  await page.getByRole('list', { name: 'Solution' }).waitFor();
  assert.equal(await rows.count(), 0);
  await page.modeButton('Solution').click();
  await rows.nth(1).waitFor();
  await page.keys('n');
  await page.told('find the best move');
  // The end brings the game back, also after several puzzles and a reload.
  await page.reopened();
  await page.told(/\d+ empty squares? · 1 of \d+ solved/);
  await page.openTab('Puzzles');
  await page.keys('Escape');
  await page.untilMove(3, 3);
  await progress.waitFor();
});

test('an ending is played against exact answers; then the tree shows what won, and moves show their boards', async () => {
  const page = await site.opened('/#f5d6c3', { engine: 'real', settings: { pace: 0 } });
  await page.openTab('Puzzles');
  await page.button('Easy: 4 or more moves win').click();
  await page.told(/^Ending: (Black|White) to move. Play to the end./);
  await hidden(page);
  // The last legal move of each position, until the game is over.
  await page.waitForFunction(() => {
    const { modes, rules, study } = outflank;
    const { stage, verdict } = modes.current;
    if (!verdict && stage === 'ask') outflank.press(rules.moves(study.position).at(-1));
    return verdict;
  });
  await page.told(/Your result: [+−]?\d+\. Best possible: \+\d+\./);
  await page.shows('#legend', /^Regions/);
  const better = page.locator('.sq:has([data-tag=better]) .val b');
  // The solution finds the value of the better move after the game, in which only its position was solved.
  await better.getByText('0', { exact: true }).first().waitFor();
  await untilCount(better.filter({ hasNotText: /^0$/ }), 0);
  const tree = page.getByRole('list', { name: 'Solution' });
  const solved = () => tree.and(page.locator(':not([aria-busy])')).waitFor();
  await solved();
  // Every move has its value, and the played one its answers to the end of the game.
  const moves = await page.evaluate(() => outflank.rules.moves(outflank.study.position));
  await untilCount(tree.locator('> li'), moves.length);
  assert.equal(await tree.getByText('…').count(), 0);
  assert.match(await tree.locator('> .open > .step').innerText(), /\d+–\d+$/);
  // By keyboard: another move is opened, and its first answer is shown on the board.
  const rows = tree.locator('> li');
  const at = await rows.evaluateAll((all) => all.findIndex(({ className }) => !/open/.test(className)));
  const other = tree.locator('> li').nth(at);
  await tree.locator('button').first().focus();
  for (const isFocused = () => other.locator(':focus').count(); !(await isFocused()); )
    await page.keys('ArrowDown');
  await page.keys('Enter');
  await other.locator('[aria-expanded=true]').first().waitFor();
  await solved();
  await page.keys('ArrowDown', 'ArrowRight');
  await other.locator('ul .move:focus').waitFor();
  const before = await page.discs();
  await page.keys('Enter');
  await other.locator('ul .here').waitFor();
  assert.notEqual(await page.discs(), before);
  await page.keys('Escape');
  await page.untilMove(3, 3);
  assert.equal(await page.evaluate(async () => (await outflank.store.all('puzzles')).length), 1);
});
