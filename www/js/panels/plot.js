// The drawing of the graph of scores for a given size: scales, curves, and marks that do not overlap.

import { s } from '../base/dom.js';
import { disc } from '../base/format.js';

const PAD = { left: 44, right: 10, top: 12, bottom: 17 };

const SCORES = [4, 8, 16, 32, 64];
/** Steps between move numbers, and the least pixels between them. */
const STEPS = [1, 2, 5, 10, 20, 30];
const NUMBER_WIDTH = 30;
/** Height of a mark, and its distance from its point. */
export const MARK = 9;
const MARK_GAP = 4;

/** The end of the scale of scores. @param {GraphLine[]} lines */
function scoreTop(lines) {
  const values = lines.flatMap(({ points }) => points.map((point) => Math.abs(point?.value ?? 0)));
  const largest = Math.max(0, ...values);
  return SCORES.find((limit) => largest <= limit * 0.95) ?? 64;
}

/** A coordinate of a drawing. @param {number} n */
export const fixed = (n) => n.toFixed(1);
/** @param {string} name its class @param {string} d */
export const path = (name, d) => s('path', { class: name, d });
/** The line through points, with gaps where `join` of two indexes is false. */
export const polyline = (points, join) =>
  points
    .map(({ x, y, i }, k) => `${k && join(points[k - 1].i, i) ? 'L' : 'M'}${fixed(x)} ${fixed(y)}`)
    .join('');

/** The mark of a mistake with its tip at a point, and its base below it for a `way` of 1 and above it for -1. */
export const triangle = (x, tip, way, half) =>
  path(
    'mistake',
    `M${fixed(x - half)} ${fixed(tip + way * MARK)}h${fixed(2 * half)}L${fixed(x)} ${fixed(tip)}Z`,
  );

export class Plot {
  /** @param {{ width: number, height: number }} size @param {number} plies of the axis
   *  @param {number} sign -1 if White is upward */
  constructor({ width, height }, plies, sign) {
    this.sign = sign;
    this.width = width;
    this.height = height;
    this.plies = Math.max(1, plies);
    this.span = Math.max(1, width - PAD.left - PAD.right);
    this.bottom = height - PAD.bottom;
    this.step = this.span / this.plies;
    /** Places of the drawn marks. @type {{ x: number, top: number }[]} */
    this.marks = [];
  }

  x(index) {
    return PAD.left + this.step * index;
  }

  index(x) {
    return Math.round((x - PAD.left) / this.step);
  }

  /** The height of `value` on a scale from `low` to `high`. */
  y(value, low, high) {
    const share = (Math.max(low, Math.min(high, value)) - low) / (high - low);
    return this.bottom - (this.bottom - PAD.top) * share;
  }

  /** The height of a score. @param {number} value @param {GraphLine[]} lines */
  yOfScore(value, lines) {
    const top = scoreTop(lines);
    return this.y(value, -top, top);
  }

  cursor(index) {
    const x = fixed(this.x(index));
    return path('cursor', `M${x} ${PAD.top - 4}V${this.bottom + 4}`);
  }

  /** Labels on the left, horizontal lines, and move numbers below. `labels` are `[value, text, side]`. */
  axes(low, high, guides, labels) {
    const { width, height } = this;
    const y = (value) => this.y(value, low, high);
    const across = (value) => `M${PAD.left} ${fixed(y(value))}H${width - PAD.right}`;
    const step = STEPS.find((step) => step * this.step >= NUMBER_WIDTH) ?? 60;
    const numbers = [];
    for (let ply = step; ply <= this.plies; ply += step) {
      const x = this.x(ply);
      // The last number must not exceed the right edge.
      const end = x + NUMBER_WIDTH / 3 > width;
      const place = { x: fixed(end ? width - 1 : x), 'text-anchor': end ? 'end' : 'middle' };
      numbers.push(s('text', { ...place, y: height - 3, text: String(ply) }));
    }
    return [
      path('guide', guides.map(across).join('')),
      path('axis', across(0)),
      ...labels.flatMap(([value, text, side]) => [
        side && path(`side ${side}`, `M3 ${fixed(y(value))}a4 4 0 1 0 8 0a4 4 0 1 0 -8 0Z`),
        s('text', { x: PAD.left - 5, y: fixed(y(value) + 4), 'text-anchor': 'end', text }),
      ]),
      ...numbers,
    ].filter(Boolean);
  }

  /** The score of every position, for the side of the perspective. @param {GraphLine[]} lines the game, and a variation */
  score(lines) {
    const scale = scoreTop(lines);
    const back = this.axes(
      -scale,
      scale,
      [scale, scale / 2, -scale / 2, -scale],
      [
        [scale, disc(scale, true), this.sign > 0 ? 'X' : 'O'],
        [0, '0'],
        [-scale, disc(-scale, true), this.sign > 0 ? 'O' : 'X'],
      ],
    );
    const zero = this.y(0, -scale, scale);
    const curve = [];
    const dots = [];
    /** @type {SVGElement[]} */
    const marks = [];
    for (const line of lines) {
      const known = this.known(line, (point) => this.y(point.value, -scale, scale));
      if (!line.variation) curve.push(path('area', area(known, zero)));
      // The curve has a gap at an unknown position.
      const d = polyline(known, (before, i) => line.variation || before === i - 1);
      curve.push(path(line.variation ? 'curve variation' : 'curve', d));
      // Points do not overlap, even 60 in a narrow graph.
      const r = Math.max(1.5, Math.min(2.8, this.step * 0.36)).toFixed(1);
      for (const { point, x, y, i } of known) {
        // The first point of a variation belongs to the game.
        if (line.variation && i === line.from) continue;
        dots.push(s('circle', { class: point.exact ? 'dot-x' : 'dot-h', cx: fixed(x), cy: fixed(y), r }));
        if (point.cost?.mistake)
          marks.push(this.#mark(x, y, point.cost.side === 'X' ? this.sign : -this.sign));
      }
    }
    return { back, curve, points: [...dots, ...marks] };
  }

  /** @param {GraphLine} line @param {(point: GraphPoint, i: number) => number} y */
  known({ from, points }, y) {
    return points.flatMap((point, k) => {
      const i = from + k;
      return point ? [{ point, i, x: this.x(i), y: y(point, k) }] : [];
    });
  }

  /** The mark of a mistake: below its point for the side that is upward, above it for the other, or another place if there is no room. */
  #mark(x, y, way) {
    const half = Math.max(2, Math.min(6, this.step * 0.9));
    const places = [way, -way].flatMap((side) =>
      [0, 1].map((row) => {
        const near = y + side * (MARK_GAP + row * (MARK + 2));
        return { x, side, top: side > 0 ? near : near - MARK };
      }),
    );
    const isFree = ({ top }) =>
      top >= 0 &&
      top + MARK <= this.bottom + 2 &&
      this.marks.every((other) => Math.abs(other.x - x) > 2 * half || Math.abs(other.top - top) > MARK);
    const place = places.find(isFree) ?? places[0];
    this.marks.push(place);
    return triangle(x, place.top + (place.side > 0 ? 0 : MARK), place.side, half);
  }
}

/** The area between a curve and a height, with gaps at unknown positions. */
const area = (places, zero) =>
  places
    .map(({ x, y, i }, k) => {
      const before = places[k - 1];
      const ground = fixed(zero);
      if (before?.i !== i - 1) return '';
      return `M${fixed(before.x)} ${ground}L${fixed(before.x)} ${fixed(before.y)}L${fixed(x)} ${fixed(y)}V${ground}Z`;
    })
    .join('');
