// Base of the modes in which the user looks for a move: a puzzle, a mistake of a game, a move of an opening.
//
// The subclass sets the stage and supplies its `tag`, `sentence`, `detail` and `buttons`. The base draws and speaks them, reads
// the keys, has moves judged by the engine, and plays a refutation move by move.

import { $, v } from '../base/dom.js';
import { sideOf } from '../base/position.js';
import { MoveJudge } from '../engine/searches.js';
import { STEP_MS } from '../panels/played-line.js';
import { Mode } from './mode.js';

const CHECK_INTERVAL_MS = 300;

export class Exercise extends Mode {
  quiet = true;
  hide = true;
  usesEngine = true;
  empty = 'empty.puzzle';
  stage = /** @type {Stage} */ ('ask');
  /** The engine could not judge the last move. */
  unjudged = false;
  textClass = '';
  judge = new MoveJudge(this.app);

  /** Text before the sentence: a move, and what it lost. */
  get tag() {
    return '';
  }

  get sentence() {
    return '';
  }

  /** Short text after the sentence. */
  get detail() {
    return '';
  }

  /** Buttons of the bar. @returns {any[]} */
  get buttons() {
    return [];
  }

  start() {
    const enter = (/** @type {Element} */ target) => this.enter(target);
    this.listenKeys({ Escape: () => this.leave(), Enter: enter, KeyN: () => this.next() });
    this.ticker = setInterval(() => {
      this.judge.check();
      // Values may have changed.
      if (this.app.modes.current === this) this.update();
    }, CHECK_INTERVAL_MS);
    this.draw();
  }

  end() {
    clearInterval(this.ticker);
    clearInterval(this.steps);
    this.judge.stop();
    super.end();
  }

  /** Enter was pressed: presses the marked button. Returns `false` if there is none. @param {Element} _target */
  enter(_target) {
    const solid = /** @type {HTMLElement | null} */ ($('#task').querySelector('button.solid'));
    solid?.click();
    return solid !== null;
  }

  /** Continues with the next exercise. Returns `true`. */
  next() {
    return true;
  }

  resume() {
    this.judge.resume();
  }

  /** The name of the side to move. @param {string} position */
  sideName(position) {
    return this.app.words.side(sideOf(position));
  }

  get bar() {
    const { tag, detail } = this;
    return [
      v(
        'span.told',
        { class: this.textClass },
        tag && [v(this.stage === 'right' ? 'strong' : 'strong.tag', tag), ' '],
        this.sentence,
        detail && [' ', v('small.why', detail)],
      ),
      v('span.choose', this.buttons),
    ];
  }

  /** Enters a stage, draws it and speaks it. @param {Stage} stage */
  setStage(stage) {
    clearInterval(this.steps);
    this.stage = stage;
    this.draw();
    if (stage !== 'wait') this.app.notices.say([this.tag, this.sentence].filter(Boolean).join('. '));
    this.app.modes.changed.send();
  }

  /** Has a move judged. `judged` receives its cost, or `null` if the engine could not judge it.
   *  @param {string} position @param {string} move @param {(cost: Loss | null) => void} judged */
  judgeMove(position, move, judged) {
    const { rules, values } = this.app;
    this.unjudged = false;
    this.judge.ask([position, rules.play(position, move).position], (known) =>
      judged(known ? values.cost(position, move) : null),
    );
  }

  /** The engine could not judge the move: asks again. */
  askAgain() {
    this.unjudged = true;
    this.setStage('ask');
  }

  /** Calls `step` at intervals until it returns `false`. @param {() => unknown} step */
  playSteps(step) {
    this.steps = setInterval(() => {
      if (!step()) clearInterval(this.steps);
    }, STEP_MS);
  }
}
