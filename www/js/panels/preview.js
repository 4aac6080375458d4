// The fixed panel: the board after a hovered move or line, its name and its value.

import { h } from '../base/dom.js';
import { disc, proofText } from '../base/format.js';
import { forBlack, squareIndex } from '../base/position.js';
import { miniBoard } from '../board/mini-board.js';
import { isExact } from '../engine/proof.js';

export class Preview {
  constructor(root, words, rules, openings) {
    this.root = root;
    this.words = words;
    this.rules = rules;
    this.openings = openings;
    this.seen = null;
  }

  /** Nothing hovered: the current board with the keys that matter. */
  rest() {
    if (this.seen === `rest ${this.words.language}`) return;
    this.seen = `rest ${this.words.language}`;
    const { t } = this.words;
    const hint = (keys, label) => h('span', ...keys.flatMap((key) => [h('kbd', key), ' ']), t(label));
    this.root.replaceChildren(
      h(
        'div.hints',
        hint(['←', '→'], 'hint.move'),
        hint(['Space'], 'hint.best'),
        hint(['/'], 'hint.command'),
        hint(['?'], 'hint.keys'),
      ),
    );
    this.root.classList.add('resting');
  }

  /** Shows `moves` played from `position`; `row` is what the engine says of the first one. */
  show(position, moves, row, { black = false } = {}) {
    const key = `${position} ${moves.join('')} ${row?.value} ${row?.proof.level} ${row?.pv.join('')} ${this.words.language}`;
    if (key === this.seen) return;
    const { t } = this.words;
    let at = position;
    let played;
    try {
      for (const move of moves) {
        played = this.rules.play(at, move);
        at = played.position;
      }
    } catch {
      return this.rest();
    }
    this.seen = key;
    this.root.classList.remove('resting');
    const look = this.rules.look(at);
    const name = this.openings.name(at);
    const side = this.rules.look(position).side;
    this.root.replaceChildren(
      miniBoard(at, { last: squareIndex(moves.at(-1)), label: t('preview.board', { move: moves.at(-1) }) }),
      h(
        'div.what',
        h(
          'div',
          h('strong', moves.join(' ')),
          row ? ` ${disc(black ? forBlack(row.value, side) : row.value, isExact(row.proof))} ` : '',
          h('span.muted', row ? proofText(row.proof) : ''),
        ),
        name && h('div.muted', name),
        h(
          'div.muted',
          [
            t('preview.discs', { black: look.black, white: look.white }),
            t('preview.flips', { n: played.flips.length }),
            played.passed && t('game.passes', { side: t(look.side === 'X' ? 'white' : 'black') }),
          ]
            .filter(Boolean)
            .join(' · '),
        ),
        row && row.pv.length > moves.length && h('div.pv', row.pv.slice(moves.length).join(' ')),
      ),
    );
    return undefined;
  }
}
