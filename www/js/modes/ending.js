// An ending of a game on the board: the user plays it to the end against exact answers. Then its result is compared with the best
// possible one, and the solutions of its positions are shown with their regions.

import { button } from '../base/dom.js';
import { disc, isExact } from '../base/format.js';
import { forBlack, sideOf } from '../base/position.js';
import { MoveJudge } from '../engine/searches.js';
import { gradeOf } from '../model/endings.js';
import { create as createPuzzle, PuzzleMode } from './puzzle.js';

/** @param {App} app @param {import('./puzzle.js').PuzzleSetup} setup */
export const create = (app, setup) => createPuzzle(app, setup, EndingMode);

class EndingMode extends PuzzleMode {
  kind = 'ending';
  keepsGame = true;
  tellsPass = true;
  empty = 'empty.match';
  puzzles = this.panel.endings;
  judge = new MoveJudge(this.app, 1);
  /** The position of the game. */
  head = this.app.study.node;
  /** The moves of the user that lost discs, with the nodes after them. @type {{ node: TreeNode, loss: number }[]} */
  #losses = [];

  start() {
    super.start();
    this.#turn();
  }

  get onBoard() {
    return { waits: !this.verdict && this.stage !== 'ask' };
  }

  get tag() {
    return this.verdict ? this.t(`ending.${this.verdict.move}`) : '';
  }

  get question() {
    return this.t('ending.play', { side: this.sideName(this.puzzle.position) });
  }

  get answer() {
    const [result, best] = this.#results.map((discs) => disc(discs, true));
    return this.t('ending.result', { result, best });
  }

  /** The result of the user, and the best possible one. */
  get #results() {
    const { rules, values } = this.app;
    const best = values.value(this.puzzle.position)?.value ?? 0;
    return [rules.look(this.head.position).margin, best].map((discs) => forBlack(discs, this.colour));
  }

  get buttons() {
    const loss = (/** @type {{ node: TreeNode, loss: number }} */ { node, loss }) =>
      button(`${node.move} ${disc(-loss, true)}`, () => this.#review(node), {
        key: node.at,
        'aria-current': this.solution?.node === node.parent ? 'step' : null,
      });
    return [
      ...this.#losses.map(loss),
      this.unjudged && button(this.t('learn.again'), () => this.resume(), { class: 'solid' }),
      ...super.buttons,
    ];
  }

  another() {
    this.panel.nextEnding(gradeOf(this.puzzle));
  }

  press(move) {
    const { app, head, stage } = this;
    if (this.verdict) return false;
    if (app.study.node !== head) app.study.go(head);
    else if (stage === 'ask' && app.rules.isLegal(head.position, move)) this.#play(move);
    return true;
  }

  /** @param {string} move */
  #play(move) {
    this.head = this.app.playMove(move);
    this.#turn();
  }

  /** The position of the game is solved: the engine answers, and the losses of the user are known at the end. */
  #turn() {
    const { app, head } = this;
    const { over, side } = app.rules.look(head.position);
    const positions = over ? head.path.slice(0, -1).map(({ position }) => position) : [head.position];
    this.unjudged = false;
    this.setStage(over ? 'judging' : side === this.colour ? 'ask' : 'wait');
    this.judge.ask(positions, (known) => {
      const { best } = app.values.rows(head.position, false);
      this.unjudged = this.stage !== 'ask' && !(known && (over || (best?.move && isExact(best.proof))));
      if (this.unjudged) this.setStage('wait');
      else if (over) this.#finish();
      else if (this.stage === 'wait')
        this.steps = setTimeout(() => {
          app.study.go(head);
          this.#play(/** @type {Row} */ (best).move);
        }, app.settings.get('pace'));
    });
  }

  resume() {
    clearTimeout(this.steps);
    if (this.verdict) super.resume();
    else this.#turn();
  }

  /** The game is over, and all its values are proven. */
  #finish() {
    this.#losses = this.head.path.slice(1).flatMap((node) => {
      const { position } = /** @type {TreeNode} */ (node.parent);
      const loss = this.app.values.cost(position, node.move)?.loss ?? 0;
      return loss > 0 && sideOf(position) === this.colour ? [{ node, loss }] : [];
    });
    const [result, best] = this.#results;
    const right = result >= best || result > 0;
    this.settle(result >= best ? 'perfect' : right ? 'kept' : 'missed', right);
    this.keepsGame = false;
    this.overlay = 'parity';
    const [worst] = this.#losses.toSorted((a, b) => b.loss - a.loss);
    this.#review(worst?.node ?? this.head.path[1]);
  }

  /** Shows the position before a move, and its solution. @param {TreeNode} node */
  #review(node) {
    const parent = /** @type {TreeNode} */ (node.parent);
    this.app.study.go(parent);
    this.solve(parent, [node.move]);
    this.update();
  }
}
