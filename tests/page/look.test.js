// Optional looks of the board, what is spoken, pictures for other programs, and the mistakes on paper.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { stage } from '../harness/stage.js';
import { opened, until, untilNotice, untilValues } from './hands.js';

const site = stage();

/** Stops the engine and gives the position values with this best line. */
const withLine = (page, moves) =>
  page.evaluate((moves) => {
    const { evaluations, painter, settings, study } = outflank;
    settings.set('engine', false);
    const proof = { kind: 'selective', depth: 40, confidence: 73, level: 240 };
    evaluations.add(study.position, 'rows', { move: moves[0], value: 9, proof, pv: moves });
    painter.flush();
  }, moves);

const drawn = (page) =>
  page.locator('.arrows path').evaluateAll((paths) => paths.map((path) => path.getAttribute('transform')));

test('arrows show the best line if chosen, in every view, and never hidden values', async () => {
  const page = await opened(site, '/#f5d6c3');
  await untilValues(page);
  await withLine(page, ['d3', 'c4', 'f4']);
  assert.deepEqual(await drawn(page), []);
  await page.evaluate(() => outflank.settings.set('arrows', true));
  await until(async () => (await drawn(page)).length, 2);
  // From the centre of d3 to that of c4, and on.
  assert.deepEqual(
    (await drawn(page)).map((text) => /\(([^)]+)\)/.exec(text)[1]),
    ['3.5 2.5', '2.5 3.5'],
  );
  // An arrow is on the squares of its moves.
  const ends = await page.evaluate(() => {
    const [svg, square] = ['.arrows', '[data-square=a8]'].map((name) =>
      document.querySelector(name).getBoundingClientRect(),
    );
    return [Math.abs(svg.left - square.left), Math.abs(svg.bottom - square.bottom)];
  });
  assert.ok(Math.max(...ends) < 2, `${ends}`);
  await page.evaluate(() => outflank.act('flip'));
  await until(async () => /\(([^)]+)\)/.exec((await drawn(page))[0])[1], '4.5 5.5');
  await page.evaluate(() => outflank.act('values'));
  await page.evaluate(() => outflank.settings.set('values', false));
  await until(async () => (await drawn(page)).length, 0);
});

test('a move made or stepped to is spoken with the discs it turns, and a proof with its meaning', async () => {
  const page = await opened(site, '/#f5d6c3');
  await untilValues(page);
  const spoken = (text) => until(() => page.locator('#live').textContent(), text);
  await page.evaluate(() => outflank.act('back'));
  await spoken('White d6, turns d5');
  await page.evaluate(() => outflank.act('first'));
  await spoken('Start of the game');
  await page.locator('[data-square=d3]').click();
  await spoken('Black d3, turns d4');
  await page.evaluate(() => {
    outflank.act('last');
    outflank.act('back');
  });
  await withLine(page, ['c3', 'e3']);
  const proof = page.locator('#lines-body tr').first().locator('.proof');
  for (const name of ['title', 'aria-label'])
    assert.match(await proof.getAttribute(name), /73%: the search skipped .* about 73% certainty/);
});

test('the board has four colours, and colours and theme follow in other tabs', async () => {
  const page = await opened(site, '/');
  await untilValues(page);
  const other = await page.context().newPage();
  await other.goto(site.address);
  await untilValues(other);
  const colour = (tab) => tab.evaluate(() => getComputedStyle(document.querySelector('.sq')).backgroundColor);
  const seen = new Set();
  await page.evaluate(() => outflank.dialog('showSettings'));
  for (const name of ['blue', 'wood', 'grey', 'green']) {
    await page.getByRole('group', { name: 'Board' }).getByRole('radio', { name, exact: true }).check();
    await until(() => other.evaluate(() => document.documentElement.dataset.board), name);
    assert.equal(await colour(other), await colour(page));
    seen.add(await colour(page));
  }
  assert.equal(seen.size, 4);
  await page.evaluate(() => outflank.settings.set('theme', 'dark'));
  await until(() => other.evaluate(() => document.documentElement.dataset.theme), 'dark');
  await other.close();
});

test('a diagram is copied as a picture, or saved if the browser refuses', async () => {
  const page = await opened(site, '/#f5d6c3', { permissions: ['clipboard-read', 'clipboard-write'] });
  await untilValues(page);
  const press = async () => {
    await page.evaluate(() => outflank.act('save'));
    await page.getByRole('button', { name: 'Copy as a picture' }).click();
  };
  await press();
  await untilNotice(page, /Picture copied/);
  const head = await page.evaluate(async () => {
    const [item] = await navigator.clipboard.read();
    const picture = await createImageBitmap(await item.getType('image/png'));
    return [item.types.join(), picture.width > 300];
  });
  assert.deepEqual(head, ['image/png', true]);
  await page.evaluate(() => {
    navigator.clipboard.write = () => Promise.reject(new Error('refused'));
  });
  const download = page.waitForEvent('download');
  await press();
  assert.equal((await download).suggestedFilename(), 'outflank-3.png');
});

test('the printed sheet lists the mistakes with the better moves', async () => {
  const page = await opened(site, '/#f5d6c3d3c4f4f6');
  await untilValues(page);
  const [listed, known] = await page.evaluate(async () => {
    const { evaluations, scores, study } = outflank;
    outflank.settings.set('engine', false);
    const node = study.line[5];
    const { legal } = outflank.rules.look(node.parent.position);
    const proof = { kind: 'heuristic', depth: 20, level: 20 };
    const squares = legal.map((at) => 'abcdefgh'[at & 7] + ((at >> 3) + 1));
    const row = (move) => ({ move, value: move === node.move ? -9 : 3, proof, pv: [move] });
    evaluations.add(node.parent.position, 'rows', ...squares.map(row));
    const { attachPrint } = (await import('/js/shell/parts.js')).part('js/io/print.js');
    await attachPrint(outflank);
    dispatchEvent(new Event('beforeprint'));
    const items = [...document.querySelectorAll('.mistakes-on-paper li')].map((item) => item.textContent);
    const loss = scores.loss(node);
    return [items, { ply: node.ply, move: node.move, best: loss.best }];
  });
  const { ply, move, best } = known;
  assert.ok(
    listed.some(
      (text) =>
        text.startsWith(`${ply}. ${move} loses `) &&
        /loses \D*12/.test(text) &&
        text.endsWith(`; ${best} is better`),
    ),
    listed.join(),
  );
});

test('help on a touch screen names the gestures', async () => {
  const page = await opened(site, '/', {
    hasTouch: true,
    isMobile: true,
    viewport: { width: 360, height: 740 },
  });
  await untilValues(page);
  await page.evaluate(() => outflank.act('help'));
  await page.locator('dialog').getByText('Swipe left on the board').waitFor();
});
