// Accessibility: no violation found by axe in states beyond those of `layout.test.js`, the use of the page by keyboard alone, and the
// size of targets.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drop, opened, painted, paste, ply, smallTargets, until, untilValues } from './hands.js';
import { violations } from './harness/axe.js';
import { randomBase } from './harness/base.js';
import { SIZES } from './harness/screens.js';
import { stage } from './harness/stage.js';

const site = stage();
const PHONE = SIZES['390x844'];

/** Shows the panel of the games with two games. */
async function twoGames(page) {
  await paste(page, 'f5d6c3d3\nf5f6e6');
  await page.getByRole('tab', { name: 'Games' }).click();
}

const STATES = {
  'the dialog of a game': async (page) => {
    await twoGames(page);
    await page.locator('#panel-games .game .edit').first().click();
    await page.locator('dialog .fields').waitFor();
  },
  'the dialog of several games': async (page) => {
    await twoGames(page);
    await page.getByRole('button', { name: /Edit or export 2 games/ }).click();
    await page.locator('dialog .fields').waitFor();
  },
  'the openings with games': async (page) => {
    await drop(page, 'many.wtb', randomBase({ games: 300, seed: 3 }));
    await page.keyboard.press('Home');
    await page.locator('.played tbody').first().waitFor();
    await page.evaluate(() => {
      for (const fold of document.querySelectorAll('#panel-openings details')) fold.open = true;
    });
  },
  'a trained line': async (page) => {
    await page.getByRole('tab', { name: 'Openings' }).click();
    await page.locator('.library input[type=search]').fill('tiger');
    await page.getByRole('button', { name: 'Add Tiger to my lines' }).first().click();
    await page.getByRole('button', { name: 'Remove Tiger' }).first().waitFor();
    await page.evaluate(() => {
      for (const fold of document.querySelectorAll('.trained details')) fold.open = true;
    });
  },
  'a tall panel': async (page) => {
    await page.setViewportSize(SIZES['667x375'].viewport);
    await page.getByRole('tab', { name: 'Moves' }).click();
    await page.getByRole('button', { name: 'Large panel' }).click();
  },
};

test(`axe finds nothing in ${Object.keys(STATES)}`, async () => {
  const page = await opened(site, '/#f5d6(f4~a+comment~)c3d3c4@2', {
    engine: 'recorded',
    reducedMotion: 'reduce',
  });
  await untilValues(page);
  for (const [state, show] of Object.entries(STATES)) {
    await show(page);
    await painted(page);
    assert.deepEqual(await violations(page), [], state);
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
  }
});

test('board, navigation, lines, graph, tabs and console work by keyboard alone', async () => {
  const page = await opened(site, '/', { engine: 'recorded' });
  await untilValues(page);
  const focus = page.locator(':focus');
  const label = () => focus.getAttribute('aria-label');
  const tabTo = async (selector) => {
    for (let i = 0; i < 60; i++) {
      await page.keyboard.press('Tab');
      if (await page.locator(`:focus:is(${selector})`).count()) return;
    }
    assert.fail(`${selector} is never reached by Tab`);
  };

  // One tab stop for the whole board.
  await tabTo('[role=gridcell]');
  assert.equal(await page.locator('[role=gridcell][tabindex="0"]').count(), 1);
  assert.match(await label(), /^d3, legal/);
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
  assert.match(await label(), /^f5, legal/);
  await page.keyboard.press('c');
  await page.locator('#live', { hasText: 'f5, legal' }).waitFor({ state: 'attached' });
  await page.keyboard.press('Enter');
  await until(() => page.locator('#moves .mv').count(), 1);
  assert.match(await label(), /^f5/, 'the focus stays on the square');

  // The other stops follow one another: navigation, the engine, lines, graph, tabs.
  await tabTo('[data-do=back]');
  await page.keyboard.press('Enter');
  await until(() => ply(page), 0);
  await tabTo('#lines-body button');
  const first = await focus.textContent();
  await page.keyboard.press('ArrowDown');
  assert.notEqual(await focus.textContent(), first);
  await page.keyboard.press('Enter');
  await until(() => ply(page), 1);
  await tabTo('[role=slider]');
  await page.keyboard.press('ArrowLeft');
  await until(() => ply(page), 0);
  await tabTo('[role=tab]');
  for (let i = 0; i < 9 && (await focus.getAttribute('id')) !== 'tab-console'; i++)
    await page.keyboard.press('ArrowRight');
  assert.equal(await focus.getAttribute('id'), 'tab-console');
  await tabTo('#console-form input');
  await page.keyboard.type('ping 99');
  await page.keyboard.press('Enter');
  await page.locator('#console-log').getByText('pong 99').waitFor();

  // A closed dialog returns the focus.
  await page.keyboard.press('Escape');
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press('/');
  await page.locator('dialog input:focus').waitFor();
  await page.keyboard.type('turn the board');
  await page.keyboard.press('Enter');
  await page.locator('dialog').waitFor({ state: 'detached' });
  // Flipping is half a turn: the first cell shows what the last one did, and twice brings the same view back.
  const corners = () =>
    page
      .locator('[role=gridcell]')
      .evaluateAll((cells) => [cells[0], cells[63]].map(({ dataset }) => dataset.square));
  const before = await corners();
  assert.notDeepEqual(before, ['a1', 'h8']);
  await page.keyboard.press('f');
  await until(async () => String(await corners()), String(before.toReversed()));
  await page.keyboard.press('f');
  await until(async () => String(await corners()), String(before));
  await page.keyboard.press('?');
  await page.locator('dialog[open]').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('dialog').waitFor({ state: 'detached' });
});

test('targets are large enough: 24 px, 44 on touch, and nothing scrolls sideways', async () => {
  const targets = '.top button, .under.nav button, .tabs button, #engine button, #graph button';
  for (const [least, options, sizes] of /** @type {[number, object, [number, number][]][]} */ ([
    [24, {}, [[1280, 800]]],
    [44, PHONE, [[390, 844]]],
    [
      44,
      { ...PHONE, locale: 'fr-FR' },
      [
        [390, 844],
        [844, 390],
        [320, 568],
      ],
    ],
  ])) {
    const page = await opened(site, '/#f5d6c3d3', { engine: 'recorded', ...options });
    await untilValues(page);
    for (const [width, height] of sizes) {
      await page.setViewportSize({ width, height });
      await painted(page);
      // Eight squares of 44 px have no room on 320.
      const cells = width === 320 ? '' : ', [role=gridcell]';
      assert.deepEqual(await smallTargets(page, targets + cells, least), [], `${width}`);
      const { scrollWidth, clientWidth } = await page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement;
        return { scrollWidth, clientWidth };
      });
      assert.equal(scrollWidth, clientWidth, 'nothing to scroll sideways');
    }
    await page.getByRole('tab', { name: /Openings|Ouvertures/ }).click();
    await page.locator('.library input[type=search]').fill('tiger');
    await page.locator('div.library li').first().waitFor();
    assert.deepEqual(await smallTargets(page, 'div.library .trained button', least), []);
  }
});
