// The graph of the game: the score, the loss of each move, or the total loss of each side. A variation is drawn dashed, from the point where it leaves the game.
// Filled points are exact, hollow ones heuristic, triangles mistakes.

import { attr, h, patch, s, text, v } from '../base/dom.js';
import { disc, lossSize } from '../base/format.js';
import { emptyCount, SIDES } from '../base/position.js';
import { playerTag } from '../model/perspective.js';
import { GRAPH_MODES } from '../model/values.js';
import { LossPlot } from './loss-plot.js';
import { View } from './view.js';

/** @typedef {'score' | 'loss' | 'total'} GraphMode */

/** Plies by key. */
const STEPS = { ArrowLeft: -1, ArrowRight: 1, ArrowDown: -1, ArrowUp: 1, PageDown: 10, PageUp: -10 };

/** Adds the graph of the study to the page. Returns a function that draws it.
 *  @param {HTMLElement} root @param {App} app */
export function attachGraph(root, app) {
  const { perspective, values, settings, study } = app;
  const graph = new Graph(root, app);
  /** @param {Scene} scene */
  return ({ hide }) => {
    const { node, tree } = study;
    const { main } = tree;
    const sign = perspective.homeSign;
    const line = node.isMain ? main : tree.line(node);
    const from = line.findIndex((at, i) => at !== main[i]) - 1;
    /** @type {(line: TreeNode[]) => (GraphPoint | null)[]} */
    const pointsOf = (line) => (hide ? line.map(() => null) : points(line, values, sign));
    /** @type {GraphLine[]} */
    const lines = [{ from: 0, points: pointsOf(main), variation: false }];
    if (line !== main) lines.push({ from, points: pointsOf(line).slice(from), variation: true });
    const nodes = line === main ? [main] : [main, line];
    const length = emptyCount(main[0].position);
    graph.draw({ lines, nodes, cursor: node.ply, mode: settings.get('graphMode'), sign, length });
  };
}

/** @param {TreeNode[]} line @param {App['values']} values @param {number} sign @returns {(GraphPoint | null)[]} */
function points(line, values, sign) {
  return line.map((node) => {
    const { point, loss, sums } = values.at(node);
    return point && { value: sign * point.value, exact: point.exact, cost: loss, sums };
  });
}

/** The drawn state: the lines, the nodes of each, and the ply of the cursor in the last line; `length` is the least number of plies
 *  of the axis; `sign` is -1 if White is upward.
 *  @typedef {{ lines: GraphLine[], nodes: TreeNode[][], cursor: number, mode: GraphMode, length: number, sign: number }} GraphState */

class Graph extends View {
  /** @type {GraphState | null} */
  state = null;

  /** @param {HTMLElement} root @param {App} app */
  constructor(root, app) {
    super(root, app);
    this.svg = s('svg', { role: 'slider', tabindex: '0' });
    this.text = h('span.muted.told');
    /** A shorter text if there is little room. */
    this.brief = h('span.muted.brief', { 'aria-hidden': 'true' });
    this.modes = GRAPH_MODES.map((mode) =>
      h('button', { data: { t: `graph.short.${mode}` }, onclick: () => app.settings.set('graphMode', mode) }),
    );
    this.group = h('div.segments', { role: 'group', data: { tLabel: 'graph.mode' } }, this.modes);
    this.head = h('div.graph-head', this.text, this.brief, this.group);
    root.append(this.head, this.svg);
    app.words.apply(root);
    this.layers = Object.fromEntries(['back', 'curve', 'points', 'cursor'].map((name) => [name, s('g')]));
    this.svg.append(...Object.values(this.layers));
    this.size = { width: 0, height: 0 };
    // The observer has the size without another layout.
    new ResizeObserver(([{ contentRect }]) => {
      this.#resize(contentRect);
      if (this.state) this.draw(this.state);
    }).observe(this.svg);
    this.#drag();
    this.svg.addEventListener('keydown', (event) => this.#key(event));
  }

  /** @param {{ width: number, height: number }} size */
  #resize({ width, height }) {
    this.size = { width: Math.round(width), height: Math.round(height) };
  }

  #drag() {
    /** The dragged line. @type {TreeNode[] | null} */
    let held = null;
    const at = (event) => {
      const box = this.svg.getBoundingClientRect();
      return { x: event.clientX - box.left, y: event.clientY - box.top };
    };
    const move = (event) => {
      if (held)
        this.app.study.go(held[Math.min(held.length - 1, Math.max(0, this.#plot.index(at(event).x)))]);
    };
    this.svg.addEventListener('pointerdown', (event) => {
      if (!this.state) return;
      held = this.#near(at(event));
      this.svg.setPointerCapture(event.pointerId);
      move(event);
    });
    this.svg.addEventListener('pointermove', move);
    for (const end of ['pointerup', 'pointercancel'])
      this.svg.addEventListener(end, () => {
        held = null;
      });
  }

  /** The line with the nearest curve, or the line of the cursor. @returns {TreeNode[]} */
  #near({ x, y }) {
    const { lines, nodes, mode } = /** @type {GraphState} */ (this.state);
    const [main, other] = nodes;
    if (!other) return main;
    const ply = this.#plot.index(x);
    if (ply <= lines[1].from || ply >= main.length) return other;
    if (ply >= other.length) return main;
    if (mode === 'loss' || mode === 'total') return x < this.#plot.x(ply) ? main : other;
    const [a, b] = lines.map(({ from, points }) => {
      const point = points[ply - from];
      return point ? Math.abs(this.#plot.yOfScore(point.value, lines) - y) : Infinity;
    });
    return a < b ? main : other;
  }

  #key(event) {
    const step = { Home: -Infinity, End: Infinity }[event.code] ?? STEPS[event.code];
    if (!step || event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return;
    // The drawn cursor may be older than the last key.
    const { line, node } = this.app.study;
    event.preventDefault();
    event.stopPropagation();
    this.app.study.go(line[Math.min(line.length - 1, Math.max(0, node.ply + step))]);
  }

  get #plot() {
    const { length, nodes, sign } = /** @type {GraphState} */ (this.state);
    return new LossPlot(this.size, Math.max(length, ...nodes.map((line) => line.length - 1)), sign);
  }

  /** @param {GraphState} state */
  draw(state) {
    this.state = state;
    const { lines, nodes, cursor, mode } = state;
    // A graph that appears has a curve in its first frame. At the start there is nothing to plot: measuring takes a layout.
    if (this.size.width === 0 && nodes[0].length > 1 && this.svg.checkVisibility?.() !== false)
      this.#resize(this.svg.getBoundingClientRect());
    const { from, points } = lines[lines.length - 1];
    const at = cursor < from ? lines[0].points[cursor] : points[cursor - from];
    const last = nodes[nodes.length - 1].length - 1;
    const told = this.#describe(at, mode, cursor, last);
    attr(this.svg, 'aria-label', this.t(`graph.${mode}`, { side: this.#side }));
    attr(this.svg, 'aria-valuemin', 0);
    attr(this.svg, 'aria-valuemax', last);
    attr(this.svg, 'aria-valuenow', cursor);
    const unknown = { move: cursor, side: this.#side, value: '–' };
    attr(this.svg, 'aria-valuetext', at ? told : this.t('graph.at', unknown));
    for (const [i, name] of GRAPH_MODES.entries()) attr(this.modes[i], 'aria-pressed', String(name === mode));
    attr(this.head, 'data-mode', mode);
    text(this.text, told);
    patch(this.brief, shortText(at, mode, cursor));
    attr(this.text, 'title', told);
    if (this.size.width < 20 || this.size.height < 20) return;
    const plot = this.#plot;
    if (this.isNew(lines, mode, plot.plies, plot.sign, this.size)) {
      attr(this.svg, 'viewBox', `0 0 ${this.size.width} ${this.size.height}`);
      for (const [name, drawn] of Object.entries(plot[mode](lines)))
        this.layers[name].replaceChildren(...drawn);
    }
    this.layers.cursor.replaceChildren(plot.cursor(cursor));
  }

  /** The name of the side that is upward. */
  get #side() {
    return this.words.side(this.app.perspective.home);
  }

  /** The text about the position at the cursor. @param {GraphPoint | null} at */
  #describe(at, mode, move, last) {
    if (!at) return this.t('where', { at: move, last });
    if (mode === 'total')
      return this.t('graph.totalAt', { move, black: lossSize(at.sums.X), white: lossSize(at.sums.O) });
    if (mode === 'loss' && at.cost) return this.t('graph.lossAt', { move, value: lossSize(at.cost, this.t) });
    return this.t('graph.at', { move, side: this.#side, value: disc(at.value, at.exact) });
  }
}

/** The short text. @param {GraphPoint | null} at */
function shortText(at, mode, move) {
  if (!at) return String(move);
  if (mode === 'total')
    return SIDES.map((side) => [v(`span.dot.${playerTag(side)}`), ` ${lossSize(at.sums[side])} `]);
  return `${move}: ${mode === 'loss' && at.cost ? `▲ ${lossSize(at.cost)}` : disc(at.value, at.exact)}`;
}
