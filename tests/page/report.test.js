// The report and the list of moves: the values of `outflank analyze`, order, links, stability and speed.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { stage } from '../harness/stage.js';
import { GAME, opened, paste, reviewEnds, until } from './hands.js';

const site = stage();

async function reviewed(path = `/#${GAME}`, options = {}) {
  const page = await opened(site, path, options);
  // Values of the position on the board would change the mistakes during a test.
  await page.evaluate(() => {
    outflank.settings.set('engine', false);
    outflank.settings.set('reviewDepth', 4);
  });
  await page.evaluate(() => outflank.act('review'));
  await reviewEnds(page);
  // The last values are drawn a moment later.
  await page.waitForFunction(() => {
    const found = outflank.study.tree.main.filter((node) => outflank.scores.loss(node)?.mistake);
    return document.querySelectorAll('#panel-report .mistakes button').length === found.length;
  });
  return page;
}

test('the report has accuracy and loss per move with an explanation, mistakes, and tables without empty rows', async () => {
  const page = await reviewed();
  // Values may still improve: the shown text and its values are read together.
  const differences = () =>
    page.evaluate(() => {
      const { X, O } = outflank.scores.summary(outflank.study.tree.main);
      const sections = [...document.querySelectorAll('#panel-report .sides section')];
      return [X, O]
        .flatMap((side, i) => [
          [sections[i].querySelector('.figure').textContent, `${side.accuracy} / 100`],
          [sections[i].textContent, `${(side.loss / side.known).toFixed(2)} discs lost per move`],
        ])
        .filter(([shown, made]) => !shown.includes(made))
        .join('; ');
    });
  await until(differences, '');
  const order = await page.evaluate(() =>
    ['.mistakes', '.sides', '.tables'].map(
      (name) => document.querySelector(`#panel-report ${name}`).offsetTop,
    ),
  );
  assert.deepEqual(
    order,
    [...order].sort((a, b) => a - b),
  );
  const cells = await page
    .locator('#panel-report tbody tr')
    .evaluateAll((rows) =>
      rows.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent)),
    );
  assert.ok(cells.length > 1);
  assert.ok(
    cells.every((row) => row.some((text) => text !== '0')),
    JSON.stringify(cells),
  );
  const explained = page.locator('#panel-report .explain p');
  assert.equal(await explained.isVisible(), false);
  await page.locator('#panel-report summary').focus();
  await page.keyboard.press('Enter');
  await until(() => explained.isVisible(), true);
  assert.match(await explained.textContent(), /4 discs/);
});

/** Arbitrary moves from move 17 on: a game with many mistakes. */
const WILD =
  'f5d6c3d3c4f4f6f3e6e7d7c5b6d8c6c7e2f7c8b8g2b5g6f1d1h7g8a5g4h3a6b7a8e3h4g7h2b3a2a7e8a3c2f8h1b2g5b1a1b4a4c1f2h8d2g3h5e1g1h6';

/** The figures, the text about the known moves, and the number of mistakes. */
const told = (page) =>
  page.evaluate(() => {
    outflank.painter.flush();
    const read = (what) =>
      [...document.querySelectorAll(`#panel-report ${what}`)].map((node) => node.textContent);
    const [state, button] = [read('.pad > div .under .muted')[0], read('.lead')[0]];
    return { state, button, figures: read('.figure'), mistakes: read('.mistakes li').length };
  });

test('only an analysed game has accuracy, also after a reload', async () => {
  const page = await opened(site, `/#${WILD}`);
  await page.waitForFunction(() => outflank.engine.info);
  await page.evaluate(() => {
    outflank.settings.set('reviewDepth', 10);
    outflank.study.go(outflank.study.tree.main.at(-2));
    return outflank.panels.show('report');
  });
  const first = page.locator('#panel-report .under .muted');
  await until(async () => /^\d of 60 moves known$/.test(await first.textContent()), true);
  assert.deepEqual((await told(page)).figures, ['– / 100', '– / 100']);
  assert.equal((await told(page)).button, 'Analyse game');

  await page.evaluate(() => outflank.act('review'));
  await page.waitForFunction(() => outflank.panels.made.get('report').review.left < 42);
  await page.evaluate(() => outflank.panels.made.get('report').toggle());
  const stopped = await told(page);
  assert.match(stopped.state, /^\d\d of 60 moves known$/);
  assert.deepEqual(stopped.figures, ['– / 100', '– / 100']);

  await page.evaluate(() => {
    outflank.settings.set('engine', false);
    return outflank.act('review');
  });
  await page.waitForFunction(() => outflank.panels.made.get('report').review.left === 0);
  await until(async () => (await told(page)).state, 'Depth 10 and exact endings');
  const done = await told(page);
  assert.ok(done.figures.every((figure) => /^\d+ /.test(figure)) && done.mistakes > 20, JSON.stringify(done));

  // The depth is that of the values, not what the next analysis is set to.
  await page.evaluate(() => outflank.settings.set('reviewDepth', 22));
  assert.equal((await told(page)).state, done.state);
  await page.evaluate(() => outflank.settings.set('reviewDepth', 10));
  await page.reload();
  await page.waitForFunction(() => window.outflank?.engine?.info);
  await page.evaluate(() => outflank.panels.show('report'));
  await until(async () => JSON.stringify(await told(page)), JSON.stringify(done));
  // Nothing is left to search.
  await page.evaluate(() => outflank.act('review'));
  await page.waitForFunction(() => outflank.panels.made.get('report').review.total === 61);
  await until(() => page.evaluate(() => outflank.panels.made.get('report').review.running), false);
  assert.equal(await page.evaluate(() => outflank.panels.made.get('report').review.engines.length), 0);
});

test('a mistake stays while the position after it is searched deeper', async () => {
  const page = await reviewed(`/#${WILD}`);
  const mistake = page.locator('#panel-report .mistakes li').first();
  const [before, size] = [await told(page), await mistake.textContent()];
  assert.match(size, /≈/);
  await page.evaluate(() => {
    const { evaluations, scores, study } = outflank;
    const { position } = study.tree.main.find((node) => scores.loss(node)?.mistake);
    const root = evaluations.added(position).best;
    const proof = { kind: 'heuristic', depth: 30, level: 30 };
    evaluations.add(position, 'root', { ...root, value: Math.max(-64, root.value - 60), proof });
  });
  assert.deepEqual(await told(page), before);
  assert.equal(await mistake.textContent(), size);
});

test('an abandoned worker is replaced by another, which does the rest', async () => {
  const page = await opened(site, `/#${GAME}`);
  await page.waitForFunction(() => outflank.engine.info);
  await page.evaluate(() => {
    outflank.settings.set('reviewDepth', 10);
    outflank.settings.set('workers', 1);
    return outflank.act('review');
  });
  await page.waitForFunction(() => outflank.panels.made.get('report').review.left < 50);
  await page.evaluate(() => {
    const [engine] = outflank.panels.made.get('report').review.engines;
    engine.spawn = () => {
      throw new Error('on purpose');
    };
    engine.worker.onerror({ message: 'on purpose' });
  });
  await page.waitForFunction(() => !outflank.panels.made.get('report').review.running);
  assert.equal(await page.evaluate(() => outflank.panels.made.get('report').review.left), 0);
});

test('a mistake leads to its move; learning uses the selected side and leaves the game unchanged', async () => {
  const page = await reviewed();
  const mistake = page.locator('#panel-report .mistakes button').first();
  const [, ply] = /^(\d+)\./.exec(await mistake.locator('span').nth(1).textContent());
  await mistake.click();
  // The position before the mistake.
  await until(() => page.evaluate(() => outflank.study.node.ply), Number(ply) - 1);
  await until(() => mistake.getAttribute('aria-current'), 'step');
  const learn = page.locator('#panel-report section button');
  await learn.last().click();
  await page.waitForFunction(() => outflank.modes.current?.stage === 'ask');
  assert.equal(await page.evaluate(() => outflank.study.position[64]), 'O');
  await page.getByRole('tab', { name: 'Report' }).click();
  await page.locator('#panel-report').getByText('Hidden until').waitFor();
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => outflank.modes.current === null);
  assert.equal(await page.evaluate(() => outflank.study.game().moves), GAME);
  // The button below a finger stays while values change.
  const button = page.locator('#panel-report .mistakes button').first();
  await button.focus();
  const kept = await button.elementHandle();
  await page.evaluate(() => {
    const { scores, study, rules } = outflank;
    const node = study.tree.main.find((node) => scores.loss(node)?.mistake);
    const legal = rules.moves(node.parent.position);
    scores.prove(
      node.parent.position,
      Object.fromEntries(legal.map((move) => [move, move === node.move ? -20 : 0])),
    );
    outflank.painter.now();
  });
  await until(async () => /20$/.test(await button.locator('b').textContent()), true);
  assert.ok(await kept.evaluate((node) => node.isConnected && node === document.activeElement));
});

test('unchanged parts of a tree with thousands of nodes are not redrawn', async () => {
  const page = await reviewed();
  const { still, told } = await page.evaluate(() => {
    const { study, rules, painter, evaluations } = outflank;
    const roll = randomOf(5);
    let nodes = 60;
    const { tree } = study;
    while (nodes < 4000)
      for (let node = tree.main[roll(30)]; nodes < 4000; ) {
        const moves = rules.moves(node.position);
        if (moves.length === 0) break;
        const { node: next, made } = tree.play(node, moves[roll(moves.length)]);
        if (made) nodes++;
        node = next;
      }
    study.changed.send('tree');
    painter.flush();
    painter.flush();
    const times = (change) => {
      const found = [];
      for (let i = 0; i < 15; i++) {
        change(i);
        const start = performance.now();
        painter.flush();
        found.push(performance.now() - start);
      }
      // The least: a busy machine makes others longer.
      return Math.min(...found);
    };
    const still = times(() => {});
    const position = tree.main[10].position;
    const move = evaluations.added(position).best.move;
    const told = times((i) => {
      const proof = { kind: 'heuristic', depth: 20 + i, level: 20.1 + i };
      evaluations.add(position, 'root', { move, value: i, proof, pv: [move] });
    });
    return { still, told };
  });
  assert.ok(still < 15, `${still} ms`);
  assert.ok(told < 60, `${told} ms`);
});

/** The output of the program, checked by `tests/console/analyze.txt`. */
const [printed] = readFileSync(new URL('../data/report/analysis.jsonl', import.meta.url), 'utf8')
  .split('\n', 1)
  .map((line) => JSON.parse(line));

test('the report of a game is that of the command line', async () => {
  // Before the page starts: earlier searches would also count.
  const settings = {
    reviewDepth: printed.depth,
    engine: false,
    // Searches in sequence, as in the program: the values of several workers depend on the order.
    workers: 1,
  };
  const localStorage = [{ name: 'outflank.settings', value: JSON.stringify(settings) }];
  const page = await opened(site, '/', {
    storageState: { cookies: [], origins: [{ origin: site.address, localStorage }] },
  });
  await paste(page, printed.moves);
  await page.keyboard.press('a');
  await reviewEnds(page);
  const { values, sums } = await page.evaluate(() => {
    const { scores, study } = outflank;
    const line = study.tree.main;
    const { X, O } = scores.summary(line);
    const figures = (side) => ({
      lost: side.loss,
      phases: side.phases,
      moves: side.moves,
      known: side.known,
      exact: side.exact,
      accuracy: side.accuracy,
      changed: [side.changed.WD, side.changed.WL, side.changed.DL],
      discs: side.mistakes.filter(({ changed }) => !changed).length,
      grave: side.mistakes.filter(({ grade }) => grade === 'grave').length,
    });
    return {
      values: line.map((node) => scores.value(node.position)?.value),
      sums: { black: figures(X), white: figures(O) },
    };
  });
  const rounded = (value) => Math.round(100 * value) / 100;
  assert.deepEqual(
    values.map(rounded),
    printed.positions.map(({ value }) => value),
  );
  for (const side of ['black', 'white']) {
    const [page, program] = [sums[side], printed.summary[side]];
    assert.deepEqual([rounded(page.lost), page.phases.map(rounded)], [program.lost, program.phases], side);
    for (const figure of ['moves', 'known', 'exact', 'accuracy', 'discs', 'grave'])
      assert.equal(page[figure], program[figure], `${figure} of ${side}`);
    const { win_to_draw, win_to_loss, draw_to_loss } = program.changed;
    assert.deepEqual(page.changed, [win_to_draw, win_to_loss, draw_to_loss], side);
  }
});
