// Accessibility: no violation found by axe, and the use of the page by keyboard alone.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';

import { randomBase } from '../harness/base.js';
import { reviewEnds } from '../harness/review.js';
import { STATES } from '../harness/screens.js';
import { stage } from '../harness/stage.js';
import { drop, GAME, opened, paste, untilValues } from './hands.js';

const site = stage();
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

async function violations(page) {
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    const { violations } = await window.axe.run(document, { resultTypes: ['violations'] });
    return violations.map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map(({ html, failureSummary }) => `${html.slice(0, 160)} ${failureSummary}`).join(' | ')}`,
    );
  });
}

const states = {
  'the first board': { path: '/' },
  'a game with a variation': { path: '/#f5d6(f4~a+comment~)c3d3c4@2' },
  'the dark page': { path: '/#f5d6c3d3', options: { colorScheme: 'dark' } },
  'the page on a phone': {
    path: '/#f5d6c3d3',
    options: { viewport: { width: 390, height: 844 }, hasTouch: true },
    act: (page) => page.getByRole('tab', { name: 'Moves' }).click(),
  },
  'the dark page on a phone': {
    path: '/#f5d6c3d3',
    options: { viewport: { width: 390, height: 844 }, hasTouch: true, colorScheme: 'dark' },
  },
  'the page on a phone on its side, a panel tall': {
    path: '/#f5d6c3d3',
    options: { viewport: { width: 844, height: 390 }, hasTouch: true },
    act: async (page) => {
      await page.getByRole('tab', { name: 'Moves' }).click();
      await page.getByRole('button', { name: 'Large panel' }).click();
    },
  },
  'a puzzle': { path: '/', act: (page) => STATES.puzzle(page) },
  'the console': { path: '/', act: (page) => page.keyboard.press('`') },
  'the games': { path: '/', act: (page) => page.getByRole('tab', { name: 'Games' }).click() },
  'what is known of a game': {
    path: '/#f5d6c3',
    act: async (page) => {
      await paste(page, 'f5d6c3d3\nf5f6e6');
      await page.locator('#panel-games .game .edit').first().click();
      await page.locator('dialog .fields').waitFor();
    },
  },
  'what is to become of games': {
    path: '/#f5d6c3',
    options: { viewport: { width: 390, height: 844 }, hasTouch: true },
    act: async (page) => {
      await paste(page, 'f5d6c3d3\nf5f6e6');
      await page.getByRole('tab', { name: 'Games' }).click();
      await page.getByRole('button', { name: /2 games shown/ }).click();
      await page.locator('dialog .fields').waitFor();
    },
  },
  'the openings': {
    path: '/',
    act: async (page) => {
      await drop(page, 'many.wtb', randomBase({ games: 300, seed: 3 }));
      await page.locator('.played tbody').first().waitFor({ timeout: 40_000 });
      await page.evaluate(() => {
        for (const fold of document.querySelectorAll('#panel-openings details')) fold.open = true;
      });
    },
  },
  'the openings without games': {
    path: '/',
    options: { viewport: { width: 390, height: 844 }, hasTouch: true },
    act: (page) => page.getByRole('tab', { name: 'Openings' }).click(),
  },
  'a report': {
    path: `/#${GAME}`,
    act: async (page) => {
      await page.evaluate(() => outflank.settings.set('reviewDepth', 4));
      await page.keyboard.press('a');
      await reviewEnds(page);
      await page.locator('#panel-report tr.sum').waitFor();
    },
  },
  'a mistake to learn from': {
    path: `/#${GAME}`,
    act: async (page) => {
      await page.evaluate(() => {
        outflank.settings.set('reviewDepth', 4);
        return outflank.act('review');
      });
      await reviewEnds(page);
      await page.evaluate(() => outflank.act('learn'));
      await page.locator('#mode .told').waitFor();
    },
  },
  'the openings trainer': {
    path: '/',
    act: async (page) => {
      await page.getByRole('tab', { name: 'Puzzles' }).click();
      await page.getByRole('button', { name: 'Choose a line' }).click();
      await page.locator('dialog select').selectOption({ label: 'Tiger' });
      await page.getByRole('button', { name: 'Add to my lines' }).click();
      await page.locator('.trained li button').first().click();
      await page.locator('#mode .told', { hasText: 'Your move' }).waitFor();
    },
  },
  'what can be trained': {
    path: '/',
    act: async (page) => {
      await page.evaluate(() => void outflank.act('train'));
      await page.locator('dialog[open] select').waitFor();
    },
  },
  'the help': { path: '/', act: (page) => page.keyboard.press('?') },
  'the settings': { path: '/', act: (page) => page.getByRole('button', { name: 'Settings' }).click() },
  'the command box': { path: '/', act: (page) => page.keyboard.press('/') },
  'the editor': { path: '/', act: (page) => page.keyboard.press('e') },
  'the dialog of a match': {
    path: '/',
    act: async (page) => {
      await page.getByRole('button', { name: 'Play', exact: true }).click();
      await page.locator('dialog .solid').waitFor();
    },
  },
  'a match': {
    path: '/',
    act: async (page) => {
      await page.getByRole('button', { name: 'Play', exact: true }).click();
      await page.locator('dialog .solid').click();
    },
  },
  'the summary of a match': {
    path: '/',
    options: { colorScheme: 'dark' },
    act: async (page) => {
      await page.evaluate(() => outflank.modes.begin('match', { time: [300, 0] }));
      await page.locator('#mode button', { hasText: 'Resign' }).click();
      await page.locator('.match-sum').waitFor();
    },
  },
};

for (const [what, { path, options, act }] of Object.entries(states)) {
  test(`axe finds nothing on ${what}`, async () => {
    const page = await opened(site, path, options);
    if (act === undefined || path === '/') await untilValues(page);
    await act?.(page);
    await page.waitForTimeout(200);
    assert.deepEqual(await violations(page), []);
  });
}

test('board, navigation, lines, graph, tabs and console work by keyboard alone', async () => {
  const page = await opened(site, '/');
  await untilValues(page);
  const focused = () =>
    page.evaluate(() => ({
      role: document.activeElement.getAttribute('role'),
      label: document.activeElement.getAttribute('aria-label'),
      text: document.activeElement.textContent,
      id: document.activeElement.id,
    }));
  const tabTo = async (wanted) => {
    for (let i = 0; i < 60; i++) {
      await page.keyboard.press('Tab');
      if (await page.evaluate(wanted)) return;
    }
    assert.fail('never reached by Tab');
  };

  // One tab stop for the whole board.
  await tabTo(() => document.activeElement.getAttribute('role') === 'gridcell');
  assert.equal(await page.locator('[role=gridcell][tabindex="0"]').count(), 1);
  assert.match((await focused()).label, /^d3, legal/);
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
  assert.match((await focused()).label, /^f5, legal/);
  await page.keyboard.press('c');
  await page.waitForFunction(() => /f5, legal/.test(document.getElementById('live').textContent));
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelectorAll('#moves .mv').length === 1);
  assert.match((await focused()).label, /^f5/, 'the focus stays on the square');

  // The other stops follow one another: navigation, the engine, lines, graph, tabs.
  await tabTo(() => document.activeElement.dataset.do === 'back');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => outflank.study.node.ply === 0);
  await tabTo(() => Boolean(document.activeElement.closest('#lines-body')));
  const first = (await focused()).text;
  await page.keyboard.press('ArrowDown');
  assert.notEqual((await focused()).text, first);
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => outflank.study.node.ply === 1);
  await tabTo(() => document.activeElement.getAttribute('role') === 'slider');
  await page.keyboard.press('ArrowLeft');
  await page.waitForFunction(() => outflank.study.node.ply === 0);
  await tabTo(() => document.activeElement.getAttribute('role') === 'tab');
  for (let i = 0; i < 9 && (await focused()).id !== 'tab-console'; i++)
    await page.keyboard.press('ArrowRight');
  assert.equal((await focused()).id, 'tab-console');
  await tabTo(() => document.activeElement.matches('#console-form input'));
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
  await page.waitForFunction(() => outflank.board.view !== 0 && !document.querySelector('dialog'));
  // Flipping is half a turn: the first cell shows what the last one did, and twice brings the same view back.
  const corners = () => page.evaluate(() => [outflank.board.square(0), outflank.board.square(63)]);
  const before = await corners();
  await page.keyboard.press('f');
  assert.deepEqual(await corners(), before.toReversed());
  await page.keyboard.press('f');
  assert.deepEqual(await corners(), before);
  await page.keyboard.press('?');
  await page.locator('dialog[open]').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('dialog').waitFor({ state: 'detached' });
});

test('targets are large enough: 24 px, 44 on touch', async () => {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  for (const [least, options] of [
    [24, {}],
    [44, phone],
    [44, { ...phone, locale: 'fr-FR' }],
    [44, { ...phone, viewport: { width: 844, height: 390 } }],
    [44, { ...phone, viewport: { width: 320, height: 568 }, locale: 'fr-FR' }],
  ]) {
    const page = await opened(site, '/#f5d6c3d3', options);
    await untilValues(page);
    const small = await page.evaluate(
      (least) =>
        [
          ...document.querySelectorAll(
            '.top button, .under.nav button, .tabs button, #engine button, #graph button, [role=gridcell]',
          ),
        ]
          .filter((node) => node.offsetParent)
          // Eight squares of 44 px have no room on 320.
          .filter((node) => innerWidth > 320 || !node.matches('[role=gridcell]'))
          .map((node) => [
            node.textContent.trim().slice(0, 12) || node.getAttribute('aria-label'),
            node.getBoundingClientRect(),
          ])
          .filter(([, box]) => Math.min(box.width, box.height) < least)
          .map(([name, box]) => `${name}: ${Math.round(box.width)}×${Math.round(box.height)}`),
      least,
    );
    assert.deepEqual(small, []);
    const beyond = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    assert.equal(beyond, 0, 'nothing to scroll sideways');
  }
});
