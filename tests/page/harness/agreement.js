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
      const isDrawn = find('#graph svg').checkVisibility({ visibilityProperty: true });
      const marks = document.querySelectorAll('#graph .mistake').length;
      if (node.isMain && mode === 'score' && isDrawn)
        agree(marks === mistakes.length, 'graph', marks, 'moves', mistakes.length);
      const header = clean(find('#engine [data-part=value]').textContent);
      const value = values.value(position);
      const [best] = values.rows(position).sorted;
      const first = find(`#lines-body [data-move=${best?.move}] .value span`);
      const rows = document.querySelectorAll('#lines-body tr').length;
      if (!first || !value || rows < rules.look(position).legal.length) return;
      // A value proven one move before proves the position, but not yet the next move. A value foreseen by a deeper search does not
      // replace those of other moves.
      if (value.exact === (best.proof.kind === 'exact') && best.proof.level >= value.level)
        agree(clean(first.textContent) === header, 'header', header, 'table', first.textContent);
    });
  });

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
    const of = (all) => all[roll(all.length)];
    const actions =
      'undo delete promote forward last variation-down mistake-forward graph-mode black-view review engine';
    const crash = (engine) => engine?.worker?.onmessage({ data: { type: 'fatal', message: 'on purpose' } });
    const go = () => study.go(of([...study.tree.nodes()]));
    const ways = [
      ...[go, go],
      () => {
        const legal = rules.moves(study.position);
        if (legal.length > 0) outflank.press(of(legal));
      },
      () => {
        const { best } = values.rows(study.position);
        if (best?.pv.length) outflank.playLine(best.pv.slice(0, 4));
      },
      ...actions.split(' ').map((name) => () => act.call(outflank, name)),
      () => outflank.perspective.choose(of(['X', 'O', null])),
      () => settings.set('language', of(['en', 'fr', 'ja', 'zh'])),
      () => settings.set('lines', of([1, 3, 64])),
      () => settings.set('depth', of(depths)),
      () => crash(outflank.engine),
      () => crash(outflank.panels.made.get('report').review.engines.at(-1)),
      // Exact scores from elsewhere.
      () => {
        const exact = values.exact(study.position);
        if (exact) values.prove(study.position, exact);
      },
      () => study.comment(study.node, String(roll(99))),
    ];
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    for (let step = 0; step < steps && window.faults.length === 0; step++) {
      await of(ways)();
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
