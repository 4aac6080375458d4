// A puzzle on the board. A move is judged at once, with its loss. After a wrong move the refutation is played. Then the solution is
// shown.

import { button } from '../base/dom.js';
import { disc, lossSize } from '../base/format.js';
import { emptyCount, forBlack, sideOf } from '../base/position.js';
import { readMarks } from '../model/marks.js';
import { isGoodEnough } from '../model/practice.js';
import { dueCount } from '../model/review.js';
import { Tree } from '../model/tree.js';
import { Solution } from '../panels/solution.js';
import { Exercise } from './exercise.js';

/** With `review`, the next puzzle is the next step of the review.
 *  @typedef {{ puzzle: Puzzle, panel: PuzzlesPanel, review?: boolean }} PuzzleSetup */

/** @param {App} app @param {PuzzleSetup} setup */
export async function create(app, setup, Kind = PuzzleMode) {
  const { modes, study } = app;
  const { puzzle, panel } = setup;
  const game =
    modes.current instanceof PuzzleMode ? modes.current.game : { tree: study.tree, node: study.node };
  const tree = new Tree(app.rules, puzzle.position, puzzle.told === undefined ? {} : { ask: 'best' });
  if (puzzle.told) tree.root.comment = puzzle.told;
  app.loadTree(tree);
  return Object.assign(new Kind(app, puzzle, panel), { ...setup, game });
}

export class PuzzleMode extends Exercise {
  /** The judged move. @typedef {{ move: string, right: boolean }} Verdict */
  /** @type {Verdict | null} */
  verdict = null;
  /** The game that returns to the board. @type {{ tree: Tree, node: TreeNode } | null} */
  game = null;
  /** The id of the mode. */
  kind = 'puzzle';
  /** A step of the review. */
  review = false;
  showsMarks = true;
  /** The solution of the puzzle, once it is answered. @type {Solution | null} */
  solution = null;

  /** @param {App} app @param {Puzzle} puzzle @param {PuzzlesPanel} panel */
  constructor(app, puzzle, panel) {
    super(app);
    this.panel = panel;
    this.puzzles = panel.puzzles;
    this.puzzle = puzzle;
    /** The side of the user, from which values are shown. */
    this.colour = sideOf(puzzle.position);
  }

  start() {
    super.start();
    const { position, scores } = this.puzzle;
    if (scores) this.app.values.prove(position, scores);
    else this.judge.ask([position]);
  }

  enter(target) {
    return !target.closest('[role=gridcell]') && super.enter(target);
  }

  next() {
    const { app, puzzle, verdict } = this;
    if (this.review) app.modes.begin('review', { puzzle, right: verdict?.right ?? null });
    else this.another();
    return true;
  }

  /** Opens another puzzle. */
  another() {
    this.panel.next();
  }

  /** Ends the puzzle, and brings the game back. */
  leave() {
    const { app, game } = this;
    super.leave();
    if (game) app.study.load(game.tree, game.node, 'undo.load');
    return true;
  }

  moved(what) {
    // Another game was opened.
    if (what === 'load') this.app.modes.leave();
  }

  get sentence() {
    if (this.stage === 'judging') return this.t('puzzles.judging');
    if (this.unjudged) return this.t('puzzles.unjudged');
    if (this.stage === 'wait')
      return this.t('trainer.wait', { side: this.sideName(this.app.study.position) });
    return this.verdict ? this.answer : this.question;
  }

  get question() {
    const told = readMarks(this.puzzle.told ?? '').text;
    return told || this.t('puzzles.find', { side: this.sideName(this.puzzle.position) });
  }

  get answer() {
    const { t, values } = this.app;
    const { position } = this.puzzle;
    const { move, right } = /** @type {Verdict} */ (this.verdict);
    const cost = values.cost(position, move);
    const at = values.value(position);
    const value = at ? disc(forBlack(at.value, sideOf(position)), at.exact) : '–';
    if (right) return t(cost?.exact ? 'puzzles.right' : 'puzzles.good', { move, value });
    return t('puzzles.wrong', { move, loss: cost ? lossSize(cost, t) : '–', bests: this.#bests, value });
  }

  get #bests() {
    const { values } = this.app;
    const { position } = this.puzzle;
    const exact = values.exact(position);
    if (!exact) return values.value(position)?.move ?? '–';
    const best = Math.max(...Object.values(exact));
    return Object.keys(exact)
      .filter((move) => exact[move] === best)
      .join(', ');
  }

  get detail() {
    if (this.verdict) return '';
    const { t, number } = this.app.words;
    const left = t('puzzles.left', { n: emptyCount(this.puzzle.position) });
    if (this.puzzle.told !== undefined) return left;
    const { all, solved } = this.puzzles.counts;
    const progress = this.review
      ? t('review.left', { n: dueCount(this.app) })
      : t('puzzles.of', { solved: number(solved), all: number(all) });
    return `${left} · ${progress}`;
  }

  get buttons() {
    return [
      this.verdict && button(this.t('puzzles.again'), () => this.again()),
      this.puzzle.told === undefined &&
        button(this.t('puzzles.next'), () => this.next(), { class: this.verdict ? 'solid' : 'plain' }),
      button(this.t('do.end'), () => this.leave()),
    ];
  }

  again() {
    const { panel, puzzle, review } = this;
    this.app.modes.begin(this.kind, { panel, puzzle, review });
  }

  press(move) {
    if (this.verdict) return false;
    const { position, scores } = this.puzzle;
    if (this.stage === 'judging' || !this.app.rules.isLegal(position, move)) return true;
    if (scores && Object.hasOwn(scores, move)) this.#settle(move, this.app.values.cost(position, move));
    else {
      this.setStage('judging');
      this.judgeMove(position, move, (cost) => (cost ? this.#settle(move, cost) : this.askAgain()));
    }
    return true;
  }

  /** @param {string} move @param {Loss | null} cost */
  #settle(move, cost) {
    const { app } = this;
    const right = cost !== null && (cost.exact ? cost.loss === 0 : isGoodEnough(cost, 0));
    delete app.study.tree.tags.ask;
    const line = this.replyTo(app.rules.play(this.puzzle.position, move).position);
    app.playMove(move);
    this.settle(move, right);
    this.solve(app.study.tree.root, right ? [] : [move]);
    if (!right) this.#refute(line);
  }

  /** Shows the verdict and stores it. @param {string} move @param {boolean} right */
  settle(move, right) {
    this.verdict = { move, right };
    // The question of a link is answered, and is no puzzle of the user.
    if (this.puzzle.told === undefined) this.puzzles.note(this.puzzle, right);
    this.hide = false;
    this.textClass = right ? '' : 'wrong';
    this.setStage(right ? 'right' : 'wrong');
  }

  /** Shows the solution of a position, with the answers to the moves of `line`. While it is searched, the position on the board is not
   *  analyzed. @param {TreeNode} node @param {string[]} line */
  solve(node, line) {
    const solution = new Solution(this.app, node, () => {
      this.quiet = solution.isDone === false;
      this.app.modes.changed.send();
    });
    this.judge.stop();
    Object.assign(this, { solution, judge: solution.judge });
    solution.open(line);
  }

  /** Plays the engine's answer in the game, as soon as there is one. @param {string[]} line */
  #refute(line) {
    const { app } = this;
    const from = app.study.node;
    let at = from;
    this.playSteps(() => {
      if (app.modes.current !== this || app.study.node !== at) return false;
      // Scores of a puzzle have no lines: the analysis that starts now finds one soon.
      if (at === from && line.length === 0) line.push(...this.replyTo(from.position));
      const move = line.shift();
      if (!move || !app.rules.isLegal(at.position, move)) return at === from && !app.analysis.done;
      at = app.playMove(move);
      return true;
    });
  }
}
