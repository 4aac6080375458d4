// A game against an opponent: who is to move, what the person may do, and how it ends.

import { h, text } from '../base/dom.js';
import { clock as clockText } from '../base/format.js';
import { sideOf } from '../base/position.js';
import { setPosition } from '../engine/nboard.js';
import { choose } from '../model/opponents.js';
import { serializeMatch } from '../model/saved-match.js';
import { barButton, spring } from './bar.js';
import { MatchClock } from './match-clock.js';
import { Mode } from './mode.js';

/** How often the clocks are drawn, and how often the time that is left is kept. */
const TICK_MS = 200;
const KEEP_MS = 2000;
/** Who has fewer seconds left looks but one ply ahead. */
const HURRY = 5;
/** A hint does not look further. */
const HINT_DEPTH = 20;

/** Whether a node hangs in a tree: nothing above it was undone or deleted. */
function isIn(tree, node) {
  while (node.parent?.children.includes(node)) node = node.parent;
  return node === tree.root;
}

export class Match extends Mode {
  quiet = true;
  hide = true;
  usesEngine = true;
  empty = 'empty.match';
  /** Whether the engine owes a move. */
  thinking = false;
  /** Positions that a hint was taken in. @type {Set<string>} */
  #hinted = new Set();
  #keptAt = 0;
  #keepNow = () => this.keep();
  /** Whether something would be lost with it. */
  isBegun = false;

  /** @param {App} app @param {MatchSetup} setup @param {Partial<KeptMatch>} kept what it was before, if it was
   *  @param {import('./match-start.js').MatchHost} host */
  constructor(app, setup, kept, host) {
    super(app);
    this.setup = setup;
    this.colour = setup.colour;
    this.opponent = setup.opponent;
    this.host = host;
    this.clock = setup.time && new MatchClock(setup.time, kept.left);
    this.used = kept.used ?? { hints: 0, takeBacks: 0 };
    this.isBegun = kept.used !== undefined;
    /** The position that the game stands at. */
    this.head = app.study.node;
    /** How it ended, once it has. @type {MatchOutcome | null} */
    this.outcome = null;
    this.clocks = h(
      'span.clocks',
      { role: 'timer' },
      ['X', 'O'].map((side) =>
        h(
          'span',
          h('span', { class: `dot ${side === 'X' ? 'black' : 'white'}` }),
          ' ',
          h('span', { data: { side } }),
        ),
      ),
    );
  }

  start() {
    this.#name();
    this.app.study.tree.tags.date ??= new Date().toLocaleDateString('sv'); // the local date as YYYY-MM-DD
    this.draw();
    this.ticker = setInterval(() => this.#tick(), TICK_MS);
    addEventListener('pagehide', this.#keepNow);
    this.#turn();
    this.keep();
  }

  /** The players, in the language that is spoken. */
  #name() {
    const { tags } = this.app.study.tree;
    const names = [this.app.words.t('match.you'), this.opponentName];
    [tags.black, tags.white] = this.colour === 'X' ? names : names.reverse();
  }

  get opponentName() {
    return this.app.words.t(`match.opponent.${this.opponent.id}`);
  }

  relabel() {
    this.#name();
    super.relabel();
  }

  /** Whether the person is shown what the engine thinks of the position. */
  get hinting() {
    return !this.hide;
  }

  get message() {
    // The console has the engine, or it was given up: the header says so.
    if (this.hinting || (this.thinking && ['manual', 'crashed'].includes(this.app.engine.state))) return null;
    return this.app.words.t(this.thinking ? 'match.thinking' : 'match.yourTurn');
  }

  get notes() {
    const { t } = this.app.words;
    const { ply, move, position } = this.head;
    const { black, white, side, over } = this.app.rules.look(position);
    return [
      over ? '' : t('match.note.move', { number: ply + 1, side: t(side === 'X' ? 'black' : 'white') }),
      t('match.note.discs', { black, white }),
      move ? t('match.note.last', { move }) : '',
      t('match.note.opponent', { opponent: this.opponentName }),
      this.setup.hints ? t('match.note.hints', { n: this.used.hints }) : '',
    ].filter(Boolean);
  }

  get #side() {
    return sideOf(this.head.position);
  }

  get bar() {
    const { t } = this.app.words;
    const { hints, takeBack } = this.setup;
    this.hintButton = hints
      ? barButton(t('match.hint'), () => this.hint(), { 'aria-pressed': String(this.hinting) })
      : null;
    this.#showClocks();
    return [
      this.clock && this.clocks,
      spring(),
      this.hintButton,
      takeBack ? barButton(t('match.takeBack'), () => this.takeBack()) : null,
      barButton(t('match.resign'), () => this.resign()),
      barButton(t('do.end'), () => this.#close()),
    ];
  }

  #showClocks() {
    if (!this.clock) return;
    const { seconds } = this.clock;
    for (const node of this.clocks.querySelectorAll('[data-side]')) {
      const { side } = node.dataset;
      text(node, clockText(seconds[side]));
      node.toggleAttribute('data-running', side === this.clock.running);
    }
  }

  #tick() {
    if (!this.clock) return;
    this.clock.look();
    this.#showClocks();
    const { running } = this.clock;
    if (running && this.clock.of(running) <= 0) {
      this.#finish({ result: running === 'X' ? -64 : 64, ending: 'timed-out' });
      return;
    }
    if (performance.now() - this.#keptAt > KEEP_MS) this.keep();
  }

  /** Only on their turn; played from an earlier position a move takes the later ones back. */
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

  /** Undoing is taking back. */
  undo() {
    if (this.setup.takeBack) this.takeBack();
    else this.#refuseTakeBack();
    return true;
  }

  #refuseTakeBack() {
    this.app.notices.show(this.app.words.t('match.noTakeBack'), { key: 'refused', stay: 4000 });
  }

  /** Where the game went on, it may be the engine's turn. @param {Change} what */
  moved(what) {
    const { node, tree } = this.app.study;
    if (what === 'load') {
      this.app.modes.leave();
      return;
    }
    if (!isIn(tree, this.head)) {
      this.#returnFrom(this.head);
      return;
    }
    if (node.parent === this.head) {
      this.head = node;
      // What is taken back stays as a variation: the game is the main line.
      if (!node.isMain) tree.promote(node);
      this.isBegun = true;
      this.#turn();
      this.keep();
    } else if (node !== this.head) this.#hideHint();
    this.#showClocks();
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

  /** Has the engine look at the position to play in: for its move, or for values that the dice choose among. */
  #ask(command = this.opponent.temperature ? 'hint 64' : 'go') {
    const { app, opponent } = this;
    this.thinking = true;
    const { position } = this.head;
    const seconds = this.clock ? this.clock.of(this.#side) : Infinity;
    const time = this.setup.time && { seconds: Math.max(1, seconds), increment: this.setup.time[1] };
    /** @type {Map<string, Row>} */
    const rows = new Map();
    const dice = command !== 'go';
    const forced = app.rules.look(position).legal.length === 1;
    app.engine.submit({
      position,
      depth: dice && (forced || seconds < HURRY) ? 1 : opponent.depth,
      command,
      setup: setPosition(position, time),
      onValue: (row) => rows.set(row.move, row),
      onMove: ({ move }) => this.#answer(position, move),
      onDone: () => {
        if (!dice || !this.thinking) return;
        // A search that failed has no values; the engine has a move nevertheless.
        if (rows.size === 0) this.#ask('go');
        else
          this.#answer(
            position,
            choose([...rows.values()], opponent.temperature ?? 0, position, Math.random),
          );
      },
    });
    app.painter.now();
  }

  #answer(position, move) {
    this.thinking = false;
    const { app } = this;
    if (app.modes.current !== this || this.head.position !== position) return;
    if (!app.rules.isLegal(position, move)) {
      app.notices.show(app.words.t('match.badMove', { move }), { kind: 'fault' });
      return;
    }
    this.clock?.endTurn();
    if (app.study.node !== this.head) app.study.go(this.head);
    const node = app.studyActions.playMove(move);
    app.notices.say(app.words.t('match.plays', { move: node.move }));
  }

  /** The engine is the page's again: where it owes a move or a hint it is asked once more. */
  resume() {
    if (this.thinking) this.#ask();
    else if (this.hinting) this.#look();
  }

  #halt() {
    if (!this.thinking) return;
    this.thinking = false;
    this.app.engine.stop();
  }

  /** Shows the values of the position, or hides them again. */
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
    this.#look();
    this.#showHint();
    this.keep();
  }

  #look() {
    const depth = Math.min(HINT_DEPTH, this.app.settings.get('depth'));
    this.app.analysis.run(this.head.position, { lines: 64, depth });
  }

  #hideHint() {
    if (!this.hinting) return;
    this.hide = true;
    this.app.analysis.finish();
    this.#showHint();
  }

  #showHint() {
    this.hintButton?.setAttribute('aria-pressed', String(this.hinting));
    this.app.painter.now();
  }

  /** Back to the last position where it was the person's turn. */
  takeBack() {
    const node = this.#lastTurn(this.head.parent);
    if (!node || this.outcome) return;
    this.used.takeBacks++;
    this.#returnTo(node);
  }

  /** The game is in no tree any more, for a move was deleted: it goes on from what is left of it. */
  #returnFrom(gone) {
    const { tree } = this.app.study;
    let node = gone;
    while (!isIn(tree, node)) node = node.parent;
    this.used.takeBacks++;
    this.#returnTo(this.#lastTurn(node) ?? node);
  }

  /** `node` or the last one before it where it was the person's turn; nothing where there is none. */
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
    this.keep();
    this.#showClocks();
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

  /** What goes on the device. @param {KeptMatch['state']} state */
  kept(state = 'on') {
    const { setup, used, head: node } = this;
    return serializeMatch({ state, setup, left: this.clock?.seconds ?? null, used, node });
  }

  keep() {
    this.#keptAt = performance.now();
    if (!this.outcome) this.host.keep(this);
  }

  #close() {
    this.host.close();
    this.app.modes.leave();
  }

  end() {
    clearInterval(this.ticker);
    removeEventListener('pagehide', this.#keepNow);
    this.#halt();
    this.#hideHint();
    this.host.left(this);
    super.end();
  }
}
