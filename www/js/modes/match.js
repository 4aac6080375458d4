// A game against the engine: it has one colour, a level, and a clock if one was chosen.

import { h, text } from '../base/dom.js';
import { choices, openDialog } from '../base/dialog.js';
import { clock } from '../base/format.js';
import { barButton, hideBar, showBar } from './bar.js';
import { setPosition } from '../engine/nboard.js';
import { sideOf } from '../base/position.js';

/** Search depth of the ten levels, in plies. */
export const LEVELS = [1, 2, 3, 4, 6, 8, 10, 13, 17, 24];
/** Clocks: seconds for the game, seconds added a move. */
export const CLOCKS = [null, [60, 0], [180, 2], [300, 0], [900, 5]];

export function askMatch(app) {
  const { t } = app.words;
  const chosen = { colour: 'X', level: 5, clock: 0, from: 'start', ...app.store.get('match', {}) };
  const options = app.study.node.parent ? [['start', t('match.fromStart')], ['here', t('match.fromHere')]] : null;
  chosen.from = 'start';
  openDialog({
    title: t('match.title'),
    words: app.words,
    body: [
      choices({ name: 'colour', legend: t('match.colour'), value: chosen.colour, options: [['X', t('black')], ['O', t('white')], ['?', t('match.lot')]], onchange: (value) => (chosen.colour = value) }),
      choices({ name: 'level', legend: t('match.level'), value: chosen.level, options: LEVELS.map((_, i) => [i + 1, String(i + 1)]), onchange: (value) => (chosen.level = value) }),
      choices({ name: 'clock', legend: t('match.clock'), value: chosen.clock, options: CLOCKS.map((time, i) => [i, time ? `${time[0] / 60}+${time[1]}` : t('match.noClock')]), onchange: (value) => (chosen.clock = value) }),
      options && choices({ name: 'from', legend: t('match.from'), value: 'start', options, onchange: (value) => (chosen.from = value) }),
    ].filter(Boolean),
    actions: [
      { label: t('do.cancel') },
      {
        label: t('match.start'),
        solid: true,
        run: () => {
          app.store.set('match', { colour: chosen.colour, level: chosen.level, clock: chosen.clock });
          if (chosen.from === 'start') app.act('new');
          const colour = chosen.colour === '?' ? (crypto.getRandomValues(new Uint8Array(1))[0] % 2 ? 'X' : 'O') : chosen.colour;
          app.enterMode(new Match(app, { colour, depth: LEVELS[chosen.level - 1] ?? 6, level: chosen.level, time: CLOCKS[chosen.clock] ?? null }));
        },
      },
    ],
  });
}

/** Whether a node hangs in a tree: nothing above it was undone or deleted. */
function isIn(tree, node) {
  while (node.parent?.children.includes(node)) node = node.parent;
  return node === tree.root;
}

export class Match {
  constructor(app, { colour, depth, level, time }) {
    Object.assign(this, { app, colour, depth, level, time });
    this.quiet = true;
    this.hide = true;
    this.usesEngine = true;
    this.empty = 'empty.match';
    this.head = app.study.node;
    this.thinking = false;
    this.left = time && { X: time[0], O: time[0] };
    this.turnBegan = performance.now();
    const { tags } = app.study.tree;
    const names = [app.words.t('match.you'), `${app.engine.info?.name ?? 'Outflank'} (${level})`];
    [tags.black, tags.white] = colour === 'X' ? names : names.reverse();
    tags.date = new Date().toISOString().slice(0, 10);
    this.#bar();
    this.ticker = time && setInterval(() => this.#tick(), 200);
    queueMicrotask(() => this.#turn());
  }

  get message() {
    // The console has the engine, or it was given up: the header says so.
    if (this.thinking && ['manual', 'dead'].includes(this.app.engine.state)) return null;
    return this.app.words.t(this.thinking ? 'match.thinking' : 'match.yourTurn');
  }

  get #side() {
    return sideOf(this.head.position);
  }

  #bar() {
    const { t } = this.app.words;
    this.clocks = this.time && h('span', { class: 'clocks', role: 'timer' }, ['X', 'O'].map((side) => h('span', null, h('span', { class: `dot ${side === 'X' ? 'black' : 'white'}` }), ' ', h('span', { data: { side } }))));
    showBar(
      h('span', { text: t('match.playing', { side: t(this.colour === 'X' ? 'black' : 'white'), level: this.level }) }),
      this.clocks,
      h('span', { class: 'sp' }),
      barButton(t('match.takeBack'), () => this.takeBack()),
      barButton(t('match.end'), () => this.app.leaveMode()),
    );
    this.#showClocks();
  }

  #spent() {
    return (performance.now() - this.turnBegan) / 1000;
  }

  #showClocks() {
    if (!this.clocks) return;
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
    if (this.left[this.#side] - this.#spent() > 0) return;
    const { t } = this.app.words;
    this.app.notices.show(t('match.flag', { side: t(this.#side === 'X' ? 'black' : 'white') }), { stay: 0 });
    this.app.leaveMode();
  }

  #punch() {
    if (!this.left) return;
    this.left[this.#side] += this.time[1] - this.#spent();
    this.turnBegan = performance.now();
  }

  /** A person's move: only on their turn; played from an earlier position it takes the later moves back. */
  play() {
    if (sideOf(this.app.study.position) !== this.colour) return false;
    this.#halt();
    this.head = this.app.study.node;
    this.#punch();
    return true;
  }

  /** The study has changed: where the game went on, it may be the engine's turn. */
  moved(what) {
    const { node } = this.app.study;
    if (what === 'load') {
      this.app.leaveMode();
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
    if (this.app.mode !== this) return;
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
    const seconds = this.left ? Math.max(1, this.left[this.#side]) : null;
    app.engine.submit({
      position,
      depth: this.depth,
      command: 'go',
      setup: setPosition(position, seconds && { seconds, increment: this.time[1] }),
      onMove: ({ move }) => this.#answer(position, move),
    });
    app.painter.now();
  }

  #answer(position, move) {
    this.thinking = false;
    const { app } = this;
    if (app.mode !== this || this.head.position !== position) return;
    if (!app.rules.isLegal(position, move)) {
      app.notices.show(app.words.t('match.badMove', { move }), { kind: 'fault' });
      return;
    }
    this.#punch();
    if (app.study.node !== this.head) app.study.go(this.head);
    const node = app.playMove(move);
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
    app.leaveMode();
    app.notices.show(t(key, { black: look.black, white: look.white }), { stay: 15_000, action: { label: t('do.review'), run: () => app.act('review') } });
  }

  end() {
    clearInterval(this.ticker);
    this.#halt();
    hideBar();
  }
}
