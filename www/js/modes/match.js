// A game against the engine: it has one colour, a level, and a clock if one was chosen.

import { choices, openDialog } from '../base/dialog.js';
import { h, text } from '../base/dom.js';
import { clock } from '../base/format.js';
import { sideOf } from '../base/position.js';
import { setPosition } from '../engine/nboard.js';
import { barButton, spring } from './bar.js';
import { Mode } from './mode.js';

/** Search depth of the ten levels, in plies. */
const LEVELS = [1, 2, 3, 4, 6, 8, 10, 13, 17, 24];
/** Seconds for the game and seconds added a move, or no clock. @type {MatchSetup['time'][]} */
const CLOCKS = [null, [60, 0], [180, 2], [300, 0], [900, 5]];
/** How often the clocks are drawn. */
const TICK_MS = 200;

/** @param {App} app @param {MatchSetup} [setup] asked for where it is missing */
export async function create(app, setup) {
  const chosen = setup ?? (await askSetup(app));
  return chosen && new Match(app, chosen);
}

/** @param {App} app @returns {Promise<MatchSetup | null>} */
function askSetup(app) {
  const { t } = app.words;
  const chosen = { colour: 'X', level: 5, clock: 0, ...app.store.get('match', {}), from: 'start' };
  const starts = [
    ['start', t('match.fromStart')],
    ['here', t('match.fromHere')],
  ];
  const times = CLOCKS.map((time, i) => [i, time ? `${time[0] / 60}+${time[1]}` : t('match.noClock')]);
  const sides = [
    ['X', t('black')],
    ['O', t('white')],
    ['?', t('match.lot')],
  ];
  const ask = (name, options) =>
    choices({
      name,
      legend: t(`match.${name}`),
      value: chosen[name],
      options,
      onchange: (value) => {
        chosen[name] = value;
      },
    });
  return new Promise((resolve) => {
    let started = false;
    const start = async () => {
      started = true;
      const { colour, level, clock, from } = chosen;
      app.store.set('match', { colour, level, clock });
      if (from === 'start') await app.act('new');
      const lot = crypto.getRandomValues(new Uint8Array(1))[0] % 2 ? 'X' : 'O';
      resolve({ colour: colour === '?' ? lot : colour, level, time: CLOCKS[clock] ?? null });
    };
    openDialog({
      title: t('match.title'),
      words: app.words,
      body: [
        ask('colour', sides),
        ask(
          'level',
          LEVELS.map((_, i) => [i + 1, String(i + 1)]),
        ),
        ask('clock', times),
        ...(app.study.node.parent ? [ask('from', starts)] : []),
      ],
      actions: [{ label: t('do.cancel') }, { label: t('match.start'), solid: true, run: start }],
      onClose: () => started || resolve(null),
    });
  });
}

/** Whether a node hangs in a tree: nothing above it was undone or deleted. */
function isIn(tree, node) {
  while (node.parent?.children.includes(node)) node = node.parent;
  return node === tree.root;
}

class Match extends Mode {
  quiet = true;
  hide = true;
  usesEngine = true;
  empty = 'empty.match';
  /** Whether the engine owes a move. */
  thinking = false;
  turnBegan = performance.now();

  /** @param {App} app @param {MatchSetup} setup */
  constructor(app, { colour, level, time }) {
    super(app);
    this.colour = colour;
    this.level = level;
    this.depth = LEVELS[level - 1] ?? 6;
    this.time = time;
    this.left = time && { X: time[0], O: time[0] };
    /** The position that the game stands at. */
    this.head = app.study.node;
    this.clocks = h(
      'span',
      { class: 'clocks', role: 'timer' },
      ['X', 'O'].map((side) =>
        h(
          'span',
          null,
          h('span', { class: `dot ${side === 'X' ? 'black' : 'white'}` }),
          ' ',
          h('span', { data: { side } }),
        ),
      ),
    );
  }

  start() {
    const { tags } = this.app.study.tree;
    const names = [
      this.app.words.t('match.you'),
      `${this.app.engine.info?.name ?? 'Outflank'} (${this.level})`,
    ];
    [tags.black, tags.white] = this.colour === 'X' ? names : names.reverse();
    tags.date = new Date().toISOString().slice(0, 10);
    this.draw();
    if (this.time) this.ticker = setInterval(() => this.#tick(), TICK_MS);
    this.#turn();
  }

  get message() {
    // The console has the engine, or it was given up: the header says so.
    if (this.thinking && ['manual', 'dead'].includes(this.app.engine.state)) return null;
    return this.app.words.t(this.thinking ? 'match.thinking' : 'match.yourTurn');
  }

  get #side() {
    return sideOf(this.head.position);
  }

  get bar() {
    const { t } = this.app.words;
    this.#showClocks();
    return [
      h('span', {
        text: t('match.playing', { side: t(this.colour === 'X' ? 'black' : 'white'), level: this.level }),
      }),
      this.time && this.clocks,
      spring(),
      barButton(t('match.takeBack'), () => this.takeBack()),
      barButton(t('do.end'), () => this.app.modes.leave()),
    ];
  }

  #spent() {
    return (performance.now() - this.turnBegan) / 1000;
  }

  #showClocks() {
    if (!this.left) return;
    for (const node of this.clocks.querySelectorAll('[data-side]')) {
      const { side } = node.dataset;
      const left = this.left[side] - (side === this.#side ? this.#spent() : 0);
      text(node, clock(left));
      node.toggleAttribute('data-running', side === this.#side);
    }
  }

  #tick() {
    if (this.app.rules.look(this.head.position).over) return;
    this.#showClocks();
    if (!this.left || this.left[this.#side] - this.#spent() > 0) return;
    const { t } = this.app.words;
    this.app.notices.show(t('match.flag', { side: t(this.#side === 'X' ? 'black' : 'white') }), { stay: 0 });
    this.app.modes.leave();
  }

  #punch() {
    if (!this.left || !this.time) return;
    this.left[this.#side] += this.time[1] - this.#spent();
    this.turnBegan = performance.now();
  }

  /** Only on their turn; played from an earlier position a move takes the later ones back. */
  mayPlay() {
    if (sideOf(this.app.study.position) !== this.colour) return false;
    this.#halt();
    this.head = this.app.study.node;
    this.#punch();
    return true;
  }

  get takesLines() {
    return false;
  }

  /** Where the game went on, it may be the engine's turn. @param {Change} what */
  moved(what) {
    const { node } = this.app.study;
    if (what === 'load') {
      this.app.modes.leave();
      return;
    }
    if (!isIn(this.app.study.tree, this.head)) {
      this.#returnFrom(this.head);
      return;
    }
    if (node.parent === this.head) {
      this.head = node;
      this.turnBegan = performance.now();
      this.#turn();
    }
    this.#showClocks();
  }

  #turn() {
    if (this.app.modes.current !== this) return;
    this.#halt();
    const { app } = this;
    const look = app.rules.look(this.head.position);
    if (look.over) {
      this.#over(look);
      return;
    }
    if (look.side === this.colour) return;
    this.#ask();
  }

  /** Gives the engine the position to play in. */
  #ask() {
    const { app } = this;
    this.thinking = true;
    const { position } = this.head;
    const time = this.left &&
      this.time && { seconds: Math.max(1, this.left[this.#side]), increment: this.time[1] };
    app.engine.submit({
      position,
      depth: this.depth,
      command: 'go',
      setup: setPosition(position, time),
      onMove: ({ move }) => this.#answer(position, move),
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
    this.#punch();
    if (app.study.node !== this.head) app.study.go(this.head);
    const node = app.table.playMove(move);
    app.notices.say(app.words.t('match.plays', { move: node.move }));
  }

  /** The engine is the page's again: where it owes a move it is asked once more. */
  resume() {
    if (this.thinking) this.#ask();
  }

  #halt() {
    if (!this.thinking) return;
    this.thinking = false;
    this.app.engine.stop();
  }

  /** Back to the last position where it was the person's turn. */
  takeBack() {
    const node = this.#lastTurn(this.head.parent);
    if (node) this.#returnTo(node);
  }

  /** The game is in no tree any more, for a move was undone or deleted: it goes on from what is left of it. */
  #returnFrom(gone) {
    const { tree } = this.app.study;
    let node = gone;
    while (!isIn(tree, node)) node = node.parent;
    this.#returnTo(this.#lastTurn(node) ?? node);
    this.#turn();
  }

  /** `node` or the last one before it where it was the person's turn; nothing where there is none. */
  #lastTurn(node) {
    while (node && sideOf(node.position) !== this.colour) node = node.parent;
    return node;
  }

  #returnTo(node) {
    this.#halt();
    this.head = node;
    this.turnBegan = performance.now();
    this.app.study.go(node);
    this.#showClocks();
    this.app.painter.now();
  }

  #over(look) {
    const { app } = this;
    const { t } = app.words;
    const mine = this.colour === 'X' ? look.margin : -look.margin;
    const key = mine > 0 ? 'match.won' : mine < 0 ? 'match.lost' : 'match.drawn';
    app.modes.leave();
    app.notices.show(t(key, { black: look.black, white: look.white }), {
      stay: 15_000,
      action: { label: t('do.review'), run: () => app.act('review') },
    });
  }

  end() {
    clearInterval(this.ticker);
    this.#halt();
    super.end();
  }
}
