// A puzzle on the board: a move is judged at once with its loss; where it was wrong the refutation is played out.

import { h } from '../base/dom.js';
import { disc, lossSize } from '../base/format.js';
import { emptyCount, forBlack, sideOf } from '../base/position.js';
import { isGoodEnough } from '../model/practice.js';
import { Tree } from '../model/tree.js';
import { barButton } from './bar.js';
import { Judge, replyTo } from './judge.js';
import { attachKeys } from './keys.js';
import { Mode } from './mode.js';

const STEP_MS = 900;
const REFUTATION_PLIES = 6;
/** How often the engine's state is looked at. */
const LOOK_MS = 300;

/** @param {App} app @param {{ puzzle: Puzzle, panel: PuzzlesPanel }} setup */
export async function create(app, { puzzle, panel }) {
  app.studyActions.loadTree(new Tree(app.rules, puzzle.position));
  return new PuzzleMode(app, puzzle, panel);
}

export class PuzzleMode extends Mode {
  hide = true;
  quiet = true;
  usesEngine = true;
  empty = 'empty.puzzle';
  /** The move that was played, and whether it was right; its loss is the page's. @type {{ move: string, right: boolean } | null} */
  verdict = null;
  /** Whether the engine has yet to judge the move that was played. */
  waiting = false;
  /** The engine could not judge the move. */
  #unjudged = false;

  /** @param {App} app @param {Puzzle} puzzle @param {PuzzlesPanel} panel */
  constructor(app, puzzle, panel) {
    super(app);
    this.panel = panel;
    this.puzzle = puzzle;
    this.judge = new Judge(app);
  }

  start() {
    const { app, puzzle } = this;
    this.stopKeys = attachKeys(app, {
      Escape: () => this.#leave(),
      Enter: (target) => this.verdict !== null && !target.closest('[role=gridcell]') && this.#next(),
      KeyN: () => this.#next(),
    });
    this.ticker = setInterval(() => this.judge.look(), LOOK_MS);
    this.draw();
    if (puzzle.scores) app.scores.prove(puzzle.position, puzzle.scores);
    else this.judge.prepare([puzzle.position]);
  }

  #leave() {
    this.app.modes.leave();
    return true;
  }

  #next() {
    this.panel.next();
    return true;
  }

  resume() {
    this.judge.resume();
  }

  get #side() {
    return this.app.words.t(sideOf(this.puzzle.position) === 'X' ? 'black' : 'white');
  }

  get message() {
    return this.verdict ? null : this.app.words.t('puzzles.find', { side: this.#side });
  }

  get verdictWords() {
    const { scores, words } = this.app;
    const { t } = words;
    const { position } = this.puzzle;
    if (this.waiting) return t('puzzles.judging');
    if (this.#unjudged) return t('puzzles.unjudged');
    if (!this.verdict) return t('puzzles.task', { side: this.#side, empties: emptyCount(position) });
    const { move, right } = this.verdict;
    const cost = scores.cost(position, move);
    const at = scores.value(position);
    const exact = cost?.exact ?? false;
    const value = at ? disc(forBlack(at.value, sideOf(position)), at.exact) : '–';
    if (right) return t(exact ? 'puzzles.right' : 'puzzles.good', { move, value });
    return t('puzzles.wrong', { move, loss: cost ? lossSize(cost, t) : '–', bests: this.#bests, value });
  }

  /** The best moves. */
  get #bests() {
    const { scores } = this.app;
    const { position } = this.puzzle;
    const exact = scores.exact(position);
    if (!exact) return scores.value(position)?.move ?? '–';
    const best = Math.max(...Object.values(exact));
    return Object.keys(exact)
      .filter((move) => exact[move] === best)
      .join(', ');
  }

  get notes() {
    const { t } = this.app.words;
    const { counts } = this.panel.puzzles;
    const told = Object.entries(counts).map(
      ([name, n]) => `${t(`puzzles.${name}`)} ${this.app.words.number(n)}`,
    );
    return [t('puzzles.left', { n: emptyCount(this.puzzle.position) }), told.join(' · ')];
  }

  get bar() {
    const { app, verdict } = this;
    const { t } = app.words;
    const told = verdict || this.waiting || this.#unjudged;
    return [
      h(
        'span',
        { class: verdict?.right === false ? 'told wrong' : 'told' },
        told ? this.verdictWords : t('puzzles.bar', { side: this.#side }),
      ),
      h(
        'span.choose',
        verdict && barButton(t('puzzles.again'), () => this.panel.open(this.puzzle)),
        barButton(t('puzzles.next'), () => this.panel.next(), { class: verdict ? 'solid' : 'plain' }),
        barButton(t('do.end'), () => app.modes.leave()),
      ),
    ];
  }

  press(move) {
    if (this.verdict) return false;
    const { app, puzzle } = this;
    const { position } = puzzle;
    if (this.waiting || !app.rules.isLegal(position, move)) return true;
    if (puzzle.scores && Object.hasOwn(puzzle.scores, move)) {
      this.#settle(move);
      return true;
    }
    this.waiting = true;
    this.#unjudged = false;
    this.#tell();
    this.judge.ask([position, app.rules.play(position, move).position], (known) => {
      this.waiting = false;
      if (known) this.#settle(move);
      else {
        this.#unjudged = true;
        this.#tell();
      }
    });
    return true;
  }

  /** Draws the bar and the panel. */
  #tell() {
    this.draw();
    this.app.notices.say(this.verdictWords);
    this.app.modes.changed.send();
  }

  #settle(move) {
    const { app } = this;
    const cost = app.scores.cost(this.puzzle.position, move);
    const right = cost !== null && (cost.exact ? cost.loss === 0 : isGoodEnough(cost, 0));
    this.verdict = { move, right };
    this.panel.puzzles.note(this.puzzle, right);
    const reply = replyTo(app, app.rules.play(this.puzzle.position, move).position);
    this.hide = false;
    this.quiet = false;
    app.studyActions.playMove(move);
    this.#tell();
    if (!right) this.#refute(reply);
  }

  /** Plays the engine's answer out, one move at a time, once it has one. @param {string[]} known */
  #refute(known) {
    const { app } = this;
    const from = app.study.node;
    let at = from;
    let line = known.slice(0, REFUTATION_PLIES);
    this.steps = setInterval(() => {
      if (app.modes.current !== this || app.study.node !== at) {
        clearInterval(this.steps);
        return;
      }
      // Scores of a puzzle come without lines: the analysis that begins now has one soon.
      if (at === from && line.length === 0) line = replyTo(app, from.position).slice(0, REFUTATION_PLIES);
      const move = line.shift();
      if (move && app.rules.isLegal(at.position, move)) at = app.studyActions.playMove(move);
      else if (at !== from || app.analysis.done) clearInterval(this.steps);
    }, STEP_MS);
  }

  /** Another position on the table is no puzzle. @param {Change} what */
  moved(what) {
    if (what === 'load') this.app.modes.leave();
  }

  end() {
    clearInterval(this.ticker);
    clearInterval(this.steps);
    this.stopKeys?.();
    this.judge.stop();
    super.end();
  }
}
