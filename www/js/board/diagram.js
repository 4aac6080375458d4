// A diagram of a position: an SVG element, or a PNG. The caption has the players with their discs, and the side to move.

import { s } from '../base/dom.js';
import { commonMark, disc, isExact, lossClass, mark } from '../base/format.js';
import { squareName } from '../base/position.js';
import { gridLines } from './mini-board.js';

const SQUARE = 60;
const EDGE = 24;
const BOARD = 8 * SQUARE;
const WIDTH = BOARD + 2 * EDGE;
const FOOT = 44;
const COLOURS = { l0: '#7cc8ff', l1: '#a7dcfb', l2: '#ffc34d', l3: '#ff9a55' };
const FONT = { 'font-family': 'system-ui, Helvetica, Arial, sans-serif' };

/** Colours on the screen and on paper. */
const INKS = {
  frame: ['#23473a', '#fff'],
  board: ['#2f8f63', '#fff'],
  line: ['#1f6f4b', '#000'],
  words: ['#e4efe9', '#000'],
  black: ['#15181a', '#000'],
  white: ['#f7f5ef', '#fff'],
  edge: ['#0d2b1f', '#000'],
  rim: ['#9aa0a4', '#000'],
  last: ['#2aa9a0', '#888'],
};

/** Approximate width of a text, in its font size. A Chinese or Japanese character takes a full square. */
const widthOf = (text) => [...text].reduce((sum, sign) => sum + (sign > '\u2e7f' ? 1 : 0.6), 0);

/** Cuts a text. @param {string} text @param {number} room in its font size */
function fit(text, room) {
  if (widthOf(text) <= room) return text;
  const signs = [...text];
  while (signs.length > 1 && widthOf(`${signs.join('')}…`) > room) signs.pop();
  return `${signs.join('').trimEnd()}…`;
}

const written = (x, y, size, text, more = {}) =>
  s('text', { x, y, 'font-size': size, ...FONT, ...more, text });

/** `rows` are values by move for the side to move, shown times `sign`; `about` names the side of the shown ones; `best` is the value of the
 *  best move; `numbers` are written on the discs, by square; `paper` draws black on white; `square` maps each shown cell to its square.
 *  @param {{ square?: (cell: number) => number, rows?: Map<string, Row>, sign?: number, about?: string, best?: number | null,
 *  numbers?: Map<number, number>, paper?: boolean } & Diagram} what */
export function diagramSvg({
  squares,
  square = (cell) => cell,
  last,
  rows = new Map(),
  sign = 1,
  about,
  best = null,
  numbers = new Map(),
  players,
  told,
  title,
  paper = false,
}) {
  const ink = Object.fromEntries(Object.entries(INKS).map(([part, inks]) => [part, inks[Number(paper)]]));
  const height = BOARD + 2 * EDGE + FOOT;
  const svg = s('svg', {
    xmlns: 'http://www.w3.org/2000/svg',
    viewBox: `0 0 ${WIDTH} ${height}`,
    width: WIDTH,
    height,
  });
  svg.append(
    s('title', { text: title }),
    s('rect', { width: WIDTH, height, rx: 12, fill: ink.frame }),
    s('rect', { x: EDGE, y: EDGE, width: BOARD, height: BOARD, fill: ink.board, stroke: ink.line }),
  );
  const nameOf = (cell) => squareName(square(cell));
  // In a view turned by a quarter the files are on the left.
  const file = nameOf(0)[0] === nameOf(1)[0] ? 1 : 0;
  for (let i = 0; i < 8; i++) {
    const middle = EDGE + i * SQUARE + SQUARE / 2;
    const coordinate = { fill: ink.words, 'text-anchor': 'middle' };
    svg.append(
      written(middle, 16, 12, nameOf(i)[file], coordinate),
      written(12, middle + 4, 12, nameOf(8 * i)[1 - file], coordinate),
    );
  }
  svg.append(s('path', { d: gridLines(EDGE, SQUARE), stroke: ink.line, fill: 'none' }));
  // A mark that all moves share is shown once, below.
  const common = commonMark([...rows.values()]);
  for (let cell = 0; cell < 64; cell++) {
    const x = EDGE + (cell & 7) * SQUARE + SQUARE / 2;
    const y = EDGE + (cell >> 3) * SQUARE + SQUARE / 2;
    const i = square(cell);
    const name = squareName(i);
    const row = rows.get(name);
    if (squares[i] !== '-') {
      svg.append(stone(x, y, SQUARE * 0.41, squares[i], ink));
      const number = numbers.get(i);
      const fill = squares[i] === 'X' ? ink.white : ink.black;
      if (number !== undefined)
        svg.append(
          written(x, y + 8, 22, String(number), { fill, 'text-anchor': 'middle', 'font-weight': 600 }),
        );
      else if (name === last) svg.append(s('circle', { cx: x, cy: y, r: 5, fill: ink.last }));
    } else if (row) svg.append(chip(row, x, y, best ?? row.value, common, sign));
  }
  svg.append(...foot(players, told, ink));
  const note = rows.size > 0 && [about, common].filter(Boolean).join(' · ');
  if (note)
    svg.append(written(WIDTH / 2, height - 12, 12, note, { fill: ink.words, 'text-anchor': 'middle' }));
  return svg;
}

function stone(x, y, r, side, ink) {
  const [fill, stroke] = side === 'X' ? [ink.black, ink.rim] : [ink.white, ink.edge];
  return s('circle', { cx: x, cy: y, r, fill, stroke, 'stroke-width': 0.8 });
}

/** The caption: Black on the left, White on the right, and the text between them. */
function foot([black, white], told, ink) {
  const y = EDGE + BOARD + EDGE / 2 + FOOT / 2;
  const size = 15;
  const middle = Math.min(190, widthOf(told) * size + 16);
  const room = (BOARD - middle) / 2 / size - 2;
  const name = ({ name, count }) => `${fit(name, room - widthOf(` ${count}`))} ${count}`;
  const bold = { fill: ink.words, 'font-weight': 700 };
  return [
    stone(EDGE + 8, y - 5, 8, 'X', ink),
    written(EDGE + 22, y, size, name(black), bold),
    written(WIDTH / 2, y, size, fit(told, middle / size), { fill: ink.words, 'text-anchor': 'middle' }),
    written(WIDTH - EDGE - 22, y, size, name(white), { ...bold, 'text-anchor': 'end' }),
    stone(WIDTH - EDGE - 8, y - 5, 8, 'O', ink),
  ];
}

function chip(row, x, y, best, common, sign) {
  const loss = best - row.value;
  const isBest = Math.abs(loss) < 0.05;
  const colour = COLOURS[lossClass(loss)];
  const proof = mark(row.proof, sign);
  const marked = proof === common ? '' : proof;
  const value = disc(sign * row.value, isExact(row.proof));
  const centred = { 'text-anchor': 'middle' };
  return s(
    'g',
    { class: 'chip' },
    s('rect', {
      x: x - 27,
      y: y - 17,
      width: 54,
      height: 34,
      rx: 7,
      fill: '#0c2018',
      stroke: isBest ? colour : 'none',
      'stroke-width': 2,
    }),
    written(x, y + (marked ? 1 : 6), value.length > 4 ? 14 : 17, value, {
      ...centred,
      fill: colour,
      'font-weight': isBest ? 800 : 600,
    }),
    marked && written(x, y + 13, 10, marked, { ...centred, fill: '#cfd8d4' }),
  );
}

/** Draws the SVG at twice its size. @param {string} svg @returns {Promise<Blob>} */
export async function diagramPng(svg) {
  const image = new Image();
  const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  try {
    image.src = url;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = image.naturalWidth * 2;
    canvas.height = image.naturalHeight * 2;
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
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
