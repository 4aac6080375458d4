// Starts the page.

import { $, h } from '../base/dom.js';
import { App } from './app.js';
import { Board } from '../board/board.js';
import { Engine, workerWith } from '../engine/engine.js';
import { Notices } from '../base/notices.js';
import { RulesError, loadRules } from '../model/rules.js';
import { Settings, hashFor } from '../io/settings.js';
import { Store } from '../io/store.js';
import { applyTheme, joinButtons, makeActions, settingChanged } from './actions.js';
import { joinParts } from './features.js';
import { listen, readText } from '../io/import.js';
import { listenKeys } from './keys.js';
import { loadWords, pickLanguage } from '../base/words.js';
import { offerSamples } from './samples.js';
import { writeAs } from '../base/format.js';
import { START } from '../base/position.js';

const LINK_DELAY_MS = 400;
const OPENINGS_AT_ONCE = 12;
/** The first values come before what makes the page work offline. */
const SETTLE_MS = 2500;
const FRAME_MS = 30;

/** When the next frame is on the screen. */
const painted = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, FRAME_MS)));
const pause = (ms = 0) => new Promise((resolve) => setTimeout(resolve, ms));

async function start() {
  let words;
  let notices;
  const store = new Store(() => notices?.show(words.t('store.denied'), { key: 'store' }));
  const settings = new Settings(store);
  applyTheme(settings.get('theme'));
  // The engine and the first board do not wait for the rules.
  const engine = new Engine({}, () => workerWith(hashFor(settings.get('hash')))());
  engine.start();
  const coming = loadRules();
  words = await loadWords(pickLanguage(settings.get('language')));
  notices = new Notices($('#notices'), $('#live'));
  document.documentElement.lang = words.language;
  words.apply();
  writeAs(words.language);

  const board = new Board($('#frame'), words, settings.get('view'));
  board.draw({ look: { squares: START, side: 'X', legal: [] }, show: true });

  const rules = await coming;
  // Each part of the start is a task of its own, so that none is long.
  await pause();
  const app = new App({ rules, words, store, settings, notices, board, engine });
  window.outflank = app;
  app.actions = makeActions(app);
  settings.changed = (key, value) => settingChanged(app, key, value);
  const askSide = async (text) => (await import('./dialogs.js')).askSide(app, text);
  app.take = (text) => {
    try {
      takeIn(app, readText(rules, text));
      return true;
    } catch (error) {
      if (error.code === 'no-side') askSide(text);
      else app.fail(error);
      return error.code === 'no-side';
    }
  };
  app.speak = async (language) => {
    settings.set('language', language);
    words.adopt(await loadWords(language));
    document.documentElement.lang = words.language;
    words.apply();
    writeAs(words.language);
    app.relabel();
    offerSamples(app);
  };
  let dressed;
  app.dress = () => (dressed ??= loadStyle('style/parts.css'));
  app.forget = () => {
    app.evaluations.forget();
    app.painter.now();
    notices.show(words.t('settings.forgotten'), { stay: 3000 });
  };
  await pause();
  joinParts(app);
  joinButtons(app);
  listenKeys({ act: (name, event) => (app.actions[name] ? app.act(name, event) : false), singleKeys: () => settings.get('singleKeys') });
  listen({
    rules,
    picker: $('#file'),
    take: (result) => takeIn(app, result),
    fail: (error, text) => (error.code === 'no-side' ? askSide(text) : app.fail(error)),
  });
  await openLink(app);
  keepLink(app);
  offerSamples(app);
  if (settings.faulty.length > 0) notices.show(words.t('settings.faulty', { names: settings.faulty.join(', ') }), { kind: 'fault' });
  await pause();
  app.painter.flush();
  performance.mark('board-shown');
  await loadLater(app);
}

/** Adds a style sheet; resolves when it is there, or is not to be had. */
const loadStyle = (href) =>
  new Promise((resolve) => {
    document.head.append(h('link', { rel: 'stylesheet', href, onload: resolve, onerror: resolve }));
  });

/** Puts on the table what was read. */
function takeIn(app, { games, link, skipped, names }) {
  if (link) {
    takeLink(app, link);
    return;
  }
  if (games.length === 0 && names) {
    app.notices.show(app.words.t('games.names'), { key: 'games' });
    return;
  }
  if (games.length === 0) throw new RulesError({ code: 'empty' });
  app.load(games[0]);
  app.part('games').then((kept) => kept.add(games));
  if (games.length > 1 || skipped > 0) {
    const { t } = app.words;
    app.notices.show([t('games.taken', { n: games.length }), skipped > 0 && t('games.skipped', { n: skipped })].filter(Boolean).join('; '), { key: 'games' });
    app.tabs.show('games');
  }
}

/** Puts on the table what the fragment of a link bears; where it is faulty, a notice and the board as it was. */
async function takeLink(app, fragment) {
  try {
    const { readLink } = await import('../model/link.js');
    if (/%[5-7][0-9a-f]/i.test(fragment) && !fragment.includes('~')) fragment = decodeURIComponent(fragment);
    const { tree, node } = readLink(app.rules, fragment);
    app.loadTree(tree, node);
  } catch (error) {
    app.fail(error);
  }
}

/** The study that the address bears. */
async function openLink(app) {
  const read = async () => {
    if (location.hash.length > 1) await takeLink(app, location.hash.slice(1));
  };
  window.addEventListener('hashchange', () => {
    if (location.hash.slice(1) !== app.written) read();
  });
  await read();
}

/** Keeps the address up to date, so that a reload or a bookmark comes back here. */
function keepLink(app) {
  let timer = 0;
  app.listeners.push((what) => {
    if (what === 'tab' || what === 'analysis' || what === 'language') return;
    clearTimeout(timer);
    timer = setTimeout(async () => {
      const { writeLink } = await import('../model/link.js');
      app.written = writeLink(app.study.tree, app.study.node);
      const url = new URL(location.href);
      url.hash = app.written;
      if (url.href !== location.href) history.replaceState(null, '', app.written ? url : location.pathname + location.search);
    }, LINK_DELAY_MS);
  });
}

/** What the first values do not wait for: the graph, the panels' looks, opening names, offline use. */
async function loadLater(app) {
  await Promise.race([app.valued.then(painted), pause(SETTLE_MS)]);
  await Promise.all([app.dress(), app.loadGraph()]);
  const openings = await fetch(new URL('../../data/openings.json', import.meta.url)).then((answer) => answer.json()).catch(() => null);
  if (openings) {
    // A few at a time: together they would be a long task.
    for (let at = 0; at < openings.lines.length; at += OPENINGS_AT_ONCE) {
      app.openings.load({ lines: openings.lines.slice(at, at + OPENINGS_AT_ONCE) });
      await pause();
    }
    app.painter.now();
  }
  await pause(SETTLE_MS);
  const { keepOffline } = await import('./update.js');
  await keepOffline(app);
}

pause().then(start).catch((error) => {
  $('#notices').append(h('div', { class: 'notice fault', role: 'alert' }, h('span', { text: `Outflank could not start: ${error.message}` })));
  throw error;
});
