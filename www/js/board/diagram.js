// A diagram of the position: an SVG that stands alone, and a PNG drawn from it.

import { s } from '../base/dom.js';
import { disc, lossClass, mark } from '../base/format.js';
import { squareName } from '../base/position.js';
import { isExact } from '../engine/proof.js';

const SQUARE = 60;
const EDGE = 24;
const SIZE = 8 * SQUARE + 2 * EDGE;
const COLOURS = { l0: '#7cc8ff', l1: '#a7dcfb', l2: '#ffc34d', l3: '#ff9a55' };
const FONT = { 'font-family': 'system-ui, Helvetica, Arial, sans-serif' };

/** `rows` is a map from move to row with values; pass an empty one for a bare diagram. */
export function diagramSvg({ squares, last, rows = new Map(), best = null, title }) {
  const svg = s('svg', {
    xmlns: 'http://www.w3.org/2000/svg',
    viewBox: `0 0 ${SIZE} ${SIZE}`,
    width: SIZE,
    height: SIZE,
  });
  svg.append(
    s('title', { text: title }),
    s('rect', { width: SIZE, height: SIZE, rx: 12, fill: '#23473a' }),
    s('rect', { x: EDGE, y: EDGE, width: 8 * SQUARE, height: 8 * SQUARE, fill: '#2f8f63' }),
  );
  for (let i = 0; i < 8; i++) {
    const middle = EDGE + i * SQUARE + SQUARE / 2;
    svg.append(
      s('text', {
        x: middle,
        y: 16,
        fill: '#b9d3c6',
        'font-size': 12,
        'text-anchor': 'middle',
        ...FONT,
        text: 'abcdefgh'[i],
      }),
      s('text', {
        x: 12,
        y: middle + 4,
        fill: '#b9d3c6',
        'font-size': 12,
        'text-anchor': 'middle',
        ...FONT,
        text: String(i + 1),
      }),
    );
  }
  const lines = [];
  for (let i = 1; i < 8; i++)
    lines.push(`M${EDGE + i * SQUARE} ${EDGE}v${8 * SQUARE}M${EDGE} ${EDGE + i * SQUARE}h${8 * SQUARE}`);
  svg.append(s('path', { d: lines.join(''), stroke: '#1f6f4b', fill: 'none' }));
  for (let i = 0; i < 64; i++) {
    const x = EDGE + (i & 7) * SQUARE + SQUARE / 2;
    const y = EDGE + (i >> 3) * SQUARE + SQUARE / 2;
    const name = squareName(i);
    if (squares[i] !== '-') {
      svg.append(
        s('circle', {
          cx: x,
          cy: y,
          r: SQUARE * 0.41,
          fill: squares[i] === 'X' ? '#15181a' : '#f7f5ef',
          stroke: '#0d2b1f',
          'stroke-width': 0.8,
        }),
      );
      if (name === last) svg.append(s('circle', { cx: x, cy: y, r: 5, fill: '#d55e00' }));
    } else if (rows.has(name)) svg.append(chip(rows.get(name), x, y, best));
  }
  return new XMLSerializer().serializeToString(svg);
}

function chip(row, x, y, best) {
  const loss = best - row.value;
  const colour = COLOURS[lossClass(loss)];
  const sign = mark(row.proof);
  return s(
    'g',
    null,
    s('rect', {
      x: x - 25,
      y: y - 17,
      width: 50,
      height: 34,
      rx: 7,
      fill: '#0c2018',
      stroke: loss < 0.05 ? colour : 'none',
      'stroke-width': 2,
    }),
    s('text', {
      x,
      y: y + (sign ? 1 : 6),
      fill: colour,
      'font-size': 17,
      'font-weight': loss < 0.05 ? 800 : 600,
      'text-anchor': 'middle',
      ...FONT,
      text: disc(row.value, isExact(row.proof)),
    }),
    sign
      ? s('text', {
          x,
          y: y + 13,
          fill: '#cfd8d4',
          'font-size': 10,
          'text-anchor': 'middle',
          ...FONT,
          text: sign,
        })
      : '',
  );
}

/** The SVG drawn at twice its size. */
export async function diagramPng(svg) {
  const image = new Image();
  const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  try {
    await new Promise((resolve, reject) => {
      image.onload = resolve;
      image.onerror = () => reject(new Error('the diagram could not be drawn'));
      image.src = url;
    });
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = SIZE * 2;
    canvas.getContext('2d')?.drawImage(image, 0, 0, SIZE * 2, SIZE * 2);
    return await new Promise((resolve, reject) =>
      canvas.toBlob(
        (blob) => (blob ? resolve(blob) : reject(new Error('the picture could not be written'))),
        'image/png',
      ),
    );
  } finally {
    URL.revokeObjectURL(url);
  }
}
