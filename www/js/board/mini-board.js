// A small board in SVG.

import { s } from '../base/dom.js';

/** The path of the lines between the squares. @param {number} edge @param {number} size of a square */
export const gridLines = (edge, size) =>
  [1, 2, 3, 4, 5, 6, 7]
    .map((i) => edge + i * size)
    .map((at) => `M${at} ${edge}v${8 * size}M${edge} ${at}h${8 * size}`)
    .join('');

/** The used part of a board with a square around it, as first column, first row and size. At least six squares are used.
 *  @param {string} position */
function usedPart(position) {
  const used = [...position.slice(0, 64)].flatMap((disc, at) => (disc === '-' ? [] : [at]));
  const [columns, rows] = [used.map((at) => at & 7), used.map((at) => at >> 3)];
  const [left, right, top, bottom] = [columns, rows].flatMap((all) => [Math.min(...all), Math.max(...all)]);
  const size = Math.min(8, Math.max(6, right - left + 3, bottom - top + 3));
  const first = (low, high) => Math.max(0, Math.min(8 - size, Math.round((low + high + 1 - size) / 2)));
  return used.length > 0 ? [first(left, right), first(top, bottom), size] : [0, 0, 8];
}

/** `last` is the marked square, `played` and `better` are empty squares of two moves. `crop` shows the used part only.
 *  @param {string} position
 *  @param {{ last?: number, played?: number, better?: number, label?: string, crop?: boolean }} how */
export function miniBoard(position, { last, played, better, label = '', crop = false } = {}) {
  const [x, y, size] = crop ? usedPart(position).map((n) => 10 * n) : [0, 0, 80];
  const viewBox = `${x} ${y} ${size} ${size}`;
  const board = s('svg', { viewBox, class: 'mini', role: 'img', 'aria-label': label });
  board.append(s('rect', { width: 80, height: 80, rx: 2, class: 'mini-board' }));
  board.append(s('path', { d: gridLines(0, 10), class: 'mini-line' }));
  for (let i = 0; i < 64; i++) {
    const x = (i & 7) * 10 + 5;
    const y = (i >> 3) * 10 + 5;
    if (i === played) board.append(s('path', { d: `M${x - 3} ${y - 3}l6 6m0-6l-6 6`, class: 'mini-played' }));
    if (i === better) board.append(s('circle', { cx: x, cy: y, r: 3.2, class: 'mini-better' }));
    if (position[i] === '-') continue;
    board.append(s('circle', { cx: x, cy: y, r: 4, class: position[i] === 'X' ? 'mini-b' : 'mini-w' }));
    if (last === i) board.append(s('circle', { cx: x, cy: y, r: 1.3, class: 'mini-last' }));
  }
  return board;
}
