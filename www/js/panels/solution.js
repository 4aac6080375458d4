// The solution of a position as a tree, in place of the lines: the moves of a position with their values, and below each opened move
// the answers to it. Only proven values are shown: the moves of opened positions are searched to the end of the game, one position at a
// time.

import { $$, button, v } from '../base/dom.js';
import { disc, isExact, lossClass, mark, spoken } from '../base/format.js';
import { sideOf } from '../base/position.js';
import { MoveJudge } from '../engine/searches.js';
import { statesOf } from '../model/rules.js';

/** All moves of a position. */
const ALL = 64;
/** A move whose value is proven. */
const ITEM = '[role=treeitem][tabindex]';

export class Solution {
  /** The positions of opened moves, by the moves that lead to them. @type {Map<string, string>} */
  #opened = new Map();
  /** The move with the tab stop. */
  #focused = '';
  /** All opened positions are solved; `null` if the search was stopped. @type {boolean | null} */
  isDone = false;

  /** @param {App} app @param {TreeNode} node of the position @param {() => void} changed the search started or ended */
  constructor(app, node, changed) {
    this.app = app;
    this.node = node;
    this.changed = changed;
    this.judge = new MoveJudge(app, ALL);
  }

  /** Opens the moves of a line, and searches what is not solved: the last position first. @param {string[]} line */
  open(line = []) {
    const states = statesOf(this.app.rules, this.node.position, line);
    for (const [i, { position }] of states.entries())
      this.#opened.set(line.slice(0, i + 1).join(''), position);
    this.search();
  }

  search() {
    this.isDone = false;
    this.changed();
    this.judge.ask([...this.#opened.values()].reverse().concat(this.node.position), (known) => {
      this.isDone = known || null;
      this.changed();
    });
  }

  stop() {
    this.judge.stop();
    this.isDone = null;
    this.changed();
  }

  /** The moves of a position with proven values, the best first; then the others. @param {string} position */
  #rows(position) {
    const { rules, values } = this.app;
    const { sorted } = values.rows(position, false);
    const proven = sorted.filter(({ proof }) => isExact(proof)).sort((a, b) => b.value - a.value);
    const others = rules.moves(position).filter((move) => !proven.some((row) => row.move === move));
    return { proven, others, best: others.length === 0 ? (proven[0]?.value ?? null) : null };
  }

  /** How many moves win, or keep the best result. */
  get #sentence() {
    const { t } = this.app;
    const { proven, best } = this.#rows(this.node.position);
    if (best === null) return t(this.isDone === null ? 'solution.stopped' : 'solution.searching');
    const n = proven.filter(({ value }) => (best > 0 ? value > 0 : value === best)).length;
    return t(`solution.${best > 0 ? 'wins' : best === 0 ? 'draws' : 'loses'}`, { n, of: proven.length });
  }

  /** The expected moves after a move to the end of the game, and the result. @param {Row} row @param {string} after */
  #lineOf(row, after) {
    const { rules, values } = this.app;
    const { best } = values.rows(after, false);
    const moves = row.pv.length > 1 ? row.pv.slice(1) : isExact(best?.proof) ? (best?.pv ?? []) : [];
    const states = statesOf(rules, after, moves);
    const end = rules.look(states.at(-1)?.position ?? after);
    return { moves: states.map(({ move }) => move), result: end.over ? `${end.black}–${end.white}` : '' };
  }

  /** Shows the board after a line. @param {string[]} line */
  #show(line) {
    this.app.study.go(this.node);
    this.app.playLine(line);
  }

  /** @param {string[]} line @param {string} after the position after it */
  #toggle(line, after) {
    const key = line.join('');
    this.#focused = key;
    if (this.#opened.delete(key)) this.app.painter.now();
    else if (!this.app.rules.look(after).over) this.open(line);
  }

  /** @param {string} position @param {string[]} line that leads to it @returns {any[]} */
  #items(position, line) {
    const { proven, others, best } = this.#rows(position);
    const pending = (/** @type {string} */ move) =>
      v(
        'li',
        { role: 'treeitem', key: move, 'aria-level': line.length + 1 },
        v('div.step', v('span.move', move), '…'),
      );
    return [...proven.map((row) => this.#item(position, row, line, best)), ...others.map(pending)];
  }

  /** @param {string} position @param {Row} row @param {string[]} before @param {number | null} best */
  #item(position, row, before, best) {
    const { perspective, rules, study, t, words } = this.app;
    const { move, proof } = row;
    const line = [...before, move];
    const key = line.join('');
    const after = rules.play(position, move).position;
    const isOpen = this.#opened.has(key);
    const side = sideOf(position);
    const value = perspective.sign(side) * row.value;
    const own = side === sideOf(this.node.position) ? row.value : -row.value;
    const outcome = t(`solution.${own > 0 ? 'win' : own < 0 ? 'loss' : 'draw'}`);
    const isBest = best !== null && row.value === best;
    const isHere =
      study.node.path
        .slice(this.node.path.length)
        .map(({ move }) => move)
        .join('') === key;
    const { moves, result } = this.#lineOf(row, after);
    const step = (/** @type {string} */ name, /** @type {number} */ at) =>
      v('button', { tabindex: -1, onclick: () => this.#show([...line, ...moves.slice(0, at + 1)]) }, name);
    const said = [move, spoken(value, true, words), t('engine.exact'), outcome, isBest && t('say.best')];
    return v(
      'li',
      {
        role: 'treeitem',
        key: move,
        tabindex: this.#focused === key ? 0 : -1,
        'aria-level': line.length,
        'aria-label': said.filter(Boolean).join(', '),
        'aria-expanded': rules.look(after).over ? null : String(isOpen),
        'aria-current': isHere ? 'step' : null,
        class: [isBest && 'best', isOpen && 'open'].filter(Boolean).join(' ') || null,
        onfocus: () => {
          this.#focused = key;
        },
        onkeydown: (/** @type {KeyboardEvent} */ event) => this.#key(event, line, after),
      },
      v(
        'div.step',
        v('button.twist', { tabindex: -1, 'aria-hidden': 'true', onclick: () => this.#toggle(line, after) }),
        v('button.move', { tabindex: -1, onclick: () => this.#show(line) }, move),
        v('span.value', { class: lossClass((best ?? row.value) - row.value) }, disc(value, true)),
        v('span.proof', mark(proof)),
        v('span.outcome', outcome),
        v('span.pv', moves.map(step), result && v('span.muted', result)),
      ),
      isOpen && v('ul', { role: 'group' }, this.#items(after, line)),
    );
  }

  /** The keys of a tree: up and down, right opens, left closes, Enter shows the board.
   *  @param {KeyboardEvent} event @param {string[]} line @param {string} after */
  #key(event, line, after) {
    const { altKey, code, ctrlKey, metaKey, key } = event;
    if (altKey || ctrlKey || metaKey) return;
    const here = /** @type {HTMLElement} */ (event.currentTarget);
    const tree = /** @type {HTMLElement} */ (here.closest('[role=tree]'));
    const all = $$(ITEM, tree);
    const isOpen = this.#opened.has(line.join(''));
    const go = (/** @type {Element | null | undefined} */ item) =>
      /** @type {HTMLElement | null | undefined} */ (item)?.focus();
    const inner = () => (isOpen ? go(here.querySelector(ITEM)) : this.#toggle(line, after));
    const outer = () => (isOpen ? this.#toggle(line, after) : go(here.parentElement?.closest(ITEM)));
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowUp: () => go(all[all.indexOf(here) - 1]),
      ArrowDown: () => go(all[all.indexOf(here) + 1]),
      ArrowRight: inner,
      ArrowLeft: outer,
      Home: () => go(all[0]),
      End: () => go(all.at(-1)),
      Enter: () => this.#show(line),
    };
    const run = keys[key === 'Enter' ? key : code];
    if (!run) return;
    event.preventDefault();
    event.stopPropagation();
    run();
  }

  /** What the card of the lines shows. */
  get content() {
    const { t } = this.app;
    const first = this.#rows(this.node.position).proven[0]?.move;
    this.#focused ||= first ?? '';
    const { isDone } = this;
    return [
      v(
        'p.solution-head',
        v('span', this.#sentence),
        isDone === false && button(t('do.stop'), () => this.stop(), { key: 'stop' }),
        isDone === null && button(t('do.continue'), () => this.search(), { key: 'continue' }),
      ),
      v(
        'ul.solution',
        { role: 'tree', 'aria-label': t('solution.title'), 'aria-busy': isDone === false },
        this.#items(this.node.position, []),
      ),
    ];
  }
}
