// The opening library and the trainer in a browser. `unit/exercises.test.js` tests the rules of the trainer.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cell, modeButton, opened, pressNotice, reopened, told, until, untilMove } from './hands.js';
import { stage } from './harness/stage.js';

const site = stage();

/** Opens a page and waits for the names of openings, which are loaded last. */
async function library() {
  const page = await opened(site, '/#f5d6c3d3c4f4', { engine: 'recorded' });
  await page.locator('#opening', { hasText: 'Tiger' }).waitFor();
  return page;
}
/** The rows of a line in the lists of the library. */
const row = (page, title) =>
  page.locator('#panel-openings .trained li', {
    has: page.locator('b', { hasText: new RegExp(`^${title}$`) }),
  });
const search = (page) => page.locator('.library input[type=search]');
/** The values on the board, in the table and in the header. */
const values = (page) =>
  page
    .locator('.sq .val b, #lines-body td, #engine [data-part=value]:not([hidden])')
    .filter({ hasText: /\d/ })
    .count();

test('the library finds the Tiger by name, shows it once, drills it, and brings it back in the review', async () => {
  const page = await library();
  await page.keyboard.press('n');
  await page.keyboard.press('/');
  await page.locator('dialog input').fill('tigre');
  await page.locator('dialog .option', { hasText: 'Openings: Tiger' }).first().waitFor();
  await page.keyboard.press('Enter');
  await until(() => page.locator('div.library li').count(), 3);
  assert.equal(await page.locator('div.library li svg').count(), 3);
  await row(page, 'Tiger').getByRole('button', { name: 'Train Tiger as Black' }).click();
  await told(page, /^Watch the line once. Then you play Black. Tiger · move \d of 5$/);
  await modeButton(page, 'Play it now').click();
  const asked = (at) => told(page, new RegExp(`^Your move, Black. Tiger · move ${at} of 5$`));
  await asked(0);
  await cell(page, 'f5').click();
  await asked(2);
  assert.equal(await values(page), 0);
  // Step keys, undo, removal and the best move change nothing; the keyboard plays on the board.
  for (const key of ['ArrowLeft', 'Home', 'ArrowUp', 'Control+z', 'Delete', 'Space', 'n'])
    await page.keyboard.press(key);
  await asked(2);
  await cell(page, 'c6').focus();
  await page.keyboard.press('Enter');
  await told(page, /^c6 loses .*This leaves Tiger at move 3.*Try again/);
  assert.equal(await page.locator('.sq.told').count(), 0);
  await cell(page, 'c7').click();
  await told(page, /^c7 loses .*The line continues with c3/);
  await page.locator('.sq.told[data-square=c3]').waitFor();
  await cell(page, 'c3').click();
  await asked(4);
  await cell(page, 'c4').click();
  await told(page, /^Finished. You left Tiger at move 3 with c6: the line comes back soon/);
  await reopened(page);
  await page.getByRole('tab', { name: 'Openings' }).click();
  await row(page, 'Tiger')
    .getByRole('button', { name: /Black, due/ })
    .first()
    .waitFor();
  await page.getByRole('button', { name: 'Review today: 1' }).click();
  // It is not shown again.
  for (const [at, square] of [
    [0, 'f5'],
    [2, 'c3'],
    [4, 'c4'],
  ]) {
    await asked(at);
    await cell(page, square).click();
  }
  await told(page, /^Finished without an error/);
  await page.keyboard.press('Escape');
  await row(page, 'Tiger')
    .getByRole('button', { name: /Black, in 10/ })
    .first()
    .waitFor();
});

test('the library keeps and removes lines, trains continuations, and opens a line from the tree', async () => {
  const page = await library();
  await page.getByRole('tab', { name: 'Openings' }).click();
  // The line on the board is kept without a side: it is not due.
  await page.getByRole('button', { name: 'Add Tiger to my lines' }).first().click();
  await page.getByRole('button', { name: 'Remove Tiger' }).first().click();
  await pressNotice(page, 'Undo');
  await page.getByRole('button', { name: 'Remove Tiger' }).first().waitFor();
  assert.equal(await page.getByRole('button', { name: /Review today/ }).count(), 0);
  await search(page).fill('Stephenson');
  await page.getByLabel('Train with the lines that continue it').check();
  await page.getByRole('button', { name: 'Train Stephenson as White' }).first().click();
  await modeButton(page, 'Play it now').click();
  await told(page, /^Your move, White. Stephenson · move 1 of/);
  await page.keyboard.press('Escape');
  await search(page).fill('');
  // The tree has the Tiger without the last move of the board, below its family.
  const family = page.locator('#panel-openings .trained li', {
    has: page.locator('> .what b', { hasText: /^Perpendicular$/ }),
  });
  await family.locator('> details > summary').click();
  await family
    .locator('details li', { has: page.locator('> .what b', { hasText: /^Tiger$/ }) })
    .locator('> .what')
    .click();
  await untilMove(page, 5, 5);
});
