// The report: what each side lost, by phase and by kind, and the mistakes with a chance to retry them.

import { h } from '../base/dom.js';
import { disc } from '../base/format.js';
import { summary } from '../model/losses.js';

const REFRESH_MS = 250;
/** Between two drawings while only the running analysis goes on. */
const LIVE_MS = 1500;

export class Report {
  /** `on` takes `start()`, `stop()`, `go(node)`, `retry(node)` and `practise(nodes)`. */
  constructor(root, words, app, on) {
    Object.assign(this, { root, words, app, on });
  }

  /** Draws soon, if it is seen. */
  later(wait = REFRESH_MS) {
    this.timer ??= setTimeout(() => {
      this.timer = null;
      if (!this.root.hidden) this.draw();
    }, wait);
  }

  /** Draws at leisure: the running analysis has told something. */
  live() {
    this.later(LIVE_MS);
  }

  draw() {
    const { t } = this.words;
    const { study, review } = this.app;
    const line = study.tree.main;
    if (line.length < 2) {
      this.root.replaceChildren(h('div', { class: 'blank' }, h('p', { text: t('report.noGame') })));
      return;
    }
    const sums = summary(line, this.app.points);
    const known = sums.X.known + sums.O.known;
    if (known === 0 && !review.running) {
      this.root.replaceChildren(h('div', { class: 'blank' }, h('p', { text: t('report.none') }), h('button', { type: 'button', class: 'solid', text: t('do.review'), onclick: this.on.start })));
      return;
    }
    const focused = this.root.contains(document.activeElement) ? document.activeElement.dataset.focus : null;
    const scroll = this.root.scrollTop;
    this.root.replaceChildren(h('div', { class: 'pad' }, this.#progress(review), this.#table(sums), this.#kinds(sums), this.#mistakes(sums)));
    this.root.scrollTop = scroll;
    if (focused) this.root.querySelector(`[data-focus="${focused}"]`)?.focus();
  }

  #progress(review) {
    const { t } = this.words;
    if (!review.running) {
      return h('div', { class: 'under' }, h('span', { class: 'muted', text: t('report.done', { depth: this.app.settings.get('reviewDepth') }) }), h('span', { class: 'sp' }), h('button', { type: 'button', class: 'plain', data: { focus: 'start' }, text: t('report.again'), onclick: this.on.start }));
    }
    const bar = h('i');
    bar.style.transform = `scaleX(${review.progress.toFixed(3)})`;
    return h(
      'div',
      null,
      h('div', { class: 'under' }, h('span', { class: 'muted', text: t('report.running', { at: review.total - review.left, of: review.total, n: review.engines.length }) }), h('span', { class: 'sp' }), h('button', { type: 'button', class: 'plain', data: { focus: 'stop' }, text: t('do.stop'), onclick: this.on.stop })),
      h('div', { class: 'meter', role: 'progressbar', 'aria-valuenow': Math.round(review.progress * 100), 'aria-valuemin': 0, 'aria-valuemax': 100, 'aria-label': t('report.progress') }, bar),
    );
  }

  #lost(value, exact) {
    if (value < 0.05) return '0';
    return (exact ? '' : '≈\u202f') + disc(-value, exact).replace(/^[^\d]/, '−');
  }

  #table({ X, O }) {
    const { t } = this.words;
    const cell = (text) => h('td', { text });
    const row = (label, pick, name) => h('tr', { class: name }, h('th', { scope: 'row', text: label }), cell(pick(X)), cell(pick(O)));
    return h(
      'table',
      { class: 'figs' },
      h('thead', null, h('tr', null, h('th', { scope: 'col', text: t('report.lost') }), h('th', { scope: 'col', text: t('black') }), h('th', { scope: 'col', text: t('white') }))),
      h(
        'tbody',
        null,
        [0, 1, 2].map((phase) => row(t('report.phase', { from: phase * 20 + 1, to: phase * 20 + 20 }), (side) => this.#lost(side.phases[phase], side.exact))),
        row(t('report.total'), (side) => this.#lost(side.total, side.exact), 'sum'),
        row(t('report.perMove'), (side) => (side.known ? this.words.number(side.total / side.known, { maximumFractionDigits: 2, minimumFractionDigits: 2 }) : '–')),
      ),
    );
  }

  #kinds({ X, O }) {
    const { t } = this.words;
    const row = (label, pick) => h('tr', null, h('th', { scope: 'row', text: label }), h('td', { text: String(pick(X)) }), h('td', { text: String(pick(O)) }));
    return h(
      'table',
      { class: 'figs' },
      h('thead', null, h('tr', null, h('th', { scope: 'col', text: t('report.kinds') }), h('th', { scope: 'col', text: t('black') }), h('th', { scope: 'col', text: t('white') }))),
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
    const { points } = this.app;
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
        !this.app.review.running && h('button', { type: 'button', class: 'plain', data: { focus: 'practise' }, text: t('report.practise'), onclick: () => this.on.practise(mistakes.map(({ node }) => node)) }),
      ),
      h(
        'ul',
        { class: 'mistakes' },
        mistakes.map((mistake) => {
          const { node, side, loss, exact, atLeast, changed } = mistake;
          const best = points.get(node.parent)?.move;
          const better = best !== node.move ? best : null;
          const amount = exact ? t('loss.exact', { v: Math.round(loss) }) : atLeast === null ? t('loss.about', { v: Math.round(loss) }) : t('loss.atLeast', { v: Math.floor(atLeast) });
          return h(
            'li',
            null,
            h(
              'button',
              { type: 'button', data: { focus: `go${node.ply}` }, onclick: () => this.on.go(node) },
              h('span', { class: `dot ${side === 'X' ? 'black' : 'white'}` }),
              h('span', { text: `${node.ply}. ${node.move}` }),
              changed && h('span', { class: 'tag', text: t(`report.changed.${changed}`) }),
              h('small', { text: [amount, better && t('report.better', { move: better })].filter(Boolean).join(' · ') }),
            ),
            h('button', { type: 'button', class: 'text', data: { focus: `retry${node.ply}` }, 'aria-label': t('report.retryMove', { move: node.move }), text: t('do.retry'), onclick: () => this.on.retry(node) }),
          );
        }),
      ),
    );
  }
}
