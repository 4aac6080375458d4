// The board: a grid of 64 cells that is one tab stop.

import { attr, h, keyName, patch, s, v } from '../base/dom.js';
import { disc, isExact, lossClass, mark, spoken } from '../base/format.js';
import { squareName } from '../base/position.js';

const STALE_MS = 150;

/** The eight views of the board, as maps from the shown cell to the square. Two views whose numbers differ in the second bit differ
 *  by half a turn. */
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
const EIGHT = [0, 1, 2, 3, 4, 5, 6, 7];
const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

/** The classes of a square. @param {any} state as drawn @param {number} square */
function toneOf(state, square) {
  const { look } = state;
  const colour = look.squares[square];
  return [
    'sq',
    colour === 'X' ? 'b' : colour === 'O' ? 'w' : '',
    look.legal.includes(square) ? 'legal' : '',
    state.last === squareName(square) ? 'last' : '',
    state.flips?.includes(square) ? 'flip' : '',
    state.open ? 'open' : '',
    state.turns?.has(square) ? `turned d${state.turns.get(square)}` : '',
    ...(state.overlay?.get(square) ?? []),
  ].join(' ');
}

export class Board {
  /** The focused cell. */
  focus = 19;
  /** @type {any} */
  state = null;
  /** The drawn cells, with the state that was drawn. @type {{ seen: string, cell: any }[]} */
  #cells = Array.from({ length: 64 }, () => ({ seen: '', cell: null }));

  constructor(frame, words, view = 0) {
    this.words = words;
    this.view = view;
    /** Listeners: a square was pressed, with the `drawn` of the state; a square is pointed at; a label is spoken.
     *  @type {{ play(square: number, drawn?: number): void, hover(square: number | null): void, speak(label: string | null): void }} */
    this.on = { play() {}, hover() {}, speak() {} };
    this.files = h('div.files', { 'aria-hidden': 'true' });
    this.ranks = h('div.ranks', { 'aria-hidden': 'true' });
    this.grid = h('div.grid', { role: 'grid' });
    this.marks = s('svg', { class: 'drawn', viewBox: '0 0 8 8', 'aria-hidden': 'true' });
    frame.append(this.files, this.ranks, this.grid, this.marks);
    this.#listen();
    this.label();
  }

  #listen() {
    const { grid } = this;
    // A press with the mouse does not move the focus: the arrow keys continue to step through the game.
    grid.addEventListener('mousedown', (event) => {
      event.preventDefault();
      if (!grid.contains(document.activeElement)) /** @type {HTMLElement} */ (document.activeElement)?.blur();
    });
    grid.addEventListener('click', (event) => {
      const at = this.#cellOf(event);
      if (at === null) return;
      this.#moveFocus(at);
      this.on.play(this.square(at), this.state?.drawn);
    });
    // A square that is drawn again under a resting pointer is not hovered, which would cover its values.
    grid.addEventListener('pointermove', (event) => {
      const at = this.#cellOf(event);
      if (at !== null && event.pointerType !== 'touch') this.on.hover(this.square(at));
    });
    grid.addEventListener('pointerleave', () => this.on.hover(null));
    grid.addEventListener('focusin', (event) => {
      const at = this.#cellOf(event);
      if (at === null) return;
      this.#moveFocus(at);
      if (event.target.matches(':focus-visible')) this.on.hover(this.square(at));
    });
    grid.addEventListener('focusout', () => this.on.hover(null));
    grid.addEventListener('keydown', (event) => this.#key(event));
  }

  /** Writes the texts that depend on the language and the view. */
  label() {
    const look = VIEWS[this.view];
    const turned = this.view % 2;
    attr(this.grid, 'aria-label', this.words.t('board'));
    patch(this.files, ...EIGHT.map((i) => v('span', squareName(look(0, i))[turned])));
    patch(this.ranks, ...EIGHT.map((i) => v('span', squareName(look(i, 0))[1 - turned])));
    for (const cell of this.#cells) cell.seen = '';
  }

  /** Turns the view by half a turn. */
  flip() {
    return this.#show(this.view ^ 2);
  }

  /** Turns the view by a quarter. After four turns the mirrored views follow. */
  turn() {
    return this.#show((this.view + 1) % VIEWS.length);
  }

  #show(view) {
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

  /** @param {number} at @returns {HTMLElement} */
  #element(at) {
    return this.grid.children[at >> 3].children[at & 7];
  }

  #moveFocus(at) {
    attr(this.#element(this.focus), 'tabindex', '-1');
    attr(this.#element(at), 'tabindex', '0');
    this.focus = at;
  }

  /** Focuses the current square, so that the arrow keys move over the squares. */
  takeFocus() {
    this.#element(this.focus).focus({ preventScroll: true });
  }

  #key(event) {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = STEPS[event.code];
    if (step && !event.shiftKey) {
      const [r, c] = [this.focus >> 3, this.focus & 7].map((n, i) => Math.min(7, Math.max(0, n + step[i])));
      this.#moveFocus(r * 8 + c);
      this.#element(this.focus).focus();
    } else if (/^(Enter|Space)$/.test(keyName(event))) {
      this.on.play(this.square(this.focus), this.state?.drawn);
    } else if (keyName(event) === 'KeyC' && !event.shiftKey) {
      this.on.speak(this.#element(this.focus).getAttribute('aria-label'));
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Draws only the classes of the squares: the answer to a press. `draw` follows. @param {any} state as there */
  drawFirst(state) {
    if (!this.state) return;
    Object.assign(this.state, state);
    clearTimeout(this.staleTimer);
    for (const [at, drawn] of this.#cells.entries()) {
      const tone = toneOf(state, this.square(at));
      if (!drawn.cell || drawn.cell.props.class === tone) continue;
      drawn.seen = '';
      drawn.cell.props.class = tone;
      this.#element(at).className = tone;
    }
  }

  /** Draws a state: `{ drawn, look, last, values: Map(move → row), best, common, sign, show, brief, tags, flips, overlay,
   *  ghosts, userMarks, numbers, stale, open, turns }`. `values` are discs for the side to move, shown times `sign`; the mark `common` is omitted. With
   *  `brief`, only the best value has a decimal. `tags` name squares: Map(move → `played` or `better`). With `losses`, the squares show
   *  losses, some of them from this map. The discs of `turns` turn, the
   *  nearest to the move first. `ghosts` are the discs of a line: Map(square → color and number). */
  draw(state) {
    this.state = state;
    clearTimeout(this.staleTimer);
    if (state.stale?.size > 0)
      this.staleTimer = setTimeout(() => this.draw({ ...this.state, stale: null }), STALE_MS);
    this.grid.classList.toggle('dots', !state.show && !state.open);
    patch(
      this.grid,
      EIGHT.map((r) => v('div.row', { role: 'row' }, ...EIGHT.map((c) => this.#cell(r * 8 + c, state)))),
    );
    this.#drawMarks(state.userMarks ?? []);
  }

  /** Circles and arrows of the user. @param {string[]} marks */
  #drawMarks(marks) {
    const seen = `${this.view} ${marks}`;
    if (this.marks.dataset.seen === seen) return;
    this.marks.dataset.seen = seen;
    const cells = Array.from({ length: 64 }, (_, at) => squareName(this.square(at)));
    const centre = (/** @type {string} */ name) => {
      const at = cells.indexOf(name);
      return [(at & 7) + 0.5, (at >> 3) + 0.5];
    };
    const draw = (/** @type {string} */ mark) => {
      const [x, y] = centre(mark.slice(1, 3));
      if (mark.length === 3) return s('circle', { class: mark[0], cx: x, cy: y, r: 0.44 });
      const [to, from] = [centre(mark.slice(3)), [x, y]];
      const angle = (Math.atan2(to[1] - y, to[0] - x) * 180) / Math.PI;
      const end = Math.hypot(to[0] - x, to[1] - y) - 0.1;
      return s('path', {
        class: mark[0],
        d: `M.2-.07H${end - 0.3}V-.22L${end} 0L${end - 0.3} .22V.07H.2z`,
        transform: `translate(${from}) rotate(${angle})`,
      });
    };
    this.marks.replaceChildren(...marks.map(draw));
  }

  #cell(at, state) {
    const { look } = state;
    const { t } = this.words;
    const drawn = this.#cells[at];
    const square = this.square(at);
    const colour = look.squares[square];
    const legal = look.legal.includes(square);
    const name = squareName(square);
    const row = legal ? state.values?.get(name) : undefined;
    const old = row || colour !== '-' ? undefined : state.stale?.get(name);
    const shown = state.show ? (row ?? old) : undefined;
    const value = shown && state.sign * shown.value;
    const loss = state.losses?.get(name) ?? (row && state.best !== null ? state.best - row.value : 0);
    // A higher value is that of a shallower search.
    const isBest = Boolean(row) && Math.abs(loss) < 0.05;
    const isBrief = state.brief && !isBest && !state.losses?.has(name);
    const isWhole = isBrief || isExact(shown?.proof);
    const lost = row && state.losses && disc(-Math.max(0, loss), isBest || (isWhole && loss >= 1));
    const written = shown ? (lost ?? disc(value, isWhole)) : '';
    const tag = state.tags?.get(name) ?? '';
    const tone = toneOf(state, square);
    const ghost = state.ghosts?.get(square);
    const number = state.numbers?.get(square) ?? '';
    const chip = shown
      ? `${row ? lossClass(loss) : 'old'}${isBest ? ' best' : isBrief ? ' other' : ''}`
      : 'none';
    const sign = shown ? mark(shown.proof, state.sign) : '';
    const marked = sign === state.common ? '' : sign;
    const { kind, confidence, depth } = Object(row?.proof);
    const isSpoken = row && state.show;
    const said = [
      name,
      colour === '-' ? t(legal ? 'say.legal' : 'say.empty') : this.words.side(colour),
      state.last === name && t('say.last'),
      tag && t(`mark.${tag}`),
      isSpoken && isBest && t('say.best'),
      isSpoken && !lost && spoken(value, isBrief || kind === 'exact', this.words),
      isSpoken && lost && t('say.loses', { v: lost.replace(/^\W/, '') }),
      isSpoken && t(`proof.${kind}`, { n: confidence ?? 0, depth: depth ?? 0 }),
    ]
      .filter(Boolean)
      .join(', ');
    const seen = `${ghost} ${square} ${tone} ${number} ${written} ${marked} ${chip} ${said}`;
    if (seen === drawn.seen) return drawn.cell;
    drawn.seen = seen;
    drawn.cell = v(
      'div',
      {
        class: tone,
        role: 'gridcell',
        data: { cell: at, square: name },
        tabindex: at === this.focus ? '0' : '-1',
        'aria-disabled': legal || state.open ? null : 'true',
        'aria-label': said,
      },
      // The styles of a disc and a value depend on what is before them: `:has` would restyle squares for each change in one.
      v('span.num', number),
      v('span.disc'),
      ghost && v('span.ghost', { key: 'ghost', class: ghost[0] }, ghost[1]),
      tag && v('span.which', { key: 'which', data: { tag, name: t(`mark.${tag}`) } }),
      v('span.val', { class: chip }, v('b', written), ' ', v('i', marked)),
    );
    return drawn.cell;
  }
}
