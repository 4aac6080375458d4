// All views show equal values of a position and of a move, whatever happens.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { stage } from '../harness/stage.js';
import { cell, GAME, opened, reviewEnds, until } from './hands.js';

const site = stage();

/** Compares the views of the page after every repaint; differences are in `window.faults`. */
const watch = (page) =>
  page.evaluate(() => {
    window.faults = [];
    window.paintings = 0;
    const clean = (text) => text.replace(/\s/g, ' ').trim();
    outflank.screen.drawn.listen(() => {
      window.paintings++;
      const { study, settings, modes, scores } = outflank;
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
      // The header, the bar, the graph and the list of moves.
      const header = clean(document.querySelector('#engine [data-part=value]').textContent);
      const graph = clean(document.querySelector('#graph svg').getAttribute('aria-valuetext'));
      const bar = clean(document.querySelector('#bar').getAttribute('aria-label'));
      const value = scores.value(node.position);
      const here = told[node.id];
      if (settings.get('graphMode') === 'score' && !graph.endsWith(` ${header}`))
        say('header', header, 'graph', graph);
      if (!bar.includes(header)) say('header', header, 'bar', bar);
      if (here && !here.mistake && here.text.replace(' ✓', '') !== header.replace('–', ''))
        say('header', header, 'moves', here.text);
      if (here?.mistake && settings.get('graphMode') === 'loss' && !graph.includes(here.text.slice(2)))
        say('graph', graph, 'moves', here.text);
      // The table and the header.
      const first = document.querySelector('#lines-body tr .value span');
      const rows = document.querySelectorAll('#lines-body tr').length;
      if (
        first &&
        value &&
        rows >= outflank.rules.look(node.position).legal.length &&
        // A value proven one move before proves the position, but not yet the next move.
        value.exact === (scores.rows(node.position).sorted[0].proof.kind === 'exact') &&
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

const faults = (page) => page.evaluate(() => window.faults.slice(0, 5));

/** Opens the game with its report, without values of a review. */
async function withReport(settings) {
  const page = await opened(site, `/#${GAME}`);
  await page.evaluate(async (settings) => {
    for (const [name, value] of Object.entries({ reviewDepth: 4, ...settings }))
      outflank.settings.set(name, value);
    outflank.panels.show('report');
    await outflank.panels.get('report');
  }, settings);
  await until(() => page.evaluate(() => document.querySelectorAll('#graph text').length > 3), true);
  return page;
}

test('report, moves, graph, header and table agree at every repaint, after all changes of values', async () => {
  const page = await withReport({ depth: 12 });
  await watch(page);
  await page.keyboard.press('a');
  await reviewEnds(page);
  // The list is painted after the last value has come.
  await until(async () => (await page.locator('#panel-report .mistakes li').count()) > 1, true);
  assert.deepEqual(await faults(page), []);
  const steps = await page.evaluate(async () => {
    const roll = randomOf(20260);
    const { study, settings, act, rules, scores } = outflank;
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
        const { best } = scores.rows(study.position);
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
      () => settings.set('depth', [12, 16, 20][roll(3)]),
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
        const exact = scores.exact(study.position);
        if (exact) scores.prove(study.position, exact);
      },
      () => study.comment(study.node, String(roll(99))),
    ];
    const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    const end = performance.now() + 25_000;
    let steps = 0;
    for (; performance.now() < end && window.faults.length === 0; steps++) {
      await ways[roll(ways.length)]();
      await wait(roll(6) === 0 ? 600 : roll(80));
      if (['manual', 'crashed'].includes(outflank.engine.state)) outflank.control.revive();
    }
    return steps;
  });
  assert.deepEqual(await faults(page), []);
  assert.ok(steps > 40, `${steps} steps`);
  assert.ok((await page.evaluate(() => window.paintings)) > 100);
});

test('a position has the value of its best move as soon as its moves are read', async () => {
  const page = await opened(site, '/#f5');
  const values = await page.evaluate(() => {
    const { evaluations, rules, scores, settings, study } = outflank;
    settings.set('engine', false);
    study.go(study.tree.main[1]);
    evaluations.forget();
    const { parent, position } = study.node;
    evaluations.add(parent.position, 'rows', { value: 0, pv: ['f5', 'd6', 'c3'], depth: '10' });
    // A deeper search after another reply, which is not in the tree.
    const after = rules.play(position, 'f6').position;
    evaluations.add(after, 'root', { value: -6, pv: [rules.moves(after)[0]], depth: '20' });
    const before = scores.value(position).value;
    const { best } = scores.rows(position);
    return [before, best.move, best.value, scores.value(position).value, scores.at(study.node).point.value];
  });
  assert.deepEqual(values, [0, 'f6', 6, -6, -6]);
});

test('the verdict on a move of a puzzle appears everywhere in the game at once', async () => {
  const page = await withReport({});
  await page.keyboard.press('a');
  await reviewEnds(page);
  await watch(page);
  // An early position that is not solved, as a puzzle with invented exact scores.
  const { move, ply, before } = await page.evaluate(() => {
    const { study, rules } = outflank;
    const node = study.tree.main[15];
    const { position } = node.parent;
    const legal = rules.moves(position);
    const exact = Object.fromEntries(legal.map((move, i) => [move, move === node.move ? -10 : -(i % 2) * 2]));
    window.game = study.tree;
    window.puzzle = { id: position, position, scores: exact };
    return {
      move: node.move,
      ply: node.ply,
      before: document.querySelector(`[data-node="${node.id}"] small`).textContent,
    };
  });
  assert.doesNotMatch(before, /10/);
  await page.evaluate(async () => {
    const panel = await outflank.panels.get('puzzles');
    await outflank.modes.begin('puzzle', { puzzle: window.puzzle, panel });
  });
  await cell(page, move).click();
  await page.locator('#mode .told', { hasText: `${move} loses 10 discs` }).waitFor();
  const told = () =>
    page.evaluate((ply) => {
      const { tree } = outflank.study;
      const node = tree === window.game ? tree.main[ply] : tree.main[1];
      return document.querySelector(`[data-node="${node.id}"] small`)?.textContent ?? null;
    }, ply);
  await until(told, '▲ 10');
  await page.evaluate(() => {
    outflank.modes.leave();
    outflank.panels.show('report');
    outflank.study.load(window.game, window.game.root);
  });
  await until(told, '▲ 10');
  const mistake = page.locator('#panel-report .mistakes button', { hasText: `${ply}. ${move}` });
  assert.equal(await mistake.locator('b').textContent(), '10');
  await page.evaluate((ply) => outflank.study.go(window.game.main[ply]), ply);
  await page.evaluate(() => outflank.settings.set('graphMode', 'loss'));
  await until(
    async () => /loses 10$/.test(await page.locator('#graph svg').getAttribute('aria-valuetext')),
    true,
  );
  assert.deepEqual(await faults(page), []);
});
