// Learning from the mistakes of a game. Before each mistake of one side the answer is hidden, and the user tries moves until
// one is good enough. Tried moves are shown on the board and never become part of the game.

import { button } from '../base/dom.js';
import { disc, lossSize } from '../base/format.js';
import { isGoodEnough } from '../model/practice.js';
import { lineOf } from '../panels/played-line.js';
import { Exercise } from './exercise.js';

/** Creates the mode for the mistakes of `side`, or of both sides. Returns `null` if there are none.
 *  @param {App} app @param {{ side?: Side, resumed?: boolean }} [setup] */
export async function create(app, { side, resumed } = {}) {
  const { control, notices, values, study, t } = app;
  if (resumed) {
    // The values of the game are on the device. Another game may be loaded meanwhile.
    const { tree } = study;
    await control.whole;
    await Promise.all(tree.main.map(({ position }) => values.recall(position)));
    if (study.tree !== tree) return null;
  }
  const mistakes = values.mistakes(study.tree.main).filter((loss) => !side || loss.side === side);
  // The mistake on the board is the first one, then the largest loss.
  const isHere = ({ node }) => Number(node.parent === study.node);
  const nodes = mistakes.sort((a, b) => isHere(b) - isHere(a) || b.loss - a.loss).map(({ node }) => node);
  if (nodes.length > 0) return new Learn(app, nodes);
  const sums = values.summary(study.tree.main);
  const n = side ? sums[side].known : sums.X.known + sums.O.known;
  notices.show(t(n > 0 ? 'report.noMistakes' : 'learn.none', { n }), { key: 'learn', stay: 4000 });
  return null;
}

/** @typedef {{ node: TreeNode, tries: number, end: 'first' | 'later' | 'shown' | 'skipped' | null }} Task */

/** The sequence of the mistakes: the current one, and the result of each. */
class Lesson {
  /** @type {Task[]} */
  tasks;
  at = 0;

  /** @param {TreeNode[]} mistakes nodes after the mistakes */
  constructor(mistakes) {
    this.tasks = mistakes.map((node) => ({ node, tries: 0, end: null }));
  }

  /** The current mistake. `null` at the end. */
  get task() {
    return this.tasks[this.at] ?? null;
  }

  /** A move was judged. A mistake whose answer was shown does not count as found. @param {boolean} right */
  tried(right) {
    const { task } = this;
    if (!task || task.end) return;
    task.tries++;
    if (right) task.end = task.tries === 1 ? 'first' : 'later';
  }

  show() {
    if (this.task) this.task.end ??= 'shown';
  }

  /** Continues. A mistake that was neither found nor shown was skipped. */
  next() {
    if (this.task) this.task.end ??= 'skipped';
    this.at++;
  }

  get counts() {
    const count = (end) => this.tasks.filter((task) => task.end === end).length;
    const [first, later, shown, skipped] = ['first', 'later', 'shown', 'skipped'].map(count);
    return { all: this.tasks.length, first, later, shown, skipped };
  }

  /** The mistakes that were not corrected at the first try. @returns {TreeNode[]} */
  get failed() {
    return this.tasks.filter(({ end }) => end !== 'first').map(({ node }) => node);
  }
}

class Learn extends Exercise {
  keepsGame = true;
  /** The last tried move. @type {string | null} */
  tried = null;
  played = /** @type {import('../panels/played-line.js').PlayedLine | null} */ (null);
  /** Nodes whose mistakes became puzzles. @type {Set<TreeNode>} */
  #saved = new Set();
  /** The mode itself moves the cursor. */
  #going = false;

  /** @param {App} app @param {TreeNode[]} mistakes */
  constructor(app, mistakes) {
    super(app);
    this.lesson = new Lesson(mistakes);
  }

  start() {
    const { panels, study } = this.app;
    this.tree = study.tree;
    this.home = study.node;
    super.start();
    // The report names the better moves.
    this.fromReport = panels.current === 'report';
    if (this.fromReport) panels.show('moves');
    this.#ask();
    this.app.board.takeFocus();
  }

  end() {
    const { panels, study } = this.app;
    super.end();
    if (this.fromReport && panels.current === 'moves') panels.show('report');
    if (this.home && study.tree === this.tree) study.go(this.home);
  }

  /** The position of the question. @returns {TreeNode | null} */
  get #node() {
    return this.lesson.task?.node.parent ?? null;
  }

  /** Another position of the game is on the board. */
  get #isAway() {
    return this.#node !== null && this.app.study.node !== this.#node;
  }

  get progress() {
    const { at, tasks } = this.lesson;
    return tasks.map(({ node, end }, i) => {
      const loss = this.app.values.loss(node);
      const label =
        i <= at || end ? `${node.ply}. ${node.move} ${loss ? disc(-loss.loss, loss.exact) : ''}` : '';
      return { state: [end ?? 'open', i === at ? 'cur' : ''].join(' ').trim(), label };
    });
  }

  get detail() {
    const { at, task, tasks } = this.lesson;
    return task ? this.t('learn.at', { at: at + 1, of: tasks.length }) : '';
  }

  /** @param {string} text @param {Loss | null} cost */
  #withChange(text, cost) {
    return cost?.changed ? `${text}, ${this.t(`learn.changed.${cost.changed}`)}` : text;
  }

  get #cost() {
    return this.#node && this.tried ? this.app.values.cost(this.#node.position, this.tried) : null;
  }

  get tag() {
    const { lesson, stage, t, tried } = this;
    if (stage === 'ask') {
      const node = /** @type {TreeNode} */ (lesson.task?.node);
      return this.#isAway ? '' : this.#withChange(String(node.move), this.app.values.loss(node));
    }
    if (!tried || (stage !== 'wrong' && stage !== 'right')) return '';
    const size = this.#cost ? lossSize(this.#cost, t) : '0';
    return this.#withChange(size === '0' ? tried : t('learn.loses', { move: tried, v: size }), this.#cost);
  }

  get sentence() {
    const { rules, values, words, t } = this.app;
    const { lesson, stage, tried } = this;
    const { task } = lesson;
    if (stage === 'done' || !task) return this.#summary;
    const { position } = /** @type {TreeNode} */ (task.node.parent);
    switch (stage) {
      case 'judging':
        return t('learn.judging', { move: tried });
      case 'wrong': {
        const reply = this.played?.states[1];
        if (!tried || !reply) return t('learn.wrong');
        const side = this.sideName(rules.play(position, tried).position);
        return t('learn.refuted', { side, line: reply.move });
      }
      case 'right':
        if (tried === task.node.move) return t('learn.fine');
        return t(this.#cost && lossSize(this.#cost) === '0' ? 'learn.best' : 'learn.good');
      case 'shown': {
        const loss = values.loss(task.node);
        const bests = loss && words.either(values.bests({ node: task.node, ...loss }));
        return t('learn.answer', { move: bests ?? '–' });
      }
      default: {
        if (this.#isAway) return t('learn.away');
        if (this.unjudged) return t('learn.unjudged');
        const cost = values.loss(task.node);
        const v = cost ? lossSize(cost, t) : '0';
        const side = this.sideName(position);
        return v === '0' ? t('learn.find', { side }) : `${t('learn.lost', { side, v })} ${t('learn.better')}`;
      }
    }
  }

  get #summary() {
    const { counts } = this.lesson;
    const parts = ['first', 'later', 'shown', 'skipped']
      .filter((end) => counts[end] > 0)
      .map((end) => this.t(`learn.count.${end}`, { n: counts[end] }));
    return `${this.t('learn.summary', { n: counts.all })} ${parts.join(', ')}`;
  }

  get buttons() {
    const { lesson, stage, t } = this;
    const solid = { class: 'solid' };
    const n = lesson.failed.length;
    const leave = button(t('do.end'), () => this.leave(), stage === 'done' && n === 0 ? solid : {});
    if (stage === 'done')
      return [n > 0 && button(t('learn.failed', { n }), () => this.#repeat(), solid), leave];
    if (stage === 'right' || stage === 'shown') {
      const saved = lesson.task !== null && this.#saved.has(lesson.task.node);
      const label = t(saved ? 'learn.kept' : 'learn.keepLabel');
      const save = { key: 'save', disabled: saved, 'aria-label': label };
      return [
        button(t('learn.next'), () => this.next(), solid),
        button(t(saved ? 'learn.kept' : 'learn.keep'), () => this.#savePuzzle(), save),
        leave,
      ];
    }
    return [
      stage === 'wrong' && button(t('learn.again'), () => this.#ask(), solid),
      stage === 'ask' && this.#isAway && button(t('learn.back'), () => this.#ask(), solid),
      button(t('learn.show'), () => this.#show()),
      button(t('learn.skip'), () => this.next()),
      leave,
    ];
  }

  /** @param {Stage} stage */
  setStage(stage) {
    this.hide = this.quiet = !['right', 'shown', 'done'].includes(stage);
    if (stage !== 'judging' && stage !== 'wrong') {
      clearTimeout(this.played?.timer);
      this.played = null;
    }
    super.setStage(stage);
  }

  #go(node) {
    this.#going = true;
    this.app.study.go(node);
    this.#going = false;
  }

  /** Asks about the current mistake, with the answer hidden, or sums up after the last one. */
  #ask() {
    const { task, tasks } = this.lesson;
    const node = this.#node;
    this.judge.stop();
    this.unjudged = false;
    this.tried = null;
    if (!task || !node) {
      if (tasks.length === 0) return void this.leave();
      if (this.home) this.#go(this.home);
      return this.setStage('done');
    }
    // Values are hidden before the cursor moves.
    this.hide = this.quiet = true;
    this.#go(node);
    this.setStage('ask');
    return this.judge.ask([node.position, task.node.position]);
  }

  press(move) {
    const node = this.#node;
    const { rules, values } = this.app;
    if (this.stage !== 'ask' || !node || this.#isAway || !rules.isLegal(node.position, move)) return true;
    this.tried = move;
    this.played = lineOf(this.app, /** @type {Task} */ (this.lesson.task).node, move, []);
    this.setStage('judging');
    this.judgeMove(node.position, move, (cost) => {
      const { task } = this.lesson;
      if (!cost || !task) return this.askAgain();
      const right = isGoodEnough(cost, values.loss(task.node)?.loss ?? 0);
      this.lesson.tried(right);
      if (right) return this.setStage('right');
      // The engine's answer is played on the board, not in the game.
      this.played = lineOf(this.app, task.node, move);
      this.setStage('wrong');
      return this.played.show(0, true);
    });
    return true;
  }

  #show() {
    const node = this.#node;
    if (!node || !['ask', 'judging', 'wrong'].includes(this.stage)) return;
    this.judge.stop();
    this.lesson.show();
    this.#go(node);
    this.setStage('shown');
  }

  next() {
    if (this.stage === 'done') return true;
    this.lesson.next();
    this.#ask();
    return true;
  }

  /** Asks again about the mistakes that were not corrected at the first try. */
  #repeat() {
    this.lesson = new Lesson(this.lesson.failed);
    this.#ask();
  }

  async #savePuzzle() {
    const { app } = this;
    const node = this.#node;
    const { task } = this.lesson;
    if (!task || !node) return;
    this.#saved.add(task.node);
    try {
      const panel = /** @type {PuzzlesPanel} */ (await app.panels.get('puzzles'));
      await panel.save([node.position]);
      app.notices.show(app.t('learn.kept'), { stay: 2500, key: 'learn' });
    } catch (error) {
      this.#saved.delete(task.node);
      app.fail(error);
    }
    if (app.modes.current === this) this.draw();
  }

  moved(what) {
    const { study } = this.app;
    if (this.#going) return;
    if (what === 'load' || study.tree !== this.tree) this.leave();
    else if (this.hide && this.#isAway && this.stage !== 'ask') {
      this.judge.stop();
      this.setStage('ask');
    } else if (this.hide) this.draw();
  }
}
