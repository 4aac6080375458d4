// Random actions in the exercises: no uncaught error, the current game does not change, and Escape ends the exercise.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { stage } from '../harness/stage.js';
import { opened, reviewEnds } from './hands.js';

const site = stage();

const SEEDS = Number(process.env.OUTFLANK_SEEDS ?? 3);
const STEPS = 60;

/** The end of a game with three mistakes of Black. */
const GAME =
  '/#-X-OOOO--OOOOX---OOXXXXX-OXOOOXXXOXOOXXXXOOOXOX-XOOOOX----XXXXX-X:c1a1(g2)g7g2a2a4a3h8b8a8h2h1h7h6@4';

/** Runs in the page: starts `mode` and performs random actions. Returns the actions before an error. */
async function play({ mode, setup, seed, steps }) {
  const { modes, study, rules } = outflank;
  const random = randomOf(seed);
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  const write = (node) => [node.move, node.comment, node.children.map(write)];
  const game = () => JSON.stringify([write(study.tree.root), study.node.moves]);
  const before = game();
  const key = (code, target = document.body) =>
    target.dispatchEvent(new KeyboardEvent('keydown', { code, key: code, bubbles: true, cancelable: true }));
  const done = [];
  await modes.begin(mode, setup);
  for (let step = 0; step < steps; step++) {
    const leaving = ['do.end', 'trainer.open', 'learn.keep'].map((name) => outflank.words.t(name));
    const buttons = [...document.querySelectorAll('#mode button:not(:disabled)')].filter(
      (button) => !leaving.includes(button.textContent),
    );
    const look = modes.current?.look ?? rules.look(study.position);
    const acts = [
      () => {
        // A legal move of the shown board, or any.
        const at = random(4) && look.legal.length ? look.legal[random(look.legal.length)] : random(64);
        document.querySelector(`[data-square=${'abcdefgh'[at & 7]}${(at >> 3) + 1}]`)?.click();
        return `square ${at}`;
      },
      () => {
        const button = buttons[random(Math.max(1, buttons.length))];
        button?.click();
        return `button ${button?.textContent}`;
      },
      () => {
        const codes = 'Enter ArrowLeft ArrowRight Home End Space KeyV KeyL ArrowDown'.split(' ');
        const code = codes[random(9)];
        key(code);
        return code;
      },
      () => {
        outflank.act(['undo', 'redo', 'delete', 'best', 'flip'][random(5)]);
        document.querySelector('#lines-body button:nth-child(2)')?.click();
        return 'action';
      },
      () => {
        if (random(6) === 0) outflank.engine.worker?.onerror({ message: 'on purpose' });
        return 'engine';
      },
      () => {
        outflank.settings.set('language', ['en', 'fr', 'ja', 'zh'][random(4)]);
        return 'language';
      },
    ];
    done.push(acts[random(3) ? random(2) : random(acts.length)]());
    await pause(random(3) ? 0 : random(250));
    if (!modes.current) return { fault: 'the mode ended by itself', done };
  }
  outflank.settings.set('language', 'en');
  key('Escape');
  await pause(50);
  if (modes.current) return { fault: 'Escape did not end it', done };
  if (!document.querySelector('#mode').hidden) return { fault: 'its bar stays', done };
  return { fault: game() === before ? null : `the game was ${before}, is ${game()}`, done };
}

for (const [mode, setup] of [
  ['learn', {}],
  ['trainer', { side: 'X', lines: [{ moves: 'f5d6c3d3c4f4c5b3', names: null }] }],
  ['trainer', { side: 'O', lines: [{ moves: 'c4c3d3c5b4d2e2', names: { en: 'Iwasaki' } }] }],
])
  test(`${mode}${setup.side ?? ''}: ${SEEDS} times ${STEPS} acts at random`, async () => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const page = await opened(site, GAME);
      if (mode === 'learn') {
        await page.evaluate(() => outflank.act('review'));
        await reviewEnds(page);
      }
      const { fault, done } = await page.evaluate(play, { mode, setup, seed, steps: STEPS });
      assert.equal(fault, null, `seed ${seed}: ${done.join(', ')}`);
      // After too many crashes the engine stays off, otherwise it works for the page.
      await page.waitForFunction(
        () =>
          outflank.engine.state === 'crashed' ||
          !outflank.settings.get('engine') ||
          outflank.analysis.running ||
          outflank.analysis.done,
      );
      await page.close();
    }
  });
