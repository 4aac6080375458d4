// The report: starts the analysis of the whole game, and tells how well each side played, its mistakes, and what it lost.
// It is drawn with the rest of the page and changes what has changed, so that nothing moves below a finger.

import { attr, h, text } from '../base/dom.js';
import { lossSize } from '../base/format.js';
import { BOOK } from '../engine/proof.js';
import { Review } from '../engine/queue.js';
import { accuracy } from '../model/accuracy.js';
import { summary } from '../model/summary.js';

/** Draws in the end where the page is not painted, as in a hidden tab. */
const LATE_MS = 250;
/** @type {Side[]} */
const SIDES = ['X', 'O'];
const OUTCOMES = { WD: 'report.winToDraw', WL: 'report.winToLoss', DL: 'report.drawToLoss' };

export class ReportPanel {
  /** @type {ReturnType<typeof setTimeout> | null} */
  #timer = null;
  /** What stands about each side. @type {ReturnType<ReportPanel['makeSide']>[]} */
  sides = [];
  /** What the drawing was made of. */
  #seen = '';
  /** Grows with the tree. */
  #grown = 0;
  /** The mistakes that are shown, by their nodes. @type {Map<TreeNode, { item: HTMLElement, button: HTMLElement, move: HTMLElement, size: HTMLElement, tag: HTMLElement, better: HTMLElement }>} */
  #shown = new Map();

  /** @param {HTMLElement} root @param {App} app */
  constructor(root, app) {
    this.root = root;
    this.app = app;
    this.words = app.words;
    const { notices, words } = app;
    this.review = new Review(
      app,
      () => {
        app.control.reviewing = this.review.running;
        app.control.update();
        app.painter.later();
        this.#timer ??= setTimeout(() => {
          this.#timer = null;
          this.#draw();
        }, LATE_MS);
      },
      (message) =>
        notices.show(words.t('engine.restarted', { detail: message }), { kind: 'fault', key: 'crash' }),
    );
    this.#make();
    app.study.changed.listen((what) => {
      if (what === 'load') this.review.stop();
      if (what !== 'move') this.#grown++;
    });
    app.settings.changed.listen((key) => {
      if (key === 'network') this.review.stop();
    });
    app.screen.drawn.listen(() => this.#draw());
  }

  /** Starts the analysis of the whole game, or stops it. */
  toggle() {
    if (!this.review.running) return this.#start();
    this.review.stop();
    return this.#draw();
  }

  #start() {
    const { app } = this;
    const line = app.study.tree.main;
    if (line.length < 2) {
      app.notices.show(this.words.t('report.noGame'), { key: 'review', stay: 4000 });
      return;
    }
    app.modes.leave();
    this.review.start(line.map((node) => node.position));
    app.panels.show('report', true);
  }

  /** Asks for something better than each mistake of a side. @param {Side} side */
  async #learn(side) {
    try {
      await this.app.modes.begin('learn', { side });
    } catch (error) {
      this.app.fail(error);
    }
  }

  /** Keeps the mistakes as puzzles. */
  async #keep() {
    const { app } = this;
    const panel = /** @type {PuzzlesPanel} */ (await app.panels.get('puzzles'));
    const { X, O } = this.#sums();
    const own = [...X.mistakes, ...O.mistakes].map(({ node }) => {
      const { position } = /** @type {TreeNode} */ (node.parent);
      return { id: position, position, scores: app.scores.exact(position), own: true };
    });
    await panel.puzzles.addOwn(own);
    panel.draw();
    app.notices.show(this.words.t('report.practised', { n: own.length }), { stay: 5000, key: 'practise' });
  }

  #sums() {
    return summary(this.app.study.tree.main, this.app.scores.points);
  }

  /** Makes what the panel consists of. */
  #make() {
    const button = (more) => h('button', { class: 'plain', ...more });
    this.blank = h('p');
    this.begin = button({ class: 'solid', onclick: () => this.toggle() });
    this.empty = h('div.blank', this.blank, this.begin);
    this.state = h('span.muted');
    this.again = button({ onclick: () => this.toggle() });
    this.bar = h('i');
    this.meter = h('div.meter', { role: 'progressbar', 'aria-valuemin': 0, 'aria-valuemax': 100 }, this.bar);
    this.sides = SIDES.map((side) => this.makeSide(side));
    this.explain = h('summary');
    this.explained = h('p');
    this.title = h('h2');
    this.keep = button({ onclick: () => this.#keep() });
    this.none = h('p.muted');
    this.list = h('ul.mistakes');
    this.tables = h('div.tables');
    this.full = h(
      'div.pad',
      h('div', h('div.under', this.state, h('span.sp'), this.again), this.meter),
      h(
        'div.sides',
        this.sides.map(({ section }) => section),
      ),
      h('details.explain', this.explain, this.explained),
      h('div.under', this.title, h('span.sp'), this.keep),
      this.none,
      this.list,
      this.tables,
    );
    this.root.append(this.empty, this.full);
  }

  /** What stands about a side. @param {Side} side */
  makeSide(side) {
    const name = h('span');
    const figure = h('span');
    const perMove = h('p');
    const learn = h('button.plain', { onclick: () => this.#learn(side) });
    const outOf = h('small');
    const label = h('small');
    const section = h(
      'section',
      h('h2', h('span', { class: `dot ${side === 'X' ? 'black' : 'white'}` }), name),
      h('div.figure', figure, ' ', outOf),
      label,
      perMove,
      learn,
    );
    return { side, section, name, figure, outOf, label, perMove, learn };
  }

  relabel() {
    this.draw();
  }

  draw() {
    this.#seen = '';
    this.#draw();
  }

  /** Draws where something has changed and it is seen. */
  #draw() {
    const { app, review } = this;
    const { modes, scores, study } = app;
    if (this.root.hidden) return;
    const hide = modes.current?.hide ?? false;
    const seen = [
      scores.revision,
      this.#grown,
      review.running,
      review.left,
      review.engines.length,
      study.node.id,
      hide,
      this.words.language,
    ].join(' ');
    if (seen === this.#seen) return;
    this.#seen = seen;
    this.#fill(hide);
  }

  /** @param {boolean} hide */
  #fill(hide) {
    const { t } = this.words;
    const { review } = this;
    const sums = this.#sums();
    const noGame = this.app.study.tree.main.length < 2;
    const known = sums.X.known + sums.O.known;
    const nothing = known === 0 && !review.running;
    attr(this.empty, 'hidden', !(noGame || nothing || hide));
    attr(this.full, 'hidden', noGame || nothing || hide);
    text(this.blank, t(hide ? 'report.hidden' : noGame ? 'report.noGame' : 'report.none'));
    attr(this.begin, 'hidden', noGame || hide);
    text(this.begin, t('do.review'));
    if (noGame || nothing || hide) return;
    this.#fillState(sums);
    for (const parts of this.sides) this.#fillSide(parts, sums[parts.side]);
    text(this.explain, t('report.explain'));
    text(this.explained, t('report.explained'));
    const mistakes = [...sums.X.mistakes, ...sums.O.mistakes].sort((a, b) => a.node.ply - b.node.ply);
    text(this.title, t('report.mistakes'));
    text(this.keep, t('report.keep'));
    attr(this.keep, 'hidden', mistakes.length === 0 || review.running);
    text(this.none, mistakes.length === 0 ? t('report.noMistakes', { n: known }) : '');
    attr(this.none, 'hidden', mistakes.length > 0 || known === 0);
    this.#fillList(mistakes);
    this.tables.replaceChildren(...this.#lost(sums), ...this.#outcomes(sums));
  }

  /** Says of how many moves the cost is known, and to which depth. @param {ReturnType<typeof summary>} sums */
  #known({ X, O }) {
    const { t } = this.words;
    const [known, of] = [X.known + O.known, X.moves + O.moves];
    if (X.exact && O.exact) return t('report.exact');
    const { main } = this.app.study.tree;
    const { points } = this.app.scores;
    const found = main.flatMap((node) => points.reviewed?.get(node) ?? points.get(node) ?? []);
    const depth = Math.floor(Math.min(...found.map(({ level }) => level)));
    if (known < of || depth >= BOOK) return t('report.known', { known, of });
    return t(found.at(-1)?.exact ? 'report.done' : 'report.depth', { depth });
  }

  /** @param {ReturnType<typeof summary>} sums */
  #fillState(sums) {
    const { t } = this.words;
    const { review } = this;
    const { running, total, left, engines, progress } = review;
    const isPart = !running && SIDES.some((side) => sums[side].known < sums[side].moves);
    text(
      this.state,
      running ? t('report.running', { at: total - left, of: total, n: engines.length }) : this.#known(sums),
    );
    text(this.again, t(running ? 'do.stop' : isPart ? 'do.review' : 'report.again'));
    attr(this.again, 'class', isPart ? 'solid' : 'plain');
    attr(this.meter, 'hidden', !running);
    attr(this.meter, 'aria-label', t('report.progress'));
    attr(this.meter, 'aria-valuenow', Math.round(progress * 100));
    this.bar.style.transform = `scaleX(${progress.toFixed(3)})`;
  }

  /** @param {ReturnType<ReportPanel['makeSide']>} parts @param {SideSummary} sum */
  #fillSide({ side, name, figure, outOf, label, perMove, learn }, sum) {
    const { t } = this.words;
    const black = t(side === 'X' ? 'black' : 'white');
    const n = sum.mistakes.length;
    text(name, black);
    const share = accuracy(sum);
    const perKnown = sum.total / sum.known;
    text(figure, String(share ?? '–'));
    text(outOf, t('report.outOf'));
    text(label, t('report.accuracy'));
    const digits = { maximumFractionDigits: 2, minimumFractionDigits: 2 };
    text(
      perMove,
      share === null ? '' : t('report.perMove', { n: perKnown, v: this.words.number(perKnown, digits) }),
    );
    text(learn, t('report.learn', { n }));
    attr(learn, 'aria-label', t('report.learnSide', { side: black, n }));
    attr(learn, 'hidden', n === 0 || this.review.running);
  }

  /** @param {Mistake[]} mistakes */
  #fillList(mistakes) {
    const { t } = this.words;
    const { study } = this.app;
    const wanted = new Set(mistakes.map(({ node }) => node));
    for (const [node, { item }] of this.#shown) {
      if (wanted.has(node)) continue;
      item.remove();
      this.#shown.delete(node);
    }
    for (const [i, mistake] of mistakes.entries()) {
      const { node, side, changed, best } = mistake;
      const parts = this.#shown.get(node) ?? this.#mistake(node, side);
      text(parts.move, `${node.ply}. ${node.move}`);
      text(parts.size, `▲ ${lossSize(mistake, t)}`);
      text(parts.tag, changed ? t(`report.changed.${changed}`) : '');
      attr(parts.tag, 'hidden', !changed);
      text(parts.better, best && best !== node.move ? t('report.better', { move: best }) : '');
      attr(parts.button, 'aria-current', node === study.node ? 'step' : null);
      if (this.list.children[i] !== parts.item)
        this.list.insertBefore(parts.item, this.list.children[i] ?? null);
    }
  }

  /** @param {TreeNode} node @param {Side} side */
  #mistake(node, side) {
    const parts = { move: h('span'), size: h('b'), tag: h('span.tag'), better: h('small') };
    const button = h(
      'button',
      { onclick: () => this.app.study.go(node) },
      h('span', { class: `dot ${side === 'X' ? 'black' : 'white'}` }),
      parts.move,
      parts.size,
      parts.tag,
      parts.better,
    );
    const made = { ...parts, button, item: h('li', button) };
    this.#shown.set(node, made);
    return made;
  }

  /** What each side lost, by the part of the game; nothing where nothing was lost. */
  #lost({ X, O }) {
    const { t } = this.words;
    const size = (loss, exact) => lossSize({ loss, exact });
    const rows = [0, 1, 2].map((phase) => ({
      label: t('report.phase', { from: phase * 20 + 1, to: phase * 20 + 20 }),
      cells: [X, O].map((side) => size(side.phases[phase], side.exact)),
      kind: '',
    }));
    rows.push({
      label: t('report.total'),
      cells: [X, O].map((side) => size(side.total, side.exact)),
      kind: 'sum',
    });
    return this.#table(t('report.lost'), rows);
  }

  /** Results that were changed, by kind. */
  #outcomes({ X, O }) {
    const { t } = this.words;
    const rows = Object.entries(OUTCOMES).map(([kind, label]) => ({
      label: t(label),
      cells: [X, O].map((side) => String(side.changed[kind])),
      kind: '',
    }));
    return this.#table(t('report.outcomes'), rows);
  }

  /** A table of both sides without rows of nothing, or none. */
  #table(title, rows) {
    const { t } = this.words;
    const filled = rows.filter(({ cells }) => cells.some((cell) => cell !== '0'));
    if (filled.length === 0) return [];
    const head = [title, t('black'), t('white')].map((text) => h('th', { scope: 'col' }, text));
    return [
      h(
        'table.figs',
        h('thead', h('tr', head)),
        h(
          'tbody',
          filled.map(({ label, cells, kind }) =>
            h(
              'tr',
              { class: kind },
              h('th', { scope: 'row' }, label),
              cells.map((text) => h('td', text)),
            ),
          ),
        ),
      ),
    ];
  }
}
