// The card: the verdict on a mistake, and the next step as one solid button. A mode uses the card otherwise.

import { $, attr, button, patch, reveal, text, v } from '../base/dom.js';
import { disc, lossSize } from '../base/format.js';
import { SIDES, START } from '../base/position.js';
import { attachSwipe } from '../base/swipe.js';
import { chosenBefore, setupOf } from '../model/match-choice.js';
import { playerTag } from '../model/perspective.js';
import { sentencesOf } from '../model/reasons.js';
import { reasonLines } from './ideas.js';
import { lineOf } from './played-line.js';
import { View } from './view.js';

/** Fewest moves of a game whose analysis is the next step. */
export const MIN_MOVES = 6;
/** Mistakes that the card and the report begin with. */
const WORST = 3;

/** The mistakes of the game, those of the user first, the worst first; and the worst of the user, or of both sides.
 *  @param {Pick<App, 'perspective' | 'study' | 'values'>} app */
export function worstFirst({ perspective, study, values }) {
  const { own } = perspective;
  const { X, O } = values.summary(study.tree.main);
  const isOther = ({ side }) => Number(Boolean(own) && side !== own);
  const all = [...X.mistakes, ...O.mistakes].sort((a, b) => isOther(a) - isOther(b) || b.loss - a.loss);
  return { all, worst: all.filter(({ side }) => !own || side === own).slice(0, WORST) };
}

/** Describes the question for the side of the user. @param {App} app */
export function sideQuestion(app) {
  const { panels, study, t } = app;
  const choose = (/** @type {Side | null} */ side) => () =>
    /** @type {ReportPanel} */ (panels.made.get('report')).choose(side);
  const side = (/** @type {Side} */ side) => {
    const tag = playerTag(side);
    const label = [v(`span.dot.${tag}`), v('span.name', study.tree.tags[tag] || t(tag))];
    return v('button.plain', { key: side, onclick: choose(side) }, label);
  };
  return v(
    'div.question',
    { role: 'group', 'aria-label': t('report.whose'), key: 'whose' },
    v('strong', t('report.whose')),
    v('div', side('X'), side('O'), button(t('report.neither'), choose(null), { class: 'text' })),
  );
}

/** Returns the label of the next step, a shorter one, and its action. `waits` if a press has no effect yet.
 *  @param {Pick<App, 'act' | 'control' | 'modes' | 'panels' | 'perspective' | 'study' | 'values' | 'words'>} app
 *  @returns {{ label: string, brief?: string, waits?: boolean, run: () => unknown }} */
export function nextStep(app) {
  const { control, panels, perspective, values, study, words } = app;
  const { t } = words;
  const { main } = study.tree;
  const review = () => app.act('review');
  const report = /** @type {ReportPanel | undefined} */ (panels.made.get('report'));
  if (control.reviewing) return { label: t('do.stop'), run: review, waits: report?.inert };
  if (main.length <= MIN_MOVES) return { label: t('do.play'), run: () => app.act('play') };
  const sums = values.summary(main);
  const isPart = SIDES.some((side) => sums[side].known < sums[side].moves);
  const isStopped = (report?.review.left ?? 0) > 0;
  if (isPart) return { label: t(isStopped ? 'do.continue' : 'do.review'), run: review };
  const own = perspective.own ?? undefined;
  const n = (own ? [own] : SIDES).flatMap((side) => sums[side].mistakes).length;
  const learn = () => app.modes.begin('learn', { side: own });
  if (n > 0) return { label: t('next.learn', { n }), brief: t('do.learn'), run: learn };
  return { label: t('do.play'), run: () => app.act('play') };
}

/** The state of the button in the header: starts and stops the analysis, then leads to the report.
 *  @param {Pick<App, 'control' | 'panels' | 'study' | 'values' | 't'>} app */
function reviewButton({ control, panels, study, values, t }) {
  const report = /** @type {ReportPanel | undefined} */ (panels.made.get('report'));
  if (control.reviewing && report) {
    const { left, total } = report.review;
    return {
      action: 'review',
      label: t('review.stop', { at: total - left, of: total }),
      waits: report.inert,
    };
  }
  const { main } = study.tree;
  const sums = main.length > MIN_MOVES && values.summary(main);
  const isKnown = sums && SIDES.every((side) => sums[side].known === sums[side].moves);
  return isKnown ? { action: 'report', label: t('tab.report') } : { action: 'review', label: t('do.review') };
}

export class NextStep extends View {
  /** @param {HTMLElement} root @param {App} app */
  constructor(root, app) {
    super(root, app);
    this.header = $('#review');
    const step = (/** @type {number} */ by) => () => this.#seek(by);
    attachSwipe(root, { next: step(1), previous: step(-1) });
  }

  /** The place of a mistake among the worst ones, -1 for another position. @param {Mistake[]} worst */
  #place(worst) {
    return worst.findIndex(({ node }) => node.parent === this.app.study.node);
  }

  /** Goes to the next of the worst mistakes, in a ring. @param {number} by */
  #seek(by) {
    const { worst } = worstFirst(this.app);
    const at = this.#place(worst);
    const to = at < 0 ? 0 : (at + by + worst.length) % worst.length;
    if (worst[to]) this.app.study.go(worst[to].node.parent);
  }

  /** @param {Mistake | null} mistake the next move */
  draw(mistake) {
    const { app } = this;
    const header = reviewButton(app);
    text(this.header, header.label);
    attr(this.header, 'data-do', header.action);
    attr(this.header, 'aria-disabled', header.waits);
    if (app.modes.current) return;
    const { label, brief = label, run, waits } = nextStep(app);
    const isEmpty = app.study.line.length === 1;
    const isLearn = brief !== label;
    const bests = mistake ? app.values.bests(mistake) : [];
    const asks = app.perspective.own === undefined && (isLearn || app.control.reviewing);
    const { worst } = isLearn ? worstFirst(app) : { worst: [] };
    const at = this.#place(worst);
    const reasons = mistake ? sentencesOf(app, mistake) : [];
    const refuted = mistake && this.#line('refutation', mistake, mistake.node.move);
    // The move that is explained.
    const [first] = bests.filter((move) => move === mistake?.best).concat(bests);
    const better = first && mistake && this.#line('line', mistake, first);
    const again = isEmpty && this.#again();
    patch(
      this.root,
      this.#pager(
        worst,
        at,
        v('span.told', mistake ? this.#compare(mistake, bests, reasons) : this.#state(isLearn)),
      ),
      asks && sideQuestion(app),
      v(
        'span.choose',
        [refuted, better, again].map((other) => other && button(other.label, other.run)),
        button(brief, run, { class: 'solid', key: 'next', 'aria-disabled': waits }),
      ),
    );
    if (this.isNew(mistake?.node.id, reasons.length, asks, app.panels.height) && mistake)
      requestAnimationFrame(() => this.#reveal());
  }

  /** The sentence of a position without a mistake: the side to move; at the end of the game the result, or that no mistake is known.
   *  @param {boolean} isLearn mistakes are the next step */
  #state(isLearn) {
    const { control, rules, study, values } = this.app;
    if (study.line.length === 1 && study.position === START) return this.t('empty.hint');
    if (control.reviewing) return this.t('engine.review');
    const { over, side, black, white } = rules.look(study.position);
    if (!over) return this.t(side === 'X' ? 'do.black' : 'do.white');
    const { X, O } = values.summary(study.tree.main);
    const n = X.known + O.known;
    const isFree = !isLearn && n > 0 && n === X.moves + O.moves;
    return isFree ? this.t('report.noMistakes', { n }) : this.t('game.over', { black, white });
  }

  /** Scrolls the buttons above the tabs. A user who has scrolled further down reads there. */
  #reveal() {
    const [card, buttons, tabs] = [this.root, $('.choose', this.root), $('#tab-row')].map((part) =>
      part.getBoundingClientRect(),
    );
    if (card.top > 0 && buttons.bottom > tabs.top) reveal(this.root);
  }

  /** The match that was chosen last, if the user has played one. */
  #again() {
    const { modes, store, t, words } = this.app;
    const stored = store.get('match');
    const chosen = chosenBefore(stored);
    if (!stored || !['X', 'O', '?'].includes(chosen.colour)) return null;
    const side = chosen.colour === '?' ? t('match.lot') : words.side(chosen.colour);
    const label = t('match.again', { opponent: t(`match.opponent.${chosen.opponent}`), side });
    return { label, run: () => modes.begin('match', setupOf(chosen)) };
  }

  /** @param {Mistake} mistake @param {string[]} bests @param {string[]} reasons */
  #compare(mistake, bests, reasons) {
    const { app } = this;
    const { t, words } = app;
    const lost = t('next.loses', { move: mistake.node.move, v: lossSize(mistake, t) });
    const better = bests.length > 0 && `; ${t('next.better', { move: words.either(bests) })}`;
    return [v('strong', lost), better, reasonLines(app, reasons)];
  }

  /** Leads from the verdict to those on the other worst mistakes. @param {Mistake[]} worst @param {number} at @param {any} verdict */
  #pager(worst, at, verdict) {
    if (worst.length === 0) return verdict;
    const arrow = (/** @type {string} */ name, /** @type {string} */ sign, /** @type {number} */ by) =>
      v('button.icon', { key: name, 'aria-label': this.t(name), onclick: () => this.#seek(by) }, sign);
    const shown = worst[at];
    const place = this.t('next.place', { at: at + 1, of: worst.length });
    const told = shown
      ? [place, `${shown.node.ply}. ${shown.node.move}`, disc(-shown.loss, shown.exact)].join(' · ')
      : this.t('report.worst');
    return v(
      'span.pager',
      { key: 'pager' },
      arrow('next.previousWorst', '‹', -1),
      v('span', verdict, v('small.muted', told)),
      arrow('next.nextWorst', '›', 1),
    );
  }

  /** Shows the refutation of the mistake on the board, or of the one played last. */
  refute() {
    const { app } = this;
    const { node } = app.study;
    const loss = app.values.loss(node);
    if (!app.screen.mistake && loss?.mistake) app.study.go(node.parent);
    const { mistake } = app.screen;
    if (mistake) this.#line('refutation', mistake, mistake.node.move).run();
    else app.act('mistake-forward');
  }

  /** The label of a line that begins instead of a mistake or with it, and what plays it on the board.
   *  @param {'refutation' | 'line'} name @param {Mistake} mistake @param {string} move */
  #line(name, mistake, move) {
    const { app } = this;
    // Both follow the language.
    const label = () => this.t(`next.${name}`, { side: app.words.side(mistake.side === 'X' ? 'O' : 'X') });
    const reasons = () => sentencesOf(app, mistake);
    const line = () => lineOf(app, mistake.node, move);
    return { label: label(), run: () => app.modes.begin('line', { label, line: line(), reasons }) };
  }
}
