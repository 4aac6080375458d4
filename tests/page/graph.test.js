// The graph: its modes, the game next to a variation, and texts without overlap.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { stage } from '../harness/stage.js';
import { GAME, opened, painted, until } from './hands.js';

const site = stage();

/** Opens a game with random values for every position and without the engine. */
async function valued(seed, options) {
  const page = await opened(site, `/#${GAME}`, options);
  await until(() => page.evaluate(() => document.querySelectorAll('#graph text').length > 2), true);
  await page.evaluate((seed) => {
    outflank.settings.set('engine', false);
    const roll = randomOf(seed);
    const { evaluations, rules, study } = outflank;
    window.value = (node, size) => {
      const legal = rules.moves(node.position);
      if (legal.length === 0) return;
      const proof = { kind: 'heuristic', depth: 14, level: 14.1 };
      const move = legal[roll(legal.length)];
      const value = (roll(2 * size) - size) / 1.7;
      evaluations.add(node.position, 'root', { move, value, proof, pv: [move] });
    };
    // Some games are calm, some are wild.
    for (const node of study.tree.main) window.value(node, [3, 14, 60][seed % 3]);
    outflank.painter.flush();
  }, seed);
  return page;
}

/** Elements of the graph that overlap or exceed it. */
const collisions = (page) =>
  page.evaluate(() => {
    const svg = document.querySelector('#graph svg');
    const frame = document.querySelector('#graph').getBoundingClientRect();
    const boxes = [...svg.querySelectorAll('text, .side, .mistake')].map((node) => {
      const { left, right, top, bottom } = node.getBoundingClientRect();
      return { what: node.textContent || node.getAttribute('class'), left, right, top, bottom };
    });
    const found = [];
    for (const [i, a] of boxes.entries()) {
      if (
        a.left < frame.left - 1 ||
        a.right > frame.right + 1 ||
        a.top < frame.top ||
        a.bottom > frame.bottom + 1
      )
        found.push(`${a.what} stands out`);
      for (const b of boxes.slice(i + 1)) {
        // Marks of neighbouring moves may touch.
        const slack = a.what === 'mistake' && b.what === 'mistake' ? 2.5 : 0.5;
        const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        // A line of text is higher than its digits.
        const isText = a.what !== 'mistake' && b.what !== 'mistake';
        if (across > slack && down > (isText ? 4 : slack)) found.push(`${a.what} over ${b.what}`);
      }
    }
    const head = document.querySelector('.graph-head');
    const written = [...head.children].filter((node) => node.offsetParent);
    for (const [i, node] of written.entries())
      if (i > 0 && node.getBoundingClientRect().left < written[i - 1].getBoundingClientRect().right - 0.5)
        found.push('the head');
    const figure = written.find((node) => node.matches('span'));
    if (figure && figure.scrollWidth > figure.clientWidth + 1 && figure.clientWidth > 0)
      found.push(`cut: ${figure.textContent}`);
    return found;
  });

test('texts of the graph do not overlap from 320 to 1280 pixels, in every mode and language', async () => {
  for (const seed of [3, 4, 5]) {
    const page = await valued(seed);
    for (const width of [320, 390, 560, 701, 900, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      for (const mode of ['score', 'loss', 'total'])
        for (const language of width === 320 ? ['en', 'fr', 'ja', 'zh'] : ['fr']) {
          await page.evaluate(
            async ([mode, language]) => {
              outflank.settings.set('graphMode', mode);
              if (outflank.words.language !== language) {
                const told = new Promise((resolve) => outflank.words.changed.listen(resolve));
                outflank.settings.set('language', language);
                await told;
              }
              await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 30)));
              outflank.study.go(outflank.study.tree.main[41]);
              outflank.painter.flush();
            },
            [mode, language],
          );
          assert.ok((await page.locator('#graph svg text').count()) >= 5);
          assert.deepEqual(await collisions(page), [], `game ${seed}, ${width} px, ${mode}, ${language}`);
        }
    }
    await page.close();
  }
});

test('the key and the buttons select three modes; the mode is stored; the scale of losses fits the game', async () => {
  const page = await valued(3);
  const pressed = () => page.locator('#graph .segments [aria-pressed=true]').textContent();
  assert.equal(await pressed(), 'Score');
  const seen = [];
  for (let i = 0; i < 3; i++) {
    await page.keyboard.press('g');
    await page.waitForTimeout(60);
    seen.push(await pressed());
  }
  assert.deepEqual(seen, ['Loss', 'Sum', 'Score']);
  await page.locator('#graph .segments button', { hasText: 'Sum' }).click();
  await until(pressed, 'Sum');
  const slider = page.locator('#graph svg');
  assert.match(await slider.getAttribute('aria-label'), /loss of each side/);
  assert.match(await slider.getAttribute('aria-valuetext'), /Black has lost (≈.)?[\d.]+, White (≈.)?[\d.]+/);
  await page.locator('#graph .segments button', { hasText: 'Loss' }).click();
  const top = async () => Number(await page.locator('#graph text').first().textContent());
  const highest = await page.evaluate(() =>
    Math.max(...outflank.study.tree.main.map((node) => outflank.scores.loss(node)?.loss ?? 0)),
  );
  await until(async () => (await top()) >= highest && (await top()) < highest * 1.7, true);
  await page.reload();
  await until(pressed, 'Loss');
});

test('a variation is drawn dashed over the unchanged game, and the graph leads to both', async () => {
  const page = await valued(4);
  const curve = (name) => page.locator(`#graph .curve${name}`).getAttribute('d');
  // The graph is as high here as on the variation.
  await page.evaluate(() => outflank.study.go(outflank.study.tree.main[20]));
  await painted(page);
  const game = await curve(':not(.variation)');
  assert.equal(await page.locator('#graph .curve.variation').count(), 0);
  await page.evaluate(() => {
    const { rules, study } = outflank;
    const names = () => rules.moves(study.position);
    study.play(names().find((move) => move !== study.tree.main[21].move));
    for (let i = 0; i < 5; i++) study.play(names()[0]);
    for (const node of study.line.slice(21)) window.value(node, 5);
    outflank.painter.flush();
  });
  assert.equal(await curve(':not(.variation)'), game, 'the game is drawn as before');
  assert.equal(((await curve('.variation')).match(/L/g) ?? []).length, 6);
  assert.notEqual(
    await page.locator('#graph .curve.variation').evaluate((node) => getComputedStyle(node).strokeDasharray),
    'none',
  );
  assert.equal(await page.locator('#where').textContent(), 'move 26 of 26');
  // By keyboard along the variation, then home to the start of the line.
  await page.locator('#graph svg').focus();
  await page.keyboard.press('ArrowLeft');
  assert.equal(
    await page.evaluate(() => [outflank.study.node.ply, outflank.study.node.isMain].join()),
    '25,false',
  );
  // A press beyond the variation leads back to the game.
  const at = async (ply) => {
    const box = await page.locator('#graph svg').boundingBox();
    const plot = await page.evaluate(() => {
      const [first, last] = ['#graph circle:first-of-type', '#graph text'].map((name) =>
        document.querySelector(name),
      );
      return { first: Number(first.getAttribute('cx')), last };
    });
    return { x: box.x + plot.first + ((box.width - plot.first - 10) * ply) / 60, y: box.y + box.height / 2 };
  };
  const { x, y } = await at(50);
  await page.mouse.click(x, y);
  await page.waitForFunction(() => outflank.study.node === outflank.study.tree.main[50]);
  // Back at the fork the next move is the game's; down and on stays in the variation.
  await page.evaluate(() => outflank.study.go(outflank.study.tree.main[20]));
  await page.keyboard.press('Escape');
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction(() => outflank.study.node === outflank.study.tree.main[21]);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction(() => outflank.study.node.ply === 22 && !outflank.study.node.isMain);
  await page
    .getByRole('button', { name: /Last|End/i })
    .first()
    .click();
  await page.waitForFunction(() => outflank.study.node.ply === 26);
});

test('the last point of a finished game is its result, without any engine', async () => {
  const page = await opened(site, `/#${GAME}`);
  await page.evaluate(() => outflank.settings.set('engine', false));
  await page.evaluate(() => outflank.act('last'));
  await page.waitForFunction(() => outflank.study.node.ply === 60);
  const { black, white } = await page.evaluate(() => outflank.rules.look(outflank.study.position));
  const result = black - white;
  await until(
    () => page.locator('#graph svg').getAttribute('aria-valuetext'),
    `move 60, Black ${result > 0 ? '+' : result < 0 ? '−' : ''}${Math.abs(result)}`,
  );
  await until(() => page.locator('#graph .dot-x').count(), 1);
});
