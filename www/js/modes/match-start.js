// How a match comes to be, and what becomes of it when it is left: it is kept on the device as long as it is unfinished,
// goes on after a reload or a crash, and is offered where something else lies on the table. One page at a time has it.

import { START } from '../base/position.js';
import { writeLink } from '../model/link.js';
import { usualOpponent } from '../model/opponents.js';
import { parseSavedMatch } from '../model/saved-match.js';
import { Tree } from '../model/tree.js';
import { Match } from './match.js';
import { isReload, lockMatch, markPlaying } from './match-lock.js';
import { askSetup } from './match-setup.js';

/** The name that the match is kept under. */
const KEPT = 'game';
const OFFER_MS = 20_000;

/** What a setup need not tell. @type {MatchSetup} */
const USUAL = { colour: 'X', opponent: usualOpponent, time: null, hints: true, takeBack: true };

/** Takes the last offer to go on away. @type {() => void} */
let withdraw = () => {};

/**
 * Makes a match of `wanted`: a setup, perhaps with a position to start from; a match that was kept; or `'kept'`, the one
 * on the device when the page opens. Where nothing is told the person is asked.
 * @param {App} app
 * @param {(Partial<MatchSetup> & { start?: string }) | { kept: KeptMatch, steal?: boolean } | 'kept'} [wanted]
 */
export async function create(app, wanted) {
  if (wanted === 'kept') return wake(app);
  if (!wanted) return ask(app);
  if ('kept' in wanted) return goOn(app, wanted.kept, wanted.steal);
  const { start = START, ...setup } = wanted;
  app.studyActions.loadTree(new Tree(app.rules, start), undefined, 'undo.new');
  return begin(app, { ...USUAL, ...setup });
}

/** @param {App} app */
async function ask(app) {
  const kept = app.modes.current instanceof Match ? null : keptOn(app);
  const asked = await askSetup(app, {
    here: app.study.node.parent !== null && !app.rules.look(app.study.position).over,
    unfinished: kept && (() => resume(app)),
  });
  if (!asked) return null;
  if (asked.here) layLine(app);
  else await app.act('new');
  return begin(app, asked.setup);
}

/** The match on the device as it is now: another page may have gone on with it. @param {App} app */
const keptOn = (app) => parseSavedMatch(app.rules, app.store.get(KEPT));

/** Makes a game of its own of the way to the position on the board. @param {App} app */
function layLine({ rules, study, studyActions }) {
  const { start, moves } = study.game(false);
  const tree = Tree.fromGame(rules, { start, moves });
  studyActions.loadTree(tree, tree.main.at(-1), 'undo.load');
}

/** @param {App} app @param {MatchSetup} setup */
async function begin(app, setup) {
  withdraw();
  const host = new MatchHost(app);
  if (!(await host.hold({}))) app.notices.show(app.words.t('match.notKept'), { key: 'match' });
  return new Match(app, setup, {}, host);
}

/** @param {App} app @param {KeptMatch} kept @param {boolean} [steal] */
async function goOn(app, kept, steal) {
  const host = new MatchHost(app);
  if (!(await host.hold({ steal, patient: true }))) {
    offer(app, 'match.elsewhere', 'match.goOnHere', true);
    return null;
  }
  app.studyActions.loadTree(kept.tree, kept.node);
  app.notices.show(app.words.t('match.goesOn'), { key: 'match' });
  return new Match(app, kept.setup, kept, host);
}

/** The page opens: an unfinished match goes on where it was, or is offered where the address brought something else.
 *  @param {App} app */
async function wake(app) {
  const kept = keptOn(app);
  if (!kept) {
    app.store.setAside(KEPT);
    app.notices.show(app.words.t('match.unreadable'), { kind: 'fault', key: 'match' });
    return null;
  }
  if (kept.state === 'ended') return null;
  // In another tab the address tells; it lags a little behind the game.
  const fits =
    kept.state === 'on' && (isReload() || writeLink(kept.tree).startsWith(writeLink(app.study.tree)));
  if (fits && !app.modes.current) return goOn(app, kept);
  offer(app, 'match.waits', 'match.goBack');
  return null;
}

/** @param {App} app @param {string} what @param {string} label @param {boolean} [steal] */
function offer(app, what, label, steal = false) {
  const { notices, words } = app;
  withdraw = notices.show(words.t(what), {
    key: 'match',
    stay: OFFER_MS,
    action: { label: words.t(label), run: () => resume(app, steal) },
  });
}

/** Goes on with what is kept by now. @param {App} app @param {boolean} [steal] */
function resume(app, steal = false) {
  const kept = keptOn(app);
  if (kept) app.modes.begin('match', { kept, steal }).catch((error) => app.fail(error));
  else app.notices.show(app.words.t('match.gone'), { key: 'match' });
}

/** What a match has of the page round it. */
export class MatchHost {
  /** Gives the place on the device away again; null where another page has it. @type {(() => void) | null} */
  #release = null;
  /** @type {'ended' | 'lost' | null} */
  #why = null;

  /** @param {App} app */
  constructor(app) {
    this.app = app;
  }

  /** Takes the place on the device; false where another page has it.
   *  @param {{ steal?: boolean, patient?: boolean }} how */
  async hold(how) {
    this.#release = await lockMatch({ ...how, lost: () => this.#lose() });
    return this.#release !== null;
  }

  /** Another page goes on with the match. */
  #lose() {
    if (!this.#release) return;
    this.#release = null;
    this.#why = 'lost';
    if (this.app.modes.current instanceof Match) this.app.modes.leave();
    offer(this.app, 'match.elsewhere', 'match.goOnHere', true);
  }

  /** @param {Match} match */
  keep(match) {
    if (!this.#release || !match.isBegun) return;
    this.app.store.set(KEPT, match.kept());
    markPlaying(true);
  }

  /** The person ends it: it is not offered again, but the dialog still has it. */
  close() {
    this.#why = 'ended';
  }

  /** Something else has the board. @param {Match} match */
  left(match) {
    const { app } = this;
    markPlaying(false);
    if (this.#release && !match.outcome && match.isBegun) {
      app.store.set(KEPT, match.kept(this.#why === 'ended' ? 'ended' : 'away'));
      offer(app, 'match.left', this.#why === 'ended' ? 'match.goOn' : 'match.goBack');
    }
    this.#release?.();
    this.#release = null;
  }

  /** It has its result: it is written down, shown in the list of games, and summed up. @param {Match} match */
  async finished(match) {
    const { app } = this;
    const { colour, head, opponentName, outcome, setup, used } = match;
    if (!outcome) return;
    const before = parseSavedMatch(app.rules, match.kept());
    if (this.#release) app.store.set(KEPT, null);
    if (app.study.node !== head) app.study.go(head);
    const { tree } = app.study;
    // What was taken back last, and replaced by nothing, is no part of the game.
    for (const child of [...head.children]) tree.remove(child);
    delete tree.tags.ending;
    Object.assign(tree.tags, outcome);
    const game = { ...tree.tags, start: tree.root.position, moves: head.moves.join('') };
    app.modes.leave();
    app.panels.get('games').then(
      (panel) => /** @type {GamesPanel} */ (panel).add([game]),
      () => {},
    );
    const played = { colour, node: head, opponentName, outcome, setup, used, before };
    await app.modes.begin('summary', played).catch((error) => app.fail(error));
  }
}
