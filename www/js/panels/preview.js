// The preview: the board after a hovered move or line, with its name and its value.

import { patch, v } from '../base/dom.js';
import { disc, isExact, proofText } from '../base/format.js';
import { sideOf, squareIndex } from '../base/position.js';
import { miniBoard } from '../board/mini-board.js';
import { statesOf } from '../model/rules.js';
import { View } from './view.js';

export class Preview extends View {
  /** No move is hovered. */
  rest() {
    this.root.hidden = true;
  }

  /** Shows the position after `moves`; `row` is the engine's row of the first move.
   *  @param {string} position @param {string[]} moves @param {Row | null | undefined} row */
  show(position, moves, row) {
    const { openings, perspective, rules, t } = this.app;
    this.root.hidden = false;
    const value = row && `${row.value} ${row.proof.level} ${row.pv.join('')}`;
    if (!this.isNew(position, moves, value, perspective.side)) return;
    const last = statesOf(rules, position, moves)[moves.length - 1];
    if (!last) return this.rest();
    const { position: at, flips, move, passed } = last;
    const look = rules.look(at);
    const name = openings.name(at);
    const sign = perspective.sign(sideOf(position));
    const shown = row && ` ${disc(sign * row.value, isExact(row.proof))} `;
    const facts = [
      t('preview.discs', { black: look.black, white: look.white }),
      t('preview.flips', { n: flips.length }),
      passed && t('game.passes', { side: t(look.side === 'X' ? 'white' : 'black') }),
    ];
    return patch(
      this.root,
      miniBoard(at, { last: squareIndex(move), label: t('preview.board', { move }) }),
      v(
        'div.what',
        { key: 'what' },
        v('div', v('strong', moves.join(' ')), shown, v('span.muted', row && proofText(row.proof, sign))),
        name && v('div.muted', name),
        v('div.muted', facts.filter(Boolean).join(' · ')),
        row && row.pv.length > moves.length && v('div.pv', row.pv.slice(moves.length).join(' ')),
      ),
    );
  }
}
