// What is said while one learns from mistakes: a tag, which is a move with its loss, and a sentence.

import { lossSize } from '../base/format.js';
import { sideOf } from '../base/position.js';

/** Where things stand: `tried` is the move that was tried last, `reply` the line that refutes it; `away` where another
 *  position of the game is looked at.
 *  @typedef {{ lesson: import('../model/lesson.js').Lesson, stage: import('./learn.js').Stage, tried: string | null, reply: string[], away: boolean, unjudged: boolean }} Standing */

/** @param {App} app @param {string} position */
const sideName = ({ words }, position) => words.t(sideOf(position) === 'X' ? 'black' : 'white');

/** The move of the game, and how it changed the outcome. @param {App} app @param {TreeNode} node */
export function mistakeWords({ scores, words }, node) {
  const changed = scores.loss(node)?.changed;
  return changed ? `${node.move}, ${words.t(`learn.changed.${changed}`)}` : String(node.move);
}

/** What is to be found, short. @param {App} app @param {string} position */
export const findWords = (app, position) => app.words.t('learn.find', { side: sideName(app, position) });

/** @param {App} app @param {Standing} standing @returns {[tag: string, sentence: string]} */
export function learnWords(app, { lesson, stage, tried, reply, away, unjudged }) {
  const { rules, scores, words } = app;
  const { t } = words;
  const { task } = lesson;
  if (stage === 'summary' || !task) return ['', summaryWords(app, lesson)];
  const { position } = /** @type {TreeNode} */ (task.node.parent);
  const cost = tried ? scores.cost(position, tried) : null;
  const tag = tried ? triedWords(app, tried, cost) : '';
  switch (stage) {
    case 'judging':
      return ['', t('learn.judging', { move: tried })];
    case 'wrong': {
      if (!tried || reply.length === 0) return [tag, t('learn.wrong')];
      const side = sideName(app, rules.play(position, tried).position);
      return [tag, t('learn.refuted', { side, line: reply.join(' ') })];
    }
    case 'right':
      if (tried === task.node.move) return [tag, t('learn.fine')];
      return [tag, t(cost && lossSize(cost) === '0' ? 'learn.best' : 'learn.good')];
    case 'shown':
      return ['', t('learn.answer', { move: scores.value(position)?.move ?? '–' })];
    default:
      if (away) return ['', t('learn.away')];
      return [mistakeWords(app, task.node), unjudged ? t('learn.unjudged') : questionWords(app, task.node)];
  }
}

/** @param {App} app @param {TreeNode} node */
function questionWords(app, node) {
  const { scores, words } = app;
  const { position } = /** @type {TreeNode} */ (node.parent);
  const cost = scores.loss(node);
  const v = cost ? lossSize(cost, words.t) : '0';
  if (v === '0') return findWords(app, position);
  return `${words.t('learn.lost', { side: sideName(app, position), v })} ${words.t('learn.better')}`;
}

/** A move with its loss, and how it changed the outcome. @param {App} app @param {string} move @param {Loss | null} cost */
function triedWords({ words }, move, cost) {
  const size = cost ? lossSize(cost, words.t) : '0';
  const told = size === '0' ? move : words.t('learn.loses', { move, v: size });
  return cost?.changed ? `${told}, ${words.t(`learn.changed.${cost.changed}`)}` : told;
}

/** @param {App} app @param {import('../model/lesson.js').Lesson} lesson */
function summaryWords({ words: { t } }, { counts }) {
  const parts = ['first', 'later', 'shown', 'skipped']
    .filter((end) => counts[end] > 0)
    .map((end) => t(`learn.count.${end}`, { n: counts[end] }));
  return `${t('learn.summary', { n: counts.all })} ${parts.join(', ')}`;
}
