// Training an opening: the person plays one side of a line, the page the other. What is played stands on a board of its
// own, so that the game on the table stays as it is. A wrong move is told, and after a second try the right one.

import { h } from '../base/dom.js';
import { lossSize } from '../base/format.js';
import { START, sideOf, squareIndex } from '../base/position.js';
import { draw, GamesBook, LineBook } from '../model/drill.js';
import { repertoireOf } from '../model/repertoire.js';
import { splitMoves } from '../model/rules.js';
import { titleOf } from '../panels/trainer.js';
import { barButton } from './bar.js';
import { Judge } from './judge.js';
import { attachKeys } from './keys.js';
import { Mode } from './mode.js';
import { askTrainer } from './trainer-setup.js';

/** Before the page plays. */
const REPLY_MS = 450;
/** How often the engine's state is looked at. */
const LOOK_MS = 300;
/** From so many wrong moves on the right one is told. */
const TOLD_FROM = 2;
/** Keys that step through the game belong to nobody here, but for what moves by them itself. */
const STEPS = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End'];
const STEPPED = '[role=grid], [role=tablist], [role=slider], #lines-body';

/** @typedef {'wait' | 'turn' | 'wrong' | 'told' | 'done'} Stage */

/** @param {App} app @param {TrainerSetup} [setup] asked for where it is missing */
export async function create(app, setup = {}) {
  const { notices, rules, store, words } = app;
  try {
    if (setup.due) {
      const next = repertoireOf(store, rules).next();
      if (next) return new Trainer(app, { lines: [next.line], side: next.side });
      notices.show(words.t('trainer.nothing'), { key: 'trainer', stay: 4000 });
      return null;
    }
    const settled = setup.side && (setup.lines?.length || setup.games !== undefined);
    const chosen = settled ? setup : await askTrainer(app, setup);
    if (!chosen) return null;
    const trainer = new Trainer(app, chosen);
    if (
      chosen.games !== undefined &&
      (await trainer.book.moves(trainer.position, trainer.ply)).length === 0
    ) {
      notices.show(words.t('trainer.noGames'), { key: 'trainer', stay: 6000 });
      return null;
    }
    if (rules.look(trainer.position).over) throw new Error(`nothing to train after ${chosen.games}`);
    return trainer;
  } catch (error) {
    // A line that is not legal, or games that cannot be asked.
    app.fail(error);
    return null;
  }
}

/** What games on the device and in files went on with. @param {App} app @param {string} position */
const played = async (app, position) => (await app.explorer()).moves(position);

class Trainer extends Mode {
  quiet = true;
  hide = true;
  usesEngine = true;
  keepsGame = true;
  swipes = false;
  empty = 'trainer.empty';
  /** @type {Stage} */
  stage = 'wait';
  /** Moves so far, as they were played. @type {string[]} */
  moves = [];
  position = START;
  /** The name of the last opening on the way. @type {string | null} */
  #title = null;
  /** What is right here. @type {import('../model/drill.js').BookMove[]} */
  #choices = [];
  /** Wrong moves at this position. @type {string[]} */
  #wrong = [];
  /** Lines that were noted as failed, by their moves. @type {Set<string>} */
  #failed = new Set();
  /** Counts the positions: an answer for an earlier one is dropped. */
  #turns = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #reply;

  /** Throws where a line is not legal. @param {App} app @param {TrainerSetup} setup */
  constructor(app, setup) {
    super(app);
    this.setup = setup;
    this.side = setup.side ?? 'X';
    this.lines = setup.lines ?? [];
    this.repertoire = repertoireOf(app.store, app.rules);
    this.judge = new Judge(app);
    this.book =
      setup.games === undefined
        ? new LineBook(app.rules, this.lines)
        : new GamesBook((position) => played(app, position));
    for (const move of splitMoves(setup.games ?? '')) this.#put(move);
  }

  get ply() {
    return this.moves.length;
  }

  /** @param {string} move @returns {boolean} whether the other side passed */
  #put(move) {
    const { openings, rules } = this.app;
    const { position, passed } = rules.play(this.position, move);
    this.position = position;
    this.moves.push(move);
    this.#title = openings.name(position) ?? this.#title;
    return passed;
  }

  start() {
    const { app } = this;
    const nothing = (/** @type {Element} */ target) => !target.closest?.(STEPPED);
    this.stopKeys = attachKeys(app, {
      Escape: () => this.#leave(),
      Enter: (target) => this.#enter(target),
      KeyN: () => this.#next() || true,
      ...Object.fromEntries(STEPS.map((key) => [key, nothing])),
    });
    this.ticker = setInterval(() => this.judge.look(), LOOK_MS);
    this.draw();
    this.#go();
  }

  end() {
    this.#turns++;
    clearInterval(this.ticker);
    clearTimeout(this.#reply);
    this.stopKeys?.();
    this.judge.stop();
    super.end();
  }

  resume() {
    this.judge.resume();
  }

  get look() {
    const { position, stage } = this;
    const told = stage === 'told' ? this.#choices.map(({ moves }) => moves[0]) : [];
    return {
      ...this.app.rules.look(position),
      last: this.moves.at(-1) ?? null,
      title: this.#title,
      marks: new Map(told.map((move) => [squareIndex(move), ['told']])),
    };
  }

  #name(side) {
    return this.app.words.t(side === 'X' ? 'black' : 'white');
  }

  /** What is trained, in words. */
  get #what() {
    return this.lines[0] ? titleOf(this.app, this.lines[0]) : this.app.words.t('trainer.games');
  }

  get message() {
    return this.app.words.t('trainer.as', { side: this.#name(this.side), line: this.#what });
  }

  get notes() {
    return [this.app.words.t('trainer.due', { n: this.repertoire.due().length })];
  }

  /** A wrong move with what it loses, as far as the engine has judged it. */
  get #tag() {
    const move = this.#wrong.at(-1);
    if (!move || (this.stage !== 'wrong' && this.stage !== 'told')) return '';
    const cost = this.judge.busy ? null : this.app.scores.cost(this.position, move);
    if (!cost) return move;
    const { t } = this.app.words;
    const size = lossSize(cost, t);
    return size === '0' ? t('trainer.fair', { move }) : t('trainer.loses', { move, v: size });
  }

  get #sentence() {
    const { t } = this.app.words;
    switch (this.stage) {
      case 'wait':
        return t('trainer.wait', { side: this.#name(sideOf(this.position)) });
      case 'turn':
        return t('trainer.turn', { side: this.#name(this.side) });
      case 'wrong':
        return t('trainer.wrong');
      case 'told':
        return t('trainer.told', { moves: this.#choices.map(({ moves }) => moves[0]).join(', ') });
      default:
        return t(this.#failed.size > 0 ? 'trainer.failed' : 'trainer.known');
    }
  }

  get bar() {
    const { t } = this.app.words;
    const tag = this.#tag;
    const due = this.repertoire.due().length;
    const done = this.stage === 'done';
    const other = this.side === 'X' ? 'O' : 'X';
    return [
      h(
        'span.told.alone',
        tag && h('strong.tag', tag),
        tag && ' ',
        this.#sentence,
        ' ',
        h('small.muted', this.#what),
      ),
      h(
        'span.choose',
        done &&
          barButton(t('trainer.again'), () => this.#again(this.side), { class: due > 0 ? 'plain' : 'solid' }),
        done && barButton(t('trainer.other', { side: this.#name(other) }), () => this.#again(other)),
        done && barButton(t('trainer.open'), () => this.#open()),
        this.stage === 'wrong' && barButton(t('trainer.show'), () => this.#tell()),
        done && due > 0 && barButton(t('trainer.next', { n: due }), () => this.#next(), { class: 'solid' }),
        barButton(t('do.end'), () => this.app.modes.leave()),
      ),
    ];
  }

  /** Another stage: the bar and the board show it, and it is spoken. @param {Stage} stage */
  #turn(stage) {
    this.stage = stage;
    this.draw();
    if (stage !== 'wait') this.app.notices.say([this.#tag, this.#sentence].filter(Boolean).join('. '));
    this.app.painter.now();
  }

  /** Sees what the book has for the position, and whose turn it is. */
  async #go() {
    const { app, position } = this;
    const turn = ++this.#turns;
    this.judge.stop();
    this.#wrong = [];
    try {
      const choices = app.rules.look(position).over ? [] : await this.book.moves(position, this.ply);
      if (turn !== this.#turns) return;
      this.#choices = choices;
    } catch (error) {
      if (turn !== this.#turns) return;
      app.fail(error);
      this.#choices = [];
    }
    for (const line of this.book.endings(position, this.ply))
      if (!this.#failed.has(line.moves)) this.repertoire.note(line, this.side, true);
    if (this.#choices.length === 0) this.#turn('done');
    else if (sideOf(position) === this.side) {
      this.#turn('turn');
      // What a wrong move loses is known the sooner.
      this.judge.prepare([position]);
    } else {
      this.#turn('wait');
      const move = await this.#choose();
      if (turn !== this.#turns) return;
      this.#reply = setTimeout(() => {
        app.notices.say(app.words.t('trainer.plays', { move }));
        this.#play(move);
      }, REPLY_MS);
    }
  }

  /** The page's move: by how often it was played where games know, else any. @returns {Promise<string>} */
  async #choose() {
    let choices = this.#choices;
    if (choices.length > 1 && this.setup.games === undefined) {
      const rows = await played(this.app, this.position).catch(() => []);
      const games = ({ moves }) =>
        rows.reduce((sum, row) => sum + (moves.includes(row.move) ? row.games : 0), 0);
      // Every line comes now and then, however seldom it was played.
      choices = choices.map((choice) => ({ ...choice, weight: choice.weight + games(choice) }));
    }
    return /** @type {import('../model/drill.js').BookMove} */ (draw(choices)).moves[0];
  }

  /** @param {string} move */
  #play(move) {
    const { app } = this;
    if (this.#put(move))
      app.notices.show(
        app.words.t('game.passes', { side: this.#name(sideOf(this.position) === 'X' ? 'O' : 'X') }),
        {
          key: 'pass',
          stay: 3000,
        },
      );
    this.#go();
  }

  press(move) {
    const { app, position } = this;
    if (!['turn', 'wrong', 'told'].includes(this.stage) || !app.rules.isLegal(position, move)) return true;
    if (this.#choices.some(({ moves }) => moves.includes(move))) {
      this.#play(move);
      return true;
    }
    this.#wrong.push(move);
    this.#fail();
    this.judge.ask([position, app.rules.play(position, move).position], () => {
      if (this.position === position && app.modes.current === this) this.#turn(this.stage);
    });
    this.#turn(this.#wrong.length < TOLD_FROM ? 'wrong' : 'told');
    return true;
  }

  /** Notes the line as failed that was to be gone on with; what was played in games becomes a line of its own. */
  #fail() {
    const line = this.#choices[0].lines[0] ?? {
      moves: [...this.moves, this.#choices[0].moves[0]].join(''),
      names: null,
    };
    if (this.#failed.has(line.moves)) return;
    this.#failed.add(line.moves);
    // A line that games went on with is trained where it begins as games begin.
    this.repertoire.note(line, this.side, false);
  }

  #tell() {
    if (this.stage === 'wrong') this.#turn('told');
  }

  #leave() {
    this.app.modes.leave();
    return true;
  }

  /** Enter: the move that was told is played, or the marked button pressed. @param {Element} target */
  #enter(target) {
    if (target.closest?.('[role=gridcell]') && this.stage !== 'done') return false;
    if (this.stage === 'told') this.#play(this.#choices[0].moves[0]);
    else if (this.stage === 'wrong') this.#tell();
    else if (this.stage !== 'done') return false;
    else if (!this.#next()) this.#again(this.side);
    return true;
  }

  /** Goes on to what is due; false where nothing is. */
  #next() {
    const here = this.lines[0] ? { line: this.lines[0], side: this.side } : null;
    const next = this.repertoire.next(here);
    if (!next) return false;
    this.#begin({ lines: [next.line], side: next.side });
    return true;
  }

  /** The same from the start. @param {Side} side */
  #again(side) {
    this.#begin({ ...this.setup, side });
  }

  /** @param {TrainerSetup} setup */
  #begin(setup) {
    const { app } = this;
    app.modes.begin('trainer', setup).catch((error) => app.fail(error));
  }

  /** The line becomes a game on the table. */
  #open() {
    this.app.studyActions.load({ start: START, moves: this.moves.join('') });
  }
}
