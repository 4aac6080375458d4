// The library of openings: search by name, the user's lines with the time at which each is due, and the tree of the named lines.
// Each line opens on the board and starts the trainer from either side.

import { button, each, h, patch, v } from '../base/dom.js';
import { SIDES, START } from '../base/position.js';
import { LineBook } from '../model/drill.js';
import { findLines, lineTree, namedLines } from '../model/opening-lines.js';
import { fromF5, repertoireOf } from '../model/repertoire.js';
import { dueOf } from '../model/review.js';
import { positionsOf } from '../model/rules.js';
import { Thumbnails, View } from './view.js';

/** @type {[unit: Intl.RelativeTimeFormatUnit, ms: number][]} */
const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];
const MAX_FOUND = 20;
const MORE = 'trainer.more';

/** The title of a line: its name, or that of the last opening on its way.
 * @param {Pick<App, 'openings' | 'rules' | 'words'>} app @param {TrainerLine} line */
export function titleOf({ openings, rules, words }, { moves, names }) {
  if (names) return words.pick(names);
  const titles = positionsOf(rules, moves).map((position) => openings.name(position));
  return titles.findLast((title) => title !== null) ?? words.t('trainer.unnamed');
}

export class OpeningLibrary extends View {
  /** @type {TrainerLine[]} */
  #named = [];
  /** The shown nodes of the tree whose continuations are open, by moves. @type {Set<string>} */
  #open = new Set();
  #boards = new Thumbnails(this.app.rules);
  #revision = 0;
  /** The numbers of positions to know, by line and loaded files. @type {Map<string, any>} */
  #known = new Map();

  /** @param {HTMLElement} root @param {App} app @param {Explorer} explorer */
  constructor(root, app, explorer) {
    super(root, app);
    this.explorer = explorer;
    this.repertoire = repertoireOf(app.store, app.rules);
    /** The review and the search, above the explorer; the lists are below it. */
    this.head = h('div.library');
    this.due = h('div.review');
    this.field = h('input', { type: 'search', autocomplete: 'off', oninput: () => this.draw() });
    this.more = h('input', {
      type: 'checkbox',
      checked: app.store.get(MORE, false) === true,
      onchange: () => app.store.set(MORE, this.more.checked),
    });
    const redraw = () => {
      this.#revision++;
      this.draw();
    };
    this.repertoire.changed.listen(redraw);
    namedLines().then((lines) => {
      this.#named = lines;
      redraw();
    });
  }

  /** Shows the lines with this name. @param {string} query */
  search(query) {
    this.field.value = query;
    this.draw();
    this.head.scrollIntoView({ block: 'start' });
  }

  /** The moves up to the cursor, or all moves if it is at the start. Empty if the game starts from another position. */
  get onBoard() {
    const { study } = this.app;
    if (study.tree.root.position !== START) return '';
    return fromF5((study.node.parent ? study.node : study.line.at(-1))?.moves.join('') ?? '');
  }

  /** States how many positions each side must know of a line. Empty if the loaded books do not contain it. @param {string} moves */
  toKnow(moves) {
    const { booked, files } = this.explorer.state;
    const key = JSON.stringify([moves, booked, files]);
    const known = this.#known.get(key);
    if (known === undefined) this.#ask(key, moves);
    return known ? this.t('library.know', known) : '';
  }

  /** @param {string} key @param {string} moves */
  async #ask(key, moves) {
    this.#known.set(key, null);
    this.#known.set(key, await this.explorer.toKnow(moves).catch(() => null));
    this.#revision++;
    this.app.painter.later();
  }

  draw() {
    const { repertoire, t } = this;
    const query = this.field.value;
    const board = this.onBoard;
    const minute = Math.floor(Date.now() / 60_000);
    if (!this.isNew(query, board, minute, this.#revision, [...this.#open])) return;
    const { lines } = repertoire;
    const isOwn = ({ moves }) => lines.some((line) => line.moves === moves);
    const others = this.#named.filter((line) => !isOwn(line));
    const found = findLines([...lines, ...others], query).slice(0, MAX_FOUND);
    const here = [...lines, ...others].find(({ moves }) => moves === board) ?? { moves: board, names: null };
    const list = (name, all) => each(`ul.trained.of-${name}`, all, (line) => this.#row(name, line));
    this.field.placeholder = t('library.find');
    this.field.setAttribute('aria-label', t('library.find'));
    const count = v('p.muted', { role: 'status' }, t('library.found', { n: found.length }));
    patch(this.head, this.due, this.field, query && [count, list('found', found)]);
    patch(
      this.root,
      board && v('h2', t('trainer.onBoard')),
      board && list('board', [here]),
      lines.length > 0 && v('h2', t('trainer.mine')),
      list('mine', lines),
      v('h2', t('trainer.named')),
      this.#tree(lineTree(this.#named)),
      v('label.check', this.more, ' ', t('trainer.more')),
    );
    this.#drawDue();
  }

  async #drawDue() {
    const { app, due, t } = this;
    const { all } = await dueOf(app);
    const review = () => app.modes.begin('review');
    patch(due, all > 0 && button(t('review.start', { n: all }), review, { class: 'solid', key: 'review' }));
  }

  /** @param {import('../model/opening-lines.js').LineNode[]} nodes */
  #tree(nodes) {
    return each('ul.trained', nodes, ({ line, children }) => {
      const { moves } = line;
      const open = this.#open.has(moves);
      const toggle = ({ target }) => {
        this.#open[target.open ? 'add' : 'delete'](moves);
        this.draw();
      };
      const summary = v('summary', this.t('library.more', { n: children.length }));
      const more = v('details', { open, ontoggle: toggle }, summary, open && this.#tree(children));
      return this.#row('tree', line, children.length > 0 && more);
    });
  }

  /** @param {string} list @param {TrainerLine} line @param {any} more */
  #row(list, line, more = null) {
    const { app, repertoire, t } = this;
    const { moves } = line;
    const title = titleOf(app, line);
    const isOwn = repertoire.lines.some((other) => other.moves === moves);
    const key = `${list} ${moves}`;
    const keep = isOwn
      ? { 'aria-label': t('trainer.remove', { line: title }), onclick: () => this.#remove(line) }
      : { 'aria-label': t('trainer.add', { line: title }), onclick: () => repertoire.add(line, []) };
    return v(
      'li',
      { key },
      v(
        'button.what',
        { title: t('trainer.open'), onclick: () => app.openGame(line) },
        this.#boards.board(key, line),
        v('span', v('b', title), v('small', moves)),
      ),
      SIDES.map((side) => this.#side(line, side, title, list === 'board')),
      v('button.icon', { key: isOwn, title: keep['aria-label'], ...keep }, isOwn ? '×' : '+'),
      list !== 'board' && v('small', this.toKnow(moves)),
      more,
    );
  }

  /** @param {TrainerLine} line @param {Side} side @param {string} title @param {boolean} isWritten the button has a text */
  #side(line, side, title, isWritten) {
    const progress = this.repertoire.of(line, side);
    const color = side === 'X' ? 'black' : 'white';
    const when = progress ? this.#when(progress) : '';
    const written = isWritten ? this.t('trainer.drillAs', { side: this.t(color) }) : '';
    const what = written
      ? `${written}: ${title}`
      : this.t('trainer.trainAs', { line: title, side: this.t(color) });
    const label = when ? `${what}, ${when}` : what;
    const state = progress && progress.due <= Date.now() ? 'due' : '';
    const props = { class: state, 'aria-label': label, title: label, onclick: () => this.#train(line, side) };
    return v('button.plain', props, v(`span.dot.${color}`), written, v('small', when));
  }

  /** Trains a line, on request with the lines that continue it. @param {TrainerLine} line @param {Side} side */
  #train(line, side) {
    const { app, repertoire } = this;
    return app.attempt(async () => {
      const lines = [line];
      if (this.more.checked) {
        const positions = positionsOf(app.rules, line.moves);
        const book = new LineBook(app.rules, [...repertoire.lines, ...this.#named]);
        const next = await book.moves(/** @type {string} */ (positions.at(-1)), positions.length - 1);
        lines.push(...next.flatMap((move) => move.lines));
      }
      await app.modes.begin('trainer', { lines, side });
    });
  }

  /** @param {TrainerLine} line */
  #remove(line) {
    const { app, repertoire, t } = this;
    const restore = repertoire.remove(line);
    app.notices.show(t('trainer.removed', { line: titleOf(app, line) }), {
      key: 'trainer',
      action: { label: t('do.undo'), run: restore },
    });
  }

  /** The time until a side of a line is due. @param {Progress} progress */
  #when({ due, tries }) {
    const { language, t } = this.app.words;
    const left = due - Date.now();
    if (tries === 0) return t('trainer.new');
    if (left <= 0) return t('trainer.now');
    const [unit, ms] = UNITS.find(([, ms]) => left >= ms) ?? ['minute', 60_000];
    return new Intl.RelativeTimeFormat(language, { style: 'narrow' }).format(Math.ceil(left / ms), unit);
  }
}
