// Appearance: marks of certainty, arrows, what is spoken, diagrams, the printed sheet, and what a match shows.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GAME, until } from './hands.js';
import { STATES } from './harness/screens.js';
import { site } from './harness/stage.js';

const knowing = (page, ...rows) =>
  page.evaluate((rows) => {
    const { painter, study, values } = outflank;
    values.forget();
    values.add(study.position, { rows });
    painter.flush();
  }, rows);

/** The diagram that the page saves, in one of the formats. */
const saved = (page, format) =>
  page.saved(async () => {
    await STATES.save(page);
    await page.locator('dialog button', { hasText: format }).click();
  });

test('marks that all moves share are in the header only', async () => {
  // No two moves of this position are symmetric: values may differ. The engine is off.
  const page = await site.opened('/#f5d6c3d3c4f4f6f3', { settings: { engine: false } });
  const legal = await page.evaluate(() => outflank.rules.moves(outflank.study.position));
  const rows = (depth) => legal.map((move, i) => `search ${move} ${2 - i} 0 ${depth(i)}`);
  const marks = () =>
    page.evaluate(() => {
      const board = [...document.querySelectorAll('.val:not(.none) i')].map((mark) => mark.textContent);
      // A share is an icon.
      const shareOf = (mark) =>
        mark.querySelector('.share')?.style.getPropertyValue('--share') ?? mark.textContent;
      const table = [...document.querySelectorAll('#lines-body .proof')].map(shareOf);
      return [...new Set(board), ...new Set(table)].sort();
    });
  await knowing(page, ...rows(() => '20@73%'));
  assert.deepEqual(await marks(), ['', '']);
  await page.shows('[data-part=depth]', '73%');
  // It is spoken all the same.
  assert.match(await page.cell(legal[0]).getAttribute('aria-label'), /73%/);
  await knowing(page, ...rows((i) => `20@${i === 1 ? 91 : 73}%`));
  assert.deepEqual(await marks(), ['0.73', '0.91', '73%', '91%']);
  const proof = page.locator('#lines-body tr').first().locator('.proof');
  for (const name of ['title', 'aria-label'])
    assert.match(await proof.getAttribute(name), /73%: the search skipped .* about 73% certainty/);
  await knowing(page, ...rows(() => '100%'));
  assert.deepEqual(await marks(), ['✓', '✓'], 'proofs are kept');
  // A diagram has the values of the board, and names their side. White is to move.
  await page.keys('ArrowLeft');
  await knowing(page, 'search g5 2.5 0 20@73%');
  assert.deepEqual(await page.locator('.val:not(.none) b').allTextContents(), ['−2.5']);
  assert.match(String(await saved(page, 'SVG')), />−2\.5<.*White to move.*>Values from Black’s side · 73%</);
});

test('a hover shows the discs of a line, and never hidden values; marks stay in the link; moves are spoken', async () => {
  const page = await site.opened('/#f5d6c3');
  await page.untilValues();
  const ghosts = () => page.locator('.ghost').allTextContents();
  const legal = page.locator('.sq.legal').first();
  await legal.hover();
  // A line of four moves, in the colours of the players.
  await until(async () => (await ghosts()).toSorted().join(), '1,2,3,4');
  assert.equal(await legal.locator('.ghost.w').textContent(), '1');
  for (let i = 0; i < 2; i++) await page.keys('v');
  await until(async () => (await ghosts()).length, 0);
  // The right button draws circles and arrows; again, it removes them.
  const drawMark = (...squares) => page.drag(squares, { button: 'right' });
  await drawMark('a1', 'c4');
  await page.keyboard.down('Alt');
  await drawMark('h8', 'h8');
  await page.keyboard.up('Alt');
  await drawMark('b2', 'b2');
  await drawMark('b2', 'b2');
  const drawn = () =>
    page.locator('.drawn *').evaluateAll((all) => all.map((node) => node.outerHTML.slice(0, 16)).sort());
  await until(async () => (await drawn()).join(), '<circle class="B,<path class="G" ');
  assert.equal(await page.ply(), 3);
  // By keyboard on the focused square.
  for (const expected of [3, 2]) {
    await page.locator('[data-square=a8]').press('Shift+M');
    await until(async () => (await drawn()).length, expected);
  }
  // The wheel steps through the game.
  await page.mouse.wheel(0, -120);
  await until(async () => (await drawn()).length, 0);
  await page.mouse.wheel(0, 120);
  await page.waitForFunction(() => location.hash.includes('csl'));
  await page.reopened();
  await until(async () => (await drawn()).length, 2);

  // A move made or stepped to is spoken with the discs it turns.
  const spoken = (text) => until(() => page.locator('#live').textContent(), text);
  await page.keys('ArrowLeft');
  await spoken('White d6, turns d5');
  await page.keys('Home');
  await spoken('Start of the game');
  await page.locator('[data-square=d3]').click();
  await spoken('Black d3, turns d4');
});

test('a long press draws a mark on the position, and plays a move in a match', async () => {
  const page = await site.opened('/', { hasTouch: true, settings: { pace: 0 } });
  await page.untilValues();
  await page.clock.install();
  /** Holds a finger on a square for longer than a press. */
  const hold = async (square) => {
    const cell = page.locator(`[data-square=${square}]`);
    const { x: clientX, y: clientY } = await cell.boundingBox();
    const at = { clientX, clientY, isPrimary: true, pointerType: 'touch', pointerId: 7 };
    await cell.dispatchEvent('pointerdown', at);
    await page.clock.fastForward(450);
    await cell.dispatchEvent('pointerup', at);
    await cell.dispatchEvent('click');
  };
  await hold('f5');
  await page.locator('.drawn circle.G').waitFor({ state: 'attached' });
  assert.equal(await page.ply(), 0);
  await page.beginMatch();
  await hold('f5');
  await page.untilMove(2);
});

test('a match shows clocks and no values, and a diagram players and side', async () => {
  const page = await site.opened('/', { permissions: ['clipboard-read', 'clipboard-write'] });
  await page.untilValues();
  await STATES.match(page);
  await page.shows('.room', 'No values during a game');
  await page.told('Your move');
  assert.equal(await page.locator('#engine').isVisible(), false);
  assert.equal(await page.locator('.mode .clocks').count(), 1);
  for (const hidden of ['#graph', '.val:not(.none)', '#lines-body tr'])
    assert.equal(await page.locator(hidden).locator('visible=true').count(), 0, hidden);
  assert.doesNotMatch(await page.locator('body').innerText(), /hints used|mobility/i);
  // The printed sheet has none, either.
  await print(page);
  assert.equal(await page.locator('#print small, #print .report-on-paper').count(), 0);
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  // Afterwards the values are shown again.
  await page.button(/^Leave/).click();
  await page.untilValues();
  await page.locator('.room').waitFor({ state: 'hidden' });
  await page.locator('#lines-body tr').first().waitFor();
  // A diagram names players and side to move, and is saved or copied.
  await STATES['no-engine'](page);
  const svg = String(await saved(page, 'SVG'));
  assert.match(svg, /^<svg [^>]*xmlns=/);
  assert.match(svg, /Bartholomew Featherstonehaugh – Wilhelmina Przybyszewska.*Black to move/);
  assert.equal(svg.split('<circle').length - 1, 32 + 2 + 1, 'discs, two beside the names, the last move');
  const png = await saved(page, 'PNG');
  assert.equal(png.toString('latin1', 1, 4), 'PNG');
  assert.ok(png.readUInt32BE(20) > png.readUInt32BE(16), 'the foot is in the picture');
  await STATES.save(page);
  await page.button('Copy as a picture').click();
  await page.untilNotice(/Picture copied/);
  const types = await page.evaluate(async () => (await navigator.clipboard.read())[0].types.join());
  assert.equal(types, 'image/png');
});

const print = (page) =>
  page.evaluate(async () => {
    const { attachPrint } = (await import('/js/shell/parts.js')).part('js/io/print.js');
    await attachPrint(outflank);
    dispatchEvent(new Event('beforeprint'));
  });

test('the page prints on one sheet: board, moves, mistakes, and nothing else', async () => {
  const settings = { reviewDepth: 4 };
  const page = await site.opened('/', { settings, colorScheme: 'dark', locale: 'ja-JP' });
  await page.untilValues();
  await page.paste(GAME);
  await page.reviewEnds();
  await page.keys('End');
  // The dialog requests printing, which needs no user here.
  await page.evaluate(() => (window.print = () => document.body.setAttribute('data-printed', '')));
  await STATES.save(page);
  await page.button('印刷').click();
  await page.shows('body[data-printed]');
  assert.equal(await page.locator('dialog').count(), 0);

  const pdf = await page.pdf({ preferCSSPageSize: true });
  assert.equal(pdf.toString('latin1').match(/\/Type\s*\/Page[^s]/g).length, 1, 'one page');
  assert.equal(await page.locator('#print').count(), 0, 'it goes when it is printed');
  await page.emulateMedia({ media: 'print' });
  // A4 less its margins, at 96 pixels an inch.
  await page.setViewportSize({ width: 703, height: 1032 });
  await print(page);
  const sheet = await page.locator('#print').evaluate((root) => {
    return {
      shown: [...document.body.children].filter((node) => node.getClientRects().length > 0).length,
      fits: root.scrollHeight <= root.clientHeight + 1 && root.scrollWidth <= root.clientWidth + 1,
      heading: root.querySelector('.moves-on-paper h2').textContent,
      moves: root.querySelectorAll('.columns td').length,
      hasMistakes: root.querySelector('.mistakes-on-paper li') !== null,
    };
  });
  const heading = '棋譜 · 評価値は黒から見た値です';
  assert.deepEqual(sheet, { shown: 1, fits: true, heading, moves: 60, hasMistakes: true });
});
