// A puzzle on the board. A move is judged at once, with its loss. After a wrong move the line that refutes it is played and listed. The
// solution is one press away, and is shown at once after a right move.

import { button } from '../base/dom.js';
import { disc, lossSize } from '../base/format.js';
import { emptyCount, forBlack, sideOf } from '../base/position.js';
import { readMarks } from '../model/marks.js';
import { isGoodEnough } from '../model/practice.js';
import { dueCount } from '../model/review.js';
import { Tree } from '../model/tree.js';
import { PlayedLine } from '../panels/played-line.js';
import { Solution } from '../panels/solution.js';
import { Exercise } from './exercise.js';

/** Most empty squares of a position whose solution is searched to the end of the game. */
const MAX_SOLVED_EMPTIES = 22;
const MAX_REPLY_PLIES = 6;

/** With `review`, the next puzzle is the next step of the review.
 *  @typedef {{ puzzle: Puzzle, review?: boolean }} PuzzleSetup */

/** @param {App} app @param {PuzzleSetup} setup */
export async function create(app, { puzzle, review = false }, Kind = PuzzleMode) {
  const { modes, panels, study } = app;
  const panel = /** @type {PuzzlesPanel} */ (await panels.get('puzzles'));
  const game = modes.current?.game ?? { tree: study.tree, node: study.node };
  const tree = new Tree(app.rules, puzzle.position, puzzle.told === undefined ? {} : { ask: 'best' });
  if (puzzle.told) tree.root.comment = puzzle.told;
  app.loadTree(tree);
  return Object.assign(new Kind(app, puzzle, panel), { review, game });
}

export class PuzzleMode extends Exercise {
  played = /** @type {PlayedLine | null} */ (null);
  /** The judged move. @type {{ move: string, right: boolean } | null} */
  verdict = null;
  /** The id of the mode. */
  kind = 'puzzle';
  /** A step of the review. */
  review = false;
  showsMarks = true;
  /** The line that refutes a wrong move. @type {PlayedLine | null} */
  #refutation = null;

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
    this.app.notices.say(this.sentence);
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
    else if (this.played) this.#show(null);
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

  /** The loss of the judged move by all searches so far, that of a right one if it is proven, as text. '' if nothing is lost. */
  get #lost() {
    const { puzzle, t, verdict } = this;
    const cost = verdict && this.app.values.cost(puzzle.position, verdict.move);
    if (!verdict || (verdict.right && !cost?.exact)) return '';
    const lost = cost ? lossSize(cost, t) : '–';
    return lost === '0' ? '' : lost;
  }

  /** The wrong move with its loss. */
  get tag() {
    return this.#lost && this.t('learn.loses', { move: this.verdict?.move ?? '', v: this.#lost });
  }

  get answer() {
    const { t, values, words } = this.app;
    const { position } = this.puzzle;
    const { move } = /** @type {{ move: string, right: boolean }} */ (this.verdict);
    const at = values.value(position);
    const value = at ? disc(forBlack(at.value, sideOf(position)), at.exact) : '–';
    if (this.#lost)
      return t('puzzles.wrong', { bests: words.either(values.best(position, at?.move)), value });
    return t(values.cost(position, move)?.exact ? 'puzzles.right' : 'puzzles.good', { move, value });
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
    const line = this.#refutation;
    const isSolution = { 'aria-pressed': String(!this.played) };
    const turn = () => {
      if (!this.played) return this.#show(line);
      if (this.solution) return this.#show(null);
      return this.app.study.go(this.app.study.tree.root);
    };
    return [
      line && button(this.t('solution.title'), turn, isSolution),
      this.verdict && button(this.t('puzzles.again'), () => this.again()),
      this.puzzle.told === undefined &&
        button(this.t('puzzles.next'), () => this.next(), { class: this.verdict ? 'solid' : 'plain' }),
      button(this.t('do.end'), () => this.leave()),
    ];
  }

  again() {
    const { puzzle, review } = this;
    this.app.modes.begin(this.kind, { puzzle, review });
  }

  press(move) {
    if (this.verdict) return this.played !== null;
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
    const { position } = app.playMove(move);
    // With many empty squares, the analysis of the board takes the place of the solution.
    const isSolved = emptyCount(this.puzzle.position) <= MAX_SOLVED_EMPTIES;
    this.quiet = isSolved || !right;
    this.settle(move, right);
    if (isSolved) this.solve(app.study.tree.root, right ? [] : [move]);
    if (!right) this.#refute(move, position);
  }

  /** Shows the verdict and stores it. @param {string} move @param {boolean} right */
  settle(move, right) {
    this.verdict = { move, right };
    // The question of a link is answered, and is no puzzle of the user.
    if (this.puzzle.told === undefined) this.puzzles.note(this.puzzle, right);
    this.hide = false;
    this.setStage(right ? 'right' : 'wrong');
  }

  /** Shows the solution of a position, with the answers to the moves of `line`. While it is searched, the position on the board is not
   *  analyzed. @param {TreeNode} node @param {string[]} line */
  solve(node, line) {
    const solution = new Solution(this.app, node, () => {
      this.quiet = solution.isDone === false || this.played !== null;
      this.app.modes.changed.send();
    });
    this.judge.stop();
    Object.assign(this, { solution, judge: solution.judge });
    solution.open(line);
  }

  /** Shows the wrong move, then the line that refutes it, when the answer to the move is known or the search for it has ended.
   *  @param {string} move @param {string} after the position after it */
  #refute(move, after) {
    const { app, puzzle } = this;
    const line = (/** @type {string[]} */ reply) => {
      this.#refutation = new PlayedLine(app, puzzle.position, [move, ...reply]);
      return this.#refutation;
    };
    this.#show(line([]));
    this.playSteps(() => {
      const reply = app.values.reply(after).slice(0, MAX_REPLY_PLIES);
      if (reply.length === 0 && this.solution?.isDone === false) return true;
      const whole = line(reply);
      if (this.played) this.#show(whole);
      return false;
    });
  }

  /** Plays a line from its start, or shows the solution instead. @param {PlayedLine | null} line */
  #show(line) {
    clearTimeout(this.played?.timer);
    this.played = line;
    this.quiet = line !== null || this.solution?.isDone === false;
    this.app.modes.changed.send();
    if (line) line.show(0, true);
    else this.update();
  }
}
