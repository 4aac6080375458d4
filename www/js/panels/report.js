// The report: starts the review of the game, and shows how well each side played, its mistakes, and what it lost.

import { button, columns, each, patch, spring, v } from '../base/dom.js';
import { lossSize } from '../base/format.js';
import { SIDES } from '../base/position.js';
import { Review } from '../engine/queue.js';
import { View } from './view.js';

/** Delay of the last drawing if the page is not painted, as in a hidden tab. */
const LATE_MS = 250;
const OUTCOMES = { WD: 'report.winToDraw', WL: 'report.winToLoss', DL: 'report.drawToLoss' };
/** Levels below are depths in plies. */
const MAX_DEPTH = 100;
const TWO_DIGITS = { maximumFractionDigits: 2, minimumFractionDigits: 2 };

/** @typedef {ReturnType<App['scores']['summary']>} Sums */

export class ReportPanel extends View {
  #timer = 0;
  /** Number of changes of the tree. */
  #changes = 0;

  /** @param {HTMLElement} root @param {App} app */
  constructor(root, app) {
    super(root, app);
    const { control, notices, painter, words } = app;
    const changed = () => {
      control.reviewing = this.review.running;
      control.update();
      painter.later();
      this.#timer ||= setTimeout(() => {
        this.#timer = 0;
        this.#update();
      }, LATE_MS);
    };
    this.review = new Review(app, changed, (detail) =>
      notices.show(words.t('engine.restarted', { detail }), { kind: 'fault', key: 'crash' }),
    );
    app.study.changed.listen((what) => {
      if (what === 'load') this.review.stop();
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
      review.stop();
      this.#update();
    } else if (line.length < 2) {
      app.notices.show(this.t('report.noGame'), { key: 'review', stay: 4000 });
    } else {
      app.modes.leave();
      review.start(line.map((node) => node.position));
      app.panels.show('report', true);
    }
  }

  #savePuzzles() {
    const { app } = this;
    return app.attempt(async () => {
      const panel = /** @type {PuzzlesPanel} */ (await app.panels.get('puzzles'));
      const mistakes = this.#mistakes(this.#sums);
      await panel.save(mistakes.map(({ node }) => /** @type {TreeNode} */ (node.parent).position));
      const message = this.t('report.practised', { n: mistakes.length });
      app.notices.show(message, { stay: 5000, key: 'practise' });
    });
  }

  get #sums() {
    return this.app.scores.summary(this.app.study.tree.main);
  }

  /** @param {Sums} sums */
  #mistakes({ X, O }) {
    return [...X.mistakes, ...O.mistakes].sort((a, b) => a.node.ply - b.node.ply);
  }

  draw() {
    patch(this.root, this.#content(this.app.modes.current?.hide ?? false));
  }

  /** Draws the panel if it is visible and something has changed. */
  #update() {
    const { app, review } = this;
    const { running, left, engines } = review;
    const state = [running, left, engines.length, app.study.node.id, app.modes.current?.hide ?? false];
    if (!this.root.hidden && this.isNew(app.scores.revision, this.#changes, ...state)) this.draw();
  }

  #content(hide) {
    const sums = this.#sums;
    const noGame = this.app.study.tree.main.length < 2;
    const known = sums.X.known + sums.O.known;
    const { running } = this.review;
    if (noGame || hide || (known === 0 && !running)) {
      const start = button(this.t('do.review'), () => this.toggle(), { class: 'solid' });
      const text = this.t(hide ? 'report.hidden' : noGame ? 'report.noGame' : 'report.none');
      return v('div.blank', { key: 'blank' }, v('p', text), !noGame && !hide && start);
    }
    const mistakes = this.#mistakes(sums);
    const save = mistakes.length > 0 && !running && button(this.t('report.keep'), () => this.#savePuzzles());
    return v(
      'div.pad',
      { key: 'report' },
      v('div', this.#state(sums)),
      each('div.sides', SIDES, (side) => this.#side(side, sums[side])),
      v('details.explain', v('summary', this.t('report.explain')), v('p', this.t('report.explained'))),
      v('div.under', v('h2', this.t('report.mistakes')), spring(), save),
      mistakes.length === 0 && known > 0 && v('p.muted', this.t('report.noMistakes', { n: known })),
      each('ul.mistakes', mistakes, (mistake) => this.#mistake(mistake)),
      v('div.tables', this.#lost(sums), this.#outcomes(sums)),
    );
  }

  /** Reports of how many moves the cost is known, and to which depth. @param {Sums} sums */
  #known({ X, O, level }) {
    const [known, of] = [X.known + O.known, X.moves + O.moves];
    if (X.exact && O.exact) return this.t('report.exact');
    const depth = Math.floor(level ?? 0);
    if (known < of || depth >= MAX_DEPTH) return this.t('report.known', { known, of });
    const end = this.app.study.tree.main.at(-1);
    return this.t(this.app.scores.value(end?.position)?.exact ? 'report.done' : 'report.depth', { depth });
  }

  /** @param {Sums} sums */
  #state(sums) {
    const { running, total, left, engines, progress } = this.review;
    const isPart = !running && SIDES.some((side) => sums[side].known < sums[side].moves);
    const at = { at: total - left, of: total, n: engines.length };
    const label = this.t(running ? 'do.stop' : isPart ? 'do.review' : 'report.again');
    const meter = {
      role: 'progressbar',
      'aria-valuemin': 0,
      'aria-valuemax': 100,
      'aria-valuenow': Math.round(progress * 100),
      'aria-label': this.t('report.progress'),
      hidden: !running,
    };
    return [
      v(
        'div.under',
        v('span.muted', running ? this.t('report.running', at) : this.#known(sums)),
        spring(),
        button(label, () => this.toggle(), { key: 'review', class: isPart ? 'solid' : 'plain' }),
      ),
      v('div.meter', meter, v('i', { style: { transform: `scaleX(${progress.toFixed(3)})` } })),
    ];
  }

  /** @param {Side} side @param {SideSummary} sum */
  #side(side, sum) {
    const color = side === 'X' ? 'black' : 'white';
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
        button(this.t('report.learn', { n }), () => this.app.modes.begin('learn', { side }), learn),
    );
  }

  /** @param {Mistake} mistake */
  #mistake(mistake) {
    const { study, t } = this.app;
    const { node, side, changed, best } = mistake;
    const current = node === study.node ? 'step' : null;
    return v(
      'li',
      { key: node },
      v(
        'button',
        { 'aria-current': current, onclick: () => study.go(node) },
        v(`span.dot.${side === 'X' ? 'black' : 'white'}`),
        v('span', `${node.ply}. ${node.move}`),
        v('b', `▲ ${lossSize(mistake, t)}`),
        v('span.tag', { hidden: !changed }, changed && t(`report.changed.${changed}`)),
        v('small', best && best !== node.move && t('report.better', { move: best })),
      ),
    );
  }

  /** The loss of each side by part of the game. @param {Sums} sums */
  #lost({ X, O }) {
    const size = (read) => [X, O].map((side) => lossSize({ loss: read(side), exact: side.exact }));
    const phases = [0, 1, 2].map((phase) => ({
      label: this.t('report.phase', { from: phase * 20 + 1, to: phase * 20 + 20 }),
      cells: size(({ phases }) => phases[phase]),
    }));
    const total = { label: this.t('report.total'), cells: size(({ loss }) => loss), kind: 'sum' };
    return this.#table(this.t('report.lost'), [...phases, total]);
  }

  /** Changed outcomes by kind. @param {Sums} sums */
  #outcomes({ X, O }) {
    const rows = Object.entries(OUTCOMES).map(([kind, label]) => ({
      label: this.t(label),
      cells: [X, O].map((side) => String(side.changed[kind])),
    }));
    return this.#table(this.t('report.outcomes'), rows);
  }

  /** A table of both sides without empty rows, or `null`.
   *  @param {string} title @param {{ label: string, cells: string[], kind?: string }[]} rows */
  #table(title, rows) {
    const filled = rows.filter(({ cells }) => cells.some((cell) => cell !== '0'));
    if (filled.length === 0) return null;
    const head = columns([title, this.t('black'), this.t('white')]);
    const row = (/** @type {typeof rows[0]} */ { label, cells, kind }) =>
      v('tr', { class: kind }, v('th', { scope: 'row' }, label), ...cells.map((text) => v('td', text)));
    return v('table.figs', v('thead', head), v('tbody', filled.map(row)));
  }
}
