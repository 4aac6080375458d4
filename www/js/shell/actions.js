// What the buttons, the keys and the command box can do, by name.

import { $, $$ } from '../base/dom.js';
import { DEPTHS } from '../io/settings.js';
import { OVERLAYS } from '../board/overlays.js';
import { START } from '../base/position.js';
import { Tree } from '../model/tree.js';
import { lossOf } from '../model/losses.js';

const clipboard = () => import('../io/clipboard.js');
const dialogs = () => import('./dialogs.js');

/** Actions that the command box offers, in order, with the key that the help shows. */
export const COMMANDS = [
  'new', 'paste', 'open', 'edit', 'play', 'review', 'report', 'copy-moves', 'copy-ggf', 'copy-position', 'link', 'save',
  'engine', 'values', 'black-view', 'flip', 'graph-mode', 'more-lines', 'fewer-lines', 'comment', 'promote', 'delete', 'undo',
  'games', 'puzzles', 'console', 'settings', 'theme', 'help',
];

async function copy(app, value, done) {
  const { t } = app.words;
  const { copyText } = await clipboard();
  if (await copyText(value)) app.notices.show(t(done), { stay: 3000 });
  else (await dialogs()).showText(app, t('copy.byHand'), value);
}

/** The line through the cursor as a game for writing. */
export function gameOf(app, whole = true) {
  const nodes = whole ? app.study.line : app.study.node.path;
  const { tags, root } = app.study.tree;
  return { ...tags, start: root.position, moves: nodes.slice(1).map((node) => node.move).join('') };
}

export async function linkOf(app) {
  const { writeLink } = await import('../model/link.js');
  const url = new URL(location.href);
  url.hash = writeLink(app.study.tree, app.study.node);
  return url.href;
}

async function paste(app) {
  const { pastedText } = await clipboard();
  const text = await pastedText();
  if (text === null || text.trim() === '') return (await dialogs()).askText(app);
  return app.take(text);
}

/** Goes to the next or previous mistake of the line. */
function seekMistake(app, step) {
  const { line, node } = app.study;
  const { points } = app;
  for (let at = line.indexOf(node) + step; at > 0 && at < line.length; at += step) {
    if (lossOf(line[at], points)?.mistake) return app.study.go(line[at]);
  }
  return app.notices.show(app.words.t('mistake.none'), { stay: 2500, key: 'mistake' });
}

const THEMES = ['auto', 'light', 'dark'];

export function applyTheme(theme) {
  if (theme === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

export function makeActions(app) {
  const { study, settings, notices, words } = app;
  const { t } = words;
  const lines = (change) => {
    const { legal } = app.rules.look(study.position);
    const shown = Math.min(settings.get('lines'), Math.max(1, legal.length));
    const next = Math.max(1, shown + change);
    settings.set('lines', next >= legal.length ? 64 : next);
  };
  const toggleOverlay = (name) => {
    const on = settings.get('overlay') !== name;
    settings.set('overlay', on ? name : null);
    notices.say(t(on ? `overlay.${name}` : 'overlay.off'));
  };
  const actions = {
    first: () => study.first(),
    back: () => study.back(),
    forward: () => study.forward(),
    last: () => study.last(),
    'variation-up': () => study.sibling(-1),
    'variation-down': () => study.sibling(1),
    'mistake-back': () => seekMistake(app, -1),
    'mistake-forward': () => seekMistake(app, 1),
    best: () => {
      const move = app.bestMove;
      if (move) app.press(move);
    },
    engine: () => {
      if (['manual', 'dead'].includes(app.engine.state) || (settings.get('engine') && !app.analysis.running && !app.analysis.done && !app.mode?.quiet)) {
        settings.set('engine', true);
        app.reviveEngine();
      } else settings.toggle('engine');
      app.painter.now();
    },
    deeper: () => {
      app.deeper = { position: study.position, depth: DEPTHS.find((depth) => depth > app.depth) ?? app.depth };
      app.analyse();
      app.painter.now();
    },
    values: () => settings.toggle('values'),
    'black-view': () => settings.toggle('black'),
    flip: () => settings.set('view', app.board.turn()),
    'graph-mode': () => settings.set('graphMode', settings.get('graphMode') === 'score' ? 'loss' : 'score'),
    'more-lines': () => lines(1),
    'fewer-lines': () => lines(-1),
    new: () => {
      if (study.tree.root.children.length === 0 && study.position === START) return app.leaveMode();
      app.loadTree(new Tree(app.rules, START), undefined, 'undo.new');
      return notices.show(t('new.done'), { stay: 5000, key: 'new', action: { label: t('do.undo'), run: () => actions.undo() } });
    },
    paste: () => paste(app),
    open: () => $('#file').click(),
    undo: () => {
      const label = study.undo();
      notices.show(label ? t('undo.done', { what: t(label) }) : t('undo.nothing'), { stay: 3000, key: 'undo' });
    },
    delete: () => {
      const { node } = study;
      if (!node.parent) return;
      study.remove(node);
      notices.show(t('delete.done', { move: node.move }), { key: 'delete', action: { label: t('do.undo'), run: () => actions.undo() } });
    },
    promote: () => study.promote(study.node),
    comment: async () => (await dialogs()).askComment(app),
    'copy-moves': () => copy(app, gameOf(app).moves, 'copy.moves'),
    'copy-ggf': () => {
      try {
        return copy(app, app.rules.writeGgf(gameOf(app)), 'copy.ggf');
      } catch (error) {
        return app.fail(error);
      }
    },
    'copy-position': () => copy(app, `${study.position.slice(0, 64)} ${study.position[64]}`, 'copy.position'),
    link: async () => copy(app, await linkOf(app), 'copy.link'),
    theme: () => {
      const dark = matchMedia('(prefers-color-scheme: dark)').matches;
      const now = settings.get('theme') === 'auto' ? (dark ? 'dark' : 'light') : settings.get('theme');
      settings.set('theme', now === 'dark' ? 'light' : 'dark');
    },
    games: () => app.tabs.show('games', true),
    report: () => app.tabs.show('report', true),
    puzzles: () => app.tabs.show('puzzles', true),
    console: () => {
      app.tabs.show(app.tabs.current === 'console' ? 'moves' : 'console', true);
      if (app.tabs.current === 'console') app.console.focus();
    },
    help: async () => (await dialogs()).showHelp(app),
    settings: async () => (await dialogs()).showSettings(app),
    menu: async () => (await dialogs()).showMenu(app),
    command: async () => (await dialogs()).askCommand(app, COMMANDS),
  };
  OVERLAYS.forEach((name, i) => {
    actions[`overlay-${i + 1}`] = () => toggleOverlay(name);
  });
  return actions;
}

/** What a changed setting asks of the page. */
export function settingChanged(app, key, value) {
  if (key === 'theme') applyTheme(THEMES.includes(value) ? value : 'auto');
  if (['engine', 'lines', 'depth'].includes(key)) app.analyse();
  if (key === 'hash') app.restartEngine();
  app.painter.now();
}

/** Joins the buttons that bear `data-do`. */
export function joinButtons(app) {
  for (const button of $$('[data-do]')) button.addEventListener('click', (event) => app.act(button.dataset.do, event));
}
