// A puzzle on the board: a move is judged at once with its loss; where it was wrong the refutation is played out.

import { h } from '../base/dom.js';
import { disc } from '../base/format.js';
import { emptyCount, sideOf } from '../base/position.js';
import { judge } from '../model/practice.js';
import { Tree } from '../model/tree.js';
import { barButton, spring } from './bar.js';
import { Mode } from './mode.js';

const STEP_MS = 900;
const REFUTATION_PLIES = 6;
/** A refutation is shown from this depth on. */
const REFUTATION_DEPTH = 10;
/** How often a position without known scores is looked at. */
const LOOK_MS = 100;

/** @param {App} app @param {{ puzzle: Puzzle, panel: PuzzlesPanel }} setup */
export async function create(app, { puzzle, panel }) {
  app.table.loadTree(new Tree(app.rules, puzzle.position));
  return new PuzzleMode(app, puzzle, panel);
}

export class PuzzleMode extends Mode {
  hide = true;
  empty = 'empty.puzzle';
  /** What is said of the move that was played. @type {{ move: string, right: boolean, loss: number, best: number, exact: boolean, bests: string[] } | null} */
  verdict = null;
  /** Whether the engine has yet to judge the move that was played. */
  waiting = false;

  /** @param {App} app @param {Puzzle} puzzle @param {PuzzlesPanel} panel */
  constructor(app, puzzle, panel) {
    super(app);
    this.panel = panel;
    this.puzzle = puzzle;
    // Where every score is known nothing has to be searched until the move is judged.
    this.quiet = puzzle.scores !== null;
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
    if (!this.verdict)
      return t('puzzles.task', { side: this.#side, empties: emptyCount(this.puzzle.position) });
    const { move, right, loss, best, exact, bests } = this.verdict;
    if (right) return t(exact ? 'puzzles.right' : 'puzzles.good', { move, value: disc(best, exact) });
    return t(exact ? 'puzzles.wrong' : 'puzzles.poor', {
      move,
      loss: exact ? loss : Math.round(loss * 10) / 10,
      bests: bests.join(', '),
      value: disc(best, exact),
    });
  }

  get bar() {
    const { app, verdict } = this;
    const { t } = app.words;
    return [
      h('span', {
        class: verdict?.right === false ? 'said wrong' : 'said',
        text: verdict || this.waiting ? this.verdictWords : t('puzzles.bar', { side: this.#side }),
      }),
      spring(),
      verdict && barButton(t('puzzles.again'), () => this.panel.open(this.puzzle)),
      barButton(t('puzzles.next'), () => this.panel.next(), { class: verdict ? 'solid' : 'plain' }),
      barButton(t('do.end'), () => app.modes.leave()),
    ];
  }

  press(move) {
    if (this.verdict) return false;
    if (this.waiting || !this.app.rules.isLegal(this.puzzle.position, move)) return true;
    const { scores } = this.puzzle;
    if (scores && move in scores) this.#settle(move, scores, true);
    else this.#wait(move);
    return true;
  }

  /** A position without known scores: the engine judges, once it has looked at every move. */
  #wait(move) {
    this.waiting = true;
    this.quiet = false;
    this.draw();
    this.app.control.update();
    this.app.modes.changed.send();
    this.ticker = setInterval(() => {
      const evaluation = this.app.evaluations.get(this.puzzle.position);
      if (evaluation.level < REFUTATION_DEPTH) return;
      clearInterval(this.ticker);
      this.waiting = false;
      const exact = this.app.scores.exact(this.puzzle.position);
      const scores = Object.fromEntries([...evaluation.rows.values()].map((row) => [row.move, row.value]));
      this.#settle(move, exact ?? scores, exact !== null);
    }, LOOK_MS);
  }

  #settle(move, scores, exact) {
    const { app } = this;
    if (exact) app.scores.prove(this.puzzle.position, scores);
    const { loss, best } = judge(scores, move);
    const right = exact ? loss === 0 : loss < 0.5;
    const bests = Object.keys(scores).filter((other) => scores[other] === best);
    this.verdict = { move, right, loss, best, exact, bests };
    this.panel.puzzles.note(this.puzzle, right);
    this.hide = false;
    this.quiet = false;
    this.draw();
    app.table.playMove(move);
    app.notices.say(this.verdictWords);
    app.modes.changed.send();
    if (!right) this.#refute();
  }

  /** Plays the engine's answer out, one move at a time, once it has one. */
  #refute() {
    const { app } = this;
    const from = app.study.node;
    /** @type {string[] | null} */
    let line = null;
    let at = from;
    let plies = 0;
    this.ticker = setInterval(() => {
      if (app.modes.current !== this || app.study.node !== at || plies >= REFUTATION_PLIES) {
        clearInterval(this.ticker);
        return;
      }
      const best = app.scores.rows(from.position).sorted[0];
      if (!line && best && (best.proof.level >= REFUTATION_DEPTH || app.analysis.done)) line = [...best.pv];
      const move = line?.shift();
      if (line && !move) {
        clearInterval(this.ticker);
        return;
      }
      if (!move || !app.rules.isLegal(at.position, move)) return;
      plies++;
      at = app.table.playMove(move);
    }, STEP_MS);
  }

  end() {
    clearInterval(this.ticker);
    super.end();
  }
}
