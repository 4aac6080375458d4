// What is due today: trained lines, the user's own mistakes, and puzzles.

import { puzzlesOf } from './puzzles.js';
import { repertoireOf } from './repertoire.js';

/** The number of lines and puzzles that are due, without puzzles that are not loaded yet.
 * @param {Pick<App, 'rules' | 'store'>} app */
export const dueCount = ({ rules, store }) =>
  repertoireOf(store, rules).due().length + puzzlesOf(store, rules).due().length;

/** Loads what is due. @param {Pick<App, 'rules' | 'store'>} app */
export async function dueOf(app) {
  const puzzles = puzzlesOf(app.store, app.rules);
  await puzzles.load();
  return { all: dueCount(app), puzzles, repertoire: repertoireOf(app.store, app.rules) };
}
