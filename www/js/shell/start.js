// The start of the page, as several short tasks, so that no task blocks the page for long:
// 1. Start the engine, and load the rules and the translations. Draw the start position without waiting for the rules.
// 2. Create the App. Attach keys, files and the address. Resume an unfinished match.
// 3. After the first values of the engine, at the latest after ENGINE_TIMEOUT_MS: load the other views, panel styles, actions and opening names.
// 4. SETTLE_MS later, when the engine has its weights: prepare printing and offline use.

import { $, attr } from '../base/dom.js';
import { load, loadJson, loadPanelStyles } from '../base/load.js';
import { Notices } from '../base/notices.js';
import { START } from '../base/position.js';
import { Board } from '../board/board.js';
import { Engine, spawnWorker } from '../engine/engine.js';
import { Program } from '../engine/program.js';
import { listenForGames } from '../io/receive.js';
import { hashFor, Settings, threadsFor } from '../io/settings.js';
import { Store } from '../io/store.js';
import { loadRules } from '../model/rules.js';
import { Study } from '../model/study.js';
import { attachAddress } from './address.js';
import { App } from './app.js';
import { listenKeys } from './keys.js';
import { loadWords, pickLanguage } from './languages.js';

/** Opening names that one task loads. */
const NAMES_PER_TASK = 12;
const SETTLE_MS = 2500;
/** A file of the start that takes longer to load shows that the network is slow. */
const SLOW_MS = 1500;
const FRAME_MS = 30;
/** Time within which the views wait for the frame with the styles of panels. */
const FRAME_TIMEOUT_MS = 300;
const RETRY_MS = 15_000;
/** Time within which other files leave a slow network to the engine and its weights. */
const ENGINE_TIMEOUT_MS = 40_000;
/** Resolves when the next frame is on the screen. */
const painted = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, FRAME_MS)));
const pause = (ms = 0) => new Promise((resolve) => setTimeout(resolve, ms));
const launched = () => load('js/io/launched.js');

/** Loads a part that the page can run without. @template T @param {Promise<T>} part @param {(part: T) => unknown} use */
const loadOptional = (part, use) => part.then(use, () => {});

/** Loads a part that the page can run without. After a failure it is loaded again when the network is back, at the latest after
 *  RETRY_MS. @param {() => Promise<void>} work */
const loadLasting = (work) =>
  work().catch(() => {
    const online = new Promise((resolve) => addEventListener('online', resolve, { once: true }));
    Promise.race([online, pause(RETRY_MS)]).then(() => loadLasting(work));
  });

/** @param {string} colour one of `BOARD_COLOURS` */
const applyBoardColour = (colour) => attr(document.documentElement, 'data-board', colour);

/** @param {string} theme `light`, `dark`, or `auto` for the theme of the system */
const applyTheme = (theme) => attr(document.documentElement, 'data-theme', theme === 'auto' ? null : theme);

/** @param {() => Received | null} takePasted */
export async function start(takePasted) {
  await pause();
  /** @type {Translations} */
  let words;
  /** @type {Notices} */
  let notices;
  const store = new Store((trouble) => notices?.show(words.t(`store.${trouble}`), { key: 'store' }));
  const settings = new Settings(store);
  applyTheme(settings.get('theme'));
  applyBoardColour(settings.get('boardColour'));
  const program = new Program(settings);
  let isSlow = performance.getEntriesByType('resource').some(({ duration }) => duration > SLOW_MS);
  const engine = new Engine({}, (crashes) => {
    const network = settings.get('network');
    const chosen = settings.get('threads');
    // Later engines do not replace values by coarse ones.
    const first = isSlow && network === 'small' ? 'coarse' : network;
    isSlow = false;
    return program.spawn({ network, ...(chosen && { threads: chosen }) }, () =>
      spawnWorker(hashFor(settings.get('hash')), first, threadsFor(chosen), crashes),
    );
  });
  engine.start();
  const loadingRules = loadRules();
  words = await loadWords(pickLanguage(settings.get('language')));
  words.apply();
  notices = new Notices($('#notices'), $('#live'), () => words.t('do.close'));
  // Problems found before there were translations for them.
  if (store.trouble) store.onTrouble(store.trouble);
  await pause();
  const board = new Board($('#frame'), words, settings.get('view'));
  board.draw({ look: { squares: START, side: 'X', legal: [] }, show: true });
  const rules = await loadingRules;
  await pause();
  const study = new Study(rules);
  await pause();
  const app = new App({ study, words, store, settings, notices, board, engine, program });
  window.outflank = app;
  await pause();
  await attach(app, takePasted);
  if (settings.faulty.length > 0)
    notices.show(words.t('settings.faulty', { names: settings.faulty.join(', ') }), { kind: 'fault' });
  await pause();
  app.painter.flush();
  performance.mark('board-shown');
  await loadLater(app);
}

/** Attaches keys, files and the address. @param {App} app @param {() => Received | null} takePasted */
async function attach(app, takePasted) {
  const { settings } = app;
  listenKeys(app);
  document.addEventListener('click', ({ target }) => {
    const button = /** @type {HTMLElement | null} */ (/** @type {Element} */ (target).closest('[data-do]'));
    if (button?.dataset.do) app.act(button.dataset.do);
  });
  /** Resolves when the study of the address is open, to `true` if a mode begins again. */
  let opened = Promise.resolve(false);
  const receive = async (/** @type {Received} */ received) => {
    const { takeReceived } = await app.taking();
    await opened;
    await takeReceived(app, received);
  };
  listenForGames($('#file'), receive);
  const pasted = takePasted();
  settings.changed.listen(async (key, value) => {
    if (key === 'theme') applyTheme(value);
    if (key === 'boardColour') applyBoardColour(value);
    if (key === 'language') await app.attempt(() => changeLanguage(app, value));
  });
  opened = attachAddress(app);
  const isResumed = await opened;
  if (pasted) await receive(pasted);
  let spoken = app.study.node;
  app.screen.drawn.listen(() => {
    const { node } = app.study;
    if (node !== spoken && node.tree === spoken.tree && !app.modes.current) app.screen.announce();
    spoken = node;
  });
  if (new URLSearchParams(location.search).has('shared')) await (await launched()).takeShared(app);
  // The match would replace the mode.
  if (!isResumed && app.store.get('game')) app.modes.begin('match', 'kept');
  if (navigator.maxTouchPoints === 0) return;
  loadOptional(load('js/base/swipe.js'), ({ attachSwipe }) => {
    const step = (name) => app.modes.current?.swipes !== false && app.act(name);
    attachSwipe($('.stage'), { next: () => step('forward'), previous: () => step('back') });
    performance.mark('swipes-heard');
  });
}

/** Changes the language when all its texts are loaded, unless another one was selected by then.
 *  @param {Pick<App, 'settings' | 'words'>} app @param {string} language */
async function changeLanguage({ settings, words }, language) {
  const others = await loadWords(pickLanguage(language));
  await others.load();
  if (settings.get('language') === language) words.adopt(others);
}

/** Loads everything that the first values do not wait for. @param {App} app */
async function loadLater(app) {
  await Promise.race([app.screen.valued.then(painted), pause(ENGINE_TIMEOUT_MS)]);
  // The book corrects the first values.
  if (app.store.get('books', false)) loadOptional(app.explorer(), (explorer) => explorer.moves(START));
  else if (app.settings.get('book')) loadOptional(app.explorer(), () => {});
  // The browser keeps the files that the page was opened with until they are requested.
  if ('launchQueue' in window) loadOptional(launched(), ({ takeLaunched }) => takeLaunched(app));
  // If the actions cannot be loaded, their first use reports it.
  const actions = app.loadActions().catch(() => {});
  // The page is styled again before the views need its layout: one task for both would be long. A hidden page has no frames.
  await loadPanelStyles();
  await Promise.race([painted(), pause(FRAME_TIMEOUT_MS)]);
  await Promise.all([app.screen.loadViews(), actions]);
  await loadLasting(() => loadNames(app));
  await Promise.all([Promise.race([app.control.whole, pause(ENGINE_TIMEOUT_MS)]), pause(SETTLE_MS)]);
  // Ready before the browser is asked to print, by any key.
  loadOptional(load('js/io/print.js'), ({ attachPrint }) => attachPrint(app));
  loadOptional(load('js/shell/update.js'), ({ registerServiceWorker }) => registerServiceWorker(app));
}

/** Loads the names of the openings, in several tasks. @param {Pick<App, 'openings' | 'painter'>} app */
async function loadNames(app) {
  const { lines } = await loadJson('data/openings.json');
  for (let at = 0; at < lines.length; at += NAMES_PER_TASK) {
    app.openings.load(lines.slice(at, at + NAMES_PER_TASK));
    await pause();
  }
  app.painter.now();
}
