// Starts and resumes matches. An unfinished match is saved on this device. It resumes after a reload or a crash, and is offered
// when another game was opened. Only one page at a time owns the saved match.

import { loadJson } from '../base/load.js';
import { START } from '../base/position.js';
import { orNull } from '../base/validate.js';
import { askEngine } from '../engine/searches.js';
import { parseSavedMatch } from '../model/saved-match.js';
import { Match } from './match.js';
import { askSetup } from './match-setup.js';

const KEY = 'game';
const OFFER_MS = 20_000;
const WATCH_INTERVAL_MS = 500;
/** A random even opening: its number of moves, the most discs that one side is ahead in a search of this depth, and the longest
 *  time to look for one. */
const EVEN_PLIES = 8;
const EVEN_DISCS = 1.5;
const EVEN_DEPTH = 10;
const EVEN_TIMEOUT_MS = 3000;
/** Least moves of a random known opening, as the length of their text. */
const KNOWN_LENGTH = 2 * 5;

/** Removes the last offer to resume. @type {() => void} */
let withdraw = () => {};

/** Creates a match. `wanted` is a setup, optionally with a start position, the moves of an opening and the number of given moves; a
 *  saved match; `'kept'` for the match that is saved when the page opens; or nothing, which asks the user.
 *  @param {App} app
 *  @param {(MatchSetup & { start?: string, moves?: string, given?: number }) | { kept: KeptMatch, steal?: boolean } | 'kept'} [wanted] */
export async function create(app, wanted) {
  if (wanted === 'kept') return resumeAtStart(app);
  if (!wanted) return ask(app);
  if ('kept' in wanted) return resume(app, wanted.kept, wanted.steal);
  const { start, moves = '', given, ...setup } = wanted;
  app.openGame({ start, moves, given }, 'undo.new');
  return begin(app, setup);
}

/** @param {App} app */
async function ask(app) {
  const saved = app.modes.current instanceof Match ? null : savedMatch(app);
  const asked = await askSetup(app, {
    here: app.study.position !== START && !app.rules.look(app.study.position).over,
    unfinished: saved && (() => resumeSaved(app)),
  });
  if (!asked) return null;
  if (asked.from === 'start') await app.act('new');
  // Awaited: the lock of a match that ends here is released in a microtask.
  else await app.openGame(await OPENINGS[asked.from](app), 'undo.load');
  return begin(app, asked.setup);
}

const oneOf = (all) => all[Math.floor(Math.random() * all.length)];

/** The openings of a match, by their names in the dialog. @type {Record<string, (app: App) => any>} */
const OPENINGS = {
  /** The moves up to the position on the board. */
  here: ({ study }) => study.game(false),
  known: async () => {
    const { lines } = await loadJson('data/openings.json');
    return oneOf(lines.filter(({ moves }) => moves.length >= KNOWN_LENGTH));
  },
  even: evenOpening,
};

/** Plays random moves until the engine finds the position even. When the time is up, the most even one is used.
 * @param {Pick<App, 'analysis' | 'engine' | 'rules'>} app */
export async function evenOpening({ analysis, engine, rules }) {
  const end = performance.now() + EVEN_TIMEOUT_MS;
  const timeout = new Promise((resolve) => setTimeout(() => resolve(null), EVEN_TIMEOUT_MS));
  analysis.finish();
  let [found, least] = ['', Infinity];
  do {
    let [position, moves] = [START, ''];
    while (moves.length < 2 * EVEN_PLIES) {
      const move = oneOf(rules.moves(position));
      moves += move;
      position = rules.play(position, move).position;
    }
    const lines = rules.searchLines(position, EVEN_DEPTH, 'hint 1');
    const search = new Promise((resolve) => askEngine(engine, lines, resolve));
    const row = rules.readValues((await Promise.race([search, timeout])) ?? []).at(-1);
    const value = row ? Math.abs(row.value) : Infinity;
    if (!found || value < least) [found, least] = [moves, value];
  } while (least > EVEN_DISCS && performance.now() < end);
  return { moves: found, given: EVEN_PLIES };
}

/** The saved match as it is now: another page may have continued it. @param {Pick<App, 'rules' | 'store'>} app */
const savedMatch = (app) => parseSavedMatch(app.rules, app.store.get(KEY));

/** @param {App} app @param {MatchSetup} setup */
async function begin(app, setup) {
  withdraw();
  const host = new MatchHost(app);
  if (!(await host.lock({}))) app.notices.show(app.t('match.notKept'), { key: 'match' });
  return new Match(app, setup, {}, host);
}

/** @param {App} app @param {KeptMatch} saved @param {boolean} [steal] */
async function resume(app, saved, steal) {
  const { tree } = app.study;
  const { current } = app.modes;
  const host = new MatchHost(app);
  if (!(await host.lock({ steal, patient: true }))) {
    offer(app, 'match.elsewhere', 'match.goOnHere', true);
    return null;
  }
  // The user has opened a game or begun a mode meanwhile.
  if (app.study.tree !== tree || app.modes.current !== current) {
    host.unlock();
    offer(app, 'match.waits', 'match.goBack');
    return null;
  }
  app.loadTree(saved.tree, saved.node);
  app.notices.show(app.t('match.goesOn'), { key: 'match' });
  return new Match(app, saved.setup, saved, host);
}

/** The page opens: resumes an unfinished match, or offers it if the address has another game. @param {App} app */
async function resumeAtStart(app) {
  const saved = savedMatch(app);
  if (!saved) {
    app.store.setAside(KEY);
    app.notices.show(app.t('match.unreadable'), { kind: 'fault', key: 'match' });
    return null;
  }
  if (saved.state === 'ended') return null;
  // In another tab the address identifies the match. It lags a little behind the moves.
  const fits = saved.state === 'on' && (isReload() || saved.tree.link().startsWith(app.study.tree.link()));
  if (fits && !app.modes.current) return resume(app, saved);
  offer(app, 'match.waits', 'match.goBack');
  return null;
}

/** @param {Pick<App, 'modes' | 'notices' | 'rules' | 'store' | 't' | 'words'>} app @param {string} message @param {string} label @param {boolean} [steal] */
async function offer(app, message, label, steal = false) {
  const { t } = app.words;
  const action = { label: t(label), run: () => resumeSaved(app, steal) };
  withdraw = app.notices.show(t(message), { key: 'match', stay: OFFER_MS, action });
  const notice = steal ? app.notices.region.lastChild : null;
  // The match waits when the page that plays it has closed.
  while (notice?.isConnected) {
    await new Promise((resolve) => setTimeout(resolve, WATCH_INTERVAL_MS));
    const { held = [] } = await navigator.locks.query();
    if (notice.isConnected && !held.some(({ name }) => name === LOCK))
      return savedMatch(app) ? offer(app, 'match.waits', 'match.goBack') : withdraw();
  }
}

/** @param {Pick<App, 'modes' | 'notices' | 'rules' | 'store' | 't'>} app @param {boolean} [steal] */
function resumeSaved(app, steal = false) {
  const kept = savedMatch(app);
  if (kept) app.modes.begin('match', { kept, steal });
  else app.notices.show(app.t('match.gone'), { key: 'match' });
}

/** Set in a tab while it plays. */
const MARK = 'outflank.playing';
const LOCK = 'outflank.match';
/** A page that is being reloaded may release the lock only after the new page has requested it. */
const LOCK_TIMEOUT_MS = 2000;

/** @param {boolean} on */
function markPlaying(on) {
  // If storage is denied, the address identifies the match.
  orNull(() => (on ? sessionStorage.setItem(MARK, 'yes') : sessionStorage.removeItem(MARK)));
}

/** Returns `true` if this page played before it was reloaded. */
function isReload() {
  const [navigation] = /** @type {PerformanceNavigationTiming[]} */ (
    performance.getEntriesByType('navigation')
  );
  return navigation?.type !== 'navigate' && orNull(() => sessionStorage.getItem(MARK)) !== null;
}

/** Acquires the lock of the saved match. Returns a function that releases it, or `null` if another page holds it. `steal` takes
 *  it from that page, `patient` waits for it. `lost` is called when another page takes it. Without browser support for locks
 *  every page acquires it.
 *  @param {{ steal?: boolean, patient?: boolean, lost: () => void }} how @returns {Promise<(() => void) | null>} */
function lockMatch({ steal = false, patient = false, lost }) {
  if (!navigator.locks) return Promise.resolve(() => {});
  return new Promise((resolve) => {
    let held = false;
    const options =
      patient && !steal ? { signal: AbortSignal.timeout(LOCK_TIMEOUT_MS) } : { steal, ifAvailable: !steal };
    const hold = () =>
      new Promise((release) => {
        held = true;
        resolve(() => release(undefined));
      });
    const missed = () => (held ? lost() : resolve(null));
    const request = navigator.locks.request(LOCK, options, (lock) => lock && hold());
    request.then(() => resolve(null), missed);
  });
}

/** Connects a match with storage and with the page. */
export class MatchHost {
  /** Releases the lock of the saved match. `null` if another page holds it. @type {(() => void) | null} */
  #release = null;
  #isEnded = false;

  /** @param {App} app */
  constructor(app) {
    this.app = app;
  }

  /** Acquires the lock. Returns `false` if another page holds it. @param {{ steal?: boolean, patient?: boolean }} how */
  async lock(how) {
    this.#release = await lockMatch({ ...how, lost: () => this.#lose() });
    return this.#release !== null;
  }

  #lose() {
    if (!this.#release) return;
    this.#release = null;
    if (this.app.modes.current instanceof Match) this.app.modes.leave();
    offer(this.app, 'match.elsewhere', 'match.goOnHere', true);
  }

  /** @param {Match} match */
  save(match) {
    if (!this.#release || !match.isBegun) return;
    this.app.store.set(KEY, match.serialize());
    markPlaying(true);
  }

  /** The user ends the match: it is not offered again, but the dialog can still resume it. */
  close() {
    this.#isEnded = true;
  }

  /** Another mode has the board. @param {Match} match */
  left(match) {
    const { app } = this;
    markPlaying(false);
    if (this.#release && !match.outcome && match.isBegun) {
      app.store.set(KEY, match.serialize(this.#isEnded ? 'ended' : 'away'));
      offer(app, 'match.left', this.#isEnded ? 'match.goOn' : 'match.goBack');
    }
    this.unlock();
  }

  unlock() {
    this.#release?.();
    this.#release = null;
  }

  /** Stores the result, adds the match to the games, and shows the summary. @param {Match} match */
  async finished(match) {
    const { app } = this;
    const { head, outcome } = match;
    if (!outcome) return;
    const before = parseSavedMatch(app.rules, match.serialize());
    if (this.#release) app.store.set(KEY, null);
    if (app.study.node !== head) app.study.go(head);
    const { tree } = app.study;
    delete tree.tags.ending;
    Object.assign(tree.tags, outcome);
    const game = { ...tree.tags, start: tree.root.position, moves: head.moves.join('') };
    app.modes.leave();
    // Moves that were taken back last and not replaced are not part of the game.
    for (const child of head.children) app.study.remove(child);
    app.saveGames([game]);
    await app.modes.begin('summary', { match, before });
  }
}
