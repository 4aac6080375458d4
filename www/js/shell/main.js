// Starts the page.

import { $ } from '../base/dom.js';
import { load, reload } from '../base/load.js';
import { Notices } from '../base/notices.js';
import { START } from '../base/position.js';
import { Board } from '../board/board.js';
import { Engine, workerWith } from '../engine/engine.js';
import { listenForGames } from '../io/receive.js';
import { hashFor, Settings, threadsFor } from '../io/settings.js';
import { Store } from '../io/store.js';
import { loadRules } from '../model/rules.js';
import { attachAddress } from './address.js';
import { App } from './app.js';
import { listenKeys } from './keys.js';
import { loadWords, pickLanguage } from './languages.js';
import { applyTheme, loadPanelStyles } from './theme.js';

const OPENINGS_AT_ONCE = 12;
/** The first values come before what makes the page work offline. */
const SETTLE_MS = 2500;
const FRAME_MS = 30;

/** When the next frame is on the screen. */
const painted = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, FRAME_MS)));
const pause = (ms = 0) => new Promise((resolve) => setTimeout(resolve, ms));

async function start() {
  /** @type {Translations} */
  let words;
  /** @type {Notices} */
  let notices;
  const store = new Store((trouble) => notices?.show(words.t(`store.${trouble}`), { key: 'store' }));
  const settings = new Settings(store);
  applyTheme(settings.get('theme'));
  // The engine and the first board do not wait for the rules.
  const engine = new Engine({}, (crashes) =>
    workerWith(
      hashFor(settings.get('hash')),
      settings.get('network'),
      threadsFor(settings.get('threads')),
    )(crashes),
  );
  engine.start();
  const coming = loadRules();
  words = await loadWords(pickLanguage(settings.get('language')));
  words.apply();
  notices = new Notices($('#notices'), $('#live'));
  // What was found before there were words for it.
  if (store.trouble) store.onTrouble(store.trouble);
  const board = new Board($('#frame'), words, settings.get('view'));
  board.draw({ look: { squares: START, side: 'X', legal: [] }, show: true });

  const rules = await coming;
  // Each part of the start is a task of its own, so that none is long.
  await pause();
  const app = new App({ rules, words, store, settings, notices, board, engine });
  window.outflank = app;
  await pause();
  await join(app);
  if (settings.faulty.length > 0)
    notices.show(words.t('settings.faulty', { names: settings.faulty.join(', ') }), { kind: 'fault' });
  await pause();
  app.painter.flush();
  performance.mark('board-shown');
  await loadLater(app);
}

const launched = () => load('js/io/launched.js');

/** Joins the page to what comes from outside: keys, files, the address. @param {App} app */
async function join(app) {
  const { settings, words } = app;
  listenKeys({ act: (name) => app.act(name), singleKeys: () => settings.get('singleKeys') });
  document.addEventListener('click', ({ target }) => {
    const button = /** @type {HTMLElement | null} */ (/** @type {Element} */ (target).closest('[data-do]'));
    if (button?.dataset.do) app.act(button.dataset.do);
  });
  listenForGames($('#file'), async (received) => (await app.taking()).takeReceived(app, received));
  settings.changed.listen(async (key, value) => {
    if (key === 'theme') applyTheme(value);
    if (key === 'language') words.adopt(await loadWords(value));
  });
  await attachAddress(app);
  if (new URLSearchParams(location.search).has('shared')) await (await launched()).takeShared(app);
  // A match that was under way when the page was left.
  if (app.store.get('game')) app.modes.begin('match', 'kept').catch((error) => app.fail(error));
  if (navigator.maxTouchPoints > 0) {
    load('js/shell/swipe.js').then(
      ({ attachSwipe }) => {
        const step = (name) => app.modes.current?.swipes !== false && app.act(name);
        attachSwipe($('.stage'), { next: () => step('forward'), previous: () => step('back') });
        performance.mark('swipes-heard');
      },
      () => {},
    );
  }
}

/** What the first values do not wait for: the graph, the panels' looks, opening names, offline use. @param {App} app */
async function loadLater(app) {
  await Promise.race([app.screen.valued.then(painted), pause(SETTLE_MS)]);
  // The browser keeps what the page was opened with until it is asked for.
  if ('launchQueue' in window)
    launched().then(
      ({ takeLaunched }) => takeLaunched(app),
      () => {},
    );
  const samples = load('js/shell/samples.js').then(
    ({ offerSamples }) => offerSamples(app),
    () => {},
  );
  // Where one cannot be loaded, the first use of it says so.
  const actions = app.loadActions().catch(() => {});
  await Promise.all([loadPanelStyles(), app.screen.loadGraph(), actions, samples]);
  const openings = await fetch(new URL('../../data/openings.json', import.meta.url))
    .then((answer) => answer.json())
    .catch(() => null);
  if (openings) {
    // A few at a time: together they would be a long task.
    for (let at = 0; at < openings.lines.length; at += OPENINGS_AT_ONCE) {
      app.openings.load(openings.lines.slice(at, at + OPENINGS_AT_ONCE));
      await pause();
    }
    app.painter.now();
  }
  await pause(SETTLE_MS);
  // Before the browser is asked to print, by whatever key.
  load('js/io/print.js').then(
    ({ attachPrint }) => attachPrint(app),
    () => {},
  );
  load('js/shell/update.js').then(
    ({ registerServiceWorker }) => registerServiceWorker(app),
    () => {},
  );
}

pause()
  .then(start)
  .catch((error) => {
    // There may be no words in the language of the page.
    const notices = new Notices($('#notices'), $('#live'));
    notices.show(`Outflank could not start: ${error.message}`, {
      kind: 'fault',
      stay: 0,
      action: reload('Reload'),
    });
    throw error;
  });
