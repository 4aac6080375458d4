// All views of the page show equal values of a position and of a move, whatever happens.

import assert from 'node:assert/strict';

import { GAME } from '../hands.js';
import { site } from './stage.js';

/** Compares the views of the page after every repaint. Differences are in `window.faults`. */
const watch = (page) =>
  page.evaluate(() => {
    window.faults = [];
    window.paintings = 0;
    const clean = (text) => text.replace(/\s/g, ' ').trim();
    const find = (selector) => document.querySelector(selector);
    const textsOf = (selector, read) => [...document.querySelectorAll(selector)].map(read);
    outflank.screen.drawn.listen(() => {
      window.paintings++;
      const { study, settings, modes, rules, values } = outflank;
      if (modes.current?.hide || modes.current?.look) return;
      const { node, position, tree } = study;
      const agree = (doAgree, ...what) => {
        if (doAgree) return;
        const where = `painting ${window.paintings}, ${node.moves.length} ${node.move}`;
        window.faults.push(`${where}: ${what.join(' | ')}`);
      };
      const told = Object.fromEntries(
        textsOf('#moves .mv', ({ dataset, children }) => [
          dataset.node,
          { isMistake: dataset.mistake !== undefined, text: clean([...children].at(-1).textContent) },
        ]),
      );
      const mistakes = tree.main.filter(({ id }) => told[id]?.isMistake);
      if (!find('#panel-report').hidden) {
        const listed = textsOf('#panel-report .mistakes button', (button) => {
          const [move] = /^\S+ \S+/.exec(button.children[1].textContent);
          return clean(`${move} ▲ ${button.querySelector('b').textContent}`).replace(/ ≥.*/, '');
        });
        const marked = mistakes.map(({ id, ply, move }) => `${ply}. ${move} ${told[id].text}`);
        agree(listed.sort().join() === marked.sort().join(), 'report', listed, 'moves', marked);
      }
      const mode = settings.get('graphMode');
      const graph = clean(find('#graph svg').getAttribute('aria-valuetext'));
      const bar = clean(find('#bar').getAttribute('aria-label'));
      const here = told[node.id];
      // What the analysis of the game found stays in the graph, the bar and the lists.
      const [found] = /(–|[+\u2212]?[\d.,]+)$/.exec(bar) ?? [];
      if (mode === 'score') agree(graph.endsWith(` ${found}`), 'bar', bar, 'graph', graph);
      if (here && !here.isMistake)
        agree(here.text.replace(' ✓', '') === found.replace('–', ''), 'bar', bar, 'moves', here.text);
      if (here?.isMistake && mode === 'loss')
        agree(graph.includes(here.text.slice(2)), 'graph', graph, 'moves', here.text);
      if (
        node.isMain &&
        mode === 'score' &&
        find('#graph svg').checkVisibility({ visibilityProperty: true })
      ) {
        const marks = textsOf('#graph .mistake', () => 1).length;
        agree(marks === mistakes.length, 'graph', marks, 'moves', mistakes.length);
      }
      const header = clean(find('#engine [data-part=value]').textContent);
      const value = values.value(position);
      const [best] = values.rows(position).sorted;
      const first = find(`#lines-body [data-move=${best?.move}] .value span`);
      const isWhole = textsOf('#lines-body tr', () => 1).length >= rules.look(position).legal.length;
      // A value proven one move before proves the position, but not yet the next move. A value foreseen by a deeper search does not
      // replace those of other moves.
      if (
        first &&
        value &&
        isWhole &&
        value.exact === (best.proof.kind === 'exact') &&
        best.proof.level >= value.level
      )
        agree(clean(first.textContent) === header, 'header', header, 'table', first.textContent);
    });
  });

/** Differences that `watch` has found. */
const differences = (page) => page.evaluate(() => window.faults.slice(0, 5));

/** Opens the game, and waits for the report of its analysis, which begins by itself. */
export async function withReport(options = {}) {
  const page = await site.openedWhole(`/#${GAME}`, options);
  await page.openTab('Report');
  await page.locator('#panel-report > *').first().waitFor();
  await page.locator('#graph text').nth(3).waitFor({ state: 'attached' });
  await watch(page);
  await page.reviewEnds();
  // The list is painted after the last value has come.
  await page.locator('#panel-report .mistakes li').nth(1).waitFor();
  assert.deepEqual(await differences(page), []);
  return page;
}

/** Changes values in random ways, and compares the views at every repaint.
 *  @param {{ seed: number, steps: number, depths: number[] }} how `depths` of the analysis */
export async function walkValues(page, how) {
  await page.evaluate(async ({ seed, steps, depths }) => {
    const roll = randomOf(seed);
    const { study, settings, act, rules, values } = outflank;
    const run = (name) => act.call(outflank, name);
    const anywhere = () => {
      const nodes = [...study.tree.nodes()];
      return nodes[roll(nodes.length)];
    };
    const ways = [
      () => study.go(anywhere()),
      () => study.go(anywhere()),
      () => {
        const legal = rules.moves(study.position);
        if (legal.length > 0) outflank.press(legal[roll(legal.length)]);
      },
      () => {
        const { best } = values.rows(study.position);
        if (best?.pv.length) outflank.playLine(best.pv.slice(0, 4));
      },
      () => run('undo'),
      () => run('delete'),
      () => run('promote'),
      () => run('forward'),
      () => run('last'),
      () => run('variation-down'),
      () => run('mistake-forward'),
      () => run('graph-mode'),
      () => outflank.perspective.choose(['X', 'O', null][roll(3)]),
      () => run('black-view'),
      () => run('review'),
      () => run('engine'),
      () => settings.set('language', ['en', 'fr', 'ja', 'zh'][roll(4)]),
      () => settings.set('lines', [1, 3, 64][roll(3)]),
      () => settings.set('depth', depths[roll(depths.length)]),
      () => {
        const { worker } = outflank.engine;
        worker?.onmessage({ data: { type: 'fatal', message: 'on purpose' } });
      },
      () => {
        const { review } = outflank.panels.made.get('report');
        review.engines.at(-1)?.worker.onmessage({ data: { type: 'fatal', message: 'on purpose' } });
      },
      // Exact scores from elsewhere.
      () => {
        const exact = values.exact(study.position);
        if (exact) values.prove(study.position, exact);
      },
      () => study.comment(study.node, String(roll(99))),
    ];
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    for (let step = 0; step < steps && window.faults.length === 0; step++) {
      await ways[roll(ways.length)]();
      for (let frames = roll(4); frames >= 0; frames--) await frame();
      // Now and then the analysis ends.
      const { analysis } = outflank;
      while (step % 6 === 0 && analysis.running) await frame();
      if (['manual', 'crashed'].includes(outflank.engine.state)) outflank.control.revive();
    }
  }, how);
  assert.deepEqual(await differences(page), [], JSON.stringify(how));
  assert.ok((await page.evaluate(() => window.paintings)) > how.steps / 2, 'the page was painted');
}
