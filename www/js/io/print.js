// Printing: one sheet of A4, black on white, with the board, the game on one board, the moves, the graph, and what each side lost
// if that is known. The sheet is created when the browser is about to print.

import { $, $$, h } from '../base/dom.js';
import { disc, lossSize } from '../base/format.js';
import { loadStyle, once } from '../base/load.js';
import { START, sideOf, squareIndex } from '../base/position.js';
import { diagramSvg } from '../board/diagram.js';
import { pairs } from '../model/tree.js';
import { diagramAt } from './save.js';

const STYLE = 'style/print.css';
/** @type {Map<string, Promise<void>>} */
const parts = new Map();

/** Prepares the page to be printed at any time. @param {App} app */
export const attachPrint = (app) =>
  once(parts, 'print', async () => {
    await Promise.all([app.words.load(), loadStyle(STYLE)]);
    addEventListener('beforeprint', () => app.attempt(() => createSheet(app)));
    addEventListener('afterprint', () => $('#print')?.remove());
  });

/** @param {App} app */
export async function print(app) {
  await Promise.all([attachPrint(app), loadStyle(STYLE)]);
  window.print();
}

/** Adds the sheet to the page. The style sheet hides everything else on paper. @param {App} app */
function createSheet(app) {
  $('#print')?.remove();
  const { study, t, words } = app;
  const { node, tree } = study;
  const hidden = app.modes.current?.hide ?? false;
  const { line } = study;
  const diagram = diagramAt(app, node);
  const { black, white, date, place } = tree.tags;
  const told = t(node.parent ? 'print.after' : 'print.start', { n: node.ply, told: diagram.told });
  const game = line.length > 1 && tree.root.position === START;
  const sheet = h(
    'section',
    { id: 'print', lang: words.language },
    h(
      'header',
      h('h1', black || white ? `${black || t('black')} – ${white || t('white')}` : 'Outflank'),
      h('p', [date, place, app.openings.along(node)].filter(Boolean).join(' · ')),
    ),
    h(
      'div.boards',
      h('figure', diagramSvg({ ...diagram, paper: true }), h('figcaption', told)),
      game && h('figure', numbered(app, line), h('figcaption', t('print.game'))),
    ),
    line.length > 1 && moves(app, line, hidden),
    graph(),
    hidden ? '' : mistakes(app, line),
    hidden ? '' : report(app),
  );
  document.body.append(sheet);
}

/** The game on one board: every square has the number of its move, in the color of the player.
 *  @param {Pick<App, 'openings' | 'rules' | 'study' | 't'>} app @param {TreeNode[]} line */
function numbered(app, line) {
  const squares = [...START.slice(0, 64)];
  const numbers = new Map();
  for (const { move, parent, ply } of line) {
    if (!parent) continue;
    const square = squareIndex(move);
    squares[square] = sideOf(parent.position);
    numbers.set(square, ply);
  }
  const last = /** @type {TreeNode} */ (line.at(-1));
  return diagramSvg({ ...diagramAt(app, last), squares: squares.join(''), numbers, paper: true });
}

/** The moves with their values, whose side the heading names.
 *  @param {Pick<App, 'perspective' | 't' | 'values' | 'words'>} app @param {TreeNode[]} line @param {boolean} hidden */
function moves(app, line, hidden) {
  const isValued = !hidden && line.some((node) => app.values.at(node).point);
  const side = isValued && app.t('value.from', { side: app.words.side(app.perspective.home) });
  const heading = [app.t('print.moves'), side].filter(Boolean).join(' · ');
  const cell = (node) => {
    const { point = null, loss = null } = node && !hidden ? app.values.at(node) : {};
    const value =
      point && ` ${disc(app.perspective.homeSign * point.value, point.exact)}${loss?.mistake ? ' ▲' : ''}`;
    return h('td', node?.move ?? '–', value && h('small', value));
  };
  const row = (/** @type {Pair} */ { number, X, O }) =>
    h('tr', h('th', { scope: 'row' }, String(number)), cell(X), cell(O));
  const tables = pairs(line).map((pair) => h('table', h('tbody', row(pair))));
  return h('div.moves-on-paper', h('h2', heading), h('div.columns', tables));
}

/** The mistakes of a line, each with the better move. @param {Pick<App, 't' | 'values'>} app @param {TreeNode[]} line */
function mistakes({ values, t }, line) {
  const found = values.mistakes(line);
  const row = (/** @type {Mistake} */ loss) => {
    const { node, best } = loss;
    const better = best ? `; ${t('next.better', { move: best })}` : '';
    return h('li', `${node.ply}. ${t('next.loses', { move: node.move, v: lossSize(loss, t) })}${better}`);
  };
  return (
    found.length > 0 && h('div.mistakes-on-paper', h('h2', t('print.mistakes')), h('ul', found.map(row)))
  );
}

function graph() {
  const drawn = $('#graph svg');
  if (!drawn) return '';
  const copy = drawn.cloneNode(true);
  for (const name of drawn.getAttributeNames())
    if (/^(role|tabindex|aria-)/.test(name)) copy.removeAttribute(name);
  return h('div.graph', copy);
}

/** The tables of the report, if it exists. @param {Pick<App, 'panels'>} app */
function report(app) {
  const panel = app.panels.made.get('report');
  if (!panel) return '';
  panel.draw();
  const tables = $$('#panel-report table').map((table) => table.cloneNode(true));
  return tables.length > 0 ? h('div.report-on-paper', tables) : '';
}
