// The solution of a position as a tree, in place of the lines: its moves with their values, and below each opened move the answers to
// it. Only proven values are shown: the opened positions are searched to the end of the game, one at a time.

import { button, each, v } from '../base/dom.js';
import { disc, isExact, lossClass, mark, spoken } from '../base/format.js';
import { sideOf } from '../base/position.js';
import { MoveJudge } from '../engine/searches.js';
import { winners } from '../model/endings.js';
import { statesOf } from '../model/rules.js';

/** All moves of a position. */
const ALL = 64;

export class Solution {
  /** The positions after opened lines. @type {Map<string, string>} */
  #opened = new Map();
  /** All opened positions are solved; `null` if the search was stopped. @type {boolean | null} */
  isDone = false;

  /** @param {App} app @param {TreeNode} node of the position @param {() => void} changed the search started or ended */
  constructor(app, node, changed) {
    this.app = app;
    this.node = node;
    this.changed = changed;
    this.judge = new MoveJudge(app, ALL);
  }

  /** Opens the moves of a line, and searches what is not solved, the last position first. @param {string[]} line */
  open(line = []) {
    const { rules } = this.app;
    for (const [i, { position }] of statesOf(rules, this.node.position, line).entries())
      if (!rules.look(position).over) this.#opened.set(line.slice(0, i + 1).join(''), position);
    this.#set(false);
    const positions = [this.node.position, ...this.#opened.values()].reverse();
    this.judge.ask(positions, (known) => this.#set(known || null));
  }

  /** @param {boolean | null} isDone */
  #set(isDone) {
    this.isDone = isDone;
    this.changed();
  }

  stop() {
    this.judge.stop();
    this.#set(null);
  }

  /** Shows the board after a line. @param {string[]} line */
  show(line) {
    this.app.study.go(this.node);
    this.app.playLine(line);
  }

  /** The moves of a position with their values: the proven ones, the best first, then the others. @param {string} position
   *  @param {string[]} line that leads to it */
  #moves(position, line) {
    const { rules, values } = this.app;
    const proven = values.rows(position, false).sorted.filter(({ proof }) => isExact(proof));
    const rows = new Map(proven.sort((a, b) => b.value - a.value).map((row) => [row.move, row]));
    const best = rules.moves(position).every((move) => rows.has(move)) ? proven[0].value : null;
    return [...new Set([...rows.keys(), ...rules.moves(position)])].map((move) =>
      this.#item(position, [...line, move], rows.get(move), best),
    );
  }

  /** @param {string} position @param {string[]} line up to the move @param {Row | undefined} row @param {number | null} best value */
  #item(position, line, row, best) {
    const { perspective, rules, study, t, values, words } = this.app;
    const move = /** @type {string} */ (line.at(-1));
    if (!row) return v('li', { key: move }, v('div.step', v('span.move', move), '…'));
    const key = line.join('');
    const after = rules.play(position, move).position;
    const isOpen = this.#opened.has(key);
    const toggle = () => (this.#opened.delete(key) ? this.app.painter.now() : this.open(line));
    const side = sideOf(position);
    const own = side === sideOf(this.node.position) ? row.value : -row.value;
    const outcome = t(`solution.${['loss', 'draw', 'win'][Math.sign(own) + 1]}`);
    const value = perspective.sign(side) * row.value;
    // The expected moves to the end of the game.
    const reply = values.rows(after, false).best;
    const pv = row.pv.length > 1 || !isExact(reply?.proof) ? row.pv.slice(1) : (reply?.pv ?? []);
    const states = statesOf(rules, after, pv);
    const end = rules.look(states.at(-1)?.position ?? after);
    const step = (/** @type {any} */ props, /** @type {string[]} */ moves) =>
      v('button', { tabindex: -1, data: { line: moves.join('') }, ...props }, moves.at(-1));
    const said = [move, spoken(value, true, words), t('engine.exact'), outcome].join(', ');
    const label = { 'aria-label': move, 'aria-expanded': String(isOpen), class: 'twist', onclick: toggle };
    return v(
      'li',
      { key: move, class: [row.value === best && 'best', isOpen && 'open'].filter(Boolean).join(' ') },
      v(
        'div.step',
        {
          data: { move: key },
          class: study.node.moves.join('') === this.node.moves.join('') + key && 'here',
        },
        !rules.look(after).over && v('button', { tabindex: -1, ...label }),
        step({ class: 'move', 'aria-label': said }, line),
        v('span.value', { class: lossClass((best ?? row.value) - row.value) }, disc(value, true)),
        v('span.proof', mark(row.proof)),
        v('span.outcome', outcome),
        each('span.pv', pv, (_, at) => step({}, [...line, ...pv.slice(0, at + 1)])),
        end.over && v('span.muted', `${end.black}–${end.white}`),
      ),
      isOpen && v('ul', this.#moves(after, line)),
    );
  }

  /** How many moves win, or keep the best result. */
  get #sentence() {
    const { t, values } = this.app;
    const scores = values.exact(this.node.position);
    if (!scores) return t(this.isDone === null ? 'solution.stopped' : 'solution.searching');
    const best = Math.max(...Object.values(scores));
    const name = ['loses', 'draws', 'wins'][Math.sign(best) + 1];
    return t(`solution.${name}`, { n: winners(scores), of: Object.keys(scores).length });
  }

  /** What the card of the lines shows. */
  get content() {
    const { isDone } = this;
    const [name, press] = isDone === null ? ['continue', () => this.open()] : ['stop', () => this.stop()];
    return [
      v('p', v('b', this.#sentence), !isDone && button(this.app.t(`do.${name}`), press, { key: name })),
      v(
        'ul.solution',
        { 'aria-label': this.app.t('solution.title'), 'aria-busy': isDone === false },
        this.#moves(this.node.position, []),
      ),
    ];
  }
}
