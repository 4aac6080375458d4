// A game with random values, and the check of its graph.

import assert from 'node:assert/strict';

import { GAME, opened } from './hands.js';

/** Opens a game with random values for every position and without the engine. `window.putValues(size, from)` gives values to the
 *  current line from a ply on. @param {any} site of `stage` @param {number} seed @param {string} [cursor] */
export async function valuedGame(site, seed, cursor = '') {
  const page = await opened(site, `/#${GAME}${cursor}`, { engine: 'recorded', settings: { engine: false } });
  await page.locator('#graph text').nth(2).waitFor();
  await page.evaluate((seed) => {
    const roll = randomOf(seed);
    const { evaluations, painter, rules, study } = outflank;
    window.putValues = (size, from = 0) => {
      for (const { position } of study.line.slice(from)) {
        const legal = rules.moves(position);
        if (legal.length === 0) continue;
        const proof = { kind: 'heuristic', depth: 14, level: 14.1 };
        const move = legal[roll(legal.length)];
        const value = (roll(2 * size) - size) / 1.7;
        evaluations.add(position, 'root', { move, value, proof, pv: [move] });
      }
      painter.flush();
    };
    // Some games are calm, some are wild.
    window.putValues([3, 14, 60][seed % 3]);
  }, seed);
  return page;
}

/** Elements of the graph that overlap or exceed it. */
const collisions = (page) =>
  page.evaluate(() => {
    const frame = document.querySelector('#graph').getBoundingClientRect();
    const boxes = [...document.querySelectorAll('#graph svg :is(text, .side, .mistake)')].map((node) => {
      const { left, right, top, bottom } = node.getBoundingClientRect();
      return { what: node.textContent || node.getAttribute('class'), left, right, top, bottom };
    });
    const found = [];
    for (const [i, a] of boxes.entries()) {
      const isOutside = a.left < frame.left - 1 || a.right > frame.right + 1;
      if (isOutside || a.top < frame.top || a.bottom > frame.bottom + 1) found.push(`${a.what} stands out`);
      for (const b of boxes.slice(i + 1)) {
        // Marks of neighbouring moves may touch, and a line of text is higher than its digits.
        const marks = [a, b].filter(({ what }) => what === 'mistake').length;
        const slack = marks === 2 ? 2.5 : 0.5;
        const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (across > slack && down > (marks === 0 ? 4 : slack)) found.push(`${a.what} over ${b.what}`);
      }
    }
    const written = [...document.querySelector('.graph-head').children].filter((node) => node.offsetParent);
    for (const [i, node] of written.entries())
      if (i > 0 && node.getBoundingClientRect().left < written[i - 1].getBoundingClientRect().right - 0.5)
        found.push('the head');
    const figure = written.find((node) => node.matches('span'));
    if (figure && figure.scrollWidth > figure.clientWidth + 1 && figure.clientWidth > 0)
      found.push(`cut: ${figure.textContent}`);
    return found;
  });

/** Asserts that no texts of the graph overlap at these widths, in each mode and language.
 *  @param {any} page of `valuedGame` @param {{ widths: number[], languages: string[] }} all */
export async function assertGraphIsClear(page, { widths, languages }) {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    for (const language of languages)
      for (const mode of ['score', 'loss', 'total']) {
        const texts = await page.evaluate(
          async ([mode, language]) => {
            const { painter, settings, study, words } = outflank;
            settings.set('graphMode', mode);
            if (words.language !== language) {
              const changed = new Promise((resolve) => words.changed.listen(resolve));
              settings.set('language', language);
              await changed;
            }
            study.go(study.tree.main[41]);
            painter.flush();
            // The graph is measured again after the layout.
            await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
            return document.querySelectorAll('#graph svg text').length;
          },
          [mode, language],
        );
        assert.ok(texts >= 5);
        assert.deepEqual(await collisions(page), [], `${width} px, ${mode}, ${language}`);
      }
  }
}
