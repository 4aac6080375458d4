// A game against an opponent: whose turn it is, what the user may do, and how it ends.

import { button, spring, v } from '../base/dom.js';
import { clock as clockText } from '../base/format.js';
import { sideOf } from '../base/position.js';
import { setPosition } from '../engine/nboard.js';
import { choose } from '../model/opponents.js';
import { serializeMatch } from '../model/saved-match.js';
import { MatchClock } from './match-clock.js';
import { Mode } from './mode.js';

/** Intervals at which the clocks are drawn and the remaining time is saved. */
const CLOCK_INTERVAL_MS = 200;
const SAVE_INTERVAL_MS = 2000;
/** With fewer seconds than this, an opponent that uses dice searches one ply. */
const HURRY_SECONDS = 5;
const MAX_HINT_DEPTH = 20;

export class Match extends Mode {
  quiet = true;
  hide = true;
  bare = true;
  usesEngine = true;
  empty = 'empty.match';
  /** The engine must move. */
  thinking = false;
  /** Positions in which a hint was used. @type {Set<string>} */
  #hinted = new Set();
  #savedAt = 0;
  /** A move was played. */
  isBegun = false;

  /** @param {App} app @param {MatchSetup} setup @param {Partial<KeptMatch>} saved the match to resume, if any
   *  @param {import('./match-start.js').MatchHost} host */
  constructor(app, setup, saved, host) {
    super(app);
    this.setup = setup;
    this.colour = setup.colour;
    this.opponent = setup.opponent;
    this.host = host;
    this.clock = setup.time && new MatchClock(setup.time, saved.left);
    this.used = saved.used ?? { hints: 0, takeBacks: 0 };
    this.isBegun = saved.used !== undefined;
    /** The current position of the match. */
    this.head = app.study.node;
    /** @type {MatchOutcome | null} */
    this.outcome = null;
  }

  start() {
    this.#name();
    this.app.study.tree.tags.date ??= new Date().toLocaleDateString('sv'); // the local date as YYYY-MM-DD
    this.draw();
    this.ticker = setInterval(() => this.#tick(), CLOCK_INTERVAL_MS);
    addEventListener('pagehide', () => this.save(), { signal: this.listeners.signal });
    this.#turn();
    this.save();
  }

  /** Writes the names of the players in the current language. */
  #name() {
    const { tags } = this.app.study.tree;
    const names = [this.t('match.you'), this.opponentName];
    [tags.black, tags.white] = this.colour === 'X' ? names : names.reverse();
  }

  get opponentName() {
    return this.t(`match.opponent.${this.opponent.id}`);
  }

  relabel() {
    this.#name();
    super.relabel();
  }

  /** A hint is shown. */
  get hinting() {
    return !this.hide;
  }

  get message() {
    // If the engine serves the console or crashed, the header reports it.
    if (this.hinting || (this.thinking && ['manual', 'crashed'].includes(this.app.engine.state))) return null;
    return this.t(this.thinking ? 'match.thinking' : 'match.yourTurn');
  }

  get notes() {
    const { ply, move, position } = this.head;
    const { black, white, side, over } = this.app.rules.look(position);
    return [
      over
        ? ''
        : this.t('match.note.move', { number: ply + 1, side: this.t(side === 'X' ? 'black' : 'white') }),
      this.t('match.note.discs', { black, white }),
      move ? this.t('match.note.last', { move }) : '',
      this.t('match.note.opponent', { opponent: this.opponentName }),
      this.setup.hints ? this.t('match.note.hints', { n: this.used.hints }) : '',
    ].filter(Boolean);
  }

  /** @returns {any} */
  get #clocks() {
    const { clock } = this;
    if (!clock) return null;
    const side = (/** @type {Side} */ side) => {
      const data = { side };
      const running = side === clock.running;
      const time = v('span', { data, 'data-running': running }, clockText(clock.seconds[side]));
      return v('span', v(`span.dot.${side === 'X' ? 'black' : 'white'}`), ' ', time);
    };
    return v('span.clocks', { role: 'timer' }, side('X'), side('O'));
  }

  get bar() {
    const { hints, takeBack } = this.setup;
    const close = () => {
      this.host.close();
      this.leave();
    };
    return [
      this.#clocks,
      spring(),
      hints && button(this.t('match.hint'), () => this.hint(), { 'aria-pressed': String(this.hinting) }),
      takeBack && button(this.t('match.takeBack'), () => this.takeBack()),
      button(this.t('match.resign'), () => this.resign()),
      button(this.t('do.end'), close),
    ];
  }

  #tick() {
    if (!this.clock) return;
    this.clock.skipSleep();
    this.update();
    const { running } = this.clock;
    if (running && this.clock.of(running) <= 0) {
      this.#finish({ result: running === 'X' ? -64 : 64, ending: 'timed-out' });
      return;
    }
    if (performance.now() - this.#savedAt > SAVE_INTERVAL_MS) this.save();
  }

  /** Only on the user's turn. A move from an earlier position takes the later moves back. */
  mayPlay() {
    const { node, position } = this.app.study;
    if (this.outcome || sideOf(position) !== this.colour) return false;
    if (node !== this.head) {
      if (!this.setup.takeBack) {
        this.#refuseTakeBack();
        return false;
      }
      this.used.takeBacks++;
    }
    this.#halt();
    this.#hideHint();
    this.head = node;
    this.clock?.endTurn();
    return true;
  }

  get takesLines() {
    return false;
  }

  get mayDelete() {
    return this.setup.takeBack;
  }

  /** Undo takes a move back. */
  undo() {
    if (this.setup.takeBack) this.takeBack();
    else this.#refuseTakeBack();
    return true;
  }

  #refuseTakeBack() {
    this.app.notices.show(this.t('match.noTakeBack'), { key: 'refused', stay: 4000 });
  }

  /** After a move it may be the engine's turn. @param {Change} what */
  moved(what) {
    const { node, tree } = this.app.study;
    if (what === 'load') return void this.leave();
    if (!tree.holds(this.head)) return this.#skipDeleted();
    if (node.parent === this.head) {
      this.head = node;
      // Moves that were taken back stay as variations: the match is the main line.
      if (!node.isMain) tree.promote(node);
      this.isBegun = true;
      this.#turn();
      this.save();
    } else if (node !== this.head) this.#hideHint();
    return this.update();
  }

  #turn() {
    if (this.app.modes.current !== this) return;
    this.#halt();
    const look = this.app.rules.look(this.head.position);
    if (look.over) {
      this.#finish({ result: look.margin });
      return;
    }
    this.clock?.run(look.side);
    if (look.side !== this.colour) this.#ask();
  }

  /** Asks the engine for its move, or for the values of the moves, of which one is drawn. */
  #ask(command = this.opponent.temperature ? 'hint 64' : 'go') {
    const { app, opponent } = this;
    this.thinking = true;
    const { position } = this.head;
    const seconds = this.clock ? this.clock.of(sideOf(position)) : Infinity;
    const time = this.setup.time && { seconds: Math.max(1, seconds), increment: this.setup.time[1] };
    /** @type {Map<string, Row>} */
    const rows = new Map();
    const dice = command !== 'go';
    const forced = app.rules.look(position).legal.length === 1;
    app.engine.submit({
      position,
      depth: dice && (forced || seconds < HURRY_SECONDS) ? 1 : opponent.depth,
      command,
      setup: setPosition(position, time),
      onValue: (row) => rows.set(row.move, row),
      onMove: ({ move }) => this.#answer(position, move),
      onDone: () => {
        if (!dice || !this.thinking) return;
        // A failed search has no values, but `go` still yields a move.
        if (rows.size === 0) return this.#ask('go');
        const drawn = choose([...rows.values()], opponent.temperature ?? 0, position, Math.random);
        return this.#answer(position, drawn);
      },
    });
    app.painter.now();
  }

  #answer(position, move) {
    this.thinking = false;
    const { app } = this;
    if (app.modes.current !== this || this.head.position !== position) return;
    if (!app.rules.isLegal(position, move)) {
      app.notices.show(app.t('match.badMove', { move }), { kind: 'fault' });
      return;
    }
    this.clock?.endTurn();
    if (app.study.node !== this.head) app.study.go(this.head);
    const node = app.studyActions.playMove(move);
    app.notices.say(app.t('match.plays', { move: node.move }));
  }

  /** The engine is available again: a pending move or hint is requested again. */
  resume() {
    if (this.thinking) this.#ask();
    else if (this.hinting) this.#analyze();
  }

  #halt() {
    if (!this.thinking) return;
    this.thinking = false;
    this.app.engine.stop();
  }

  /** Shows the values of the position, or hides them. */
  hint() {
    const { app } = this;
    if (this.hinting) {
      this.#hideHint();
      return;
    }
    if (this.thinking || this.outcome) return;
    if (app.study.node !== this.head) app.study.go(this.head);
    const { position } = this.head;
    if (!this.#hinted.has(position)) {
      this.#hinted.add(position);
      this.used.hints++;
    }
    this.hide = false;
    app.settings.set('values', true);
    this.#analyze();
    this.#showHint();
    this.save();
  }

  #analyze() {
    const depth = Math.min(MAX_HINT_DEPTH, this.app.settings.get('depth'));
    this.app.analysis.run(this.head.position, { lines: 64, depth });
  }

  #hideHint() {
    if (!this.hinting) return;
    this.hide = true;
    this.app.analysis.finish();
    this.#showHint();
  }

  #showHint() {
    this.update();
    this.app.painter.now();
  }

  /** Returns to the user's last turn. */
  takeBack() {
    const node = this.#lastTurn(this.head.parent);
    if (!node || this.outcome) return;
    this.used.takeBacks++;
    this.#returnTo(node);
  }

  /** A move of the match was deleted: it continues from the last move that is left. */
  #skipDeleted() {
    const { tree } = this.app.study;
    let node = this.head;
    while (!tree.holds(node)) node = node.parent;
    this.used.takeBacks++;
    this.#returnTo(this.#lastTurn(node) ?? node);
  }

  /** `node` or the last node before it at which it was the user's turn, or `null`. */
  #lastTurn(node) {
    while (node && sideOf(node.position) !== this.colour) node = node.parent;
    return node;
  }

  #returnTo(node) {
    this.#halt();
    this.#hideHint();
    this.head = node;
    this.app.study.go(node);
    this.#turn();
    this.save();
    this.update();
    this.app.painter.now();
  }

  resign() {
    if (!this.outcome) this.#finish({ result: this.colour === 'X' ? -64 : 64, ending: 'resigned' });
  }

  /** @param {MatchOutcome} outcome */
  #finish(outcome) {
    if (this.outcome || this.app.modes.current !== this) return;
    this.outcome = outcome;
    this.clock?.run(null);
    this.host.finished(this);
  }

  /** The match as it is saved. @param {KeptMatch['state']} state */
  serialize(state = 'on') {
    const { setup, used, head: node } = this;
    return serializeMatch({ state, setup, left: this.clock?.seconds ?? null, used, node });
  }

  save() {
    this.#savedAt = performance.now();
    if (!this.outcome) this.host.save(this);
  }

  end() {
    clearInterval(this.ticker);
    this.#halt();
    this.#hideHint();
    this.host.left(this);
    super.end();
  }
}
