// What is due today: trained lines, the user's own mistakes, puzzles, and endings.

import { puzzlesOf } from './puzzles.js';
import { repertoireOf } from './repertoire.js';

/** @param {Pick<App, 'rules' | 'store'>} app */
const suitesOf = ({ rules, store }) => ({
  puzzles: puzzlesOf(store, rules),
  endings: puzzlesOf(store, rules, 'endings'),
});

/** The number of lines, puzzles and endings that are due, without those that are not loaded yet.
 * @param {Pick<App, 'rules' | 'store'>} app */
export function dueCount(app) {
  const { puzzles, endings } = suitesOf(app);
  const all = [repertoireOf(app.store, app.rules), puzzles, endings];
  return all.reduce((sum, exercises) => sum + exercises.due().length, 0);
}

/** Loads what is due. @param {Pick<App, 'rules' | 'store'>} app */
export async function dueOf(app) {
  const { puzzles, endings } = suitesOf(app);
  await Promise.all([puzzles.load(), endings.load()]);
  return { all: dueCount(app), puzzles, endings, repertoire: repertoireOf(app.store, app.rules) };
}
