// Saving: a diagram as SVG or PNG, the game as SGF, PGN, GGF or a transcript, and printing.

import { checkbox, closingButton, openDialog } from '../base/dialog.js';
import { h } from '../base/dom.js';
import { load } from '../base/load.js';
import { sideOf } from '../base/position.js';
import { diagramPng, diagramSvg } from '../board/diagram.js';
import { NOTATIONS, writeStudy } from '../model/game-tree.js';
import { copyPicture, saveFile } from './clipboard.js';

/** The position and the caption of a diagram.
 * @param {Pick<App, 'openings' | 'rules' | 'study' | 't'>} app @param {TreeNode} node @returns {Diagram} */
export function diagramAt(app, node) {
  const { openings, rules, study, t } = app;
  const { black, white } = study.tree.tags;
  const look = rules.look(node.position);
  const told = look.over
    ? t('game.over', { black: look.black, white: look.white })
    : t(look.side === 'X' ? 'do.black' : 'do.white');
  const names = [black || t('black'), white || t('white')];
  const title = [black && white && names.join(' – '), openings.along(node), told].filter(Boolean).join(', ');
  const [X, O] = names.map((name, i) => ({ name, count: i ? look.white : look.black }));
  return { squares: look.squares, last: node.move, players: [X, O], told, title };
}

/** The text of an SVG of the position on the board, with the values for the same side.
 * @param {Pick<App, 'board' | 'modes' | 'openings' | 'perspective' | 'rules' | 'study' | 't' | 'values' | 'words'>} app
 * @param {boolean} withValues */
export function diagramOf(app, withValues) {
  const { perspective, study, t, words } = app;
  const { node } = study;
  const { map, best } = app.values.rows(node.position);
  const svg = diagramSvg({
    ...diagramAt(app, node),
    square: (cell) => app.board.square(cell),
    rows: withValues && !app.modes.current?.hide ? map : undefined,
    sign: perspective.sign(sideOf(node.position)),
    about: t('value.from', { side: words.side(perspective.side) }),
    best: best?.value ?? null,
  });
  return new XMLSerializer().serializeToString(svg);
}

/** @param {App} app */
export function askSave(app) {
  const { settings, study, t } = app;
  let withValues = settings.get('values');
  const name = `outflank-${study.node.ply}`;
  const saveText = (file, text, type = 'text/plain') => saveFile(file, new Blob([text], { type }));
  const saveGame = (notation) =>
    saveText(`outflank.${notation === 'moves' ? 'txt' : notation}`, `${writeStudy(app, notation)}\n`);
  const diagram = () => diagramOf(app, withValues);
  const savePng = async (png) => saveFile(`${name}.png`, await png);
  const copy = async () => {
    const png = diagramPng(diagram());
    if (await copyPicture(png)) app.notices.show(t('save.copied'));
    else await savePng(png);
  };
  const print = async () => {
    opened.close();
    await (await load('js/io/print.js')).print(app);
  };
  const item = (label, save) => closingButton(app, t(label), save);
  const opened = openDialog(app, t('save.title'), [
    checkbox(t('save.withValues'), withValues, (on) => (withValues = on)),
    h(
      'div.choices',
      item('save.svg', () => saveText(`${name}.svg`, diagram(), 'image/svg+xml')),
      item('save.png', () => savePng(diagramPng(diagram()))),
      item('save.copyPng', copy),
      NOTATIONS.map((notation) => item(`save.${notation}`, () => saveGame(notation))),
      item('save.print', print),
    ),
    h('p.muted', t('save.lines')),
    h(
      'div.choices',
      ['sgf', 'pgn', 'ggf'].map((name) =>
        closingButton(app, t('save.copyAs', { notation: name.toUpperCase() }), () => app.act(`copy-${name}`)),
      ),
      closingButton(app, t('save.copyMoves'), () => app.act('copy-moves')),
      closingButton(app, t('command.ask'), () => app.act('ask')),
    ),
  ]);
}
