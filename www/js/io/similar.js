// Similar positions: a dialog with games in which an edge, a corner or a half of the board was the same, and what was played there.

import { choices, openDialog } from '../base/dialog.js';
import { each, h, patch, v } from '../base/dom.js';
import { dateText, disc } from '../base/format.js';
import { sideOf, squareIndex } from '../base/position.js';
import { miniBoard } from '../board/mini-board.js';
import { gameButton, openListed, playersOf } from '../panels/view.js';

/** The parts that are compared, the most telling first. */
const PARTS = ['half', 'edge', 'block', 'corner'];
/** Most games that are shown. */
const MAX_SHOWN = 50;

/** Shows games with a similar position, first by the largest part that some game has. @param {App} app */
export async function showSimilar(app) {
  const { study, t, words } = app;
  const { position } = study;
  const explorer = await app.explorer();
  const ask = (/** @type {string} */ part) => explorer.similar(position, part, { list: MAX_SHOWN });
  const root = h('div');
  let shown = '';
  const row = (/** @type {GameSimilar} */ game) => {
    const { date, move, place, position: there, same, score } = game;
    const played = t('similar.played', { side: words.side(sideOf(there)), move });
    const facts = [
      score === null ? played : `${played} (${disc(score, true)})`,
      t('similar.same', { n: same }),
      dateText(date, words.language),
      place,
    ];
    const open = () => {
      opened.close();
      return openListed(app, explorer, game, there);
    };
    const board = h('span.thumb', { 'aria-hidden': 'true' }, miniBoard(there, { better: squareIndex(move) }));
    return v(
      'li.game',
      board,
      gameButton(playersOf(game) ?? t('openings.unnamed'), game.result, facts, open),
    );
  };
  const draw = (/** @type {GamesFound<GameSimilar>} */ { games, list, share }) => {
    const p = share !== null && t('similar.share', { p: Math.round(100 * share) });
    const told = [t('similar.found', { n: games }), p].filter(Boolean).join(' · ');
    patch(root, v('p.muted', { role: 'status' }, told), each('ul.list', list, row));
  };
  const choose = (/** @type {string} */ part) =>
    app.attempt(async () => {
      shown = part;
      const found = await ask(part);
      if (shown === part) draw(found);
    });
  for (const part of PARTS) {
    const found = await ask(part);
    shown = part;
    draw(found);
    if (found.games > 0) break;
  }
  const options = PARTS.map((part) => [part, t(`similar.${part}`)]);
  const parts = choices({ name: 'part', legend: t('similar.part'), value: shown, options, onchange: choose });
  const opened = openDialog(app, t('command.similar'), [parts, root]);
}
