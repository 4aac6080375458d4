// All views of the page show equal values of a position and of a move, whatever happens.

import assert from 'node:assert/strict';

import { GAME, until } from '../hands.js';
import { site } from './stage.js';

/** Compares the views of the page after every repaint. Differences are in `window.faults`. */
const watch = (page) =>
  page.evaluate(() => {
    window.faults = [];
    window.paintings = 0;
    const clean = (text) => text.replace(/\s/g, ' ').trim();
    outflank.screen.drawn.listen(() => {
      window.paintings++;
      const { study, settings, modes, values } = outflank;
      if (modes.current?.hide || modes.current?.look) return;
      const told = {};
      for (const button of document.querySelectorAll('#moves .mv'))
        told[button.dataset.node] = {
          text: clean(button.querySelector('small').textContent),
          mistake: button.dataset.mistake !== undefined,
        };
      const { node, tree } = study;
      const say = (...what) =>
        window.faults.push(
          `painting ${window.paintings}, ${node.moves.length} ${node.move}: ${what.join(' | ')}`,
        );
      // The report and the list of moves.
      if (!document.querySelector('#panel-report').hidden) {
        const listed = [...document.querySelectorAll('#panel-report .mistakes button')].map((button) =>
          clean(
            `${/^\S+ \S+/.exec(button.children[1].textContent)} ▲ ${button.querySelector('b').textContent}`,
          ).replace(/ ≥.*/, ''),
        );
        const marked = tree.main
          .slice(1)
          .filter(({ id }) => told[id]?.mistake)
          .map(({ id, ply, move }) => `${ply}. ${move} ${told[id].text}`);
        if (listed.sort().join() !== marked.sort().join())
          say('report', listed.join(), 'moves', marked.join());
      }
      // The bar, the graph and the list of moves.
      const header = clean(document.querySelector('#engine [data-part=value]').textContent);
      const graph = clean(document.querySelector('#graph svg').getAttribute('aria-valuetext'));
      const bar = clean(document.querySelector('#bar').getAttribute('aria-label'));
      const value = values.value(node.position);
      const here = told[node.id];
      // What the analysis of the game found stays in the graph, the bar and the lists.
      const [found] = /(–|[+\u2212]?[\d.,]+)$/.exec(bar) ?? [];
      if (settings.get('graphMode') === 'score' && !graph.endsWith(` ${found}`))
        say('bar', bar, 'graph', graph);
      if (here && !here.mistake && here.text.replace(' ✓', '') !== found.replace('–', ''))
        say('bar', bar, 'moves', here.text);
      if (here?.mistake && settings.get('graphMode') === 'loss' && !graph.includes(here.text.slice(2)))
        say('graph', graph, 'moves', here.text);
      // The table and the header.
      const [best] = values.rows(node.position).sorted;
      const first = document.querySelector(`#lines-body [data-move=${best?.move}] .value span`);
      const rows = document.querySelectorAll('#lines-body tr').length;
      if (
        first &&
        value &&
        rows >= outflank.rules.look(node.position).legal.length &&
        // A value proven one move before proves the position, but not yet the next move. A value foreseen by a deeper search does not
        // replace those of other moves.
        value.exact === (best.proof.kind === 'exact') &&
        best.proof.level >= value.level &&
        clean(first.textContent) !== header
      )
        say('header', header, 'table', first.textContent);
      // The marks of the graph are those of the moves.
      if (node.isMain && settings.get('graphMode') === 'score') {
        const marks = document.querySelectorAll('#graph .mistake').length;
        const marked = tree.main.filter(({ id }) => told[id]?.mistake).length;
        if (
          document.querySelector('#graph svg').checkVisibility({ visibilityProperty: true }) &&
          marks !== marked
        )
          say('graph', marks, 'moves', marked);
      }
    });
  });

/** Differences that `watch` has found. */
const differences = (page) => page.evaluate(() => window.faults.slice(0, 5));

/** Opens the game, and waits for the report of its analysis. */
export async function withReport(options = {}) {
  const settings = { reviewDepth: 4, ...options.settings };
  const page = await site.opened(`/#${GAME}`, { ...options, settings });
  await page.openTab('Report');
  await page.locator('#panel-report > *').first().waitFor();
  await until(
    () =>
      page
        .locator('#graph text')
        .count()
        .then((count) => count > 3),
    true,
  );
  // The analysis of the game began by itself.
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
