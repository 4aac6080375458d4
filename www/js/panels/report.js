// The report: starts the analysis of the whole game, and tells what each side lost, by phase and by kind, and the mistakes with a chance to retry them.

import { h } from '../base/dom.js';
import { disc, lossSize } from '../base/format.js';
import { Review } from '../engine/review.js';
import { summary } from '../model/summary.js';

const REFRESH_MS = 250;
/** Between two drawings while only the running analysis goes on. */
const LIVE_MS = 1500;

export class ReportPanel {
  /** @type {ReturnType<typeof setTimeout> | null} */
  #timer = null;

  /** @param {HTMLElement} root @param {App} app */
  constructor(root, app) {
    this.root = root;
    this.app = app;
    this.words = app.words;
    const { notices, words } = app;
    this.review = new Review({
      evaluations: app.evaluations,
      rules: app.rules,
      changed: () => {
        app.control.reviewing = this.review.running;
        app.control.update();
        app.painter.later();
        this.#later();
      },
      trouble: (message) =>
        notices.show(words.t('engine.restarted', { detail: message }), { kind: 'fault', key: 'death' }),
      outdated: () => app.offerUpdate(),
    });
    app.study.changed.listen((what) => {
      if (what === 'load') this.review.stop();
      if (what !== 'move') this.#later();
    });
    app.analysis.told.listen(() => app.panels.current === 'report' && this.#later(LIVE_MS));
  }

  /** Draws soon, if it is seen. */
  #later(wait = REFRESH_MS) {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      if (!this.root.hidden) this.draw();
    }, wait);
  }

  /** Starts the analysis of the whole game, or stops it. */
  toggle() {
    if (!this.review.running) return this.#start();
    this.review.stop();
    return this.draw();
  }

  #start() {
    const { app } = this;
    const line = app.study.tree.main;
    if (line.length < 2) {
      app.notices.show(this.words.t('report.noGame'), { key: 'review', stay: 4000 });
      return;
    }
    app.modes.leave();
    this.review.start(
      line.map((node) => node.position),
      { depth: app.settings.get('reviewDepth'), workers: app.settings.get('workers') },
    );
    app.panels.show('report', true);
  }

  /** Makes puzzles of mistakes and sets the first of them on the board. @param {TreeNode[]} nodes */
  async #practise(nodes) {
    const { app } = this;
    const panel = /** @type {PuzzlesPanel} */ (await app.panels.get('puzzles'));
    const own = nodes.map((node) => {
      const { position } = /** @type {TreeNode} */ (node.parent);
      return { id: position, position, scores: app.scores.exact(position), own: true };
    });
    await panel.puzzles.addOwn(own);
    if (own.length > 1)
      app.notices.show(this.words.t('report.practised', { n: own.length }), { stay: 5000, key: 'practise' });
    await panel.open(own[0]);
  }

  relabel() {
    this.draw();
  }

  draw() {
    const { t } = this.words;
    const { review } = this;
    const line = this.app.study.tree.main;
    if (line.length < 2) {
      this.root.replaceChildren(h('div', { class: 'blank' }, h('p', { text: t('report.noGame') })));
      return;
    }
    const sums = summary(line, this.app.scores.points);
    const known = sums.X.known + sums.O.known;
    if (known === 0 && !review.running) {
      this.root.replaceChildren(
        h(
          'div',
          { class: 'blank' },
          h('p', { text: t('report.none') }),
          h('button', { type: 'button', class: 'solid', text: t('do.review'), onclick: () => this.toggle() }),
        ),
      );
      return;
    }
    const focused = this.root.contains(document.activeElement)
      ? /** @type {HTMLElement} */ (document.activeElement).dataset.focus
      : null;
    const scroll = this.root.scrollTop;
    this.root.replaceChildren(
      h(
        'div',
        { class: 'pad' },
        this.#progress(review),
        this.#table(sums),
        this.#kinds(sums),
        this.#mistakes(sums),
      ),
    );
    this.root.scrollTop = scroll;
    if (focused)
      /** @type {HTMLElement | null} */ (this.root.querySelector(`[data-focus="${focused}"]`))?.focus();
  }

  #progress(review) {
    const { t } = this.words;
    if (!review.running) {
      return h(
        'div',
        { class: 'under' },
        h('span', {
          class: 'muted',
          text: t('report.done', { depth: this.app.settings.get('reviewDepth') }),
        }),
        h('span', { class: 'sp' }),
        h('button', {
          type: 'button',
          class: 'plain',
          data: { focus: 'start' },
          text: t('report.again'),
          onclick: () => this.toggle(),
        }),
      );
    }
    const bar = h('i');
    bar.style.transform = `scaleX(${review.progress.toFixed(3)})`;
    return h(
      'div',
      null,
      h(
        'div',
        { class: 'under' },
        h('span', {
          class: 'muted',
          text: t('report.running', {
            at: review.total - review.left,
            of: review.total,
            n: review.engines.length,
          }),
        }),
        h('span', { class: 'sp' }),
        h('button', {
          type: 'button',
          class: 'plain',
          data: { focus: 'stop' },
          text: t('do.stop'),
          onclick: () => this.toggle(),
        }),
      ),
      h(
        'div',
        {
          class: 'meter',
          role: 'progressbar',
          'aria-valuenow': Math.round(review.progress * 100),
          'aria-valuemin': 0,
          'aria-valuemax': 100,
          'aria-label': t('report.progress'),
        },
        bar,
      ),
    );
  }

  #lost(value, exact) {
    if (value < 0.05) return '0';
    return (exact ? '' : '≈\u202f') + disc(-value, exact).replace(/^[^\d]/, '−');
  }

  #table({ X, O }) {
    const { t } = this.words;
    const cell = (text) => h('td', { text });
    const row = (label, pick, name) =>
      h('tr', { class: name }, h('th', { scope: 'row', text: label }), cell(pick(X)), cell(pick(O)));
    return h(
      'table',
      { class: 'figs' },
      h(
        'thead',
        null,
        h(
          'tr',
          null,
          h('th', { scope: 'col', text: t('report.lost') }),
          h('th', { scope: 'col', text: t('black') }),
          h('th', { scope: 'col', text: t('white') }),
        ),
      ),
      h(
        'tbody',
        null,
        [0, 1, 2].map((phase) =>
          row(t('report.phase', { from: phase * 20 + 1, to: phase * 20 + 20 }), (side) =>
            this.#lost(side.phases[phase], side.exact),
          ),
        ),
        row(t('report.total'), (side) => this.#lost(side.total, side.exact), 'sum'),
        row(t('report.perMove'), (side) =>
          side.known
            ? this.words.number(side.total / side.known, {
                maximumFractionDigits: 2,
                minimumFractionDigits: 2,
              })
            : '–',
        ),
      ),
    );
  }

  #kinds({ X, O }) {
    const { t } = this.words;
    const row = (label, pick) =>
      h(
        'tr',
        null,
        h('th', { scope: 'row', text: label }),
        h('td', { text: String(pick(X)) }),
        h('td', { text: String(pick(O)) }),
      );
    return h(
      'table',
      { class: 'figs' },
      h(
        'thead',
        null,
        h(
          'tr',
          null,
          h('th', { scope: 'col', text: t('report.kinds') }),
          h('th', { scope: 'col', text: t('black') }),
          h('th', { scope: 'col', text: t('white') }),
        ),
      ),
      h(
        'tbody',
        null,
        row(t('report.discsLost'), (side) => side.mistakes.filter((mistake) => !mistake.changed).length),
        row(t('report.winToDraw'), (side) => side.changed.WD),
        row(t('report.winToLoss'), (side) => side.changed.WL),
        row(t('report.drawToLoss'), (side) => side.changed.DL),
      ),
    );
  }

  #mistakes({ X, O }) {
    const { t } = this.words;
    const { points } = this.app.scores;
    const mistakes = [...X.mistakes, ...O.mistakes].sort((a, b) => a.node.ply - b.node.ply);
    if (mistakes.length === 0) return h('p', { class: 'muted', text: t('report.noMistakes') });
    return h(
      'div',
      null,
      h(
        'div',
        { class: 'under' },
        h('h2', { text: t('report.mistakes') }),
        h('span', { class: 'sp' }),
        !this.review.running &&
          h('button', {
            type: 'button',
            class: 'plain',
            data: { focus: 'practise' },
            text: t('report.practise'),
            onclick: () => this.#practise(mistakes.map(({ node }) => node)),
          }),
      ),
      h(
        'ul',
        { class: 'mistakes' },
        mistakes.map((mistake) => {
          const { node, side, changed } = mistake;
          const best = points.get(node.parent)?.move;
          const better = best !== node.move ? best : null;
          return h(
            'li',
            null,
            h(
              'button',
              { type: 'button', data: { focus: `go${node.ply}` }, onclick: () => this.app.study.go(node) },
              h('span', { class: `dot ${side === 'X' ? 'black' : 'white'}` }),
              h('span', { text: `${node.ply}. ${node.move}` }),
              changed && h('span', { class: 'tag', text: t(`report.changed.${changed}`) }),
              h('small', {
                text: [lossSize(mistake), better && t('report.better', { move: better })]
                  .filter(Boolean)
                  .join(' · '),
              }),
            ),
            h('button', {
              type: 'button',
              class: 'text',
              data: { focus: `retry${node.ply}` },
              'aria-label': t('report.retryMove', { move: node.move }),
              text: t('do.retry'),
              onclick: () => this.#practise([node]),
            }),
          );
        }),
      ),
    );
  }
}
