// A small board in SVG.

import { s } from '../base/dom.js';

/** `last` is the marked square. @param {string} position @param {{ last?: number | null, label?: string }} how */
export function miniBoard(position, { last = null, label = '' } = {}) {
  const board = s('svg', { viewBox: '0 0 80 80', class: 'mini', role: 'img', 'aria-label': label });
  board.append(s('rect', { width: 80, height: 80, rx: 2, class: 'mini-board' }));
  const lines = [];
  for (let i = 1; i < 8; i++) lines.push(`M${i * 10} 0V80M0 ${i * 10}H80`);
  board.append(s('path', { d: lines.join(''), class: 'mini-line' }));
  for (let i = 0; i < 64; i++) {
    if (position[i] === '-') continue;
    const x = (i & 7) * 10 + 5;
    const y = (i >> 3) * 10 + 5;
    board.append(s('circle', { cx: x, cy: y, r: 4, class: position[i] === 'X' ? 'mini-b' : 'mini-w' }));
    if (last === i) board.append(s('circle', { cx: x, cy: y, r: 1.3, class: 'mini-last' }));
  }
  return board;
}
