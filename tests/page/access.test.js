// Accessibility: no violation found by axe, and the use of the page by keyboard alone.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';

import { randomBase } from '../harness/base.js';
import { SIZES, STATES } from '../harness/screens.js';
import { stage } from '../harness/stage.js';
import { drop, opened, painted, paste, smallTargets, untilValues } from './hands.js';

const site = stage();
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

async function violations(page) {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  return page.evaluate(async () => {
    const { violations } = await window.axe.run(document, { resultTypes: ['violations'] });
    return violations.map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map(({ html, failureSummary }) => `${html.slice(0, 160)} ${failureSummary}`).join(' | ')}`,
    );
  });
}

const PHONE = SIZES['390x844'];
const DARK = { colorScheme: 'dark' };

/** Shows the panel of the games with two games. */
async function twoGames(page) {
  await paste(page, 'f5d6c3d3\nf5f6e6');
  await page.getByRole('tab', { name: 'Games' }).click();
}

/** States beyond those of the screenshots. */
const MORE = {
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
    await page.locator('.played tbody').first().waitFor({ timeout: 40_000 });
    await page.evaluate(() => {
      for (const fold of document.querySelectorAll('#panel-openings details')) fold.open = true;
    });
  },
  'a trained line': async (page) => {
    await page.getByRole('tab', { name: 'Openings' }).click();
    await page.locator('.library input[type=search]').fill('tiger');
    await page.getByRole('button', { name: 'Add Tiger to my lines' }).click();
    await page.getByRole('button', { name: 'Remove Tiger' }).first().waitFor();
    for (const fold of await page.locator('.trained summary').all()) await fold.click();
  },
  'a tall panel': async (page) => {
    await page.getByRole('tab', { name: 'Moves' }).click();
    await page.getByRole('button', { name: 'Large panel' }).click();
  },
};

for (const [options, states] of [
  [{}, Object.keys(STATES)],
  ...Object.keys(MORE).map((state) => [state === 'a tall panel' ? SIZES['667x375'] : {}, [state]]),
  [PHONE, ['start', 'moves', 'openings']],
  [PHONE, ['the dialog of several games']],
  [DARK, ['moves', 'summary']],
  [{ ...PHONE, ...DARK }, ['moves']],
]) {
  test(`axe finds nothing: ${states} ${JSON.stringify(options)}`, async () => {
    const page = await opened(site, '/#f5d6(f4~a+comment~)c3d3c4@2', { reducedMotion: 'reduce', ...options });
    await untilValues(page);
    const found = {};
    for (const state of states) {
      await (MORE[state] ?? STATES[state])(page);
      await painted(page);
      const wrong = await violations(page);
      if (wrong.length) found[state] = wrong;
      await page.keyboard.press('Escape');
      await page.locator('dialog').waitFor({ state: 'detached' });
      await page.evaluate(() => {
        outflank.modes.leave();
        outflank.settings.set('engine', true);
      });
    }
    assert.deepEqual(found, {});
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
  // A stopped engine stays at its depth.
  await page.locator('#engine [data-part=toggle]').click();
  await page.waitForFunction(() => !outflank.analysis.running);
  const depth = await page.locator('#engine [data-part=depth]').textContent();
  await page.waitForTimeout(300);
  assert.equal(await page.locator('#engine [data-part=depth]').textContent(), depth);
  await page.locator('#tab-console').focus();
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
  for (const [least, options] of [
    [24, {}],
    [44, PHONE],
    [44, { ...PHONE, locale: 'fr-FR' }],
    [44, { ...SIZES['667x375'], viewport: { width: 844, height: 390 } }],
    [44, { ...SIZES['320x568'], locale: 'fr-FR' }],
  ]) {
    const page = await opened(site, '/#f5d6c3d3', options);
    await untilValues(page);
    // Eight squares of 44 px have no room on 320.
    const cells = options.viewport?.width === 320 ? '' : ', [role=gridcell]';
    const targets = '.top button, .under.nav button, .tabs button, #engine button, #graph button';
    assert.deepEqual(await smallTargets(page, targets + cells, least), []);
    const beyond = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    assert.equal(beyond, 0, 'nothing to scroll sideways');
  }
});
