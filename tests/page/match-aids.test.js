// Hints, take-backs and resignation in a match, and its summary.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { SIZES } from '../harness/screens.js';
import { stage } from '../harness/stage.js';
import {
  beginMatch,
  cell,
  ggfResult,
  opened,
  playMatch,
  playOther,
  smallTargets,
  until,
  untilNotice,
  usersTurn,
} from './hands.js';

const site = stage();

const button = (page, name) => page.locator('#mode button', { hasText: name });
const values = (page) => page.locator('.val b').filter({ hasText: /\d/ }).filter({ visible: true });
const used = (page) => page.evaluate(() => outflank.modes.current.used);
const isMatch = (page) => page.evaluate(() => Boolean(outflank.modes.current?.opponent));

test('a hint shows one move, then all values, and each position counts once', async () => {
  const page = await opened(site, '/');
  await beginMatch(page);
  await playMatch(page, 1);
  assert.equal(await values(page).count(), 0);
  const marked = page.locator('.sq.told');
  await button(page, 'Hint').click();
  await marked.waitFor();
  assert.equal(await marked.count(), 1);
  assert.equal(await values(page).count(), 0);
  const move = await marked.getAttribute('data-square');
  assert.equal(move, await page.evaluate(() => outflank.scores.rows(outflank.study.position).best.move));
  assert.equal(await button(page, 'Values').getAttribute('aria-pressed'), 'true');
  await button(page, 'Values').click();
  await values(page).first().waitFor();
  assert.equal(await marked.count(), 0);
  await button(page, 'Hide').click();
  await page.waitForFunction(() => ['idle', 'stopping'].includes(outflank.engine.state));
  await until(() => values(page).count(), 0);
  await button(page, 'Hint').click();
  await marked.waitFor();
  assert.equal((await used(page)).hints, 1);
  await playMatch(page, 1);
  await until(() => marked.count(), 0);
  assert.equal(await button(page, 'Hint').getAttribute('aria-pressed'), 'false');
  await button(page, 'Hint').click();
  await button(page, 'Values').click();
  await values(page).first().waitFor();
  assert.equal((await used(page)).hints, 2);
  // An earlier position hides the hint, and is no place for one.
  await page.keyboard.press('ArrowLeft');
  await page.waitForFunction(() => !outflank.modes.current.hinting);
  assert.equal(await button(page, 'Hint').count(), 0);
  await button(page, 'Back to the game').click();
  await button(page, 'Hint').waitFor();
  assert.equal((await used(page)).hints, 2);
});

test('looking back is named, and a move there is only played after a question', async () => {
  const page = await opened(site, '/');
  await beginMatch(page);
  await playMatch(page, 3);
  const said = page.locator('#engine .figures');
  const head = () => page.evaluate(() => outflank.modes.current.head.ply);
  assert.match(await said.textContent(), /Your move/);
  for (const [key, number] of [
    ['ArrowLeft', 5],
    ['ArrowLeft', 4],
    ['Home', 0],
  ]) {
    await page.keyboard.press(key);
    await said.getByText(`Looking back at move ${number}`).waitFor();
    assert.doesNotMatch(await said.textContent(), /Your move/);
  }
  // Where the engine was to move, no square can be pressed.
  await page.keyboard.press('ArrowRight');
  await said.getByText('Looking back at move 1').waitFor();
  assert.equal(await page.locator('.sq.legal').count(), 0);
  await page.keyboard.press('Home');
  await page.locator('.sq.legal').first().waitFor();
  const other = await page.evaluate(() => {
    const { rules, study } = outflank;
    return rules.moves(study.position).find((move) => move !== study.node.children[0].move);
  });
  const press = () => cell(page, other).click();
  await press();
  await page.locator('#mode .told', { hasText: `Play ${other} as move 1?` }).waitFor();
  assert.deepEqual([await head(), (await used(page)).takeBacks], [6, 0]);
  await button(page, 'Cancel').click();
  assert.equal(await page.evaluate(() => outflank.study.node.ply), 6);
  await said.getByText('Your move').waitFor();
  // Another step withdraws the question.
  await page.keyboard.press('Home');
  await press();
  await page.keyboard.press('ArrowRight');
  await button(page, 'Back to the game').waitFor();
  await page.keyboard.press('Home');
  await press();
  await button(page, 'Take back').click();
  await usersTurn(page);
  assert.equal(await head(), 2);
  assert.deepEqual(await used(page), { hints: 0, takeBacks: 1 });
  assert.equal(await page.evaluate(() => outflank.study.tree.main[1].move), other);
});

test('a match without hints and take-backs permits neither, in any way', async () => {
  const page = await opened(site, '/');
  await beginMatch(page, { hints: false, takeBack: false });
  await playMatch(page, 2);
  assert.equal(await button(page, 'Hint').count(), 0);
  assert.equal(await button(page, 'Take back').count(), 0);
  const moves = () => page.evaluate(() => outflank.modes.current.head.moves.join(''));
  const before = await moves();
  await page.keyboard.press('Control+z');
  await untilNotice(page, 'No move can be taken back');
  await page.keyboard.press('Delete');
  await page.keyboard.press('Home');
  await page.waitForFunction(() => outflank.study.node.ply === 0);
  await page.evaluate(() => outflank.press('f5'));
  await page.evaluate(() => outflank.press('c4'));
  assert.equal(await page.locator('#mode .told').count(), 0);
  assert.equal(await moves(), before);
  assert.deepEqual(await used(page), { hints: 0, takeBacks: 0 });
  await page.keyboard.press('End');
  await playMatch(page, 1);
  assert.notEqual(await moves(), before);
  // A change of language renames the players.
  for (const [language, you] of [
    ['fr', 'Vous'],
    ['ja', 'あなた'],
    ['zh', '您'],
  ]) {
    await page.evaluate((language) => outflank.settings.set('language', language), language);
    await page.locator('#name-black', { hasText: you }).waitFor();
    await usersTurn(page);
    assert.ok(await isMatch(page));
  }
  await playMatch(page, 1);
});

test('moves that were taken back stay as a variation; the match is the main line', async () => {
  const page = await opened(site, '/');
  await beginMatch(page);
  await playMatch(page, 3);
  await button(page, 'Take back').click();
  await button(page, 'Take back').click();
  await usersTurn(page);
  // Another move than before.
  await playOther(page);
  const { main, played, variations } = await page.evaluate(() => ({
    main: outflank.study.tree.main.map(({ id }) => id),
    played: outflank.study.node.path.map(({ id }) => id),
    variations: [...outflank.study.tree.nodes()].filter((node) => !node.isMain).length,
  }));
  assert.deepEqual(main, played);
  assert.equal(variations, 4);
  assert.equal((await used(page)).takeBacks, 2);
});

test('resigning ends the match with its result, and can be revoked', async () => {
  const page = await opened(site, '/');
  await beginMatch(page, { colour: 'O' });
  await playMatch(page, 3);
  await button(page, 'Take back').click();
  const ply = await page.evaluate(() => outflank.study.node.ply);
  await button(page, 'Resign').click();
  await page.locator('.match-sum strong', { hasText: 'You resigned' }).waitFor();
  assert.equal(await ggfResult(page), '+64.000:r');
  assert.equal(await page.evaluate(() => outflank.study.game().moves.length / 2), ply);
  await page.getByRole('tab', { name: 'Games' }).click();
  await page.locator('#panel-games li', { hasText: '+64' }).waitFor();
  await button(page, 'Continue').click();
  await usersTurn(page);
  assert.equal(await page.evaluate(() => outflank.study.node.ply), ply);
  assert.equal(await ggfResult(page), '?');
  await playMatch(page);
  await page.locator('.match-sum strong', { hasText: /You (won|lost)|A draw/ }).waitFor();
});

test('the end has the result, one lesson with its position, both accuracies, and the next steps', async () => {
  const page = await opened(site, '/');
  await beginMatch(page);
  // The tree may be that of a game that ended early.
  await page.evaluate(() => {
    outflank.study.tree.tags.ending = 'resigned';
  });
  await playMatch(page, 1);
  await button(page, 'Hint').click();
  await playMatch(page);
  const sum = page.locator('.match-sum');
  const headline = await sum.locator('strong').textContent();
  const [mine, theirs] = headline.match(/\d+/g).map(Number);
  assert.match(headline, /^(You won|You lost|A draw), \d+–\d+$/);
  const { black, white, margin, result, ending } = await page.evaluate(() => ({
    ...outflank.rules.look(outflank.study.position),
    result: outflank.study.tree.tags.result,
    ending: outflank.study.tree.tags.ending,
  }));
  assert.deepEqual([mine, theirs], [black, white]);
  assert.deepEqual([result, ending], [margin, undefined]);
  assert.equal(Number.parseFloat(await ggfResult(page)), margin);
  await sum.getByText(/^Accuracy out of 100: You \d+ · Beginner \d+$/).waitFor({ timeout: 60_000 });
  await sum.getByText('Hints used: 1, moves taken back: 0').waitFor();
  // The lesson is the largest loss of the user, and leads to the position before it.
  const worst = await page.evaluate(() => {
    const { rules, scores, study } = outflank;
    const [{ node, best, loss }] = scores.summary(study.tree.main).X.mistakes.sort((a, b) => b.loss - a.loss);
    const { position } = node.parent;
    const other = rules.moves(position).find((move) => move !== node.move && move !== best) ?? best;
    return { move: node.move, number: node.ply, best, loss, position, other };
  });
  assert.ok(worst.loss > 2, 'the first legal move is not always good');
  const lesson = sum.locator('.lesson');
  assert.equal(await lesson.locator('b').textContent(), `One lesson: move ${worst.number}`);
  assert.match(await lesson.locator('.played').textContent(), new RegExp(`^${worst.move} lost .*\\d discs$`));
  assert.equal(await lesson.locator('.better').textContent(), `${worst.best} was better`);
  assert.deepEqual(
    [await lesson.locator('.mini-played').count(), await lesson.locator('.mini-better').count()],
    [1, 1],
  );
  // The values of the position on the board may change: the lesson names the better move that the board marks.
  await page.evaluate(({ position, other }) => {
    const { evaluations, painter } = outflank;
    const row = { move: other, value: 64, depth: '100%', pv: [other] };
    for (const kind of ['rows', 'root', 'reviewed']) evaluations.add(position, kind, row);
    painter.flush();
  }, worst);
  assert.equal(await lesson.locator('.better').textContent(), `${worst.other} was better`);
  await lesson.click();
  await page.waitForFunction((ply) => outflank.study.node.ply === ply, worst.number - 1);
  // In another language.
  await page.evaluate(() => outflank.settings.set('language', 'fr'));
  await sum.locator('button', { hasText: 'Revanche' }).waitFor();
  await page.evaluate(() => outflank.settings.set('language', 'en'));
  const colour = () => page.evaluate(() => outflank.modes.current.colour);
  await sum.locator('button', { hasText: 'Rematch' }).click();
  await usersTurn(page);
  assert.equal(await colour(), 'X');
  assert.equal(await page.evaluate(() => outflank.study.tree.tags.result), undefined);
  await button(page, 'Resign').click();
  await sum.locator('button', { hasText: 'Play the other side' }).click();
  await usersTurn(page);
  assert.equal(await colour(), 'O');
  await page.waitForFunction(() => outflank.study.tree.tags.white === 'You');
  await button(page, 'Resign').click();
  await sum.locator('button', { hasText: 'New game' }).click();
  await page.locator('dialog .faces').waitFor();
  await page.keyboard.press('Escape');
  await sum.locator('button', { hasText: 'Review' }).click();
  await page
    .locator('#panel-report')
    .getByText(/positions|Done|depth/i)
    .first()
    .waitFor();
});

test('a match continues after random actions at random times', async () => {
  const page = await opened(site, '/');
  const fault = await page.evaluate(async () => {
    const random = randomOf(12_345);
    outflank.settings.set('pace', 0);
    const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    const { OPPONENTS } = (await import('/js/shell/parts.js')).part('js/model/opponents.js');
    const press = (name) =>
      [...document.querySelectorAll('#mode button')].find((b) => b.textContent === name)?.click();
    const acts = [
      () => document.querySelectorAll('[data-square]')[random(64)].click(),
      () => press('Hint'),
      () => press('Take back'),
      () =>
        outflank.act(
          ['back', 'forward', 'first', 'last', 'variation-up', 'flip', 'values', 'best'][random(8)],
        ),
      () => outflank.act('undo'),
      () => outflank.act('delete'),
      () => outflank.act('promote'),
      () => outflank.control.raw(['ping 3', 'hint 2', 'nonsense', 'new'][random(4)]),
      () => outflank.act('engine'),
      () => outflank.panels.show(['moves', 'games', 'report', 'console'][random(4)]),
      () => outflank.settings.set('language', ['en', 'fr'][random(2)]),
      () => outflank.settings.set('hash', [8, 32][random(2)]),
    ];
    for (let round = 0; round < 6; round++) {
      const opponent = OPPONENTS[random(6)];
      const colour = 'XO'[random(2)];
      await outflank.modes.begin('match', { colour, opponent, time: [300, 0], hints: true, takeBack: true });
      const mode = outflank.modes.current;
      for (let i = 0; i < 60 && outflank.modes.current === mode; i++) {
        // Mostly legal moves, so that the match makes progress.
        if (random(2)) {
          const moves = outflank.rules.moves(outflank.study.position);
          if (moves.length > 0) outflank.press(moves[random(moves.length)]);
        } else acts[random(acts.length)]();
        await pause(random(30));
      }
      if (outflank.modes.current !== mode) continue;
      // Then it continues without disturbances.
      outflank.settings.set('engine', true);
      outflank.control.revive();
      outflank.study.go(mode.head);
      const began = performance.now();
      while (outflank.modes.current === mode) {
        if (performance.now() - began > 60_000)
          return `round ${round}: engine ${outflank.engine.state}, thinking ${mode.thinking}, ${location.hash}`;
        if (!mode.thinking && outflank.study.position[64] === colour) {
          outflank.press(outflank.rules.moves(outflank.study.position)[0]);
        }
        await pause(1);
      }
    }
    return null;
  });
  assert.equal(fault, null);
  await page.locator('.match-sum').waitFor();
});

test('the clocks of both sides are visible at every size', async () => {
  const page = await opened(site, '/');
  await beginMatch(page, { time: [180, 2] });
  await playMatch(page, 1);
  const clocks = page.locator('.clocks [data-side]');
  assert.equal(await clocks.count(), 2);
  for (const { viewport } of Object.values(SIZES)) {
    await page.setViewportSize(viewport);
    for (const side of [0, 1]) {
      await clocks.nth(side).scrollIntoViewIfNeeded();
      const { x, width } = await clocks.nth(side).boundingBox();
      assert.ok(x >= 0 && x + width <= viewport.width, `${viewport.width}: ${x} ${width}`);
      assert.match(await clocks.nth(side).textContent(), /^\d:\d\d$/);
    }
  }
});

test('targets of a match, its dialog and its summary are large enough, also in the longest language', async () => {
  for (const [least, options] of [
    [24, {}],
    [44, { ...SIZES['320x568'], locale: 'fr-FR' }],
    [44, SIZES['667x375']],
  ]) {
    const page = await opened(site, '/', options);
    const targets = 'button:not(.head *), .choices label, label.row';
    const small = (root) => smallTargets(page, `${root} :is(${targets})`, least);
    page.evaluate(() => outflank.act('play'));
    await page.locator('dialog summary').click();
    // A separate row has the whole width: its height is that of the settings' rows.
    assert.deepEqual(
      (await small('dialog')).filter((fault) => !/×4\d$/.test(fault)),
      [],
    );
    await page.keyboard.press('Escape');
    await beginMatch(page, { time: [180, 2] });
    assert.deepEqual(await small('#mode'), []);
    await playMatch(page);
    await page.waitForFunction(() => outflank.modes.current?.review?.running === false, null, {
      timeout: 90_000,
    });
    await page.waitForTimeout(600);
    assert.deepEqual(await small('#mode'), []);
  }
});
