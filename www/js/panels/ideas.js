// The ideas that reasons name: their words in a sentence, and a dialog that explains each with a small board.

import { openDialog } from '../base/dialog.js';
import { h, v } from '../base/dom.js';
import { loadJson } from '../base/load.js';
import { squareIndex } from '../base/position.js';
import { miniBoard } from '../board/mini-board.js';
import { positionsOf } from '../model/rules.js';

/** The ideas that sentences name. */
const NAMED = ['corner', 'pass', 'last-move', 'mobility', 'safe-moves', 'potential', 'exposed', 'stable'];

/** Describes reasons. The word of an idea leads to its explanation. @param {App} app @param {string[]} reasons */
export const reasonLines = (app, reasons) => reasons.map((reason) => v('small.why', line(app, reason)));

/** @param {App} app @param {string} reason */
function line(app, reason) {
  const { t } = app;
  // A word may contain another one: "potential mobility".
  const found = NAMED.map((id) => ({ id, word: t(`idea.${id}`) }))
    .filter(({ word }) => reason.includes(word))
    .sort((a, b) => b.word.length - a.word.length)[0];
  if (!found) return reason;
  const { id, word } = found;
  const at = reason.indexOf(word);
  const onclick = () => app.attempt(() => showIdeas(app, id));
  const term = v('button.term', { title: t(`idea.${id}.told`), onclick }, word);
  return [reason.slice(0, at), term, reason.slice(at + word.length)];
}

/** An idea: the moves to its board, and a good or a bad move there.
 *  @typedef {{ id: string, moves: string, better?: string, played?: string }} Idea */

/** Explains all ideas. @param {Pick<App, 'rules' | 't'>} app @param {string} [first] the id of the first one */
export async function showIdeas({ rules, t }, first) {
  /** @type {Idea[]} */
  const ideas = await loadJson('data/ideas.json');
  const isFirst = ({ id }) => Number(id === first);
  const list = ideas.toSorted((a, b) => isFirst(b) - isFirst(a));
  const square = (/** @type {string | undefined} */ name) => (name ? squareIndex(name) : undefined);
  const item = (/** @type {Idea} */ { id, moves, better, played }) =>
    h(
      'li',
      miniBoard(positionsOf(rules, moves).slice(-1)[0], {
        better: square(better),
        played: square(played),
        label: t(`idea.${id}`),
      }),
      h('p', h('b', t(`idea.${id}`)), ' ', t(`idea.${id}.told`)),
    );
  openDialog({ t }, t('command.ideas'), [h('ul.ideas', list.map(item))]);
}
