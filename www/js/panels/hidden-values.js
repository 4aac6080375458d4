// What stands in the room of the lines while values are hidden: what the mode says of itself, and the moves so far with
// what everybody can count.

import { attr, h } from '../base/dom.js';
import { sideOf } from '../base/position.js';

/** Two moves, where both were made, and the last of them. @typedef {{ number: number, last: TreeNode, X?: TreeNode, O?: TreeNode }} Pair */

/** The moves of a line two by two, as they are written on a score sheet. @param {TreeNode[]} line @returns {Pair[]} */
export function pairs(line) {
  /** @type {Pair[]} */
  const rows = [];
  for (const node of line) {
    if (!node.parent) continue;
    const side = sideOf(node.parent.position);
    const row = rows.at(-1);
    if (!row || row[side] || side === 'X') rows.push({ number: node.ply, last: node, [side]: node });
    else Object.assign(row, { last: node, [side]: node });
  }
  return rows;
}

export class HiddenValuesPanel {
  /** What is drawn, in short. */
  #seen = '';

  /** @param {HTMLElement} card @param {App} app */
  constructor(card, app) {
    this.app = app;
    this.table = card.querySelector('table');
    this.root = h('div.room', { role: 'group', tabindex: '0', hidden: true });
    card.append(this.root);
  }

  /** Nothing where values are to be seen. @param {string[] | null} notes */
  draw(notes) {
    attr(this.root, 'hidden', notes === null);
    if (this.table) attr(this.table, 'hidden', notes !== null);
    if (!notes) return;
    const { study, words } = this.app;
    const { line, node } = study;
    const seen = JSON.stringify([words.language, notes, node.id, line.map(({ id }) => id)]);
    if (seen === this.#seen) return;
    this.#seen = seen;
    const { t } = words;
    attr(this.root, 'aria-label', t('room.moves'));
    const empty = this.app.modes.current?.empty;
    const rows = pairs(line);
    this.root.replaceChildren(
      h(
        'ul.notes',
        notes.map((note) => h('li', note)),
        rows.length === 0 && empty && h('li.muted', t(empty)),
      ),
      rows.length > 0 ? this.#sheet(rows, node) : '',
    );
    // Not `scrollIntoView`, which would move the page of a phone.
    const at = this.root.querySelector('.cur');
    if (at) this.root.scrollTop = at.offsetTop + at.offsetHeight - this.root.clientHeight;
  }

  /** @param {Pair[]} rows @param {TreeNode} node */
  #sheet(rows, node) {
    const { rules, words } = this.app;
    const { t } = words;
    const head = (text) => h('th', { scope: 'col' }, text);
    const cell = (text) => h('td', text);
    return h(
      'table',
      h(
        'thead',
        h(
          'tr',
          head('#'),
          head(t('black')),
          head(t('white')),
          head(t('room.discs')),
          head(t('room.mobility')),
        ),
      ),
      h(
        'tbody',
        rows.map(({ number, last, X, O }) => {
          const look = rules.look(last.position);
          const mobility = rules.mobility(last.position);
          return h(
            'tr',
            { class: X === node || O === node ? 'cur' : null },
            cell(String(number)),
            cell(X?.move ?? '–'),
            cell(O?.move ?? (last === X ? '' : '–')),
            cell(`${look.black}–${look.white}`),
            cell(`${mobility.X}–${mobility.O}`),
          );
        }),
      ),
    );
  }
}
