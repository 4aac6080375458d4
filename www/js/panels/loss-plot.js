// The drawing of the graphs of losses: of each move, and their sums.

import { s } from '../base/dom.js';
import { withPoint } from '../base/format.js';
import { SIDES } from '../base/position.js';
import { fixed, MARK, Plot, path, polyline, triangle } from './plot.js';

/** Leading digits of the ends of a scale. */
const ROUND = [1, 1.2, 1.6, 2, 2.4, 3, 4, 5, 6, 8, 10];
const MIN_TOP = 0.5;

/** Returns the round number at which a scale for values up to `largest` ends. @param {number} largest */
export function topOf(largest) {
  if (!(largest > MIN_TOP)) return MIN_TOP;
  const unit = 10 ** Math.floor(Math.log10(largest));
  // 10 exceeds every value of this unit.
  const head = ROUND.find((head) => head * unit >= largest * 0.999) ?? 10;
  return Number((head * unit).toPrecision(2));
}

/** @param {number} top @returns {[number, string][]} */
const lossLabels = (top) =>
  [top, top / 2, 0].map((value) => [value, withPoint(String(Number(value.toPrecision(2))))]);

export class LossPlot extends Plot {
  /** The loss of each move. @param {GraphLine[]} lines */
  loss(lines) {
    const all = lines.flatMap(({ points }) => points);
    const top = topOf(Math.max(0, ...all.map((point) => point?.cost?.loss ?? 0)) * 1.15);
    const back = this.axes(0, top, [top, top / 2], lossLabels(top));
    const zero = this.y(0, 0, top);
    const room = Math.max(1.4, this.step * 0.72);
    const bars = [];
    const marks = [];
    for (const line of lines) {
      // With a variation, the game has the left half of each place.
      const wide = Math.min(9, lines.length > 1 ? room / 2 : room);
      const shift = lines.length > 1 ? (line.variation ? wide / 2 : -wide / 2) : 0;
      for (const { point, i, x, y } of this.known(line, (point) => this.y(point.cost?.loss ?? 0, 0, top))) {
        const { cost } = point;
        if (!cost || !(cost.loss > 0.04) || (line.variation && i === line.from)) continue;
        const at = x + shift;
        const name = `loss ${cost.side}${line.variation ? ' variation' : ''}`;
        const [left, high, width, height] = [at - wide / 2, y, wide, zero - y].map(fixed);
        bars.push(s('rect', { class: name, x: left, y: high, width, height }));
        if (!cost.mistake) continue;
        // A mistake with a value that is not exact has an error bar.
        let above = y;
        if (cost.error > 0) {
          const low = this.y(cost.loss - cost.error, 0, top);
          above = this.y(cost.loss + cost.error, 0, top);
          const tick = this.step > 7 ? (y) => `M${fixed(at - 3)} ${fixed(y)}h6` : () => '';
          marks.push(path('error', `M${fixed(at)} ${fixed(above)}V${fixed(low)}${tick(above)}${tick(low)}`));
        }
        const half = Math.max(1.6, Math.min(5, this.step * 0.48));
        marks.push(triangle(at, Math.max(MARK, above - 2), -1, half));
      }
    }
    return { back, curve: [], points: [...bars, ...marks] };
  }

  /** The total loss of each side. @param {GraphLine[]} lines */
  total(lines) {
    const all = lines.flatMap(({ points }) =>
      points.flatMap((point) => (point ? [point.sums.X.loss, point.sums.O.loss] : [])),
    );
    const top = topOf(Math.max(0, ...all) * 1.05);
    const back = this.axes(0, top, [top, top / 2], lossLabels(top));
    const curve = [];
    for (const line of lines) {
      for (const side of SIDES) {
        const known = this.known(line, (point) => this.y(point.sums[side].loss, 0, top));
        const d = polyline(known, () => true);
        const name = `lost ${side}${line.variation ? ' variation' : ''}`;
        // The edge separates Black's line from a dark background and White's from a light one.
        curve.push(path(`${name} edge`, d), path(name, d));
      }
    }
    return { back, curve, points: [] };
  }
}
