// The page in Node, with what tests of exercises do and read.

import assert from 'node:assert/strict';

import { appInNode, pressButton, textOf } from './app.js';

export async function page(t) {
  const app = await appInNode(t);
  const { time } = app;
  const begin = (id, setup) => app.modes.begin(id, setup);
  const current = () => app.modes.current;
  /** The text of the bar before its buttons. */
  const barText = () => textOf(current().bar).split('[')[0].trim();
  return {
    app,
    time,
    begin,
    current,
    barText,
    assertBar: (start) => assert.equal(barText().slice(0, start.length), start),
    button: (label) => pressButton(app, label),
    stage: (stage) => time.until(`${stage}, not ${current()?.stage}`, () => current()?.stage === stage),
  };
}

export const TIGER = { moves: 'f5d6c3d3c4', names: { en: 'Tiger', fr: 'Tigre' } };
/** Trains without showing the line. */
export async function training(t) {
  const there = await page(t);
  const { app, begin, current, time } = there;
  app.explorer = async () => ({ moves: async () => [] });
  app.openings.load([{ moves: TIGER.moves, ...TIGER.names }]);
  return {
    ...there,
    train: (setup) => begin('trainer', { shown: true, ...setup }),
    at: (moves) => {
      const isAsked = () => current()?.stage === 'ask' && current().moves.join('') === moves;
      return time.until(`the question after ${moves}`, isAsked);
    },
  };
}
