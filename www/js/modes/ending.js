// An ending of a game on the board: the user plays it to the end against exact answers. Then its result is compared with the best
// possible one, and the solutions of its positions are shown with their regions.

import { button, each } from '../base/dom.js';
import { disc, isExact } from '../base/format.js';
import { forBlack, sideOf } from '../base/position.js';
import { MoveJudge } from '../engine/searches.js';
import { winners } from '../model/endings.js';
import { create as createPuzzle, PuzzleMode } from './puzzle.js';

/** @typedef {import('./puzzle.js').PuzzleSetup & { own: boolean }} EndingSetup */

/** @param {App} app @param {EndingSetup} setup */
export const create = (app, setup) => createPuzzle(app, setup, EndingMode);

class EndingMode extends PuzzleMode {
  tellsPass = true;
  empty = 'empty.match';
  /** The ending is one of the user's games. */
  own = false;
  /** The position of the game. */
  head = this.app.study.node;
  judge = new MoveJudge(this.app, 1);
  #reply = 0;
  /** The moves of the user that lost discs, with the nodes after them. @type {{ node: TreeNode, loss: number }[]} */
  #losses = [];

  start() {
    super.start();
    this.#turn();
  }

  end() {
    clearTimeout(this.#reply);
    super.end();
  }

  get puzzles() {
    return this.panel.endings;
  }

  get #isAway() {
    return this.app.study.node !== this.head;
  }

  get onBoard() {
    return { waits: !this.verdict && (this.stage !== 'ask' || this.#isAway) };
  }

  get mayDelete() {
    return this.verdict !== null;
  }

  get overlay() {
    return this.verdict ? 'parity' : null;
  }

  undo() {
    return !this.verdict;
  }

  get message() {
    return this.verdict ? null : this.t('ending.play', { side: this.sideName(this.puzzle.position) });
  }

  get tag() {
    return this.verdict ? this.t(`ending.${this.verdict.move}`) : '';
  }

  get sentence() {
    const { position, scores } = this.puzzle;
    const { stage, t } = this;
    if (this.unjudged) return t('puzzles.unjudged');
    if (stage === 'wait') return t('trainer.wait', { side: this.sideName(this.head.position) });
    if (stage === 'judging') return t('puzzles.judging');
    if (!this.verdict) {
      const goal = scores && t('solution.wins', { n: winners(scores), of: Object.keys(scores).length });
      return [t('ending.play', { side: this.sideName(position) }), goal].filter(Boolean).join(' ');
    }
    return t('ending.result', { result: disc(this.#result, true), best: disc(this.#best, true) });
  }

  get #result() {
    return forBlack(this.app.rules.look(this.head.position).margin, this.colour);
  }

  /** The best possible result. */
  get #best() {
    const point = this.app.values.value(this.puzzle.position);
    return point ? forBlack(point.value, this.colour) : 0;
  }

  get bar() {
    const loss = (/** @type {{ node: TreeNode, loss: number }} */ { node, loss }) =>
      button(`${node.move} ${disc(-loss, true)}`, () => this.#review(node), {
        key: node.at,
        'aria-current': this.solution?.node === node.parent ? 'step' : null,
      });
    const steps = this.#losses.length > 0 && each('span.steps', this.#losses, loss);
    return [...super.bar, steps].filter(Boolean);
  }

  get buttons() {
    return [
      this.unjudged && button(this.t('learn.again'), () => this.resume(), { class: 'solid' }),
      !this.verdict &&
        this.#isAway &&
        button(this.t('match.toNow'), () => this.app.study.go(this.head), { class: 'solid' }),
      ...super.buttons,
    ];
  }

  again() {
    const { app, panel, puzzle, own } = this;
    app.modes.begin('ending', { panel, puzzle, own });
  }

  next() {
    this.panel.nextEnding(this.own);
    return true;
  }

  press(move) {
    const { app, head } = this;
    if (this.verdict) return false;
    if (this.stage !== 'ask' || this.#isAway || !app.rules.isLegal(head.position, move)) return true;
    this.#play(move);
    return true;
  }

  /** @param {string} move */
  #play(move) {
    this.head = this.app.playMove(move);
    this.#turn();
  }

  /** The turn of a side: the value of its position is proven, and the engine answers. */
  #turn() {
    const { app, head } = this;
    const { position } = head;
    const { over, side } = app.rules.look(position);
    this.unjudged = false;
    if (over) return this.#finish();
    if (side === this.colour) {
      this.setStage('ask');
      return this.judge.ask([position]);
    }
    this.setStage('wait');
    return this.judge.ask([position], (known) => {
      const { best } = app.values.rows(position, false);
      if (!known || !best?.move || !isExact(best.proof)) {
        this.unjudged = true;
        return this.update();
      }
      this.#reply = setTimeout(() => {
        if (this.#isAway) app.study.go(head);
        this.#play(best.move);
      }, app.settings.get('pace'));
    });
  }

  resume() {
    clearTimeout(this.#reply);
    if (this.verdict) super.resume();
    else this.#turn();
  }

  /** The game is over: proves the values that are missing, and shows what the user lost. */
  #finish() {
    const { app, head } = this;
    const nodes = head.path.filter(({ position }) => !app.rules.look(position).over);
    this.setStage('judging');
    this.judge.ask(
      nodes.map(({ position }) => position),
      (known) => {
        if (!known) {
          this.unjudged = true;
          return this.update();
        }
        this.#losses = head.path.flatMap((node) => {
          if (!node.parent || sideOf(node.parent.position) !== this.colour) return [];
          const loss = app.values.cost(node.parent.position, node.move)?.loss ?? 0;
          return loss > 0 ? [{ node, loss }] : [];
        });
        const [result, best] = [this.#result, this.#best];
        const right = result >= best || (best > 0 && result > 0);
        this.verdict = { move: result >= best ? 'perfect' : right ? 'kept' : 'missed', right };
        this.puzzles.note(this.puzzle, right);
        this.hide = false;
        this.textClass = right ? '' : 'wrong';
        this.setStage(right ? 'right' : 'wrong');
        const [worst] = this.#losses.toSorted((a, b) => b.loss - a.loss);
        return this.#review(worst?.node ?? head.path[1]);
      },
    );
  }

  /** Shows the position before a move, and its solution. @param {TreeNode} node */
  #review(node) {
    this.app.study.go(node.parent);
    this.solve(node.parent, [node.move]);
    this.update();
  }
}
