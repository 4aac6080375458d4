// Appearance: marks of certainty, arrows, what is spoken, diagrams, the printed sheet, and what a match and dialogs show.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GAME, opened, painted, paste, reviewEnds, saved, until, untilNotice, untilValues } from './hands.js';
import { SIZES, STATES } from './harness/screens.js';
import { stage } from './harness/stage.js';

const site = stage();
const ENGINE = { engine: 'recorded' };
/** The engine is off: the values are those of `knowing`. */
const OFF = { ...ENGINE, settings: { engine: false } };
/** Two moves of this position are symmetric to no other: values may differ. */
const UNEVEN = 'f5d6c3d3c4f4f6f3';

/** The legal moves, by the labels of their squares. */
const legalMoves = (page) =>
  page.locator('.sq[aria-label*="legal"]').evaluateAll((cells) => cells.map((cell) => cell.dataset.square));

/** Replaces the values of the position. */
const knowing = (page, ...rows) =>
  page.evaluate((rows) => {
    const { evaluations, painter, study } = outflank;
    evaluations.forget();
    evaluations.add(study.position, 'rows', ...rows);
    painter.flush();
  }, rows);

const selective = (depth, n) => ({ kind: 'selective', depth, confidence: n, level: depth + n / 1000 });

/** Shows another study. */
async function show(page, moves) {
  await page.evaluate((hash) => {
    location.hash = hash;
  }, moves);
  await until(() => page.locator('#moves .mv').count(), moves.length / 2);
}

test('marks that all moves share are in the header only, and lines, losses and printed mistakes have their place', async () => {
  const page = await opened(site, `/#${UNEVEN}`, OFF);
  const legal = await legalMoves(page);
  const rows = (proof) => legal.map((move, i) => ({ move, value: 2 - i, proof: proof(i), pv: [move] }));
  const marks = () =>
    page.evaluate(() => {
      const board = [...document.querySelectorAll('.val:not(.none) i')].map((mark) => mark.textContent);
      // A share is an icon.
      const shareOf = (mark) =>
        mark.querySelector('.share')?.style.getPropertyValue('--share') ?? mark.textContent;
      const table = [...document.querySelectorAll('#lines-body .proof')].map(shareOf);
      return [...new Set(board), ...new Set(table)].sort();
    });
  await knowing(page, ...rows(() => selective(20, 73)));
  assert.deepEqual(await marks(), ['', '']);
  await page.locator('[data-part=depth]', { hasText: '73%' }).waitFor();
  const spoken = await page.locator(`[data-square="${legal[0]}"]`).getAttribute('aria-label');
  assert.match(spoken, /73%/, 'it is spoken all the same');
  await knowing(page, ...rows((i) => selective(20, i === 1 ? 91 : 73)));
  assert.deepEqual(await marks(), ['0.73', '0.91', '73%', '91%']);
  const proof = page.locator('#lines-body tr').first().locator('.proof');
  for (const name of ['title', 'aria-label'])
    assert.match(await proof.getAttribute(name), /73%: the search skipped .* about 73% certainty/);
  await knowing(page, ...rows(() => ({ kind: 'exact', depth: 100, level: 1000 })));
  assert.deepEqual(await marks(), ['✓', '✓'], 'proofs are kept');

  // Every line of play has one row of at least three moves.
  await show(page, 'f5');
  const other = ['f4', 'e3', 'd6', 'c5', 'f3', 'f6'];
  await knowing(
    page,
    { move: 'd6', value: 1, proof: selective(20, 73), pv: GAME.match(/../g).slice(1, 22) },
    { move: 'f4', value: 0, proof: selective(20, 73), pv: other },
  );
  for (const size of ['1280x800', '1024x768', '390x844']) {
    await page.setViewportSize(SIZES[size].viewport);
    await painted(page);
    const lines = await page.locator('#lines-body .pv div').evaluateAll((lines) =>
      lines.map((line) => {
        const box = line.getBoundingClientRect();
        const inside = [...line.children].filter((move) => {
          const { right, bottom } = move.getBoundingClientRect();
          return right <= box.right + 1 && bottom <= box.bottom + 1;
        });
        return { inside: inside.length, rows: new Set(inside.map((move) => move.offsetTop)).size };
      }),
    );
    assert.equal(lines.length, 2);
    for (const { inside, rows } of lines)
      assert.ok(inside >= 3 && rows === 1, `${size}: ${JSON.stringify(lines)}`);
  }

  // The loss of a mistake stays inside its highlight, in every language.
  await page.setViewportSize({ width: 1024, height: 768 });
  await show(page, 'f5d6c3d3c4');
  await page.evaluate(() => {
    const { evaluations, painter, study } = outflank;
    evaluations.forget();
    const proof = { kind: 'heuristic', depth: 20, level: 20.1 };
    const add = (at, move) => evaluations.add(at.position, 'root', { move, value: 36, proof, pv: [move] });
    add(study.node, 'f4');
    add(study.node.parent, 'c5');
    painter.flush();
  });
  const loss = page.locator('#moves .mv[data-mistake] small').first();
  await loss.waitFor();
  for (const language of ['fr', 'ja', 'zh', 'en']) {
    await page.evaluate((language) => outflank.settings.set('language', language), language);
    await page.locator(`html[lang=${language}]`).waitFor();
    await painted(page);
    const isInside = await loss.evaluate((node) => {
      const outer = node.closest('.mv').getBoundingClientRect();
      const inner = node.getBoundingClientRect();
      return inner.left >= outer.left && inner.right <= outer.right && inner.bottom <= outer.bottom;
    });
    assert.ok(isInside, language);
  }

  // The printed sheet lists a mistake with the better move.
  await show(page, 'f5d6c3d3c4f4f6');
  const { ply, move, best } = await page.evaluate(() => {
    const { evaluations, rules, scores, study } = outflank;
    evaluations.forget();
    const node = study.line[5];
    const { position } = node.parent;
    const proof = { kind: 'heuristic', depth: 20, level: 20 };
    const row = (move) => ({ move, value: move === node.move ? -9 : 3, proof, pv: [move] });
    evaluations.add(position, 'rows', ...rules.moves(position).map(row));
    return { ply: node.ply, move: node.move, best: scores.loss(node).best };
  });
  await print(page);
  const texts = await page.locator('.mistakes-on-paper li').allTextContents();
  const pattern = new RegExp(`^${ply}\\. ${move} loses \\D*12.*; ${best} is better$`);
  assert.ok(
    texts.some((text) => pattern.test(text)),
    texts.join(),
  );
});

test('arrows show the best line if chosen, in every view, and never hidden values; moves are spoken', async () => {
  const page = await opened(site, '/#f5d6c3', { ...ENGINE, settings: { arrows: true } });
  await untilValues(page);
  const starts = () =>
    page
      .locator('.arrows path')
      .evaluateAll((paths) => paths.map((path) => /\(([^)]+)\)/.exec(path.getAttribute('transform'))[1]));
  // A line of four moves.
  await until(async () => (await starts()).length, 3);
  const centre = (move) => `${move.charCodeAt(0) - 97 + 0.5} ${Number(move[1]) - 0.5}`;
  const line = await page.locator('#lines-body tr').first().locator('button').allTextContents();
  assert.deepEqual(await starts(), line.slice(0, 3).map(centre));
  // An arrow is on the squares of its moves.
  const [svg, square] = [
    await page.locator('.arrows').boundingBox(),
    await page.locator('[data-square=a8]').boundingBox(),
  ];
  assert.ok(Math.abs(svg.x - square.x) < 2 && Math.abs(svg.y + svg.height - square.y - square.height) < 2);
  await page.keyboard.press('f');
  const [x, y] = centre(line[0]).split(' ');
  await until(async () => (await starts())[0], `${8 - Number(x)} ${8 - Number(y)}`);
  for (let i = 0; i < 2; i++) await page.keyboard.press('v');
  await until(async () => (await starts()).length, 0);

  // A move made or stepped to is spoken with the discs it turns.
  const spoken = (text) => until(() => page.locator('#live').textContent(), text);
  await page.keyboard.press('ArrowLeft');
  await spoken('White d6, turns d5');
  await page.keyboard.press('Home');
  await spoken('Start of the game');
  await page.locator('[data-square=d3]').click();
  await spoken('Black d3, turns d4');
});

test('the board has four colours, and colours and theme follow in other tabs', async () => {
  const page = await opened(site, '/', ENGINE);
  const other = await page.context().newPage();
  await other.goto(site.address);
  await untilValues(other);
  const colour = (tab) =>
    tab
      .locator('.sq')
      .first()
      .evaluate((cell) => getComputedStyle(cell).backgroundColor);
  const data = (tab, name) => tab.locator('html').getAttribute(`data-${name}`);
  const seen = new Set();
  await STATES.settings(page);
  for (const name of ['blue', 'wood', 'grey', 'green']) {
    await page.getByRole('group', { name: 'Board' }).getByRole('radio', { name, exact: true }).check();
    await until(() => data(other, 'board'), name);
    assert.equal(await colour(other), await colour(page));
    seen.add(await colour(page));
  }
  assert.equal(seen.size, 4);
  await page.getByRole('radio', { name: 'dark', exact: true }).check();
  await until(() => data(other, 'theme'), 'dark');
});

test('a match shows names, clocks and moves, and no values; a puzzle shows the progress', async () => {
  const page = await opened(site, '/', ENGINE);
  await untilValues(page);
  await STATES.match(page);
  await page.locator('.room table').waitFor();
  await until(async () => (await page.locator('#engine').innerText()).trim(), 'Your move');
  const names = await page.locator('#name-black, #name-white').allTextContents();
  assert.deepEqual(await page.locator('.room th').allTextContents(), ['#', ...names]);
  const moves = await page.locator('#moves .mv span').allTextContents();
  const cells = await page.locator('.room tbody td:not(:first-child)').allTextContents();
  assert.deepEqual(cells.filter(Boolean), moves);
  assert.equal(cells.filter(Boolean).length, 4);
  assert.equal(await page.locator('#mode .clocks').count(), 1);
  for (const hidden of ['#graph', '.val:not(.none)', '#lines-body tr'])
    assert.equal(await page.locator(hidden).locator('visible=true').count(), 0, hidden);
  assert.doesNotMatch(await page.locator('body').innerText(), /hints used|mobility/i);
  // The printed sheet has none, either.
  await print(page);
  assert.equal(await page.locator('#print small, #print .report-on-paper').count(), 0);
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  // Afterwards the values are shown again.
  await page.getByRole('button', { name: /^Leave/ }).click();
  await untilValues(page);
  await page.locator('.room').waitFor({ state: 'hidden' });
  await page.locator('#lines-body tr').first().waitFor();
  await STATES.puzzle(page);
  await page.locator('#engine', { hasText: /\d+ empty squares?/ }).waitFor();
  assert.match(await page.locator('#engine').innerText(), /0 of \d+ solved/);
});

/** Measures a diagram, added to the page for a moment. */
const measure = (page, text) =>
  page.evaluate((text) => {
    const { documentElement } = new DOMParser().parseFromString(text, 'image/svg+xml');
    const svg = document.importNode(documentElement, true);
    document.body.append(svg);
    const chips = [...svg.querySelectorAll('.chip')].flatMap((chip) => {
      const outer = chip.querySelector('rect').getBBox();
      return [...chip.querySelectorAll('text')].map((text) => {
        const { x, width } = text.getBBox();
        return { text: text.textContent, free: Math.min(x - outer.x, outer.x + outer.width - x - width) };
      });
    });
    const texts = [...svg.querySelectorAll(':scope > text')].map((text) => {
      const { x, width } = text.getBBox();
      return { text: text.textContent, left: x, right: x + width };
    });
    const { cx, cy } = svg.querySelector('circle[r="5"]') ?? {};
    const last = cx && [cx, cy].map(({ baseVal }) => Math.floor((baseVal.value - 24) / 60));
    const circles = svg.querySelectorAll('circle').length;
    svg.remove();
    return {
      chips,
      texts,
      last,
      circles,
      width: svg.viewBox.baseVal.width,
      title: svg.querySelector('title').textContent,
    };
  }, text);

test('a diagram names players and side to move, its values stay on their chips, and it is saved or copied', async () => {
  const page = await opened(site, '/', { ...ENGINE, permissions: ['clipboard-read', 'clipboard-write'] });
  await untilValues(page);
  await STATES['no-engine'](page);
  const legal = await legalMoves(page);
  const proof = (i) => selective(40, i === 0 ? 91 : 73);
  await knowing(
    page,
    ...legal.map((move, i) => ({ move, value: i % 2 ? 52.4 : -28.8, proof: proof(i), pv: [move] })),
  );
  const save = (name) =>
    saved(page, async () => {
      await STATES.save(page);
      await page.locator('dialog button', { hasText: name }).click();
    });
  const svg = String(await save('SVG'));
  assert.match(svg, /^<svg [^>]*xmlns=/);
  const { chips, texts, circles, width, title } = await measure(page, svg);
  assert.ok(chips.length > 8);
  for (const { text, free } of chips) assert.ok(free >= 0, `${text} leaves its chip by ${-free}`);
  assert.ok(
    chips.some(({ text }) => text.length === 5),
    'some have two digits',
  );
  const foot = texts.slice(-3);
  for (const [i, pattern] of [/^Bartholomew.*10$/, /^Black to move/, /^Wilhelmina.*22$/].entries()) {
    const { text, left, right } = foot[i];
    assert.match(text, pattern);
    assert.ok(left >= (foot[i - 1]?.right ?? 0) && right <= width, text);
  }
  assert.match(title, /Bartholomew Featherstonehaugh – Wilhelmina Przybyszewska.*Black to move/);
  assert.equal(circles, 32 + 2 + 1, 'discs, two beside the names, the last move');
  const png = await save('PNG');
  assert.equal(png.toString('latin1', 1, 4), 'PNG');
  assert.ok(png.readUInt32BE(20) > png.readUInt32BE(16), 'the foot is in the picture');

  const copy = async () => {
    await STATES.save(page);
    await page.getByRole('button', { name: 'Copy as a picture' }).click();
  };
  await copy();
  await untilNotice(page, /Picture copied/);
  const [types, isWide] = await page.evaluate(async () => {
    const [item] = await navigator.clipboard.read();
    return [item.types.join(), (await createImageBitmap(await item.getType('image/png'))).width > 300];
  });
  assert.deepEqual([types, isWide], ['image/png', true]);
  // A browser that refuses to copy saves the picture.
  await page.evaluate(() => {
    navigator.clipboard.write = () => Promise.reject(new Error('refused'));
  });
  assert.equal((await saved(page, copy)).name, 'outflank-28.png');

  // A diagram has the view of the board.
  await show(page, 'f5d6c3');
  for (let turn = 0; turn < 8; turn++) {
    const text = await page.evaluate(async () => {
      const { diagramOf } = (await import('/js/shell/parts.js')).part('js/io/save.js');
      return diagramOf(outflank, false);
    });
    const { last, texts } = await measure(page, text);
    const edges = texts.slice(0, 16).map(({ text }) => text);
    const shown = page.locator('[role=gridcell]').nth(8 * last[1] + last[0]);
    assert.equal(await shown.getAttribute('data-square'), 'c3', 'the last move is marked');
    const board = await page.evaluate(() =>
      [outflank.board.files, outflank.board.ranks].map((edge) => edge.textContent),
    );
    const [top, left] = [0, 1].map((odd) => edges.filter((_, i) => i % 2 === odd).join(''));
    assert.deepEqual([top, left], board);
    await page.evaluate(() => outflank.act('turn'));
  }
});

/** Creates the printed sheet. */
const print = (page) =>
  page.evaluate(async () => {
    const { attachPrint } = (await import('/js/shell/parts.js')).part('js/io/print.js');
    await attachPrint(outflank);
    dispatchEvent(new Event('beforeprint'));
  });

test('the page prints on one sheet: board, numbered game, moves, graph, losses, mistakes, and nothing else', async () => {
  const settings = { reviewDepth: 4 };
  const page = await opened(site, '/', { ...ENGINE, settings, colorScheme: 'dark', locale: 'ja-JP' });
  await untilValues(page);
  await paste(page, GAME);
  await reviewEnds(page);
  await page.keyboard.press('End');
  // The dialog requests printing, which needs no user here.
  await page.evaluate(() => {
    window.print = () => document.body.setAttribute('data-printed', '');
  });
  await STATES.save(page);
  await page.getByRole('button', { name: '印刷' }).click();
  await page.locator('body[data-printed]').waitFor();
  assert.equal(await page.locator('dialog').count(), 0);

  const pdf = await page.pdf({ preferCSSPageSize: true });
  assert.equal(pdf.toString('latin1').match(/\/Type\s*\/Page[^s]/g).length, 1, 'one page');
  assert.equal(await page.locator('#print').count(), 0, 'it goes when it is printed');

  await page.emulateMedia({ media: 'print' });
  // A4 less its margins, at 96 pixels an inch.
  await page.setViewportSize({ width: 703, height: 1032 });
  await print(page);
  const sheet = await page.evaluate(() => {
    const root = document.querySelector('#print');
    const shown = [...document.body.children].filter((node) => node.getClientRects().length > 0);
    const boxes = [...root.children].map((node) => node.getBoundingClientRect());
    const all = (selector) => [...root.querySelectorAll(selector)];
    return {
      shown: shown.map(({ id }) => id),
      fits: root.scrollHeight <= root.clientHeight + 1 && root.scrollWidth <= root.clientWidth + 1,
      bottom: Math.max(...boxes.map(({ bottom }) => bottom)),
      ordered: boxes.every(({ top }, i) => i === 0 || top >= boxes[i - 1].bottom - 1),
      boards: all('figure svg').length,
      numbers: all('figure:nth-child(2) text').filter(({ textContent }) => textContent === '60').length,
      moves: all('.columns td').length,
      points: all('.graph circle').length,
      sums: all('.report-on-paper tr').length,
      mistakes: all('.mistakes-on-paper li').length,
      ground: getComputedStyle(document.body).backgroundColor,
      ink: getComputedStyle(root).color,
      focusable: all('[tabindex]').length,
    };
  });
  assert.deepEqual(sheet.shown, ['print']);
  assert.ok(sheet.fits && sheet.bottom <= 1032, JSON.stringify(sheet));
  assert.ok(sheet.ordered, 'nothing lies over anything');
  assert.deepEqual([sheet.boards, sheet.numbers, sheet.moves], [2, 1, 60]);
  assert.ok(sheet.points > 50 && sheet.sums > 3 && sheet.mistakes > 0, JSON.stringify(sheet));
  assert.deepEqual([sheet.ground, sheet.ink, sheet.focusable], ['rgb(255, 255, 255)', 'rgb(0, 0, 0)', 0]);
});

test('a dialog gives the focus to its content, not to its close button, and help names the gestures', async () => {
  const page = await opened(site, '/', { ...ENGINE, ...SIZES['390x844'] });
  await untilValues(page);
  for (const state of ['settings', 'menu', 'command', 'play', 'save', 'comment', 'help']) {
    await STATES[state](page);
    assert.equal(await page.locator('dialog :focus').count(), 1, state);
    assert.equal(await page.locator('.head :focus').count(), 0, state);
    if (state === 'help') await page.locator('dialog').getByText('Swipe left on the board').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
  }
  // Enter in the dialog of a match starts it.
  await STATES.play(page);
  await page.keyboard.press('Enter');
  await page.locator('#mode', { hasText: 'Resign' }).waitFor();
});
