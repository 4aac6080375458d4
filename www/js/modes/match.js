// A game against an opponent: whose turn it is, what the user may do, and how it ends.

import { button, v } from '../base/dom.js';
import { clock as clockText } from '../base/format.js';
import { SIDES, sideOf, squareIndex } from '../base/position.js';
import { playMoveSound } from '../board/sound.js';
import { choose } from '../model/opponents.js';
import { serializeMatch } from '../model/saved-match.js';
import { MatchClock } from './match-clock.js';
import { Mode } from './mode.js';

/** Intervals at which the clocks are drawn and the remaining time is saved. */
const CLOCK_INTERVAL_MS = 200;
const SAVE_INTERVAL_MS = 2000;
/** With fewer seconds than this, an opponent that uses dice searches one ply. */
const HURRY_SECONDS = 5;
/** Depth of the hint that shows one move, and most depth of the hint that shows all values. */
const MOVE_HINT_DEPTH = 12;
const MAX_HINT_DEPTH = 20;

export class Match extends Mode {
  quiet = true;
  hide = true;
  tellsPass = true;
  usesEngine = true;
  empty = 'empty.match';
  /** The engine must move. */
  thinking = false;
  /** Positions in which a hint was used. @type {Set<string>} */
  #hinted = new Set();
  #savedAt = 0;
  /** When the opponent may move at the earliest, and the timer of its move. */
  #due = 0;
  #timer = 0;
  /** The next hint: nothing is shown yet, or one move is. */
  #hintLevel = 0;
  /** A move at the earlier position on the board that the user must confirm. @type {{ move: string, question: string } | null} */
  #asked = null;
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
    /** Moves before the match: its opening. */
    this.first = saved.first ?? this.head.ply;
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
    this.app.notices.say(this.#pass || this.#turnText);
    // With a mouse, the arrow keys step through the game.
    if (document.activeElement?.matches(':focus-visible')) this.app.board.takeFocus();
  }

  drop() {
    this.host.left(this);
  }

  /** Writes the names of the players in the current language. */
  #name() {
    const { tags } = this.app.study.tree;
    const you = this.colour === 'XO' ? undefined : this.t('match.you');
    const other = this.t(`match.opponent.${this.opponent.id}`);
    [tags.black, tags.white] = SIDES.map((side) => (this.colour.includes(side) ? you : other));
  }

  relabel() {
    this.#name();
    super.relabel();
  }

  /** A hint is shown. */
  get hinting() {
    return this.#hintLevel > 0;
  }

  /** Another position than the current one is on the board. */
  get #isAway() {
    return this.app.study.node !== this.head;
  }

  get onBoard() {
    const isBlocked = this.#isAway ? !this.setup.takeBack : this.thinking;
    const waits = isBlocked || !this.#isUsersTurn(this.app.study.node);
    return { waits, marks: this.#marks, turns: this.#turns };
  }

  #isUsersTurn(node) {
    return this.colour.includes(sideOf(node.position));
  }

  /** The discs of the last move, with their distances. */
  get #turns() {
    const { flips, move } = this.head;
    if (this.#isAway || !move || this.head.ply <= this.first) return null;
    const at = squareIndex(move);
    const distance = (to) => Math.max(Math.abs((to & 7) - (at & 7)), Math.abs((to >> 3) - (at >> 3)));
    return new Map([at, ...flips].map((square) => [square, distance(square)]));
  }

  /** The move of a hint. */
  get #marks() {
    const isKnown = this.#hintLevel === 1 && this.app.analysis.done;
    const best = isKnown && this.app.values.rows(this.head.position).best;
    return best ? new Map([[squareIndex(best.move), ['told']]]) : null;
  }

  /** Whose turn it is. */
  get #turnText() {
    if (this.#isAway) return this.t('match.lookingBack', { number: this.app.study.node.ply });
    if (this.thinking) return this.t('match.thinking');
    if (this.colour !== 'XO') return this.t('match.yourTurn');
    return this.t(sideOf(this.head.position) === 'X' ? 'do.black' : 'do.white');
  }

  /** Says who had to pass since the last move of the user, if a side had. */
  get #pass() {
    if (this.#isAway) return '';
    for (let node = this.head; node.ply > this.first; node = node.parent) {
      const side = sideOf(node.position) === 'X' ? 'O' : 'X';
      if (node.passed)
        return this.colour === side
          ? this.t('match.youPass')
          : this.t('game.passes', { side: this.app.words.side(side) });
      if (this.#isUsersTurn(node.parent)) break;
    }
    return '';
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
    const { colour, t } = this;
    const { hints, takeBack } = this.setup;
    const close = () => {
      this.host.close();
      this.leave();
    };
    if (this.#asked) {
      const { node } = this.app.study;
      const { move, question } = this.#asked;
      const playBack = () => {
        this.used.takeBacks++;
        this.#returnTo(node);
        this.app.press(move);
      };
      const yes = button(t('match.takeBack'), playBack, { class: 'solid' });
      const no = button(t('do.cancel'), () => this.#returnTo(this.head));
      return [v('span.told', question), v('span.choose', yes, no)];
    }
    const isNow = !this.#isAway;
    const hint = { key: 'hint', 'aria-pressed': String(this.hinting) };
    const leave = { class: 'plain', key: 'leave', onclick: close };
    return [
      this.#clocks,
      v('span.told', v('strong', this.#pass || this.#turnText)),
      v(
        'span.choose',
        !isNow && button(t('match.toNow'), () => this.app.study.go(this.head), { class: 'solid' }),
        colour && isNow && hints && button(t(`match.hint.${this.#hintLevel}`), () => this.hint(), hint),
        colour && isNow && takeBack && button(t('match.takeBack'), () => this.takeBack()),
        colour && button(t('match.resign'), () => this.resign()),
        v('button', leave, t('match.leave'), ' ', v('span.wide', t('match.saved'))),
      ),
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

  /** Asks before a move at an earlier position takes the later moves back. */
  press(move) {
    const { notices, rules, study } = this.app;
    const { node } = study;
    if (!this.#isAway) return false;
    if (node.ply < this.first || !this.#isUsersTurn(node) || !rules.isLegal(node.position, move)) return true;
    if (!this.setup.takeBack) return this.#refuseTakeBack();
    const question = this.t('match.askTakeBack', { move, number: node.ply + 1 });
    this.#asked = { move, question };
    this.draw();
    notices.say(question);
    return true;
  }

  /** Only on the user's turn. */
  mayPlay() {
    if (this.outcome || !this.#isUsersTurn(this.head)) return false;
    this.#hideHint();
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
    return this.setup.takeBack ? this.takeBack() : this.#refuseTakeBack();
  }

  #refuseTakeBack() {
    this.app.notices.show(this.t('match.noTakeBack'), { key: 'refused', stay: 4000 });
    return true;
  }

  /** After a move it may be the engine's turn. @param {Change} what */
  moved(what) {
    const { node, tree } = this.app.study;
    if (what === 'load') return void this.leave();
    this.#asked = null;
    if (!tree.holds(this.head)) return void this.#skipDeleted();
    if (node.parent === this.head) {
      this.head = node;
      // Moves that were taken back stay as variations: the match is the main line.
      if (!node.isMain) tree.promote(node);
      this.isBegun = true;
      if (this.app.settings.get('sound')) playMoveSound(node.flips.length);
      this.#turn();
      this.save();
    } else if (this.#isAway) {
      this.#hideHint();
      // The engine plays itself only while its user watches.
      if (!this.colour) this.#halt();
    } else if (!this.colour && !this.thinking) this.#turn();
    // The move may have ended the match.
    if (this.app.modes.current === this) this.update();
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
    if (this.colour.includes(look.side)) return;
    const isHurried = this.clock && this.clock.of(look.side) < HURRY_SECONDS;
    const pause = isHurried ? 0 : this.app.settings.get('pace') * (1 + Math.random());
    this.#due = performance.now() + pause;
    this.#ask();
  }

  /** Asks the engine for its move, or for the values of the moves, of which one is drawn. */
  #ask(command = this.opponent.temperature ? 'hint 64' : 'go') {
    const { app, opponent } = this;
    this.thinking = true;
    const { position } = this.head;
    const seconds = this.clock ? this.clock.of(sideOf(position)) : Infinity;
    const time = this.setup.time && { seconds: Math.max(1, seconds), increment: this.setup.time[1] };
    /** @type {Row[]} */
    let rows = [];
    const dice = command !== 'go';
    const forced = app.rules.look(position).legal.length === 1;
    const depth = dice && (forced || seconds < HURRY_SECONDS) ? 1 : opponent.depth;
    app.engine.submit({
      lines: app.rules.searchLines(position, depth, command, time),
      onReport: (values) => {
        if (values.length > 0) rows = app.rules.readValues(values);
      },
      onMove: (move) => this.#answer(position, move),
      onDone: (values) => {
        if (values.length > 0) rows = app.rules.readValues(values);
        if (!dice || !this.thinking) return;
        // A failed search has no values, but `go` still yields a move.
        if (rows.length === 0) return this.#ask('go');
        const drawn = choose(rows, opponent.temperature ?? 0, position, Math.random);
        return this.#answer(position, drawn);
      },
    });
    // The bar was drawn before the first move.
    this.update();
    app.painter.now();
  }

  /** Plays the move of the engine, not before it is due. */
  #answer(position, move) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#play(position, move), this.#due - performance.now());
  }

  #play(position, move) {
    this.thinking = false;
    const { app } = this;
    if (app.modes.current !== this || this.head.position !== position) return;
    if (!app.rules.isLegal(position, move)) {
      app.notices.show(app.t('match.badMove', { move }), { kind: 'fault' });
      return;
    }
    this.clock?.endTurn();
    if (app.study.node !== this.head) app.study.go(this.head);
    app.playMove(move);
    app.screen.announce();
  }

  /** The engine is available again: a pending move or hint is requested again. */
  resume() {
    if (this.thinking) this.#ask();
    else if (this.hinting) this.#analyze();
  }

  #halt() {
    clearTimeout(this.#timer);
    this.clock?.run(null);
    if (!this.thinking) return;
    this.thinking = false;
    this.app.engine.stop();
  }

  /** Shows the best move, then the values of all moves, then hides them. */
  hint() {
    const { app } = this;
    if (this.#hintLevel === 2) {
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
    this.#hintLevel++;
    this.hide = this.#hintLevel < 2;
    if (!this.hide) app.settings.set('values', true);
    this.#analyze();
    this.#showHint();
    this.save();
  }

  #analyze() {
    const depth = Math.min(this.hide ? MOVE_HINT_DEPTH : MAX_HINT_DEPTH, this.app.settings.get('depth'));
    this.app.analysis.run(this.head.position, { lines: this.hide ? 1 : 64, depth });
  }

  #hideHint() {
    if (!this.hinting) return;
    this.#hintLevel = 0;
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
    if (!node || this.outcome) return true;
    this.used.takeBacks++;
    this.#returnTo(node);
    return true;
  }

  /** A move of the match was deleted: it continues from the last move that is left. */
  #skipDeleted() {
    const { tree } = this.app.study;
    let node = this.head;
    while (!tree.holds(node)) node = node.parent;
    this.used.takeBacks++;
    this.first = Math.min(this.first, node.ply);
    this.#returnTo(this.#lastTurn(node) ?? node);
  }

  /** `node` or the last node before it at which it was the user's turn, or `null`. */
  #lastTurn(node) {
    while (node && !this.#isUsersTurn(node)) node = node.parent;
    return node && node.ply >= this.first ? node : null;
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
    const side = this.colour === 'XO' ? sideOf(this.head.position) : this.colour;
    if (!this.outcome) this.#finish({ result: side === 'X' ? -64 : 64, ending: 'resigned' });
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
    const { setup, used, first, head: node } = this;
    return serializeMatch({ state, setup, left: this.clock?.seconds ?? null, used, first, node });
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
