// The report: starts the review of the game, and shows how well each side played, its mistakes, and what it lost.

import { button, columns, each, patch, spring, v } from '../base/dom.js';
import { lossSize } from '../base/format.js';
import { emptyCount, SIDES } from '../base/position.js';
import { Review } from '../engine/searches.js';
import { reportChange } from '../model/game-report.js';
import { playerTag } from '../model/perspective.js';
import { sentencesOf } from '../model/reasons.js';
import { nextStep, sideQuestion, worstFirst } from './next-step.js';
import { meter, View } from './view.js';

/** Delay of the last drawing if the page is not painted, as in a hidden tab. */
const LATE_MS = 250;
/** Time after the start of an analysis in which no press stops it. */
const INERT_MS = 1000;
const OUTCOMES = [
  ['WD', 'report.winToDraw'],
  ['WL', 'report.winToLoss'],
  ['DL', 'report.drawToLoss'],
];
/** Levels below are depths in plies. */
const MAX_DEPTH = 100;
const TWO_DIGITS = { maximumFractionDigits: 2, minimumFractionDigits: 2 };

/** @typedef {ReturnType<App['values']['summary']>} Sums */

export class ReportPanel extends View {
  #timer = 0;
  /** The analysis has just begun: no press stops it. */
  inert = false;
  /** Number of changes of the tree. */
  #changes = 0;
  /** Described rows of mistakes, and their state. @type {Map<string, any>} */
  #rows = new Map();
  #rowsOf = '';
  /** The better moves of mistakes, as they were when the position was last on the board. @type {WeakMap<TreeNode, string[]>} */
  #bests = new WeakMap();
  /** The node that the report itself put on the board, after a game was received. @type {TreeNode | null} */
  #placed = null;

  /** @param {HTMLElement} root @param {App} app */
  constructor(root, app) {
    super(root, app);
    const { control, notices, painter, words } = app;
    const changed = () => {
      const { left, running } = this.review;
      control.reviewing = running;
      if (!running && left === 0) this.#settle();
      if (!running) this.#showWorst();
      control.update();
      painter.later();
      this.#timer ||= setTimeout(() => {
        this.#timer = 0;
        this.#update();
      }, LATE_MS);
    };
    this.review = new Review(app, changed, (detail) => {
      if (!app.program.hasEnded)
        notices.show(words.t('engine.restarted', { detail }), { kind: 'fault', key: 'crash' });
    });
    app.study.changed.listen((what) => {
      if (what === 'load') {
        this.review.stop();
        this.review.left = 0;
      }
      if (what !== 'move') this.#changes++;
    });
    app.settings.changed.listen((key) => {
      if (key === 'network') this.review.stop();
    });
    app.screen.drawn.listen(() => this.#update());
  }

  toggle() {
    const { app, review } = this;
    const line = app.study.tree.main;
    if (review.running) {
      if (!this.inert) review.stop();
      this.#update();
    } else if (line.length < 2) app.notices.show(this.t('report.noGame'), { key: 'review', stay: 4000 });
    else this.#begin();
  }

  /** A game was received: starts the analysis, unless the engine is off, and shows its end unless the position on the board `stays`.
   *  @param {boolean} stays */
  receive(stays) {
    const { perspective, settings, study } = this.app;
    const { black, white } = study.tree.tags;
    const isTold = Boolean(black && white) && [...study.tree.nodes()].some(({ text }) => text !== '');
    // The game of two others, with comments: it is read, not learned from.
    const isOthers = isTold && perspective.own === undefined;
    if (isOthers) perspective.choose(null);
    this.#placed = stays || isOthers ? null : /** @type {TreeNode} */ (study.tree.main.at(-1));
    study.go(this.#placed);
    if (settings.get('engine') && !this.review.running) this.#begin(isOthers ? 'moves' : 'report');
  }

  /** Starts the analysis. A press that follows at once was meant to start it, and does not stop it.
   *  @param {string} panel to show */
  #begin(panel = 'report') {
    const { app, review } = this;
    app.modes.leave();
    review.start(app.study.tree.main);
    app.panels.show(panel);
    this.inert = true;
    setTimeout(() => {
      this.inert = false;
      app.painter.later();
    }, INERT_MS);
  }

  /** The game is analyzed: its report stays, and the list of games has its figures. */
  async #settle() {
    const { panels, saving, study, values } = this.app;
    const { tree } = study;
    values.settle();
    const change = reportChange(tree, values);
    await saving;
    const games = /** @type {GamesPanel | undefined} */ (panels.made.get('games'));
    const key = games?.shelf.of(tree)?.key;
    if (key) games?.shelf.change([key], change);
  }

  /** Shows the worst mistake of an analyzed game, unless another position was chosen. */
  #showWorst() {
    const { modes, study } = this.app;
    const [worst] = worstFirst(this.app).all;
    if (!worst || this.review.left > 0 || modes.current || study.node !== this.#placed) return;
    this.#placed = worst.node.parent;
    study.go(this.#placed);
  }

  /** Records the side of the user. @param {Side | null} side */
  choose(side) {
    this.app.perspective.choose(side);
    if (!this.review.running) this.#showWorst();
  }

  #savePuzzles() {
    const { app } = this;
    return app.attempt(async () => {
      const panel = /** @type {PuzzlesPanel} */ (await app.panels.get('puzzles'));
      const mistakes = worstFirst(app).all;
      await panel.save(mistakes.map(({ node }) => /** @type {TreeNode} */ (node.parent).position));
      const message = this.t('report.practised', { n: mistakes.length });
      app.notices.show(message, { stay: 5000, key: 'practise' });
    });
  }

  draw() {
    patch(this.root, this.#content(this.app.modes.current?.hide ?? false));
  }

  /** Draws the panel if it is visible and something has changed. */
  #update() {
    const { app, review } = this;
    const { running, left, engines } = review;
    // As JSON, `undefined` is `null`.
    const own = String(app.perspective.own);
    const { mistake } = app.screen;
    const state = [
      running,
      left,
      engines.length,
      this.inert,
      app.study.node.id,
      app.modes.current?.hide ?? false,
      own,
      mistake && app.values.bests(mistake),
    ];
    if (!this.root.hidden && this.isNew(app.values.reportRevision, this.#changes, ...state)) this.draw();
  }

  #content(hide) {
    const { main } = this.app.study.tree;
    const sums = this.app.values.summary(main);
    const noGame = main.length < 2;
    const known = sums.X.known + sums.O.known;
    const { running } = this.review;
    if (noGame || hide || (known === 0 && !running)) {
      const start = button(this.t('do.review'), () => this.toggle(), { class: 'solid' });
      const text = this.t(hide ? 'report.hidden' : noGame ? 'report.noGame' : 'report.none');
      return v('div.blank', { key: 'blank' }, v('p', text), !noGame && !hide && start);
    }
    const { all: mistakes, worst } = worstFirst(this.app);
    const { own } = this.app.perspective;
    const others = mistakes.filter((mistake) => !worst.includes(mistake));
    const judged = own ? sums[own].known : known;
    const save = mistakes.length > 0 && !running && button(this.t('report.keep'), () => this.#savePuzzles());
    const asksAgain = () => this.app.perspective.forget();
    const other =
      own !== undefined &&
      button(this.t(own ? 'report.notMe' : 'report.whose'), asksAgain, { class: 'text' });
    const state = v('div', { key: 'state' }, this.#state(sums, save));
    const name = this.t('report.again');
    const icon = { class: 'icon', 'aria-label': name, title: name };
    const again = !running && known === sums.X.moves + sums.O.moves && button('↻', () => this.toggle(), icon);
    const outcome = (/** @type {string[]} */ [kind, label]) => [
      this.t(label),
      ({ changed }) => String(changed[kind]),
    ];
    const list = (key, some) =>
      v(
        'ul.mistakes',
        { key },
        some.map((mistake) => this.#mistake(mistake)),
      );
    return v(
      'div.pad',
      { key: 'report' },
      own === undefined && sideQuestion(this.app),
      running && state,
      v('div.under', v('h2', this.t(own ? 'report.yourWorst' : 'report.worst')), spring(), other, again),
      worst.length === 0 && judged > 0 && v('p.muted', this.t('report.noMistakes', { n: judged })),
      worst.length > 0 && list('worst', worst),
      !running && state,
      each('div.sides', own === 'O' ? SIDES.toReversed() : SIDES, (side) => this.#side(side, sums[side])),
      v('details.explain', v('summary', this.t('report.explain')), v('p', this.t('report.explained'))),
      others.length > 0 && v('h2', this.t('report.others')),
      others.length > 0 && list('others', others),
      v('div.tables', this.#lost(sums), this.#table('report.outcomes', sums, OUTCOMES.map(outcome))),
    );
  }

  /** Reports of how many moves the cost is known, and to which depth. @param {Sums} sums */
  #known({ X, O, level }) {
    const [known, of] = [X.known + O.known, X.moves + O.moves];
    if (X.exact && O.exact) return this.t('report.exact');
    const depth = Math.floor(level ?? 0);
    if (known < of || depth >= MAX_DEPTH) return this.t('report.known', { known, of });
    const end = this.app.study.tree.main.at(-1);
    return this.t(this.app.values.value(end?.position)?.exact ? 'report.done' : 'report.depth', { depth });
  }

  /** The next step, and what is known. @param {Sums} sums @param {any} save */
  #state(sums, save) {
    const { tree } = this.app.study;
    const { given } = tree.tags;
    const booked = tree.main.findLastIndex((node) => this.app.values.at(node).point?.kind === 'book');
    const { running, total, left, progress } = this.review;
    const at = { at: total - left, of: total };
    const { label, run, waits } = nextStep(this.app);
    const known = [
      this.#known(sums),
      booked >= 0 && this.t('report.book', { n: booked }),
      given && this.t('report.given', { n: given }),
    ];
    const told = v('span.muted', running ? this.t('report.running', at) : known.filter(Boolean).join(' · '));
    return [
      button(label, run, { key: 'next', class: 'solid lead', 'aria-disabled': waits }),
      meter(this.t('report.progress'), progress, !running),
      v('div.under', told, spring(), save),
    ];
  }

  /** @param {Side} side @param {SideSummary} sum */
  #side(side, sum) {
    const color = playerTag(side);
    const n = sum.mistakes.length;
    const share = sum.accuracy;
    const perMove = sum.loss / sum.known;
    const loss = { n: perMove, v: this.words.number(perMove, TWO_DIGITS) };
    const learn = { key: 'learn', 'aria-label': this.t('report.learnSide', { side: this.t(color), n }) };
    return v(
      'section',
      v('h2', v(`span.dot.${color}`), v('span', this.t(color))),
      v('div.figure', v('span', String(share ?? '–')), ' ', v('small', this.t('report.outOf'))),
      v('small', this.t('report.accuracy')),
      v('p', share !== null && this.t('report.perMove', loss)),
      n > 0 &&
        !this.review.running &&
        this.app.perspective.own !== side &&
        button(this.t('report.learn', { n }), () => this.app.modes.begin('learn', { side }), learn),
    );
  }

  /** The row of a mistake, from before if nothing of it has changed: a press on the board does not describe all rows again.
   *  @param {Mistake} mistake */
  #mistake(mistake) {
    const { study, values } = this.app;
    const current = mistake.node.parent === study.node ? 'step' : null;
    const state = [values.reportRevision, this.#changes, this.words.language].join(' ');
    if (state !== this.#rowsOf) this.#rows.clear();
    this.#rowsOf = state;
    let bests = this.#bests.get(mistake.node);
    if (current || !bests?.includes(String(mistake.best))) bests = values.bests(mistake);
    this.#bests.set(mistake.node, bests);
    const key = `${mistake.node.id} ${current} ${bests}`;
    const row = this.#rows.get(key) ?? this.#describe(mistake, current, bests);
    this.#rows.set(key, row);
    return row;
  }

  /** @param {Mistake} mistake @param {'step' | null} current @param {string[]} bests */
  #describe(mistake, current, bests) {
    const { panels, study, t } = this.app;
    const { node, side, changed, exact, loss, proven } = mistake;
    const better = [' →', ...bests].join(' ');
    // On a phone the card below the board has the verdict.
    const show = () => {
      study.go(node.parent);
      panels.uncover();
    };
    const size = lossSize(mistake);
    const about = exact ? '' : t('loss.about', { n: loss, v: size.replace(/^≈\s/, '') });
    const least = proven ? t('loss.least', { n: proven }) : '';
    const meant = [about, least].filter(Boolean).join(', ');
    const [reason] = sentencesOf(this.app, mistake);
    const tag = changed && v('span.tag', t(`report.changed.${changed}`));
    return v(
      'li',
      { key: node },
      v(
        'button',
        { 'aria-current': current, onclick: show },
        v(`span.dot.${playerTag(side)}`),
        v(
          'span',
          `${node.ply}. ${node.move}${better === ' →' ? '' : better} `,
          tag,
          reason && v('small.why', reason),
        ),
        v('b', { title: meant, 'aria-hidden': meant ? 'true' : null }, proven ? `${size} ≥ ${proven}` : size),
        v('span.sr', meant),
      ),
    );
  }

  /** The loss of each side by phase, which is a number of discs. The moves from a set-up position are numbered from 1.
   *  @param {Sums} sums */
  #lost(sums) {
    const size = (read) => (side) => lossSize({ loss: read(side), exact: side.exact });
    const before = Math.max(0, 60 - emptyCount(this.app.study.tree.root.position));
    const phases = [20, 40, 60].flatMap((last, i) => {
      const at = { from: Math.max(0, last - 20 - before) + 1, to: last - before };
      return at.to < 1 ? [] : [[this.t('report.phase', at), size(({ phases }) => phases[i])]];
    });
    const total = [this.t('report.total'), size(({ loss }) => loss), 'sum'];
    return this.#table('report.lost', sums, [...phases, total]);
  }

  /** A table of both sides without empty rows, or `null`. A row has a label, the text of a side, and a class.
   *  @param {string} title @param {Sums} sums @param {any[][]} rows */
  #table(title, { X, O }, rows) {
    const figure = (/** @type {string} */ text) =>
      v('td', { title: text.startsWith('≈') ? this.t('loss.estimate') : null }, text);
    const filled = rows.flatMap(([label, read, kind]) => {
      const cells = [read(X), read(O)];
      const isEmpty = cells.every((cell) => cell === '0');
      return isEmpty ? [] : v('tr', { class: kind }, v('th', { scope: 'row' }, label), cells.map(figure));
    });
    const head = columns([this.t(title), this.t('black'), this.t('white')]);
    return filled.length > 0 && v('table.figs', v('thead', head), v('tbody', filled));
  }
}
