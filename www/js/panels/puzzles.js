// Puzzles: positions with the exact score of every move, and the mistakes met in one's own games. A
// move is judged at once with its loss; where it was wrong the refutation is played out.

import { h } from '../base/dom.js';
import { Tree } from '../model/tree.js';
import { answered, judge, pick } from '../model/practice.js';
import { barButton, hideBar, showBar } from '../modes/bar.js';
import { disc } from '../base/format.js';
import { emptyCount, sideOf } from '../base/position.js';

const STEP_MS = 900;
const REFUTATION_PLIES = 6;
/** A refutation is shown from this depth on. */
const REFUTATION_DEPTH = 10;

export class Puzzles {
  constructor(root, words, app) {
    Object.assign(this, { root, words, app });
    this.progress = new Map();
    this.own = [];
    this.suite = null;
  }

  /** Reads the suite and what is kept, once. */
  load() {
    this.loading ??= (async () => {
      const [suite, kept] = await Promise.all([
        fetch(new URL('../../data/puzzles.json', import.meta.url)).then((answer) => answer.json()).catch(() => []),
        this.app.store.all('puzzles'),
      ]);
      this.suite = suite.map(([position, scores]) => ({ id: position, position, scores }));
      for (const [id, value] of kept) {
        if (Number.isFinite(value?.box)) this.progress.set(id, value);
        if (value?.own) this.own.push({ id, position: id, scores: value.scores ?? null, own: true });
      }
    })();
    return this.loading;
  }

  /** Keeps mistakes of one's own as puzzles, each with `scores` where they are exact. */
  async addOwn(puzzles) {
    await this.load();
    const known = new Set(this.own.map(({ id }) => id));
    for (const puzzle of puzzles.filter(({ id }) => !known.has(id))) {
      const { id, scores } = puzzle;
      this.own.push(puzzle);
      const before = this.progress.get(id) ?? { box: 0, due: 0, tries: 0, right: 0, last: 0 };
      this.progress.set(id, before);
      this.app.store.write('puzzles', id, { ...before, own: true, scores });
    }
  }

  async draw() {
    await this.load();
    const { t } = this.words;
    const now = Date.now();
    const kept = [...this.progress.values()];
    const solved = kept.filter(({ box }) => box >= 2).length;
    const weak = kept.filter(({ box, tries }) => box < 2 && tries > 0).length;
    const current = this.app.mode?.puzzle ? this.app.mode : null;
    this.root.replaceChildren(
      h(
        'div',
        { class: 'pad puzzle' },
        h('p', { class: 'muted', text: t('puzzles.intro') }),
        current && h('div', { class: `verdict ${current.verdict?.right === false ? 'wrong' : ''}`, role: 'status', text: current.verdictWords }),
        h(
          'div',
          { class: 'under' },
          h('button', { type: 'button', class: 'solid', text: t(current ? 'puzzles.next' : 'puzzles.start'), onclick: () => this.next() }),
          this.own.length > 0 && h('button', { type: 'button', class: 'plain', text: t('puzzles.own', { n: this.own.length }), onclick: () => this.next(this.own) }),
        ),
        h(
          'table',
          { class: 'figs' },
          h('tbody', null, [['puzzles.all', this.suite.length + this.own.length], ['puzzles.seen', kept.filter(({ tries }) => tries > 0).length], ['puzzles.solved', solved], ['puzzles.weak', weak], ['puzzles.due', kept.filter(({ due, tries }) => tries > 0 && due <= now).length]].map(([key, n]) => h('tr', null, h('th', { scope: 'row', text: t(key) }), h('td', { text: this.words.number(n) })))),
        ),
      ),
    );
  }

  async next(from = null) {
    await this.load();
    const pool = from ?? [...this.own.filter(({ id }) => (this.progress.get(id)?.due ?? 0) <= Date.now()), ...this.suite];
    const puzzle = pick(pool, this.progress, Date.now(), this.app.mode?.puzzle?.id);
    if (puzzle) this.open(puzzle);
  }

  /** Sets a puzzle on the board. */
  open(puzzle) {
    const tree = new Tree(this.app.rules, puzzle.position);
    this.app.loadTree(tree);
    this.app.enterMode(new PuzzleMode(this.app, this, puzzle));
    this.app.tabs.show('puzzles');
    this.draw();
  }

  note(puzzle, right) {
    const after = answered(this.progress.get(puzzle.id) ?? null, right, Date.now());
    this.progress.set(puzzle.id, after);
    this.app.store.write('puzzles', puzzle.id, { ...after, own: puzzle.own ?? false, scores: puzzle.own ? puzzle.scores : undefined });
  }
}

/** The board while a puzzle is on it. */
class PuzzleMode {
  constructor(app, puzzles, puzzle) {
    Object.assign(this, { app, puzzles, puzzle });
    this.hide = true;
    this.empty = 'empty.puzzle';
    // Where every score is known nothing has to be searched until the move is judged.
    this.quiet = puzzle.scores !== null;
    this.verdict = null;
    this.#bar();
  }

  get #side() {
    return this.app.words.t(sideOf(this.puzzle.position) === 'X' ? 'black' : 'white');
  }

  get message() {
    return this.verdict ? null : this.app.words.t('puzzles.find', { side: this.#side });
  }

  get verdictWords() {
    const { t } = this.app.words;
    if (this.waiting) return t('puzzles.judging');
    if (!this.verdict) return t('puzzles.task', { side: this.#side, empties: emptyCount(this.puzzle.position) });
    const { move, right, loss, best, exact } = this.verdict;
    if (right) return t(exact ? 'puzzles.right' : 'puzzles.good', { move, value: disc(best, exact) });
    return t(exact ? 'puzzles.wrong' : 'puzzles.poor', { move, loss: exact ? loss : Math.round(loss * 10) / 10, bests: this.verdict.bests.join(', '), value: disc(best, exact) });
  }

  #bar() {
    const { t } = this.app.words;
    showBar(
      h('span', { text: t('puzzles.bar', { side: this.#side }) }),
      h('span', { class: 'sp' }),
      this.verdict && barButton(t('puzzles.again'), () => this.puzzles.open(this.puzzle)),
      barButton(t('puzzles.next'), () => this.puzzles.next(), { class: this.verdict ? 'solid' : 'plain' }),
      barButton(t('match.end'), () => this.app.leaveMode()),
    );
  }

  press(move) {
    const { app } = this;
    if (this.verdict) {
      if (app.rules.isLegal(app.study.position, move)) app.playMove(move);
      return;
    }
    if (this.waiting || !app.rules.isLegal(this.puzzle.position, move)) return;
    const { scores } = this.puzzle;
    if (scores && move in scores) this.#settle(move, scores, true);
    else this.#wait(move);
  }

  /** A position without known scores: the engine judges, once it has looked at every move. */
  #wait(move) {
    this.waiting = true;
    this.quiet = false;
    this.app.analyse();
    this.puzzles.draw();
    this.ticker = setInterval(() => {
      const evaluation = this.app.evaluations.get(this.puzzle.position);
      const { settled } = evaluation;
      if (!settled || settled.level < REFUTATION_DEPTH) return;
      clearInterval(this.ticker);
      this.waiting = false;
      const scores = Object.fromEntries([...evaluation.rows.values()].map((row) => [row.move, row.value]));
      this.#settle(move, scores, settled.exact);
    }, 100);
  }

  #settle(move, scores, exact) {
    const { app } = this;
    const { loss, best } = judge(scores, move);
    const right = exact ? loss === 0 : loss < 0.5;
    const bests = Object.keys(scores).filter((other) => scores[other] === best);
    this.verdict = { move, right, loss, best, exact, bests };
    this.puzzles.note(this.puzzle, right);
    this.hide = false;
    this.quiet = false;
    this.#bar();
    app.playMove(move);
    app.notices.say(this.verdictWords);
    this.puzzles.draw();
    if (!right) this.#refute();
  }

  /** Plays the engine's answer out, one move at a time, once it has one. */
  #refute() {
    const { app } = this;
    const from = app.study.node;
    let line = null;
    let at = from;
    let plies = 0;
    this.ticker = setInterval(() => {
      if (app.mode !== this || app.study.node !== at || plies >= REFUTATION_PLIES) {
        clearInterval(this.ticker);
        return;
      }
      const best = app.rows(from.position).sorted[0];
      if (!line && best && (best.proof.level >= REFUTATION_DEPTH || app.analysis.done)) line = [...best.pv];
      const move = line?.shift();
      if (line && !move) {
        clearInterval(this.ticker);
        return;
      }
      if (!move || !app.rules.isLegal(at.position, move)) return;
      plies++;
      at = app.playMove(move);
    }, STEP_MS);
  }

  end() {
    clearInterval(this.ticker);
    hideBar();
  }
}
