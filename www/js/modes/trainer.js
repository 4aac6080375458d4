// Training an opening. A line that was never trained is shown once. Then the user plays one side of it, the page the other. The
// moves are on a separate board, so that the current game stays as it is. After a second wrong move the right one is shown.

import { button } from '../base/dom.js';
import { disc, lossSize } from '../base/format.js';
import { SIDES, START, sideOf, squareIndex } from '../base/position.js';
import { draw, GamesBook, LineBook } from '../model/drill.js';
import { repertoireOf } from '../model/repertoire.js';
import { dueCount } from '../model/review.js';
import { splitMoves } from '../model/rules.js';
import { titleOf } from '../panels/opening-library.js';
import { PlayedLine } from '../panels/played-line.js';
import { Exercise } from './exercise.js';

/** Delay before the page plays. */
const REPLY_MS = 450;
/** Number of wrong moves after which the right one is shown. */
const MAX_WRONG = 2;
/** Keys that step through the game do nothing here, except in elements that use them. */
const STEP_KEYS = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End'];
const USES_STEP_KEYS = '[role=grid], [role=tablist], [role=slider], #lines-body';

/** @param {App} app @param {TrainerSetup} [setup] chosen in the library where it is missing. Throws if a line is illegal. */
export async function create(app, setup = {}) {
  const { notices, rules, t } = app;
  if (!setup.side || !(setup.lines?.length || setup.games !== undefined)) {
    app.panels.show('openings', true);
    return null;
  }
  const trainer = new Trainer(app, setup);
  if (setup.games !== undefined && (await trainer.choices()).length === 0) {
    notices.show(t('trainer.noGames'), { key: 'trainer', stay: 6000 });
    return null;
  }
  if (rules.look(trainer.position).over) throw new Error(`nothing to train after ${setup.games}`);
  return trainer;
}

/** The moves played from a position, in saved games and in files.
 * @param {Pick<App, 'explorer'>} app @param {string} position */
const played = async (app, position) => (await app.explorer()).moves(position);

export class Trainer extends Exercise {
  /** @type {Stage} */
  stage = 'wait';
  keepsGame = true;
  swipes = false;
  empty = 'trainer.empty';
  textClass = 'alone';
  /** Moves so far. @type {string[]} */
  moves = [];
  position = START;
  /** The name of the last opening on the way. @type {string | null} */
  #title = null;
  /** The right moves. @type {BookMove[]} */
  #choices = [];
  /** Wrong moves at this position. @type {string[]} */
  #wrong = [];
  /** The first wrong move: its number, and the line that it left. @type {{ move: string, at: number, line: string } | null} */
  #left = null;
  /** All wrong moves. @type {{ move: string, at: number, position: string }[]} */
  #answers = [];
  /** Lines recorded as failed, by their moves. @type {Set<string>} */
  #failed = new Set();
  /** Counts the positions: an answer for an earlier position is dropped. */
  #turns = 0;
  #reply = 0;

  /** Throws if a line is illegal. @param {App} app @param {TrainerSetup} setup */
  constructor(app, setup) {
    super(app);
    this.setup = setup;
    this.side = setup.side ?? 'X';
    this.lines = setup.lines ?? [];
    this.repertoire = repertoireOf(app.store, app.rules);
    const { games } = setup;
    const askGames = (/** @type {string} */ position) => played(app, position);
    this.book = games === undefined ? new LineBook(app.rules, this.lines) : new GamesBook(askGames);
    for (const move of splitMoves(setup.games ?? '')) this.#put(move);
  }

  /** Adds a move. Returns `true` if the other side must pass. @param {string} move @returns {boolean} */
  #put(move) {
    const { openings, rules } = this.app;
    const { position, passed } = rules.play(this.position, move);
    this.position = position;
    this.moves.push(move);
    const line = new PlayedLine(this.app, START, this.moves);
    this.played = Object.assign(line, { at: this.moves.length - 1, isFixed: true });
    this.#title = openings.name(position) ?? this.#title;
    return passed;
  }

  start() {
    super.start();
    const isUnused = (/** @type {Element} */ target) => !target.closest?.(USES_STEP_KEYS);
    this.listenKeys(Object.fromEntries(STEP_KEYS.map((key) => [key, isUnused])));
    const [line] = this.lines;
    const isKnown = !line || SIDES.some((side) => (this.repertoire.of(line, side)?.tries ?? 0) > 0);
    if (isKnown || this.setup.shown) this.#go();
    else this.#demonstrate();
  }

  /** Shows the line, move by move. */
  #demonstrate() {
    this.setup = { ...this.setup, shown: true };
    this.setStage('show');
    const moves = splitMoves(this.lines[0].moves);
    this.playSteps(() => {
      const move = moves.shift();
      if (move) this.#put(move);
      this.app.painter.now();
      this.update();
      return moves.length > 0;
    });
  }

  /** The user plays the line after it was shown. */
  #drill() {
    Object.assign(this, { position: START, moves: [], played: null });
    this.#title = null;
    clearInterval(this.steps);
    this.#go();
  }

  end() {
    this.#turns++;
    clearTimeout(this.#reply);
    super.end();
  }

  get look() {
    const right = this.stage === 'shown' ? this.#choices.map(({ moves }) => moves[0]) : [];
    const look = this.app.rules.look(this.position);
    return {
      ...look,
      legal: this.stage === 'show' ? [] : look.legal,
      last: this.moves.at(-1) ?? null,
      title: this.#title,
      marks: new Map(right.map((move) => [squareIndex(move), ['told']])),
    };
  }

  /** The title of a line. @param {TrainerLine | undefined} line */
  #titleOf(line = this.lines[0]) {
    return line ? titleOf(this.app, line) : this.t('trainer.games');
  }

  /** The title of the trained line, and how many of its moves are played. */
  get detail() {
    const [line] = this.lines;
    const of = (line?.moves.length ?? 0) / 2;
    if (this.stage === 'done') return this.#told;
    return line
      ? this.t('trainer.at', { line: this.#titleOf(), at: this.moves.length, of })
      : this.#titleOf();
  }

  /** The wrong moves with their losses. */
  get #told() {
    const list = this.#answers.map(({ move, at, position }) => {
      const cost = this.app.values.cost(position, move);
      return `${at}. ${move} ${cost ? disc(-cost.loss, cost.exact) : ''}`.trim();
    });
    return list.length > 0 ? this.t('trainer.answers', { list: list.join(', ') }) : '';
  }

  get analyzed() {
    return this.stage === 'done' ? this.position : null;
  }

  /** @param {Stage} stage */
  setStage(stage) {
    const { rules, values } = this.app;
    const isDone = stage === 'done';
    // Answers that were corrected before they were judged.
    const open = isDone ? this.#answers.filter(({ move, position }) => !values.cost(position, move)) : [];
    this.hide = !isDone;
    this.quiet = this.hide || open.length > 0;
    if (isDone) this.played = null;
    super.setStage(stage);
    if (open.length === 0) return;
    const positions = open.flatMap(({ move, position }) => [position, rules.play(position, move).position]);
    this.judge.ask(positions, () => {
      this.quiet = false;
      this.draw();
      this.app.modes.changed.send();
    });
  }

  /** The last wrong move, with its loss once the engine has judged it. */
  get tag() {
    const move = this.#wrong.at(-1);
    if (!move || (this.stage !== 'wrong' && this.stage !== 'shown')) return '';
    const cost = this.judge.busy ? null : this.app.values.cost(this.position, move);
    if (!cost) return move;
    const size = lossSize(cost, this.t);
    return size === '0' ? this.t('trainer.fair', { move }) : this.t('trainer.loses', { move, v: size });
  }

  get sentence() {
    switch (this.stage) {
      case 'wait':
        return this.t('trainer.wait', { side: this.sideName(this.position) });
      case 'ask':
        return this.t('trainer.turn', { side: this.app.words.side(this.side) });
      case 'show':
        return this.t('trainer.watch', { side: this.app.words.side(this.side) });
      case 'wrong':
        return this.t('trainer.wrong', this.#leaving);
      case 'shown':
        return this.t('trainer.told', { moves: this.#choices.map(({ moves }) => moves[0]).join(', ') });
      default:
        return this.#left ? this.t('trainer.failed', this.#left) : this.t('trainer.known');
    }
  }

  /** The line that the last wrong move leaves, and the opening to which the move leads, if it has a name. */
  get #leaving() {
    const { app } = this;
    const move = this.#wrong.at(-1);
    const name = move && app.openings.name(app.rules.play(this.position, move).position);
    const other = name ? ` ${this.t('trainer.into', { other: name })}` : '';
    return { line: this.#titleOf(this.#choices[0]?.lines[0]), at: this.moves.length + 1, other };
  }

  get buttons() {
    const due = dueCount(this.app);
    const done = this.stage === 'done';
    const other = this.side === 'X' ? 'O' : 'X';
    const next = { class: 'solid' };
    const open = () => this.app.openGame({ moves: this.moves.join('') });
    return [
      this.stage === 'show' && button(this.t('trainer.drill'), () => this.#drill(), next),
      done && button(this.t('trainer.again'), () => this.#again(this.side), due > 0 ? {} : next),
      done && button(this.t('trainer.other', { side: this.app.words.side(other) }), () => this.#again(other)),
      done && button(this.t('trainer.open'), open),
      this.stage === 'wrong' && button(this.t('trainer.show'), () => this.setStage('shown')),
      done && due > 0 && button(this.t('review.next', { n: due }), () => this.next(), next),
      button(this.t('do.end'), () => this.leave()),
    ];
  }

  /** Returns the moves of the book at the position. */
  choices() {
    return this.book.moves(this.position, this.moves.length);
  }

  /** Looks the position up in the book and continues with the side to move. */
  async #go() {
    const { app, position } = this;
    const turn = ++this.#turns;
    this.judge.stop();
    app.opened?.valueGame([position]).catch(() => {});
    this.#wrong = [];
    /** @type {BookMove[]} */
    let choices = [];
    try {
      if (!app.rules.look(position).over) choices = await this.choices();
    } catch (error) {
      if (turn === this.#turns) app.fail(error);
    }
    if (turn !== this.#turns) return;
    this.#choices = choices;
    for (const line of this.book.endings(position, this.moves.length))
      if (!this.#failed.has(line.moves)) this.repertoire.note(line, this.side, true);
    if (choices.length === 0) this.setStage('done');
    else if (sideOf(position) === this.side) {
      this.setStage('ask');
      // The loss of a wrong move is known sooner.
      this.judge.ask([position]);
    } else {
      this.setStage('wait');
      const move = await this.#choose();
      if (turn !== this.#turns) return;
      this.#reply = setTimeout(() => {
        app.notices.say(app.t('trainer.plays', { move }));
        this.#play(move);
      }, REPLY_MS);
    }
  }

  /** Draws the page's move, weighted by how often it was played in games. @returns {Promise<string>} */
  async #choose() {
    let choices = this.#choices;
    if (choices.length > 1 && this.setup.games === undefined) {
      const rows = await played(this.app, this.position).catch(() => []);
      const games = ({ moves }) =>
        rows.reduce((sum, row) => sum + (moves.includes(row.move) ? row.games : 0), 0);
      // Every line is drawn occasionally, however rarely it was played.
      choices = choices.map((choice) => ({ ...choice, weight: choice.weight + games(choice) }));
    }
    return /** @type {BookMove} */ (draw(choices)).moves[0];
  }

  #play(move) {
    if (this.#put(move)) this.app.reportPass(this.position);
    this.#go();
  }

  press(move) {
    const { app, position } = this;
    if (!['ask', 'wrong', 'shown'].includes(this.stage) || !app.rules.isLegal(position, move)) return true;
    if (this.#choices.some(({ moves }) => moves.includes(move))) {
      this.#play(move);
      return true;
    }
    this.#wrong.push(move);
    this.#answers.push({ move, at: this.moves.length + 1, position });
    this.#left ??= { move, ...this.#leaving };
    this.#fail();
    this.judgeMove(position, move, () => {
      if (this.position === position && app.modes.current === this) this.setStage(this.stage);
    });
    this.setStage(this.#wrong.length < MAX_WRONG ? 'wrong' : 'shown');
    return true;
  }

  /** Records the expected line as failed. Moves played in games become a line. */
  #fail() {
    const [{ lines, moves }] = this.#choices;
    const line = lines[0] ?? { moves: [...this.moves, moves[0]].join(''), names: null };
    if (this.#failed.has(line.moves)) return;
    this.#failed.add(line.moves);
    this.repertoire.note(line, this.side, false);
  }

  /** Plays the shown move, or presses the marked button. @param {Element} target */
  enter(target) {
    if (target.closest?.('[role=gridcell]') && this.stage !== 'done') return false;
    if (this.stage === 'shown') this.#play(this.#choices[0].moves[0]);
    else if (this.stage === 'wrong') this.setStage('shown');
    else return super.enter(target);
    return true;
  }

  /** Continues with what is due. */
  next() {
    const here = this.lines[0] ? { line: this.lines[0], side: this.side } : null;
    if (dueCount(this.app) > 0) this.app.modes.begin('review', here);
    return true;
  }

  /** Starts again. @param {Side} side */
  #again(side) {
    this.app.modes.begin('trainer', { ...this.setup, side });
  }
}
