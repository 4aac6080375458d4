// The score graph: Black up, one point a position of the line through the cursor.
// Filled points are exact, hollow ones heuristic, triangles mistakes, dashes a variation.

import { attr, h, s, text } from '../base/dom.js';
import { disc, lossSize } from '../base/format.js';
import { emptyCount, sideOf } from '../base/position.js';

const PAD = { left: 30, right: 8, top: 8, bottom: 16 };
const SCALES = [8, 16, 32, 64];

const put = (layer, nodes) => layer.replaceChildren(...nodes.filter(Boolean));

/** From so many positions on the analysis of the game is offered. */
const OFFER_FROM = 6;

/** Puts the graph of the study on the page; what it answers draws it.
 *  @param {HTMLElement} root @param {App} app */
export function joinGraph(root, app) {
  const { control, modes, rules, scores, settings, study } = app;
  const graph = new Graph(root, app.words, {
    go: (index) => study.go(study.line[index]),
    mode: (mode) => settings.set('graphMode', mode),
    review: () => app.act('review'),
  });
  /** @param {Scene} scene */
  return ({ hide }) => {
    const { line } = study;
    graph.draw({
      points: line.map((node) => {
        if (!hide) return pointOf(node, scores);
        return modes.current?.look ? null : mobilityOf(node, rules);
      }),
      quiet: hide,
      cursor: line.indexOf(study.node),
      mode: settings.get('graphMode'),
      length: emptyCount(line[0].position),
      offer: line.length >= OFFER_FROM && !hide && !control.reviewing,
    });
  };
}

/** The point of a node as it is drawn. @param {TreeNode} node @param {App['scores']} scores */
function pointOf(node, scores) {
  const point = scores.value(node.position);
  if (!point) return null;
  const cost = scores.loss(node);
  return {
    value: point.value,
    exact: point.exact,
    variation: !node.isMain,
    side: node.parent ? sideOf(node.parent.position) : null,
    error: cost?.error ?? 0,
    mistake: cost?.mistake ?? false,
    loss: cost?.loss ?? 0,
    cost,
  };
}

/** Where values are hidden: who had more moves to choose from. @param {TreeNode} node @param {Rules} rules */
function mobilityOf(node, rules) {
  const mobility = rules.mobility(node.position);
  return {
    value: mobility.X - mobility.O,
    exact: true,
    variation: !node.isMain,
    side: null,
    error: 0,
    mistake: false,
    loss: 0,
    mobility,
  };
}

class Graph {
  /** `on` takes `go(index)` with the index along the line, `mode(name)` and `review()`. */
  constructor(root, words, on) {
    this.words = words;
    this.on = on;
    this.svg = s('svg', { role: 'slider', tabindex: '0' });
    this.told = h('span', { class: 'muted' });
    this.modes = ['score', 'loss'].map((mode) =>
      h('button', { type: 'button', onclick: () => on.mode(mode) }),
    );
    this.group = h('div', { class: 'segments', role: 'group' }, this.modes);
    this.call = h('button', { type: 'button', class: 'plain call', onclick: () => on.review() });
    root.append(h('div', { class: 'graph-head' }, this.told, this.group), this.svg, this.call);
    this.layers = Object.fromEntries(['back', 'curve', 'points', 'cursor'].map((name) => [name, s('g')]));
    this.svg.append(...Object.values(this.layers));
    this.size = { width: 0, height: 0 };
    new ResizeObserver(([entry]) => {
      const { width, height } = entry.contentRect;
      this.size = { width: Math.round(width), height: Math.round(height) };
      this.seen = '';
      if (this.state) this.draw(this.state);
    }).observe(this.svg);
    this.#drag();
    this.svg.addEventListener('keydown', (event) => this.#key(event));
  }

  #drag() {
    let held = false;
    const move = (event) => {
      if (!this.state) return;
      const box = this.svg.getBoundingClientRect();
      this.on.go(this.#index(event.clientX - box.left));
    };
    this.svg.addEventListener('pointerdown', (event) => {
      held = true;
      this.svg.setPointerCapture(event.pointerId);
      move(event);
    });
    this.svg.addEventListener('pointermove', (event) => held && move(event));
    for (const end of ['pointerup', 'pointercancel'])
      this.svg.addEventListener(end, () => {
        held = false;
      });
  }

  #key(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowDown: -1, ArrowUp: 1, PageDown: 10, PageUp: -10 }[
      event.code
    ];
    if (!this.state || event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return;
    const last = this.state.points.length - 1;
    const to =
      event.code === 'Home'
        ? 0
        : event.code === 'End'
          ? last
          : step === undefined
            ? null
            : this.state.cursor + step;
    if (to === null) return;
    event.preventDefault();
    event.stopPropagation();
    this.on.go(Math.min(last, Math.max(0, to)));
  }

  get #span() {
    return Math.max(1, this.size.width - PAD.left - PAD.right);
  }

  get #plies() {
    return Math.max(this.state.length, this.state.points.length - 1, 1);
  }

  #x(index) {
    return PAD.left + (this.#span * index) / this.#plies;
  }

  #index(x) {
    const at = Math.round(((x - PAD.left) / this.#span) * this.#plies);
    return Math.min(this.state.points.length - 1, Math.max(0, at));
  }

  #y(value, scale) {
    const height = this.size.height - PAD.top - PAD.bottom;
    return PAD.top + (height / 2) * (1 - Math.max(-1, Math.min(1, value / scale)));
  }

  /**
   * `{ points, cursor, mode, length, quiet }`: points by index, each null or
   * `{ value (Black's), exact, variation, mistake, side, loss, error }`, `error` being the loss's; `length` is the number of
   * plies the axis spans at least; `offer` is whether to offer the analysis of the game while little is known.
   */
  draw(state) {
    this.state = state;
    const { points, cursor, quiet } = state;
    const mode = quiet ? 'mobility' : state.mode;
    const { t } = this.words;
    const at = points[cursor];
    const value = at ? disc(at.value, at.exact) : '–';
    attr(this.svg, 'aria-label', t(`graph.${mode}`));
    attr(this.svg, 'aria-valuemin', 0);
    attr(this.svg, 'aria-valuemax', points.length - 1);
    attr(this.svg, 'aria-valuenow', cursor);
    const counted = at?.mobility && { move: cursor, black: at.mobility.X, white: at.mobility.O };
    attr(
      this.svg,
      'aria-valuetext',
      counted ? t('graph.mobilityAt', counted) : t('graph.at', { move: cursor, value }),
    );
    attr(this.group, 'hidden', quiet);
    attr(this.group, 'aria-label', t('graph.mode'));
    ['score', 'loss'].forEach((name, i) => {
      text(this.modes[i], t(`graph.short.${name}`));
      attr(this.modes[i], 'aria-pressed', String(name === mode));
    });
    const lost = mode === 'loss' && at?.cost;
    text(
      this.told,
      lost
        ? t('graph.lossAt', {
            move: cursor,
            value: lossSize(at.cost),
          })
        : counted
          ? t('graph.mobilityAt', counted)
          : at
            ? t('graph.at', { move: cursor, value })
            : t('where', { at: cursor, last: points.length - 1 }),
    );
    text(this.call, t('do.review'));
    attr(this.call, 'hidden', !state.offer || points.filter(Boolean).length > 2);
    if (this.size.width < 20 || this.size.height < 20) return;
    const seen = JSON.stringify([points, mode, state.length, this.size, this.words.language]);
    if (seen !== this.seen) {
      this.seen = seen;
      attr(this.svg, 'viewBox', `0 0 ${this.size.width} ${this.size.height}`);
      if (mode === 'loss') this.#drawLoss(points);
      else this.#drawScore(points);
    }
    const x = this.#x(cursor).toFixed(1);
    this.layers.cursor.replaceChildren(
      s('path', { class: 'cursor', d: `M${x} ${PAD.top - 4}V${this.size.height - PAD.bottom + 4}` }),
    );
  }

  #axes(scale, both) {
    const { width, height } = this.size;
    const { t } = this.words;
    const values = both ? [scale, scale / 2, -scale / 2, -scale] : [scale, scale / 2];
    const y = (value) => (both ? this.#y(value, scale) : this.#up(value, scale)).toFixed(1);
    const ticks = [];
    for (let ply = 10; ply < this.#plies; ply += 10) {
      ticks.push(
        s('text', { x: this.#x(ply).toFixed(1), y: height - 2, 'text-anchor': 'middle', text: String(ply) }),
      );
    }
    put(this.layers.back, [
      s('path', {
        class: 'guide',
        d: values.map((value) => `M${PAD.left} ${y(value)}H${width - PAD.right}`).join(''),
      }),
      s('path', { class: 'axis', d: `M${PAD.left} ${y(0)}H${width - PAD.right}` }),
      s('text', {
        x: PAD.left - 5,
        y: Number(y(scale)) + 4,
        'text-anchor': 'end',
        text: both ? disc(scale, true) : String(scale),
      }),
      s('text', { x: PAD.left - 5, y: Number(y(0)) + 4, 'text-anchor': 'end', text: '0' }),
      both &&
        s('text', {
          x: PAD.left - 5,
          y: Number(y(-scale)) + 4,
          'text-anchor': 'end',
          text: disc(-scale, true),
        }),
      s('text', { x: PAD.left + 4, y: PAD.top + 3, text: both ? t('black') : t('graph.discs') }),
      both && s('text', { x: PAD.left + 4, y: height - PAD.bottom - 1, text: t('white') }),
      ...ticks,
    ]);
  }

  #up(value, scale) {
    const height = this.size.height - PAD.top - PAD.bottom;
    return PAD.top + height * (1 - Math.min(1, value / scale));
  }

  #drawScore(points) {
    const largest = Math.max(0, ...points.map((point) => Math.abs(point?.value ?? 0)));
    const scale = SCALES.find((limit) => largest <= limit * 0.95) ?? 64;
    this.#axes(scale, true);
    const known = points
      .map((point, i) => point && { ...point, i, x: this.#x(i), y: this.#y(point.value, scale) })
      .filter(Boolean);
    const zero = this.#y(0, scale).toFixed(1);
    // Where a position between is unknown the curve has a gap.
    const path = (list) =>
      list
        .map(({ x, y, i }, k) => `${k && list[k - 1].i === i - 1 ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}`)
        .join('');
    const area = (list) =>
      list
        .slice(1)
        .map((point, k) =>
          list[k].i === point.i - 1
            ? `M${list[k].x.toFixed(1)} ${zero}L${list[k].x.toFixed(1)} ${list[k].y.toFixed(1)}L${point.x.toFixed(1)} ${point.y.toFixed(1)}V${zero}Z`
            : '',
        )
        .join('');
    // Points stay apart even where sixty share a narrow graph.
    const r = Math.max(1.5, Math.min(2.8, (this.#span / this.#plies) * 0.36)).toFixed(1);
    const fork = known.findIndex((point) => point.variation);
    const main = fork < 0 ? known : known.slice(0, fork);
    const rest = fork < 0 ? [] : known.slice(Math.max(0, fork - 1));
    put(this.layers.curve, [
      s('path', { class: 'area', d: area(known) }),
      s('path', { class: 'curve', d: path(main) }),
      s('path', { class: 'curve variation', d: path(rest) }),
    ]);
    this.layers.points.replaceChildren(
      ...known.flatMap((point) =>
        [
          s('circle', {
            class: point.exact ? 'dot-x' : 'dot-h',
            cx: point.x.toFixed(1),
            cy: point.y.toFixed(1),
            r,
          }),
          point.mistake && this.#triangle(point),
        ].filter(Boolean),
      ),
    );
  }

  /** Points down for Black's mistake, up for White's: the way the score went. */
  #triangle({ x, y, side }) {
    const way = side === 'X' ? 1 : -1;
    const tip = y + way * 4;
    const base = tip + way * 10;
    return s('path', {
      class: 'mistake',
      d: `M${(x - 6).toFixed(1)} ${base.toFixed(1)}H${(x + 6).toFixed(1)}L${x.toFixed(1)} ${tip.toFixed(1)}Z`,
    });
  }

  #drawLoss(points) {
    const largest = Math.max(
      0,
      ...points.map((point) => (point ? point.loss + (point.mistake ? point.error : 0) : 0)),
    );
    const scale = SCALES.find((limit) => largest <= limit * 0.85) ?? 64;
    this.#axes(scale, false);
    const zero = this.#up(0, scale);
    const wide = Math.max(2, Math.min(9, (this.#span / this.#plies) * 0.6));
    this.layers.curve.replaceChildren();
    this.layers.points.replaceChildren(
      ...points.flatMap((point, i) => {
        if (!point || !(point.loss > 0.04)) return [];
        const y = this.#up(point.loss, scale);
        const bar = s('rect', {
          class: `loss ${point.side}`,
          x: (this.#x(i) - wide / 2).toFixed(1),
          y: y.toFixed(1),
          width: wide.toFixed(1),
          height: (zero - y).toFixed(1),
        });
        const parts = [bar];
        let top = y;
        // What is not exact on both sides has an error bar; small losses go without, they are mostly error.
        if (point.error > 0 && point.mistake) {
          const [high, low] = [
            Math.min(scale, point.loss + point.error),
            Math.max(0, point.loss - point.error),
          ].map((value) => this.#up(value, scale).toFixed(1));
          const x = this.#x(i);
          top = Number(high);
          const tick = (y) => `M${(x - 3).toFixed(1)} ${y}h6`;
          parts.push(
            s('path', { class: 'error', d: `M${x.toFixed(1)} ${high}V${low}${tick(high)}${tick(low)}` }),
          );
        }
        return point.mistake
          ? [
              ...parts,
              s('path', {
                class: 'mistake',
                d: `M${(this.#x(i) - 5).toFixed(1)} ${(Math.max(PAD.top, top - 12)).toFixed(1)}h10l-5 9Z`,
              }),
            ]
          : parts;
      }),
    );
  }
}
