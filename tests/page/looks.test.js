// Appearance: content instead of hidden values, marks, the best line, diagrams, the printed sheet, dialogs.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

import { SIZES, STATES } from '../harness/screens.js';
import { stage } from '../harness/stage.js';
import { GAME, opened, painted, paste, reviewEnds, until, untilValues } from './hands.js';

const site = stage();
const textOf = (page, selector) => page.locator(selector).innerText();

/** Switches the engine off and adds rows of the first position. */
async function knowing(page, rows) {
  await page.evaluate((rows) => {
    outflank.settings.set('engine', false);
    const { evaluations, study, painter } = outflank;
    evaluations.forget();
    evaluations.add(study.position, 'rows', ...rows);
    painter.flush();
  }, rows);
}

const selective = (depth, n) => ({ kind: 'selective', depth, confidence: n, level: depth + n / 1000 });
/** Two moves of this position are symmetric to no other: values may differ. */
const UNEVEN = 'f5d6c3d3c4f4f6f3';

test('a mark that all moves share is shown once in the header; other marks are next to their moves', async () => {
  const page = await opened(site, `/#${UNEVEN}`);
  await untilValues(page);
  const legal = await page.evaluate(() => outflank.rules.moves(outflank.study.position));
  const row = (move, i, proof) => ({ move, value: 2 - i, proof, pv: [move] });
  const marks = () =>
    page.evaluate(() => ({
      board: [...document.querySelectorAll('.val:not(.none) i')].map((mark) => mark.textContent),
      // A share is an icon.
      table: [...document.querySelectorAll('#lines-body .proof')].map(
        (mark) => mark.querySelector('.share')?.style.getPropertyValue('--share') ?? mark.textContent,
      ),
      header: document.querySelector('[data-part=depth]').textContent,
    }));
  await knowing(
    page,
    legal.map((move, i) => row(move, i, selective(20, 73))),
  );
  let shown = await marks();
  assert.ok(shown.board.length >= legal.length);
  assert.deepEqual([...new Set([...shown.board, ...shown.table])], ['']);
  assert.match(shown.header, /73%/);
  assert.match(
    await page.locator(`[data-square="${legal[0]}"]`).getAttribute('aria-label'),
    /73%/,
    'it is spoken all the same',
  );

  await knowing(
    page,
    legal.map((move, i) => row(move, i, selective(20, i === 1 ? 91 : 73))),
  );
  shown = await marks();
  assert.deepEqual([...new Set(shown.board)].sort(), ['73%', '91%']);
  assert.deepEqual([...new Set(shown.table)].sort(), ['0.73', '0.91']);

  const exact = { kind: 'exact', depth: 100, level: 1000 };
  await knowing(
    page,
    legal.map((move, i) => row(move, i, exact)),
  );
  shown = await marks();
  assert.deepEqual([...new Set([...shown.board, ...shown.table])], ['✓'], 'proofs are kept');
});

test('every line of play has one row of at least three moves', async () => {
  const page = await opened(site, '/#f5');
  await untilValues(page);
  const pv = GAME.match(/../g).slice(1, 22);
  await knowing(page, [
    { move: 'd6', value: 1, proof: selective(20, 73), pv },
    { move: 'f4', value: 0, proof: selective(20, 73), pv: ['f4', 'e3', 'd6', 'c5', 'f3', 'f6'] },
  ]);
  for (const size of ['1280x800', '1024x768', '390x844']) {
    await page.setViewportSize(SIZES[size].viewport);
    await painted(page);
    const lines = await page.evaluate(() =>
      [...document.querySelectorAll('#lines-body .pv div')].map((line) => {
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
});

test('a match shows names, clocks and moves, and no values; a puzzle shows the progress', async () => {
  const page = await opened(site, '/');
  await untilValues(page);
  await STATES.match(page);
  await page.locator('.room table').waitFor();
  await page.waitForTimeout(300);
  assert.equal((await textOf(page, '#engine')).trim(), 'Your move');
  const { moves, names } = await page.evaluate(() => {
    const { line, tree } = outflank.study;
    return { moves: line.slice(1).map(({ move }) => move), names: [tree.tags.black, tree.tags.white] };
  });
  assert.deepEqual(await page.locator('.room th').allTextContents(), ['#', ...names]);
  const rows = await page
    .locator('.room tbody tr')
    .evaluateAll((rows) => rows.flatMap((row) => [...row.cells].slice(1).map((cell) => cell.textContent)));
  assert.deepEqual(rows.filter(Boolean), moves);
  assert.equal(await page.locator('#mode .clocks').count(), 1);
  assert.equal(await page.locator('#graph').isVisible(), false);
  assert.doesNotMatch(await textOf(page, 'body'), /hints used|mobility/i);
  assert.equal(await page.locator('.val:not(.none)').count(), 0);
  assert.equal(await page.locator('#lines-body tr').count(), 0);
  // The printed sheet has none, either.
  await page.evaluate(async () => {
    const { attachPrint } = (await import('/js/shell/parts.js')).part('js/io/print.js');
    await attachPrint(outflank);
    dispatchEvent(new Event('beforeprint'));
  });
  assert.equal(await page.locator('#print small').count(), 0);
  assert.equal(await page.locator('#print .report-on-paper').count(), 0);
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  // Afterwards the values are shown again.
  await page.evaluate(() => outflank.modes.leave());
  await untilValues(page);
  assert.equal(await page.locator('.room').isVisible(), false);
  assert.ok(await page.locator('#lines-body tr').first().isVisible());
  // A puzzle shows the progress instead of the lines.
  await STATES.puzzle(page);
  const empties = await page.evaluate(() => outflank.study.position.split('-').length - 1);
  await page.locator('#engine').getByText(`${empties} empty square`).waitFor();
  assert.match(await textOf(page, '#engine'), /0 of \d+ solved/);
});

test('the loss of a mistake stays inside its highlight, in every language', async () => {
  const page = await opened(site, '/#f5d6c3d3c4', { viewport: { width: 1024, height: 768 } });
  await untilValues(page);
  await page.evaluate(() => {
    outflank.settings.set('engine', false);
    const { evaluations, study } = outflank;
    evaluations.forget();
    const { node } = study;
    const heuristic = { kind: 'heuristic', depth: 20, level: 20.1 };
    const add = (at, value, move) =>
      evaluations.add(at.position, 'root', { move, value, proof: heuristic, pv: [move] });
    add(node, 36, 'f4');
    add(node.parent, 36, 'c5');
    outflank.painter.flush();
  });
  const told = page.locator('#moves .mv[data-mistake] small').first();
  await told.waitFor();
  for (const language of ['en', 'fr', 'ja', 'zh']) {
    await page.evaluate((language) => outflank.settings.set('language', language), language);
    await page.waitForFunction((language) => document.documentElement.lang === language, language);
    await painted(page);
    const inside = await told.evaluate((node) => {
      const outer = node.closest('.mv').getBoundingClientRect();
      const inner = node.getBoundingClientRect();
      return inner.left >= outer.left && inner.right <= outer.right && inner.bottom <= outer.bottom;
    });
    assert.ok(inside, language);
  }
});

/** The diagram of the board, added to the page for measurement. */
const diagram = (page) =>
  page.evaluate(async () => {
    const { diagramOf } = (await import('/js/shell/parts.js')).part('js/io/save.js');
    const svg = document.importNode(
      new DOMParser().parseFromString(diagramOf(outflank, true), 'image/svg+xml').documentElement,
      true,
    );
    document.body.append(svg);
    const { width } = svg.viewBox.baseVal;
    const chips = [...svg.querySelectorAll('.chip')].map((chip) => {
      const outer = chip.querySelector('rect').getBBox();
      return [...chip.querySelectorAll('text')].map((text) => {
        const { x, width } = text.getBBox();
        return { text: text.textContent, free: Math.min(x - outer.x, outer.x + outer.width - x - width) };
      });
    });
    const texts = [...svg.querySelectorAll(':scope > text')].map((text) => {
      const box = text.getBBox();
      return { text: text.textContent, left: box.x, right: box.x + box.width, y: box.y };
    });
    svg.remove();
    return { chips, texts, width, title: svg.querySelector('title').textContent };
  });

test('a diagram names the players and the side to move, and every value stays on its chip', async () => {
  const page = await opened(site, '/');
  await untilValues(page);
  await STATES.moves(page);
  await page.waitForFunction(() => outflank.scores.rows(outflank.study.position).map.size > 8);
  await page.evaluate(() => {
    const { evaluations, study } = outflank;
    outflank.settings.set('engine', false);
    const { rows } = evaluations.added(study.position);
    const exact = { kind: 'selective', confidence: 73, depth: 40, level: 240 };
    const proof = (i) => (i === 0 ? { ...exact, confidence: 91, level: 250 } : exact);
    const changed = rows.map((row, i) => ({ ...row, value: i % 2 ? 52.4 : -28.8, proof: proof(i) }));
    evaluations.add(study.position, 'rows', ...changed);
  });
  const { chips, texts, width, title } = await diagram(page);
  assert.ok(chips.length > 8);
  for (const { text, free } of chips.flat()) assert.ok(free >= 0, `${text} leaves its chip by ${-free}`);
  assert.ok(
    chips.flat().some(({ text }) => text.length === 5),
    'some have two digits',
  );
  const foot = texts.slice(-3);
  assert.match(foot[0].text, /^Bartholomew.*10$/);
  assert.match(foot[1].text, /^Black to move/);
  assert.match(foot[2].text, /^Wilhelmina.*22$/);
  for (const [i, { left, right }] of foot.entries()) {
    assert.ok(left >= 0 && right <= width, foot[i].text);
    if (i > 0) assert.ok(left >= foot[i - 1].right, `${foot[i - 1].text} and ${foot[i].text} overlap`);
  }
  assert.match(title, /Bartholomew Featherstonehaugh – Wilhelmina Przybyszewska.*Black to move/);
  const saved = async (name) => {
    await page.getByRole('button', { name: 'Save' }).click();
    const download = page.waitForEvent('download');
    await page.locator('dialog button', { hasText: name }).click();
    return readFile(await (await download).path());
  };
  const svg = String(await saved('SVG'));
  assert.match(svg, /^<svg [^>]*xmlns=/);
  assert.match(svg, />[+−]?\d+\.\d</);
  assert.equal(
    (svg.match(/<circle/g) ?? []).length,
    32 + 2 + 1,
    'discs, two beside the names, the last move',
  );
  const png = await saved('PNG');
  assert.equal(png.toString('latin1', 1, 4), 'PNG');
  assert.ok(png.readUInt32BE(20) > png.readUInt32BE(16), 'the foot is in the picture');
});

test('a diagram has the view of the board', async () => {
  const page = await opened(site, '/#f5d6c3');
  for (let turn = 0; turn < 8; turn++) {
    const shown = await page.evaluate(async () => {
      const { diagramOf } = (await import('/js/shell/parts.js')).part('js/io/save.js');
      const svg = new DOMParser().parseFromString(diagramOf(outflank, false), 'image/svg+xml');
      const edges = [...svg.querySelectorAll('svg > text')].slice(0, 16).map((text) => text.textContent);
      const dot = svg.querySelector('circle[r="5"]');
      const at = ({ cx, cy }) =>
        Math.floor((cy.baseVal.value - 24) / 60) * 8 + Math.floor((cx.baseVal.value - 24) / 60);
      const [top, left] = [0, 1].map((odd) => edges.filter((_, i) => i % 2 === odd));
      const here = outflank.board.square(at(dot));
      return {
        here,
        top,
        left,
        board: [outflank.board.files, outflank.board.ranks].map((edge) => edge.textContent),
      };
    });
    assert.equal(shown.here, 18, 'the last move is marked on c3');
    assert.deepEqual([shown.top.join(''), shown.left.join('')], shown.board);
    await page.evaluate(() => outflank.board.turn());
  }
});

test('the page prints on one sheet: board, numbered game, moves, graph, losses, and nothing else', async () => {
  const page = await opened(site, '/', { colorScheme: 'dark', locale: 'ja-JP' });
  await untilValues(page);
  await page.evaluate(() => {
    outflank.settings.set('reviewDepth', 4);
    outflank.settings.set('depth', 8);
  });
  await paste(page, GAME);
  await page.waitForFunction(() => outflank.study.tree.main.length === 61);
  await reviewEnds(page);
  await page.evaluate(() => outflank.act('last'));
  // The dialog requests printing, which needs no user here.
  await page.evaluate(() => {
    window.print = () => {
      window.asked = (window.asked ?? 0) + 1;
    };
  });
  await STATES.save(page);
  await page.getByRole('button', { name: '印刷' }).click();
  await page.waitForFunction(() => window.asked === 1);
  assert.equal(await page.locator('dialog').count(), 0);

  const pdf = await page.pdf({ preferCSSPageSize: true });
  assert.equal(pdf.toString('latin1').match(/\/Type\s*\/Page[^s]/g).length, 1, 'one page');
  assert.equal(await page.locator('#print').count(), 0, 'it goes when it is printed');

  await page.emulateMedia({ media: 'print' });
  // A4 less its margins, at 96 pixels an inch.
  await page.setViewportSize({ width: 703, height: 1032 });
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  const sheet = await page.evaluate(() => {
    const root = document.querySelector('#print');
    const shown = [...document.body.children].filter((node) => node.getClientRects().length > 0);
    const boxes = [...root.children].map((node) => node.getBoundingClientRect());
    return {
      shown: shown.map(({ id }) => id),
      fits: root.scrollHeight <= root.clientHeight + 1 && root.scrollWidth <= root.clientWidth + 1,
      bottom: Math.max(...boxes.map(({ bottom }) => bottom)),
      ordered: boxes.every(({ top }, i) => i === 0 || top >= boxes[i - 1].bottom - 1),
      boards: root.querySelectorAll('figure svg').length,
      numbers: [...root.querySelectorAll('figure:nth-child(2) text')].filter(
        ({ textContent }) => textContent === '60',
      ).length,
      moves: root.querySelectorAll('.columns td').length,
      points: root.querySelectorAll('.graph circle').length,
      sums: root.querySelectorAll('.report-on-paper tr').length,
      ground: getComputedStyle(document.body).backgroundColor,
      ink: getComputedStyle(root).color,
      focusable: root.querySelectorAll('[tabindex]').length,
    };
  });
  assert.deepEqual(sheet.shown, ['print']);
  assert.ok(sheet.fits && sheet.bottom <= 1032, JSON.stringify(sheet));
  assert.ok(sheet.ordered, 'nothing lies over anything');
  assert.deepEqual([sheet.boards, sheet.numbers, sheet.moves], [2, 1, 60]);
  assert.ok(sheet.points > 50 && sheet.sums > 3, JSON.stringify(sheet));
  assert.deepEqual([sheet.ground, sheet.ink, sheet.focusable], ['rgb(255, 255, 255)', 'rgb(0, 0, 0)', 0]);
});

test('a dialog gives the focus to its content, not to its close button', async () => {
  const page = await opened(site, '/');
  await untilValues(page);
  for (const state of ['settings', 'menu', 'command', 'play', 'save', 'comment', 'help']) {
    await STATES[state](page);
    const at = await page.evaluate(() => ({
      cross: document.activeElement.closest('.head') !== null,
      inside: document.activeElement.closest('dialog') !== null,
      shown: document.activeElement.outerHTML.slice(0, 80),
    }));
    assert.ok(at.inside && !at.cross, `${state}: ${at.shown}`);
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
  }
  // Enter in the dialog of a match starts it.
  await STATES.play(page);
  await page.keyboard.press('Enter');
  await until(() => page.evaluate(() => outflank.modes.current?.colour), 'X');
});
