// The board: a grid of 64 cells, one tab stop, drawn by mending only the cells that changed.

import { attr, h, keyName, text } from '../base/dom.js';
import { disc, lossClass, mark, spoken } from '../base/format.js';
import { forBlack, squareName } from '../base/position.js';
import { isExact, isProven } from '../engine/proof.js';

const STALE_MS = 150;

/** The eight ways to look at the board, as maps from the shown cell to the square. Two whose numbers differ in the second
 *  bit are half a turn apart. */
const VIEWS = [
  (r, c) => r * 8 + c,
  (r, c) => c * 8 + (7 - r),
  (r, c) => (7 - r) * 8 + (7 - c),
  (r, c) => (7 - c) * 8 + r,
  (r, c) => r * 8 + (7 - c),
  (r, c) => c * 8 + r,
  (r, c) => (7 - r) * 8 + c,
  (r, c) => (7 - c) * 8 + (7 - r),
];

export class Board {
  constructor(frame, words, view = 0) {
    this.words = words;
    this.view = view;
    /** Who listens: to a square that was pressed, with the `drawn` of the state; to a square that is pointed at; to a
     *  label that is to be spoken. @type {{ play(square: number, drawn?: number): void, hover(square: number | null): void, speak(label: string | null): void }} */
    this.on = { play() {}, hover() {}, speak() {} };
    this.focus = 19;
    this.state = null;
    this.cells = [];
    this.#build(frame);
  }

  #build(frame) {
    this.files = h('div.files', { 'aria-hidden': 'true' });
    this.ranks = h('div.ranks', { 'aria-hidden': 'true' });
    for (let i = 0; i < 8; i++) {
      this.files.append(h('span'));
      this.ranks.append(h('span'));
    }
    this.grid = h('div.grid', { role: 'grid' });
    for (let r = 0; r < 8; r++) {
      const row = h('div.row', { role: 'row' });
      for (let c = 0; c < 8; c++) {
        const cell = h('div.sq', { role: 'gridcell', tabindex: '-1' });
        const parts = {
          cell,
          disc: h('span.disc'),
          number: h('span.num'),
          value: h('b'),
          proof: h('i'),
          seen: '',
        };
        parts.chip = h('span.val', parts.value, ' ', parts.proof);
        parts.progress = h('u.prog');
        cell.append(parts.disc, parts.number, parts.chip, parts.progress);
        cell.dataset.cell = r * 8 + c;
        this.cells.push(parts);
        row.append(cell);
      }
      this.grid.append(row);
    }
    frame.append(this.files, this.ranks, this.grid);
    // A press with the mouse leaves the keyboard where it was: the arrows go on to move through the game.
    this.grid.addEventListener('mousedown', (event) => {
      event.preventDefault();
      if (!this.grid.contains(document.activeElement))
        /** @type {HTMLElement} */ (document.activeElement)?.blur();
    });
    this.grid.addEventListener('click', (event) => this.#press(event));
    this.grid.addEventListener('pointerover', (event) => this.#point(event));
    this.grid.addEventListener('pointerleave', () => this.on.hover(null));
    this.grid.addEventListener('focusin', (event) => {
      const at = this.#cellOf(event);
      if (at === null) return;
      this.#moveFocus(at, false);
      if (event.target.matches(':focus-visible')) this.on.hover(this.square(at));
    });
    this.grid.addEventListener('focusout', () => this.on.hover(null));
    this.grid.addEventListener('keydown', (event) => this.#key(event));
    this.label();
  }

  /** Writes the words that depend on the language and the view. */
  label() {
    attr(this.grid, 'aria-label', this.words.t('board'));
    for (let i = 0; i < 8; i++) {
      const top = squareName(VIEWS[this.view](0, i));
      const left = squareName(VIEWS[this.view](i, 0));
      const turned = this.view % 2 === 1;
      text(this.files.children[i], top[turned ? 1 : 0]);
      text(this.ranks.children[i], left[turned ? 0 : 1]);
    }
    for (const parts of this.cells) parts.seen = '';
  }

  /** Looks from the other side: half a turn. */
  flip() {
    return this.#look(this.view ^ 2);
  }

  /** Turns by a quarter; after four turns the mirrored views follow. */
  turn() {
    return this.#look((this.view + 1) % VIEWS.length);
  }

  /** @param {number} view */
  #look(view) {
    this.view = view;
    this.label();
    if (this.state) this.draw(this.state);
    return this.view;
  }

  square(cell) {
    return VIEWS[this.view](cell >> 3, cell & 7);
  }

  #cellOf(event) {
    const cell = event.target.closest?.('.sq');
    return cell ? Number(cell.dataset.cell) : null;
  }

  #press(event) {
    const at = this.#cellOf(event);
    if (at === null) return;
    this.#moveFocus(at, false);
    this.on.play(this.square(at), this.state?.drawn);
  }

  #point(event) {
    if (event.pointerType === 'touch') return;
    const at = this.#cellOf(event);
    if (at !== null) this.on.hover(this.square(at));
  }

  #moveFocus(at, take = true) {
    attr(this.cells[this.focus].cell, 'tabindex', '-1');
    this.focus = at;
    attr(this.cells[at].cell, 'tabindex', '0');
    if (take) this.cells[at].cell.focus();
  }

  #key(event) {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    const row = this.focus >> 3;
    const column = this.focus & 7;
    const steps = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
    const step = steps[event.code];
    if (step && !event.shiftKey) {
      const r = Math.min(7, Math.max(0, row + step[0]));
      const c = Math.min(7, Math.max(0, column + step[1]));
      this.#moveFocus(r * 8 + c);
    } else if (/^(Enter|Space)$/.test(keyName(event))) {
      this.on.play(this.square(this.focus), this.state?.drawn);
    } else if (keyName(event) === 'KeyC' && !event.shiftKey) {
      this.on.speak(this.cells[this.focus].cell.getAttribute('aria-label'));
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /**
   * Draws a state: `{ drawn, look, last, values: Map(move → row), best, common, black, show, target,
   * flips, overlay, numbers, stale }`. `values` are discs for the side to move; the mark `common` goes without saying.
   */
  draw(state) {
    this.state = state;
    clearTimeout(this.staleTimer);
    if (state.stale?.size > 0)
      this.staleTimer = setTimeout(() => this.draw({ ...this.state, stale: null }), STALE_MS);
    this.grid.classList.toggle('dots', !state.show && !state.open);
    for (let at = 0; at < 64; at++) this.#drawCell(this.cells[at], this.square(at), at, state);
  }

  #drawCell(parts, square, at, state) {
    const { look } = state;
    const colour = look.squares[square];
    const legal = look.legal.includes(square);
    const name = squareName(square);
    const row = legal ? state.values?.get(name) : undefined;
    const old = row || colour !== '-' ? undefined : state.stale?.get(name);
    const shown = state.show ? (row ?? old) : undefined;
    const exact = isExact(shown?.proof);
    const value = shown && (state.black ? forBlack(shown.value, look.side) : shown.value);
    const loss = row && state.best !== null ? Math.max(0, state.best - row.value) : 0;
    const isBest = Boolean(row) && loss < 0.05;
    // What is exact has no way to go: no line.
    const progress =
      row && state.target && !isProven(row.proof) ? Math.min(1, row.proof.depth / state.target) : 0;
    const written = shown ? disc(value, exact) : '';
    const tone = [
      colour === 'X' ? 'b' : colour === 'O' ? 'w' : '',
      legal ? 'legal' : '',
      state.last === name ? 'last' : '',
      state.flips?.includes(square) ? 'flip' : '',
      state.open ? 'open' : '',
      ...(state.overlay?.get(square) ?? []),
    ].join(' ');
    const number = state.numbers?.get(square) ?? '';
    const chip = shown ? `val ${row ? lossClass(loss) : 'old'}${isBest ? ' best' : ''}` : 'val none';
    const sign = shown ? mark(shown.proof) : '';
    const marked = sign === state.common ? '' : sign;
    const seen = `${square} ${tone} ${number} ${written} ${sign} ${marked} ${chip} ${progress.toFixed(2)} ${this.words.language}`;
    if (seen === parts.seen) return;
    parts.seen = seen;
    attr(parts.cell, 'class', `sq ${tone}`);
    parts.cell.dataset.square = name;
    attr(parts.cell, 'tabindex', at === this.focus ? '0' : '-1');
    attr(parts.cell, 'aria-disabled', legal || state.open ? null : 'true');
    attr(parts.cell, 'aria-label', this.#describe(name, colour, legal, row, value, isBest, state));
    attr(parts.chip, 'class', chip);
    text(parts.value, written);
    text(parts.proof, marked);
    text(parts.number, String(number));
    parts.progress.style.transform = `scaleX(${shown && row ? progress : 0})`;
  }

  #describe(name, colour, legal, row, value, isBest, state) {
    const { t } = this.words;
    const said = [name];
    if (colour !== '-') said.push(t(colour === 'X' ? 'black' : 'white'));
    else said.push(t(legal ? 'say.legal' : 'say.empty'));
    if (state.last === name) said.push(t('say.last'));
    if (row && state.show) {
      if (isBest) said.push(t('say.best'));
      said.push(spoken(value, isExact(row.proof), this.words));
      said.push(t(`proof.${row.proof.kind}`, { n: row.proof.confidence ?? 0, depth: row.proof.depth ?? 0 }));
    }
    return said.filter(Boolean).join(', ');
  }
}
