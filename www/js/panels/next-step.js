// The next step: one solid button, in the card that a mode uses otherwise. At a mistake, the card compares the two moves.

import { button, patch, v } from '../base/dom.js';
import { lossSize } from '../base/format.js';
import { SIDES } from '../base/position.js';
import { View } from './view.js';

/** Fewest moves of a game whose analysis is the next step. */
export const MIN_MOVES = 6;

/** Returns the label of the next step, a shorter one, and its action.
 *  @param {Pick<App, 'act' | 'control' | 'modes' | 'panels' | 'perspective' | 'study' | 'values' | 'words'>} app @returns {{ label: string, brief?: string, run: () => unknown }} */
export function nextStep(app) {
  const { control, panels, perspective, values, study, words } = app;
  const { t } = words;
  const { main } = study.tree;
  const review = () => app.act('review');
  if (control.reviewing) return { label: t('do.stop'), run: review };
  if (main.length <= MIN_MOVES) return { label: t('do.play'), run: () => app.act('play') };
  const sums = values.summary(main);
  const isPart = SIDES.some((side) => sums[side].known < sums[side].moves);
  const report = /** @type {ReportPanel | undefined} */ (panels.made.get('report'));
  const isStopped = (report?.review.left ?? 0) > 0;
  if (isPart) return { label: t(isStopped ? 'do.continue' : 'do.review'), run: review };
  const own = perspective.own ?? undefined;
  const n = (own ? [own] : SIDES).flatMap((side) => sums[side].mistakes).length;
  const learn = () => app.modes.begin('learn', { side: own });
  if (n > 0) return { label: t('next.learn', { n }), brief: t('do.learn'), run: learn };
  return { label: t('do.play'), run: () => app.act('play') };
}

export class NextStep extends View {
  /** @param {Mistake | null} mistake the next move */
  draw(mistake) {
    if (this.app.modes.current) return;
    const { label, brief = label, run } = nextStep(this.app);
    const isEmpty = this.app.study.line.length === 1;
    const isLearn = brief !== label;
    const told = isEmpty ? this.t('empty.hint') : this.app.control.reviewing ? this.t('engine.review') : '';
    const compared = mistake && [mistake.node.id, mistake.best, lossSize(mistake)];
    if (!this.isNew(label, told, compared)) return;
    const seek = () => this.app.act('mistake-forward');
    patch(
      this.root,
      v('span.told', mistake ? this.#compare(mistake) : told),
      v(
        'span.choose',
        mistake ? this.#lines(mistake) : isLearn && button(this.t('next.mistake'), seek),
        button(brief, run, { class: 'solid', key: 'next' }),
      ),
    );
  }

  /** @param {Mistake} mistake */
  #compare(mistake) {
    const { node, best } = mistake;
    const lost = this.t('next.loses', { move: node.move, v: lossSize(mistake, this.app.words.t) });
    return [v('strong', lost), best && best !== node.move && ` ${this.t('next.better', { move: best })}`];
  }

  /** Buttons that play the refutation and the better line on the board. @param {Mistake} mistake */
  #lines({ node, best }) {
    const { app } = this;
    const { position } = /** @type {TreeNode} */ (node.parent);
    const lineAfter = (/** @type {string} */ move) => {
      const after = app.rules.play(position, move).position;
      return [move, ...(app.values.rows(after).best?.pv ?? [])];
    };
    const show = (/** @type {string} */ name, /** @type {string} */ move) => {
      const play = () => app.modes.begin('line', { name, moves: lineAfter(move) });
      return button(this.t(`next.${name}`), play, { key: name });
    };
    return [show('refutation', node.move), best && best !== node.move && show('line', best)];
  }
}
