// `<outflank-board>`: a game or a position in any page, with the board of the full page. It needs neither the module of the rules nor
// the engine, which is loaded from beside this file when its values are requested.
//
// Attributes: `moves`, a transcript or a link of the full page; `ply`, the number of the shown move; `values` and `graph`, which offer
// the values of moves and the graph of the game; `page`, the address of the full page; `theme`, `light`, `dark` or `auto`.

import { attr, h, keyName, patch, s, text, v } from '../../www/js/base/dom.js';
import { disc, isExact, writeAs } from '../../www/js/base/format.js';
import { START, squareName } from '../../www/js/base/position.js';
import { attachSwipe } from '../../www/js/base/swipe.js';
import { Board } from '../../www/js/board/board.js';
import { readMarks } from '../../www/js/model/marks.js';
import { Plot } from '../../www/js/panels/plot.js';
import { STYLE, TEXTS } from './element-parts.js';
import { GameError, legalMoves, lineFrom, playFrom, readGame, writeLink } from './game.js';

const DEPTH = 14;
/** Depth of the graph, which values all positions. */
const GRAPH_DEPTH = 10;
const MAX_MOVES = 64;
const ICONS = { first: '«', back: '‹', forward: '›', last: '»' };

/** The engine of all boards, once one of them has requested it. @type {Promise<import('./client.js').Outflank> | null} */
let engine = null;

function startEngine() {
  engine ??= import('./client.js').then(({ Outflank }) => Outflank.start());
  // The next request tries again.
  engine.catch(() => {
    engine = null;
  });
  return engine;
}

/** The style of all boards, without an inline style, which policies may forbid. @type {CSSStyleSheet | null} */
let style = null;
function sharedStyle() {
  if (style) return style;
  style = new CSSStyleSheet();
  style.replaceSync(STYLE);
  return style;
}

/** The texts of a language, as the board asks for them. */
class Words {
  constructor(language) {
    this.language = TEXTS[language] ? language : 'en';
    this.texts = TEXTS[this.language];
  }

  t = (key, args = {}) =>
    (this.texts[key] ?? key).replace(/\{(\w+)\}/g, (_, name) => String(args[name] ?? ''));
  side = (side) => this.t(side === 'X' ? 'black' : 'white');
}

const rowOf = ({ move, value, depth, exact, pv }) => [
  move,
  { move, value, pv, proof: { kind: exact ? 'exact' : 'heuristic', depth, level: depth } },
];

export class OutflankBoard extends HTMLElement {
  static observedAttributes = ['graph', 'moves', 'page', 'ply', 'values'];
  #shadow = this.attachShadow({ mode: 'open' });
  /** @type {Board | null} */
  #board = null;
  #words = new Words('en');
  #root = readGame('').root;
  #node = this.#root;
  /** Why the game cannot be shown, or the values. */
  #problem = '';
  /** Values of moves by position. @type {Map<string, Map<string, any>>} */
  #rows = new Map();
  #isValued = false;
  /** The running search. @type {AbortController | null} */
  #search = null;
  /** Points of the graph by ply. @type {any[] | null} */
  #points = null;

  connectedCallback() {
    if (!this.#board) this.#build();
    this.#load();
  }

  disconnectedCallback() {
    this.#search?.abort();
  }

  attributeChangedCallback(name) {
    if (this.#board && this.isConnected) name === 'ply' ? this.#go(this.#atPly(this.#root)) : this.#load();
  }

  #build() {
    const language = this.closest('[lang]')?.getAttribute('lang') ?? navigator.language;
    this.#words = new Words(language.slice(0, 2).toLowerCase());
    const { t } = this.#words;
    this.#shadow.adoptedStyleSheets = [sharedStyle()];
    const step = (name) => {
      const label = t(`do.${name}`);
      return h('button', { 'aria-label': label, title: label, onclick: () => this.#step(name) }, ICONS[name]);
    };
    const frame = h('div.frame', { part: 'board' });
    this.status = h('span.status', { role: 'status', part: 'status' });
    this.valuesButton = h('button', { onclick: () => this.#toggleValues() }, t('do.values'));
    this.graphButton = h('button', { onclick: () => this.#analyze() }, t('do.review'));
    this.link = h('a', { target: '_blank', rel: 'noopener' }, t('element.open'));
    this.controls = h(
      'div.controls',
      { part: 'controls', role: 'toolbar', 'aria-label': t('nav.moves') },
      ...Object.keys(ICONS).map(step),
      this.status,
      this.valuesButton,
      this.graphButton,
    );
    this.graph = s('svg', {
      role: 'slider',
      tabindex: '0',
      'aria-label': t('graph.score', { side: t('black') }),
    });
    this.plot = h('div.graph', { part: 'graph', hidden: true }, this.graph);
    this.comment = h('p.comment', { part: 'comment' });
    this.variations = h('div.variations', {
      part: 'variations',
      role: 'group',
      'aria-label': t('element.variations'),
    });
    this.#shadow.append(frame, this.controls, this.plot, this.variations, this.comment, this.link);
    this.#board = new Board(frame, this.#words);
    this.#board.on.play = (square) => {
      const next = playFrom(this.#node, squareName(square));
      if (next) this.#go(next);
    };
    attachSwipe(frame, { next: () => this.#step('forward'), previous: () => this.#step('back') });
    this.#shadow.addEventListener('keydown', (event) => this.#key(event));
    this.graph.addEventListener('pointerdown', ({ offsetX }) => {
      const line = lineFrom(this.#root);
      this.#go(line[Math.max(0, Math.min(line.length - 1, this.#scale().index(offsetX)))]);
    });
    new ResizeObserver(() => this.#drawGraph()).observe(this.graph);
  }

  /** Reads the attributes. */
  #load() {
    this.#search?.abort();
    [this.#problem, this.#points, this.#isValued] = ['', null, false];
    try {
      const { root, cursor } = readGame(this.getAttribute('moves') ?? '');
      this.#root = root;
      this.#node = this.hasAttribute('ply') ? this.#atPly(root) : (cursor ?? lineFrom(root).at(-1));
    } catch (/** @type {any} */ error) {
      if (!(error instanceof GameError)) throw error;
      this.#root = this.#node = readGame('').root;
      this.#problem = this.#words.t(error.code, error.args);
    }
    this.#draw();
  }

  #atPly(root) {
    const line = lineFrom(root);
    const ply = Number.parseInt(this.getAttribute('ply') ?? '', 10) || 0;
    return line[Math.max(0, Math.min(line.length - 1, ply))];
  }

  #go(node) {
    if (node === this.#node) return;
    this.#node = node;
    this.#problem = '';
    this.#search?.abort();
    if (this.#isValued) this.#value();
    this.#draw();
  }

  #step(name) {
    const { children, parent } = this.#node;
    const to = { first: this.#root, back: parent, forward: children[0], last: lineFrom(this.#node).at(-1) }[
      name
    ];
    if (to) this.#go(to);
  }

  /** @param {any} event */
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const name = { ArrowLeft: 'back', ArrowRight: 'forward', Home: 'first', End: 'last' }[keyName(event)];
    if (!name) return;
    event.preventDefault();
    this.#step(name);
  }

  #toggleValues() {
    this.#isValued = !this.#isValued;
    this.#search?.abort();
    if (this.#isValued) this.#value();
    this.#draw();
  }

  /** Runs a request to the engine, which replaces the one before, and shows its error.
   *  @param {(engine: import('./client.js').Outflank, signal: AbortSignal) => Promise<unknown>} ask */
  async #ask(ask) {
    this.#search?.abort();
    const search = new AbortController();
    this.#search = search;
    try {
      const engine = await startEngine();
      search.signal.throwIfAborted();
      await ask(engine, search.signal);
    } catch (/** @type {any} */ error) {
      if (search.signal.aborted) return;
      this.#problem = this.#words.t('element.failed', { detail: error.message });
      this.#isValued = false;
    }
    this.#draw();
  }

  #value() {
    const { position } = this.#node;
    if (this.#rows.has(position)) return;
    const take = (rows) => {
      this.#rows.set(position, new Map(rows.map(rowOf)));
      this.#draw();
    };
    this.#ask(async (engine, signal) => {
      const options = { moves: MAX_MOVES, depth: DEPTH, onProgress: take, signal };
      take(
        await engine.hint(position, options).catch((error) => {
          // A search that is stopped leaves values of a lower depth, which the next one replaces.
          this.#rows.delete(position);
          throw error;
        }),
      );
    });
  }

  /** Values the game, and draws its graph meanwhile. */
  #analyze() {
    const moves = lineFrom(this.#root).flatMap(({ move }) => move ?? []);
    this.#points = Array(moves.length + 1).fill(null);
    const take = ({ ply, side, value, bestValue, exact, mistake }) => {
      const points = /** @type {any[]} */ (this.#points);
      points[ply] = { value, exact, cost: { mistake, side: side === 'black' ? 'X' : 'O' } };
      points[ply - 1] ??= { value: bestValue, exact, cost: null };
      this.#drawGraph();
    };
    this.#draw();
    this.#ask(async (engine, signal) => {
      for (const row of await engine.analyse(moves, { depth: GRAPH_DEPTH, onProgress: take, signal }))
        take(row);
    });
  }

  #draw() {
    const node = this.#node;
    const { children, position } = node;
    const { language, t } = this.#words;
    // The sign of another board on the page may be another one.
    writeAs(language);
    const last = lineFrom(node).at(-1)?.ply ?? 0;
    const rows = this.#isValued ? this.#rows.get(position) : undefined;
    const [best] = rows?.values() ?? [];
    const look = { squares: position.slice(0, 64), side: position[64], legal: legalMoves(position) };
    this.#board?.draw({
      look,
      last: node.move,
      values: rows,
      best: best?.value ?? null,
      sign: 1,
      show: this.#isValued,
      userMarks: readMarks(node.comment).marks,
    });
    const waits = this.#isValued && !rows ? t('engine.thinking') : '';
    const side = this.#words.side(look.side);
    const value = best ? `${t('value.for', { side })} ${disc(best.value, isExact(best.proof))}` : waits;
    const where = last > 0 ? t('where', { at: node.ply, last }) : '';
    text(this.status, this.#problem || [where, value].filter(Boolean).join(' · '));
    attr(this.status, 'data-problem', this.#problem !== '');
    attr(this.valuesButton, 'hidden', !this.hasAttribute('values'));
    attr(this.valuesButton, 'aria-pressed', String(this.#isValued));
    attr(
      this.graphButton,
      'hidden',
      !this.hasAttribute('graph') || this.#root.position !== START || last === 0,
    );
    text(this.comment, readMarks(node.comment).text);
    const others = children.length > 1 ? children : [];
    patch(
      this.variations,
      others.map((child) => v('button', { key: child.move, onclick: () => this.#go(child) }, child.move)),
    );
    const page = this.getAttribute('page');
    attr(this.link, 'hidden', page === null);
    if (page !== null) attr(this.link, 'href', `${page.split('#')[0]}#${writeLink(this.#root, node)}`);
    this.#drawGraph();
  }

  #scale() {
    const { clientWidth: width, clientHeight: height } = this.plot;
    return new Plot({ width, height }, lineFrom(this.#root).length - 1, 1);
  }

  #drawGraph() {
    const points = this.#points;
    attr(this.plot, 'hidden', !points);
    if (!points || this.plot.clientWidth < 20) return;
    const scale = this.#scale();
    const { ply } = this.#node;
    const { back, curve, points: marks } = scale.score([{ from: 0, points, variation: false }]);
    attr(this.graph, 'viewBox', `0 0 ${scale.width} ${scale.height}`);
    this.graph.replaceChildren(...back, ...curve, ...marks, scale.cursor(Math.min(ply, points.length - 1)));
    const at = points[ply];
    const value = at ? disc(at.value, at.exact) : '–';
    attr(this.graph, 'aria-valuemin', 0);
    attr(this.graph, 'aria-valuemax', points.length - 1);
    attr(this.graph, 'aria-valuenow', ply);
    attr(
      this.graph,
      'aria-valuetext',
      this.#words.t('graph.at', { move: ply, side: this.#words.t('black'), value }),
    );
  }
}

customElements.define('outflank-board', OutflankBoard);
