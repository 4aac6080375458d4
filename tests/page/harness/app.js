// The page without a document, in Node: its study, rules, values, engine and modes, for tests of modes as modules. What a mode
// would draw is read from its description. Time is virtual, and chance has a seed.

import { readFileSync } from 'node:fs';

import { RenderScheduler } from '../../../www/js/base/render-scheduler.js';
import { Signal } from '../../../www/js/base/signal.js';
import { Translations } from '../../../www/js/base/translations.js';
import { Engine } from '../../../www/js/engine/engine.js';
import { ProtocolLog } from '../../../www/js/engine/protocol-log.js';
import { Analysis } from '../../../www/js/engine/searches.js';
import { Settings } from '../../../www/js/io/settings.js';
import { Store } from '../../../www/js/io/store.js';
import { Openings } from '../../../www/js/model/openings.js';
import { OwnNames } from '../../../www/js/model/own-names.js';
import { Perspective } from '../../../www/js/model/perspective.js';
import { Study } from '../../../www/js/model/study.js';
import { Values } from '../../../www/js/model/values.js';
import { Mode } from '../../../www/js/modes/mode.js';
import { Modes } from '../../../www/js/modes/modes.js';
import { PuzzlesPanel } from '../../../www/js/panels/puzzles.js';
import { AnalysisControl } from '../../../www/js/shell/analysis-control.js';
import { App } from '../../../www/js/shell/app.js';
import { rules } from '../rules.js';
import { dice } from './dice.js';
import { memoryDatabases } from './memory-databases.js';
import { RecordedSession } from './recorded-engine.js';

export const LANGUAGES = ['en', 'fr', 'ja', 'zh'];
/** The value of a file of the page. */
export const json = (path) =>
  JSON.parse(readFileSync(new URL(`../../../www/${path}.json`, import.meta.url), 'utf8'));

const WORDS = { ...json('lang/en'), ...json('lang/parts/en') };
const MORNING = Date.UTC(2026, 0, 1, 8);
const STEP_MS = 5;

/** Milliseconds until a message is delivered, and until a search continues. */
const DELIVERY_MS = 1;
const SEARCH_MS = 20;

/** The recorded engine as a worker in virtual time. */
class VirtualWorker {
  #isOpen = true;
  #timer;
  #session = new RecordedSession((data) =>
    setTimeout(() => this.#isOpen && !this.isMute && this.onmessage({ data }), DELIVERY_MS),
  );
  isMute = false;

  constructor() {
    this.#session.step();
  }

  postMessage(line) {
    clearTimeout(this.#timer);
    this.#session.line(line);
    this.#goOn();
  }

  #goOn() {
    if (!this.#session.rest) return;
    this.#timer = setTimeout(() => {
      this.#session.step();
      this.#goOn();
    }, SEARCH_MS);
  }

  crash() {
    this.onerror({ message: 'on purpose' });
  }

  terminate() {
    this.#isOpen = false;
    clearTimeout(this.#timer);
  }
}

/** Virtual time and seeded chance for a test. Intervals and timeouts run when the time passes. */
export function virtualTime(t) {
  let [now, serial] = [MORNING, 0];
  const timers = new Map();
  const set = (run, ms = 0, id = ++serial) => {
    timers.set(id, { at: now + Math.max(1, ms), run });
    return id;
  };
  const repeat = (run, ms, id = ++serial) => {
    const next = () => {
      repeat(run, ms, id);
      run();
    };
    return set(next, ms, id);
  };
  const mock = (name, method) => t.mock.method(globalThis, name, method);
  mock('setTimeout', (run, ms) => set(run, ms));
  mock('setInterval', (run, ms) => repeat(run, ms));
  for (const name of ['clearTimeout', 'clearInterval']) mock(name, (timer) => void timers.delete(timer));
  t.mock.method(Date, 'now', () => now);
  t.mock.method(performance, 'now', () => now - MORNING);
  t.mock.method(Math, 'random', dice(1));
  const tick = (ms) => {
    const end = now + ms;
    for (;;) {
      const [next] = [...timers].filter(([, { at }]) => at <= end).sort(([, a], [, b]) => a.at - b.at);
      if (!next) break;
      const [id, { at, run }] = next;
      timers.delete(id);
      now = at;
      run();
    }
    now = end;
  };
  /** Work that is not waiting for time is done. */
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  const pass = async (ms) => {
    for (let passed = 0; passed < ms; passed += STEP_MS) {
      await settled();
      tick(Math.min(STEP_MS, ms - passed));
    }
    await settled();
  };
  /** Waits for a state. Fails after a virtual minute. */
  const until = async (what, condition) => {
    await settled();
    for (const began = now; !condition(); await pass(STEP_MS))
      if (now - began > 60_000) throw new Error(`waited for ${what}`);
  };
  return { tick, pass, until };
}

/** The texts of a description, with buttons in brackets. */
export const textOf = (described) => {
  const texts = [described].flat(Infinity).map((part) => {
    if (typeof part !== 'object') return part === false ? '' : String(part ?? '');
    const text = part ? textOf(part.children) : '';
    return part?.tag === 'button' ? `[${text.trim()}]` : text;
  });
  return texts.join('');
};

/** The described buttons by their labels. */
export const buttonsOf = (described) => {
  const buttons = [described].flat(Infinity).map((part) => {
    if (typeof part !== 'object' || !part) return {};
    const isButton = part.tag === 'button' && !part.props.disabled;
    return isButton ? { [textOf(part.children).trim()]: part.props.onclick } : buttonsOf(part.children);
  });
  return Object.assign({}, ...buttons);
};

/** Defines what the modes use of a browser: the bar below the board, which is not drawn; listeners, which are not called; storage. */
function defineBrowser() {
  const bar = { hidden: true, childNodes: [], firstChild: null, contains: () => false };
  const [addEventListener, querySelectorAll] = [() => {}, () => []];
  Object.assign(globalThis, {
    document: { addEventListener, documentElement: {}, querySelector: () => bar, querySelectorAll },
    addEventListener,
    BroadcastChannel: class {
      postMessage() {}
    },
    requestAnimationFrame: (draw) => setTimeout(draw, STEP_MS),
    cancelAnimationFrame: (frame) => clearTimeout(frame),
    Worker: VirtualWorker,
    fetch: async (address) => new Response(readFileSync(address)),
  });
  globalThis.navigator ??= {};
  Mode.prototype.draw = Mode.prototype.update = function () {
    if (this.listeners.signal.aborted) throw new Error('a mode that has ended is drawn');
    this.app.bar = this.bar;
  };
}

export function emptyStorage() {
  const small = new Map();
  globalThis.localStorage = {
    getItem: (key) => small.get(key) ?? null,
    setItem: (key, value) => small.set(key, String(value)),
  };
  globalThis.indexedDB = memoryDatabases();
}

class UndrawnPuzzles extends PuzzlesPanel {
  async draw() {}
}

/** The page as modes see it, in virtual time: `time` lets it pass. `bar` is the described bar below the board, `shown` has the notices.
 *  `parts` replace modules; `isReload` keeps the storage of the page before.
 *  @param {import('node:test').TestContext} t */
export async function appInNode(t, { settings = {}, parts = {}, isReload = false } = {}) {
  defineBrowser();
  const time = virtualTime(t);
  if (!isReload) emptyStorage();
  const store = new Store();
  const words = new Translations('en', WORDS);
  const app = Object.create(App.prototype);
  const shown = [];
  /** Draws nothing, and reads all that a mode shows. */
  const draw = () => {
    const { current } = app.modes;
    app.seen = current && [current.look, current.onBoard, current.played?.content];
    app.screen.drawn.send();
  };
  const show = (message, { action } = {}) => {
    shown.push(message);
    app.action = action?.run;
    return () => {};
  };
  Object.assign(app, {
    ...{ time, rules, words, t: words.t, store, shown },
    notices: { show, say: (message) => shown.push(message) },
    settings: new Settings(store),
    log: new ProtocolLog(),
    study: new Study(rules),
    openings: new Openings(rules, words),
    painter: new RenderScheduler(() => app.draw()),
    screen: { draw, drawn: new Signal(), announce() {}, clear() {}, turn() {} },
    board: { label() {}, takeFocus() {} },
    program: { isUsed: false, spawn: (_, other) => other() },
    engine: new Engine({}, () => new VirtualWorker()),
    explorer: async () => ({ valueGame() {} }),
    part: async (path) => parts[path] ?? import(`../../../www/${path}`),
    fail: (error) => Promise.reject(error),
  });
  for (const [name, value] of Object.entries({ pace: 0, ...settings })) app.settings.set(name, value);
  app.ownNames = new OwnNames(app.settings);
  app.values = new Values(app.study, store);
  app.analysis = new Analysis(app.engine, app.values, rules);
  app.modes = new Modes(app);
  app.perspective = new Perspective(app);
  app.control = new AnalysisControl(app);
  const panels = { puzzles: new UndrawnPuzzles({}, app), games: { add() {} } };
  const get = async (id) => panels[id];
  app.panels = { made: new Map(), current: 'moves', show() {}, relabel() {}, get };
  app.listen();
  app.engine.start();
  t.after(() => app.modes.leave());
  return app;
}

export function pressButton(app, label) {
  const buttons = buttonsOf(app.modes.current.bar);
  const found = Object.keys(buttons).find((text) => text.startsWith(label));
  if (!found) throw new Error(`no button ${label} in ${Object.keys(buttons)}`);
  return buttons[found]();
}
