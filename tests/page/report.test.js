// The report and the list of moves: what comes first, where it leads, and that both stay whole and quick.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { reviewEnds } from '../harness/review.js';
import { stage } from '../harness/stage.js';
import { GAME, opened, until } from './hands.js';

const site = stage();

async function reviewed(path = `/#${GAME}`, options = {}) {
  const page = await opened(site, path, options);
  // What the engine finds out about the position on the board would change the mistakes in the middle of a test.
  await page.evaluate(() => {
    outflank.settings.set('engine', false);
    outflank.settings.set('reviewDepth', 4);
  });
  await page.evaluate(() => outflank.act('review'));
  await reviewEnds(page);
  // What is found out at last is drawn a moment later.
  await page.waitForFunction(() => {
    const found = outflank.study.tree.main.filter((node) => outflank.scores.loss(node)?.mistake);
    return document.querySelectorAll('#panel-report .mistakes button').length === found.length;
  });
  return page;
}

test('accuracy and loss a move of each side, explained by keyboard, then mistakes, then tables without empty rows', async () => {
  const page = await reviewed();
  // Values may still improve: what is shown and what it is made of are read at one moment.
  const differences = () =>
    page.evaluate(async () => {
      const [{ summary }, { accuracy }] = await Promise.all([
        import('/js/model/summary.js'),
        import('/js/model/accuracy.js'),
      ]);
      const { X, O } = summary(outflank.study.tree.main, outflank.scores.points);
      const sections = [...document.querySelectorAll('#panel-report .sides section')];
      return [X, O]
        .flatMap((side, i) => [
          [sections[i].querySelector('.figure').textContent, `${accuracy(side)} / 100`],
          [sections[i].textContent, `${(side.total / side.known).toFixed(2)} discs lost a move`],
        ])
        .filter(([shown, made]) => !shown.includes(made))
        .join('; ');
    });
  await until(differences, '');
  const order = await page.evaluate(() =>
    ['.sides', '.mistakes', '.tables'].map(
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

test('a mistake leads to its move; learning begins for the side asked for, and the game is whole after it', async () => {
  const page = await reviewed();
  const mistake = page.locator('#panel-report .mistakes button').first();
  const [, ply] = /^(\d+)\./.exec(await mistake.locator('span').nth(1).textContent());
  await mistake.click();
  await until(() => page.evaluate(() => outflank.study.node.ply), Number(ply));
  await until(() => mistake.getAttribute('aria-current'), 'step');
  const learn = page.locator('#panel-report section button');
  await learn.last().click();
  await page.waitForFunction(() => outflank.modes.current?.stage === 'ask');
  const side = await page.evaluate(() => outflank.study.position[64]);
  assert.equal(
    side,
    await page.evaluate(() => (outflank.study.node.parent ? outflank.study.position[64] : 'X')),
  );
  await page.getByRole('tab', { name: 'Report' }).click();
  await page.locator('#panel-report').getByText('Hidden as long as').waitFor();
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => outflank.modes.current === null);
  assert.equal(await page.evaluate(() => outflank.study.game().moves), GAME);
  await page.locator('#panel-report .mistakes button').first().waitFor();
});

test('the button below a finger stays while values change', async () => {
  const page = await reviewed();
  const button = page.locator('#panel-report .mistakes button').first();
  await button.focus();
  const kept = await button.elementHandle();
  await page.evaluate(() => {
    const { scores, study, rules } = outflank;
    const { node } = { node: study.tree.main.find((node) => scores.loss(node)?.mistake) };
    const legal = rules.look(node.parent.position).legal.map((at) => 'abcdefgh'[at & 7] + ((at >> 3) + 1));
    scores.prove(
      node.parent.position,
      Object.fromEntries(legal.map((move) => [move, move === node.move ? -20 : 0])),
    );
    outflank.painter.now();
  });
  await until(async () => (await button.textContent()).includes('▲ 20'), true);
  assert.ok(await kept.evaluate((node) => node.isConnected && node === document.activeElement));
});

test('thousands of nodes: what did not change is not drawn again', async () => {
  const page = await reviewed();
  const { nodes, still, told } = await page.evaluate(() => {
    const { study, rules, painter, evaluations } = outflank;
    let state = 5;
    const roll = (sides) => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return Math.floor((state / 2 ** 32) * sides);
    };
    let nodes = 60;
    const { tree } = study;
    while (nodes < 4000)
      for (let node = tree.main[roll(30)]; nodes < 4000; ) {
        const { legal } = rules.look(node.position);
        if (legal.length === 0) break;
        const at = legal[roll(legal.length)];
        const { node: next, made } = tree.play(node, 'abcdefgh'[at & 7] + ((at >> 3) + 1));
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
    const move = evaluations.get(position).root.move;
    const told = times((i) => {
      const proof = { kind: 'heuristic', depth: 20 + i, level: 20.1 + i };
      evaluations.get(position).addRoot({ move, value: i, proof, pv: [move] });
    });
    return { nodes, still, told };
  });
  console.log(
    `# ${nodes} nodes: ${still.toFixed(1)} ms where nothing changed, ${told.toFixed(1)} ms where a value did`,
  );
  assert.ok(still < 15, `${still} ms`);
  assert.ok(told < 60, `${told} ms`);
});
