// Learning from the mistakes of a game: at each of one side the game stands before it, the answer is hidden, and the
// person tries until a move is good enough. What is tried is shown beside the game and never becomes part of it.

import { h } from '../base/dom.js';
import { Lesson } from '../model/lesson.js';
import { isGoodEnough } from '../model/practice.js';
import { summary } from '../model/summary.js';
import { barButton } from './bar.js';
import { Judge, replyTo } from './judge.js';
import { attachKeys } from './keys.js';
import { findWords, learnWords, mistakeWords } from './learn-words.js';
import { Mode } from './mode.js';

/** Between two moves of a refutation. */
const STEP_MS = 900;
const REFUTATION_PLIES = 6;
/** How often the engine's state and the words are looked at. */
const LOOK_MS = 300;

/** @typedef {'ask' | 'judging' | 'wrong' | 'right' | 'shown' | 'summary'} Stage */

/** `side` is whose mistakes are asked about, both sides' where it is missing.
 *  @param {App} app @param {{ side?: Side }} [setup] */
export async function create(app, { side } = {}) {
  const { notices, scores, study, words } = app;
  const sums = summary(study.tree.main, scores.points);
  const mistakes = (side ? [side] : /** @type {Side[]} */ (['X', 'O']))
    .flatMap((side) => sums[side].mistakes)
    .map(({ node }) => node)
    .sort((a, b) => a.ply - b.ply);
  if (mistakes.length === 0) {
    notices.show(words.t('learn.none'), { key: 'learn', stay: 4000 });
    return null;
  }
  return new Learn(app, mistakes);
}

export class Learn extends Mode {
  quiet = true;
  hide = true;
  usesEngine = true;
  keepsGame = true;
  empty = 'empty.puzzle';
  /** @type {Stage} */
  stage = 'ask';
  /** The move that was tried last. @type {string | null} */
  tried = null;
  /** What a try led to, with what followed, as it is shown. @type {{ position: string, move: string } | null} */
  #shown = null;
  /** Moves of the refutation. @type {string[]} */
  #reply = [];
  /** The engine could not judge the last try. */
  #unjudged = false;
  /** Nodes whose mistakes are puzzles now. @type {Set<TreeNode>} */
  #kept = new Set();
  /** It moves the cursor itself. */
  #going = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #step;

  /** @param {App} app @param {TreeNode[]} mistakes */
  constructor(app, mistakes) {
    super(app);
    this.lesson = new Lesson(mistakes);
    this.judge = new Judge(app);
    this.told = h('span.told');
  }

  start() {
    const { app } = this;
    const { study } = app;
    this.tree = study.tree;
    this.home = study.node;
    this.stopKeys = attachKeys(app, {
      Escape: () => this.#leave(),
      Enter: (target) => this.#enter(target),
      KeyN: () => this.#advance(),
    });
    this.ticker = setInterval(() => this.#tick(), LOOK_MS);
    // The report names the better moves.
    this.fromReport = app.panels.current === 'report';
    if (this.fromReport) app.panels.show('moves');
    this.#pose();
  }

  end() {
    const { study } = this.app;
    clearInterval(this.ticker);
    clearTimeout(this.#step);
    this.stopKeys?.();
    this.judge.stop();
    super.end();
    if (this.fromReport && this.app.panels.current === 'moves') this.app.panels.show('report');
    if (study.tree !== this.tree || !this.home) return;
    if (study.tree.holds(this.home)) study.go(this.home);
  }

  resume() {
    this.judge.resume();
  }

  /** The position that is asked about. @returns {TreeNode | null} */
  get #node() {
    return this.lesson.task?.node.parent ?? null;
  }

  /** The person has gone elsewhere in the game. */
  get #isAway() {
    return this.#node !== null && this.app.study.node !== this.#node;
  }

  get look() {
    if (!this.#shown) return null;
    const { position, move } = this.#shown;
    const title = this.#node && this.app.openings.along(this.#node);
    return { ...this.app.rules.look(position), legal: [], last: move, title };
  }

  get message() {
    const position = this.#node?.position ?? this.app.study.position;
    return this.hide ? findWords(this.app, position) : null;
  }

  get notes() {
    const { task } = this.lesson;
    return task ? [mistakeWords(this.app, task.node), this.#where] : [];
  }

  /** Which of the mistakes it is. */
  get #where() {
    const { at, task, tasks } = this.lesson;
    return task ? this.app.words.t('learn.at', { at: at + 1, of: tasks.length }) : '';
  }

  /** @returns {[tag: string, sentence: string]} */
  get #words() {
    return learnWords(this.app, {
      lesson: this.lesson,
      stage: this.stage,
      tried: this.tried,
      reply: this.#reply,
      away: this.#isAway,
      unjudged: this.#unjudged,
    });
  }

  /** Writes what is said: values may have been sharpened since. */
  #write() {
    const [tag, sentence] = this.#words;
    const where = this.#where;
    const right = this.stage === 'right';
    const seen = `${tag}|${sentence}|${right}|${where}`;
    if (seen === this.told.dataset.seen) return;
    this.told.dataset.seen = seen;
    this.told.replaceChildren(
      ...(tag ? [h('strong', { class: right ? null : 'tag' }, tag), ' '] : []),
      sentence,
      ...(where ? [' ', h('small.muted', where)] : []),
    );
  }

  get bar() {
    const { t } = this.app.words;
    const { lesson, stage } = this;
    this.#write();
    const solid = { class: 'solid' };
    const show = barButton(t('learn.show'), () => this.#show());
    const skip = barButton(t('learn.skip'), () => this.#next());
    const leave = barButton(t('do.end'), () => this.app.modes.leave());
    const kept = lesson.task !== null && this.#kept.has(lesson.task.node);
    const next = barButton(t('learn.next'), () => this.#next(), solid);
    const keep = barButton(t(kept ? 'learn.kept' : 'learn.keep'), () => this.#keep(), {
      disabled: kept,
      'aria-label': t(kept ? 'learn.kept' : 'learn.keepLabel'),
    });
    const again = barButton(t('learn.again'), () => this.#ask(), solid);
    const failed = lesson.failed.length;
    /** @type {Record<Stage, (Node | null)[]>} */
    const buttons = {
      ask: [this.#isAway ? barButton(t('learn.back'), () => this.#ask(), solid) : null, show, skip, leave],
      judging: [show, skip, leave],
      wrong: [again, show, skip, leave],
      right: [next, keep, leave],
      shown: [next, keep, leave],
      summary: [
        failed > 0 ? barButton(t('learn.failed', { n: failed }), () => this.#repeat(), solid) : null,
        leave,
      ],
    };
    return [this.told, h('span.choose', buttons[stage])];
  }

  /** Goes to another stage. @param {Stage} stage */
  #turn(stage) {
    clearTimeout(this.#step);
    this.stage = stage;
    this.hide = !['right', 'shown', 'summary'].includes(stage);
    this.quiet = this.hide;
    if (stage !== 'judging' && stage !== 'wrong') this.#shown = null;
    this.draw();
    const [tag, sentence] = this.#words;
    this.app.notices.say(tag ? `${tag}. ${sentence}` : sentence);
    this.app.modes.changed.send();
  }

  /** @param {TreeNode} node */
  #go(node) {
    this.#going = true;
    this.app.study.go(node);
    this.#going = false;
  }

  /** Asks about the next mistake, or sums up. */
  #pose() {
    const { task } = this.lesson;
    this.tried = null;
    if (!task) {
      if (this.lesson.tasks.length === 0) this.app.modes.leave();
      else {
        if (this.home && this.app.study.tree.holds(this.home)) this.#go(this.home);
        this.#turn('summary');
      }
      return;
    }
    this.#ask();
  }

  /** Stands before the mistake, with the answer hidden. */
  #ask() {
    const { task } = this.lesson;
    const node = this.#node;
    if (!task || !node) return;
    this.judge.stop();
    this.#unjudged = false;
    // Hidden before the cursor gets there.
    this.hide = true;
    this.quiet = true;
    this.#go(node);
    this.#turn('ask');
    this.judge.prepare([node.position, task.node.position]);
  }

  press(move) {
    const node = this.#node;
    if (this.stage !== 'ask' || !node || this.#isAway) return true;
    const { rules } = this.app;
    if (!rules.isLegal(node.position, move)) return true;
    const { position } = rules.play(node.position, move);
    this.tried = move;
    this.#unjudged = false;
    this.#shown = { position, move };
    this.#turn('judging');
    this.judge.ask([node.position, position], (known) => this.#judged(node, move, known));
    return true;
  }

  /** @param {TreeNode} node @param {string} move @param {boolean} known */
  #judged(node, move, known) {
    const { app, lesson } = this;
    const { task } = lesson;
    const cost = known && task ? app.scores.cost(node.position, move) : null;
    const mistake = task && app.scores.loss(task.node);
    if (!cost || !task) {
      this.#turn('ask');
      this.#unjudged = true;
      this.draw();
      app.notices.say(app.words.t('learn.unjudged'));
      return;
    }
    const right = isGoodEnough(cost, mistake?.loss ?? 0);
    lesson.tried(right);
    if (right) this.#turn('right');
    else this.#refute(app.rules.play(node.position, move).position);
  }

  /** Plays the engine's answer out beside the game. @param {string} from */
  #refute(from) {
    const { rules } = this.app;
    /** @type {{ position: string, move: string }[]} */
    const states = [];
    let position = from;
    for (const move of replyTo(this.app, from).slice(0, REFUTATION_PLIES)) {
      if (!rules.isLegal(position, move)) break;
      ({ position } = rules.play(position, move));
      states.push({ position, move });
    }
    this.#reply = states.map(({ move }) => move);
    this.#turn('wrong');
    const step = () => {
      const state = states.shift();
      if (!state) return;
      this.#shown = state;
      this.app.painter.now();
      this.#step = setTimeout(step, STEP_MS);
    };
    this.#step = setTimeout(step, STEP_MS);
  }

  #show() {
    const node = this.#node;
    if (!node || !['ask', 'judging', 'wrong'].includes(this.stage)) return;
    this.judge.stop();
    this.lesson.show();
    this.#go(node);
    this.#turn('shown');
  }

  #next() {
    this.judge.stop();
    this.lesson.next();
    this.#pose();
  }

  /** Asks about those again that were not found at once. */
  #repeat() {
    this.lesson = new Lesson(this.lesson.failed);
    this.#pose();
  }

  /** Makes a puzzle of the mistake. */
  async #keep() {
    const { app } = this;
    const { task } = this.lesson;
    if (!task) return;
    this.#kept.add(task.node);
    try {
      const panel = /** @type {PuzzlesPanel} */ (await app.panels.get('puzzles'));
      await panel.puzzles.addOwn([ownPuzzle(app, /** @type {TreeNode} */ (task.node.parent))]);
      app.notices.show(app.words.t('learn.kept'), { stay: 2500, key: 'learn' });
      panel.draw();
    } catch (error) {
      this.#kept.delete(task.node);
      app.fail(error);
    }
    if (app.modes.current === this) this.draw();
  }

  #leave() {
    this.app.modes.leave();
    return true;
  }

  /** Enter: what the marked button does. @param {Element} target */
  #enter(target) {
    if (this.stage === 'ask' && !this.#isAway) return false;
    if (this.stage === 'wrong' || this.stage === 'ask') this.#ask();
    else if (this.stage === 'summary') {
      if (this.lesson.failed.length > 0) this.#repeat();
      else this.#leave();
    } else if (this.stage === 'right' || this.stage === 'shown') this.#next();
    return target !== null;
  }

  /** On to the next one. */
  #advance() {
    if (this.stage !== 'summary') this.#next();
    return true;
  }

  moved(what) {
    if (this.#going) return;
    if (what === 'load' || this.app.study.tree !== this.tree) {
      this.app.modes.leave();
      return;
    }
    if (what === 'tree' && this.lesson.keep((node) => this.app.study.tree.holds(node))) {
      this.judge.stop();
      this.#pose();
      return;
    }
    if (!this.hide) return;
    if (this.#isAway && this.stage !== 'ask') {
      this.judge.stop();
      this.#turn('ask');
    } else this.draw();
  }

  /** Sees whether the engine still works, and whether the words are still true. */
  #tick() {
    this.judge.look();
    if (this.app.modes.current === this) this.#write();
  }
}

/** A position of the game as a puzzle. @param {App} app @param {TreeNode} node @returns {Puzzle} */
const ownPuzzle = ({ scores }, { position }) => ({
  id: position,
  position,
  scores: scores.exact(position),
  own: true,
});
