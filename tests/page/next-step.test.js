// The next step is obvious: one solid button, a received game that is analyzed, mistakes on the board, one perspective, a board
// that keeps its place.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { stage } from '../harness/stage.js';
import {
  beginMatch,
  cell,
  discs,
  GAME,
  opened,
  paste,
  ply,
  reviewEnds,
  until,
  untilValues,
} from './hands.js';

const site = stage();

/** A game with many mistakes of both sides. */
const WILD =
  'f5d6c3d3c4f4f6f3e6e7d7c5b6d8c6c7e2f7c8b8g2b5g6f1d1h7g8a5g4h3a6b7a8e3h4g7h2b3a2a7e8a3c2f8h1b2g5b1a1b4a4c1f2h8d2g3h5e1g1h6';
const named = (black, white) =>
  `(;GM[Othello]PB[${black}]PW[${white}]TY[8]BO[8 ${'-'.repeat(27)}O*${'-'.repeat(6)}*O${'-'.repeat(27)} *]` +
  `${WILD.match(/../g)
    .map((move, i) => `${'BW'[i % 2]}[${move}]`)
    .join('')};)`;

const DESK = { viewport: { width: 1366, height: 768 } };
const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

/** A page whose analyses of whole games are shallow. @param {object} options */
async function quick(options = {}, path = '/') {
  const page = await opened(site, path, options);
  await page.evaluate(() => outflank.settings.set('reviewDepth', 4));
  await page.locator('#graph svg').waitFor();
  await page.waitForFunction(() => document.querySelector('link[href="style/parts.css"]')?.sheet);
  return page;
}

/** The labels of the buttons that are drawn solid. */
async function solids(page) {
  // A button below the pointer has another color.
  await page.mouse.move(0, 0);
  return page.evaluate(() => {
    outflank.painter.flush();
    const probe = document.createElement('i');
    probe.style.background = 'var(--accent)';
    document.body.append(probe);
    const accent = getComputedStyle(probe).backgroundColor;
    probe.remove();
    return [...document.querySelectorAll('button')]
      .filter((node) => node.checkVisibility({ visibilityProperty: true }))
      .filter((node) => getComputedStyle(node).backgroundColor === accent)
      .map((node) => node.textContent);
  });
}
/** Waits until one button is solid, and returns its label. @param {RegExp} label */
const untilSolid = (page, label) =>
  until(async () => (await solids(page)).map((text) => label.test(text)).join(), 'true');

const rows = (page) => page.locator('#panel-report .mistakes').first().locator('button');
const worst = (page, sides) =>
  page.evaluate((sides) => {
    const sums = outflank.scores.summary(outflank.study.tree.main);
    return sides
      .flatMap((side) => sums[side].mistakes)
      .sort((a, b) => b.loss - a.loss)
      .slice(0, 3)
      .map(({ node }) => `${node.ply}. ${node.move}`);
  }, sides);
const listed = (page) =>
  rows(page).evaluateAll((nodes) => nodes.map((node) => /\d+\. ../.exec(node.textContent)[0]));

for (const [device, options] of Object.entries({ desk: DESK, phone: PHONE }))
  test(`one button is solid on a ${device}, and it is the next step`, async () => {
    const page = await quick(options);
    await untilSolid(page, /^Play$/);
    await page.evaluate(() => outflank.settings.set('reviewDepth', 14));
    await paste(page, WILD);
    await untilSolid(page, /^Stop$/);
    await page.locator('#panel-report .lead').click();
    await untilSolid(page, /^Continue$/);
    await page.evaluate(() => outflank.settings.set('reviewDepth', 4));
    await page.locator('#panel-report .lead').click();
    await reviewEnds(page);
    await untilSolid(page, /^Learn from \d+ mistakes$/);
    // Where the report is not in sight, the card has the button.
    if (device === 'desk') await page.getByRole('tab', { name: 'Moves' }).click();
    else await page.evaluate(() => outflank.panels.set('closed'));
    await untilSolid(page, /^Learn$/);
    // Without an analysis, it is offered.
    await page.evaluate(() => {
      outflank.settings.set('engine', false);
      outflank.panels.show('moves');
    });
    await paste(page, GAME.slice(0, 60));
    await untilSolid(page, /^Analyse game$/);
    await page.locator('#next .solid').click();
    await untilSolid(page, /^(Stop|Learn.*)$/);
  });

for (const [device, options] of Object.entries({ desk: DESK, phone: PHONE }))
  test(`after a paste on a ${device}, the user's three worst moves need no press but that on the side`, async () => {
    const page = await quick(options);
    await paste(page, named('Ada', 'Bo'));
    await until(() => ply(page), 60);
    const question = page.locator('.question');
    await question.getByText('Which side are you?').waitFor();
    await reviewEnds(page);
    // The worst mistake of both sides is shown, on the position before it.
    const [first] = await worst(page, ['X', 'O']);
    await until(() => ply(page), Number.parseInt(first, 10) - 1);
    await question.getByRole('button', { name: 'Bo' }).click();
    await until(() => question.count(), 0);
    const own = await worst(page, ['O']);
    await until(async () => (await listed(page)).join(), own.join());
    await until(() => ply(page), Number.parseInt(own[0], 10) - 1);
    for (const row of await rows(page).all()) {
      const { y, height } = await row.boundingBox();
      assert.ok(y > 0 && y + height <= options.viewport.height, 'in sight without scrolling');
    }
    assert.match(await page.locator('#panel-report h2').first().textContent(), /Your worst moves/);
    assert.equal(await page.locator('#panel-report .sides h2').first().textContent(), 'White');
    // The name is remembered, also after a reload.
    await page.reload();
    await page.waitForFunction(() => window.outflank?.engine?.info);
    await paste(page, named('Bo', 'Cy'));
    await reviewEnds(page);
    await until(() => page.evaluate(() => outflank.perspective.own), 'X');
    assert.equal(await question.count(), 0);
    const others = await worst(page, ['X']);
    await until(async () => (await listed(page)).join(), others.join());
    // The choice can be taken back, with the name. No value changes.
    await page.evaluate(() => outflank.settings.set('engine', false));
    await page.getByRole('button', { name: 'That is not me' }).click();
    await question.getByRole('button', { name: 'Neither' }).click();
    await page.locator('#panel-report').getByRole('button', { name: 'Which side are you?' }).click();
    await until(() => question.count(), 1);
    assert.deepEqual(await page.evaluate(() => outflank.ownNames.list()), []);
  });

test('the worst moves of a user with few mistakes are only those of the user', async () => {
  const page = await quick(DESK);
  await paste(page, WILD.slice(0, 44));
  await reviewEnds(page);
  await page.evaluate(() => {
    outflank.settings.set('engine', false);
    outflank.perspective.choose('O');
  });
  const own = await worst(page, ['O']);
  const both = await worst(page, ['X', 'O']);
  assert.ok(own.length > 0 && own.length < 3 && both.length > own.length, `${own}; ${both}`);
  await until(async () => (await listed(page)).join(), own.join());
  // The moves of the opponent follow under another title.
  const others = page.locator('#panel-report .mistakes').nth(1).locator('button');
  assert.ok((await others.count()) >= both.length - own.length);
});

test('another position that was chosen during the analysis stays on the board', async () => {
  const page = await quick(DESK);
  await page.evaluate(() => outflank.settings.set('reviewDepth', 10));
  await paste(page, WILD);
  await until(() => ply(page), 60);
  await page.keyboard.press('Home');
  await page.evaluate(() => outflank.settings.set('reviewDepth', 4));
  await reviewEnds(page);
  await page.waitForTimeout(300);
  assert.equal(await ply(page), 0);
});

test('a mistake is shown with both moves; one press plays the refutation on the board, not in the game', async () => {
  const page = await quick(DESK);
  await paste(page, WILD);
  await reviewEnds(page);
  // A deeper search could find another better move.
  await page.evaluate(() => outflank.settings.set('engine', false));
  const mistake = await page.evaluate(() => {
    const { mistake, study } = { mistake: outflank.screen.mistake, study: outflank.study };
    return { move: mistake.node.move, best: mistake.best, game: study.game().moves };
  });
  const label = (square) => cell(page, square).getAttribute('aria-label');
  await until(async () => /played/.test(await label(mistake.move)), true);
  assert.match(await label(mistake.best), /better/);
  const colours = await page.evaluate(() =>
    [...document.querySelectorAll('.which')].map((node) => getComputedStyle(node).backgroundColor),
  );
  assert.equal(new Set(colours).size, 2, 'two colours');
  assert.match(
    await page.locator('#next .told').textContent(),
    new RegExp(`^${mistake.move} loses .*${mistake.best} is better$`),
  );
  const before = await discs(page);
  const steps = page.locator('#mode .steps button');
  const isLast = async (move) => (await cell(page, move).getAttribute('class')).includes('last');
  await page.locator('#next').getByRole('button', { name: 'Refutation' }).click();
  // It plays on without a press. A press on a step stops it there.
  await page.waitForFunction(() => outflank.modes.current.at >= 1);
  await steps.first().click();
  const [first, second] = await steps.allTextContents();
  assert.equal(first, mistake.move);
  // The card has the name of the line: the header does not repeat it.
  await until(async () => /^move 1 of \d$/.test(await page.locator('[data-part=depth]').textContent()), true);
  await until(() => isLast(first), true);
  await page.keyboard.press('ArrowRight');
  await until(() => isLast(second), true);
  await page.keyboard.press('ArrowLeft');
  await until(() => isLast(first), true);
  await page.keyboard.press('Escape');
  await until(() => discs(page), before);
  assert.equal(await page.evaluate(() => outflank.study.game().moves), mistake.game);
  await page.locator('#next').getByRole('button', { name: 'Better line' }).click();
  await steps.first().click();
  assert.equal((await steps.allTextContents())[0], mistake.best);
  await until(() => isLast(mistake.best), true);
});

test('a loss in the report is explained on hover and to screen readers', async () => {
  const page = await quick(DESK);
  await paste(page, WILD);
  await reviewEnds(page);
  await page.evaluate(() => outflank.settings.set('engine', false));
  const row = rows(page).filter({ hasText: '≈' }).first();
  const size = (await row.locator('b').textContent()).replace(/^≈\s/, '');
  assert.equal(await row.locator('b').getAttribute('title'), `about ${size} discs lost`);
  assert.equal(await row.locator('.sr').textContent(), `about ${size} discs lost`);
  assert.match(await row.textContent(), /\d+\. .. → ../);
  const ends = await rows(page).evaluateAll((nodes) =>
    nodes.map((node) => Math.round(node.querySelector('b').getBoundingClientRect().right)),
  );
  assert.equal(new Set(ends).size, 1, 'aligned at the right');
});

test('all views use the side of the user, and name it once', async () => {
  const page = await quick(DESK, `/#${WILD.slice(0, 30)}`);
  await untilValues(page);
  await page.evaluate(() => outflank.settings.set('depth', 12));
  await page.waitForFunction(() => outflank.analysis.done);
  await page.evaluate(() => outflank.settings.set('engine', false));
  const views = () =>
    page.evaluate(() => {
      outflank.painter.flush();
      const text = (selector) => document.querySelector(selector).textContent.trim();
      const { best } = outflank.scores.rows(outflank.study.position);
      return {
        named: text('[data-part=side]'),
        header: text('[data-part=value]'),
        board: text(`[data-square=${best.move}] .val b`),
        line: text('#lines-body .value span'),
        bar: document.querySelector('#bar').getAttribute('aria-label'),
        graph: document.querySelector('#graph svg').getAttribute('aria-valuetext'),
      };
    });
  const black = await views();
  assert.equal(black.named, 'for Black');
  assert.deepEqual(new Set([black.board, black.line]), new Set([black.header]));
  assert.ok(
    black.bar.endsWith(`Black: ${black.header}`) && black.graph.endsWith(`Black ${black.header}`),
    JSON.stringify(black),
  );
  await page.evaluate(() => outflank.perspective.choose('O'));
  const other = { '+': '−', '−': '+' }[black.header[0]] + black.header.slice(1);
  const white = await views();
  assert.equal(white.named, 'for White');
  assert.deepEqual(new Set([white.header, white.board, white.line]), new Set([other]));
  assert.ok(
    white.bar.endsWith(`White: ${other}`) && white.graph.endsWith(`White ${other}`),
    JSON.stringify(white),
  );
  await page.evaluate(() => outflank.act('black-view'));
  assert.deepEqual(await views(), black);
});

test('the best value has a decimal and a ring, the others are whole and dimmed; all have decimals on request', async () => {
  const page = await quick(DESK, `/#${WILD.slice(0, 30)}`);
  await untilValues(page);
  await page.evaluate(() => outflank.settings.set('engine', false));
  const values = () =>
    page.evaluate(() => {
      outflank.painter.flush();
      return [...document.querySelectorAll('.sq.legal .val:not(.none)')].map((chip) => ({
        best: chip.matches('.best'),
        dimmed: chip.matches('.other'),
        decimal: /[.,]\d/.test(chip.textContent),
      }));
    });
  const brief = await values();
  assert.ok(brief.length > 5 && brief.some(({ best }) => best));
  for (const { best, dimmed, decimal } of brief) assert.deepEqual([dimmed, decimal], [!best, best]);
  assert.equal(await page.locator('.sq .prog').count(), 0);
  await page.keyboard.press('v');
  assert.ok((await values()).every(({ dimmed, decimal }) => decimal && !dimmed));
  await page.keyboard.press('v');
  assert.deepEqual(await values(), []);
  await page.keyboard.press('v');
  assert.deepEqual(await values(), brief);
});

for (const [device, options] of Object.entries({ desk: DESK, phone: PHONE }))
  test(`no mode moves or shrinks the board of a ${device}`, async () => {
    const page = await quick(options, `/#${WILD}`);
    await page.evaluate(() => outflank.act('review'));
    await reviewEnds(page);
    await page.evaluate(() => {
      outflank.panels.set('closed');
      outflank.settings.set('engine', false);
      const { X } = outflank.scores.summary(outflank.study.tree.main);
      outflank.study.go(X.mistakes.sort((a, b) => b.loss - a.loss)[0].node.parent);
    });
    const box = () =>
      page.evaluate(async () => {
        await new Promise((resolve) => setTimeout(resolve, 150));
        const { x, y, width, height } = document.querySelector('.grid').getBoundingClientRect();
        return [x, y, width, height].map((n) => Math.round(n * 10) / 10).join(' ');
      });
    const before = await box();
    const modes = {
      line: () => page.locator('#next').getByRole('button', { name: 'Refutation' }).click(),
      learn: () => page.evaluate(() => outflank.modes.begin('learn')),
      trainer: () =>
        page.evaluate(() =>
          outflank.modes.begin('trainer', { lines: [{ moves: 'f5d6c3d3c4', names: null }], side: 'X' }),
        ),
      puzzle: () => page.evaluate(async () => (await outflank.panels.get('puzzles')).next()),
      editor: () => page.evaluate(() => outflank.act('edit')),
      match: () => beginMatch(page, { time: [300, 0] }),
    };
    for (const [name, begin] of Object.entries(modes)) {
      await begin();
      await page.locator('#mode:not([hidden])').waitFor();
      await page.evaluate(() => outflank.panels.set('closed'));
      assert.equal(await box(), before, name);
      await page.evaluate(() => outflank.modes.leave());
      assert.equal(await box(), before, `after ${name}`);
    }
  });

test('a move that only a shallow search found better than the best one has no ring', async () => {
  const page = await quick(DESK, '/#f5');
  await page.evaluate(() => {
    const { evaluations, settings, study } = outflank;
    settings.set('engine', false);
    evaluations.forget();
    const row = (move, value, depth) => ({ move, value, depth, pv: [move] });
    evaluations.add(study.position, 'rows', row('d6', 1, '20'), row('f4', 0.4, '20'), row('f6', 3, '2'));
    evaluations.add(study.position, 'root', row('d6', 1, '20'));
    outflank.painter.flush();
  });
  const ringed = await page
    .locator('.sq:has(.val.best)')
    .evaluateAll((all) => all.map((sq) => sq.dataset.square));
  assert.deepEqual(ringed, ['d6']);
});

test('in the dark, Black is filled black with a light rim and White is filled white', async () => {
  const page = await quick({ ...DESK, colorScheme: 'dark' }, `/#${WILD}`);
  await page.evaluate(() => {
    outflank.settings.set('graphMode', 'total');
    outflank.screen.hover(null);
  });
  await cell(page, 'd3').hover();
  const brightness = async (selector, property) => {
    const colour = await page.evaluate(
      ([selector, property]) => getComputedStyle(document.querySelector(selector))[property],
      [selector, property],
    );
    const [r, g, b] = colour.match(/[\d.]+/g).map(Number);
    return (r + g + b) / 3;
  };
  await page.evaluate(() => outflank.act('first'));
  await cell(page, 'f5').hover();
  await page.locator('.preview .mini-b').first().waitFor();
  for (const [black, fill, rim] of [
    ['.score .dot.black', 'backgroundColor', 'borderTopColor'],
    ['.mini-b', 'fill', 'stroke'],
  ]) {
    assert.ok((await brightness(black, fill)) < 40, black);
    assert.ok((await brightness(black, rim)) > 120, black);
  }
  for (const [white, fill] of [
    ['.score .dot.white', 'backgroundColor'],
    ['.mini-w', 'fill'],
  ])
    assert.ok((await brightness(white, fill)) > 220, white);
  assert.doesNotMatch(await page.locator('#graph').innerText(), /[●○]/, 'a glyph has the colour of the text');
});

test('keys are named on the empty board only; settings begin with the board and the language, and fold the engine', async () => {
  const page = await quick(DESK);
  await page.getByText('? shows all keys').waitFor();
  await cell(page, 'f5').click();
  await until(() => page.getByText('? shows all keys').isVisible(), false);
  assert.equal(await page.locator('.preview').isVisible(), false);
  await page.evaluate(() => {
    outflank.act('settings');
  });
  const dialog = page.locator('dialog[open]');
  await dialog.waitFor();
  const seen = (await dialog.innerText()).split('\n').filter(Boolean);
  const at = (text) => seen.findIndex((line) => line.includes(text));
  assert.ok(at('Black’s side') < at('Language') && at('Language') < at('Engine'), seen.join(' | '));
  assert.equal(at('Memory of the engine'), -1);
  await dialog.locator('summary', { hasText: 'Engine' }).click();
  await dialog.getByText('Memory of the engine').waitFor();
});
