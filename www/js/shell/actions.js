// The actions of the buttons, the keys and the command box, by name.

import { $ } from '../base/dom.js';
import { START } from '../base/position.js';
import { OVERLAYS } from '../board/overlays.js';
import { copyText, pastedText } from '../io/clipboard.js';
import { NOTATIONS, writeStudy } from '../model/game-tree.js';
import { MAX_HASH } from '../model/saved-studies.js';
import { Tree } from '../model/tree.js';
import { GRAPH_MODES } from '../model/values.js';
import { PANELS } from '../panels/register.js';
import { linkOf, questionOf } from './address.js';

/** The actions that the command box offers, in order. */
const COMMANDS = [
  ...'new paste open edit play review report learn copy-moves copy-sgf copy-pgn copy-ggf copy-position link ask save'.split(
    ' ',
  ),
  ...'engine values black-view flip turn graph-mode more-lines fewer-lines comment promote delete'.split(' '),
  ...'undo redo refutation games openings similar ideas puzzles train console settings theme help'.split(' '),
];

/** Shows all moves in the table of lines. */
const ALL_LINES = 64;

/** @typedef {Record<string, () => unknown>} ActionTable */

/** @type {ActionTable | null} */
let table = null;

/** All actions by name. @param {App} app @returns {ActionTable} */
export function actions(app) {
  table ??= { ...moving(app), ...changing(app), ...showing(app), ...sharing(app), ...opening(app) };
  return table;
}

/** Actions that move through the game, or through the line of a mode.
 * @param {Pick<App, 'modes' | 'notices' | 'press' | 'screen' | 'study' | 'values' | 'words'>} app @returns {ActionTable} */
function moving(app) {
  const { modes, notices, values, screen, study, words } = app;
  const step = (by, node) => modes.current?.step(by) || study.go(node);
  /** Goes to the position before the next or previous mistake of the line. @param {number} step */
  const seekMistake = (step) => {
    const { line, node } = study;
    for (let at = line.indexOf(node) + 1 + step; at > 0 && at < line.length; at += step)
      if (values.loss(line[at])?.mistake) return study.go(line[at].parent);
    return notices.show(words.t('mistake.none'), { stay: 2500, key: 'mistake' });
  };
  return {
    first: () => step(-Infinity, study.tree.root),
    back: () => step(-1, study.node.parent),
    forward: () => step(1, study.node.children[0]),
    last: () => step(Infinity, study.line.at(-1)),
    'variation-up': () => study.sibling(-1),
    'variation-down': () => study.sibling(1),
    'mistake-back': () => seekMistake(-1),
    'mistake-forward': () => seekMistake(1),
    best: () => screen.bestMove && app.press(screen.bestMove),
    // The mistake that was played last, or the next one.
    refutation: () => screen.refute(),
  };
}

/** Actions that change the study or start a mode. @param {App} app @returns {ActionTable} */
function changing(app) {
  const { modes, notices, study, t } = app;
  const undo = () => ({ label: t('do.undo'), run: () => app.act('undo') });
  /** @param {string} name `undo` or `redo` @param {string | null} label of the change */
  const report = (name, label) => {
    const message = label ? t(`${name}.done`, { what: t(label) }) : t(`${name}.nothing`);
    notices.show(message, { stay: 3000, key: 'undo' });
  };
  return {
    new: () => {
      const { root, tags } = study.tree;
      const isFresh = root.children.length === 0 && Object.keys(tags).length === 0;
      if (isFresh && study.position === START) return modes.leave();
      app.loadTree(new Tree(app.rules, START), undefined, 'undo.new');
      return notices.show(t('new.done'), { stay: 5000, key: 'new', action: undo() });
    },
    undo: () => {
      if (!modes.current?.keepsGame && !modes.current?.undo()) report('undo', study.undo());
    },
    redo: () => {
      if (!modes.current?.keepsGame) report('redo', study.redo());
    },
    delete: () => {
      const { node } = study;
      if (!node.parent || modes.current?.mayDelete === false) return;
      study.remove(node);
      notices.show(t('delete.done', { move: node.move }), { key: 'delete', action: undo() });
    },
    promote: () => {
      if (modes.current?.mayDelete !== false) study.promote(study.node);
    },
    comment: () => app.dialog('askComment'),
    play: () => modes.begin('match'),
    edit: () => modes.begin('editor'),
    learn: () => modes.begin('learn'),
    train: () => modes.begin('trainer'),
    review: async () => /** @type {ReportPanel} */ (await app.panels.get('report')).toggle(),
  };
}

/** Actions that change what is shown, and the engine.
 * @param {Pick<App, 'board' | 'control' | 'notices' | 'rules' | 'settings' | 'study' | 'words'>} app @returns {ActionTable} */
function showing({ board, control, notices, rules, settings, study, words }) {
  /** Shows more or fewer lines of the engine. @param {number} change */
  const changeLines = (change) => {
    const { length } = rules.look(study.position).legal;
    const next = Math.max(1, Math.min(settings.get('lines'), Math.max(1, length)) + change);
    settings.set('lines', next >= length ? ALL_LINES : next);
  };
  /** The best value has a decimal, then all have one, then no value is shown. */
  const showValues = () => {
    const [shown, all] = ['values', 'decimals'].map((key) => settings.get(key));
    settings.set('values', !(shown && all));
    settings.set('decimals', shown && !all);
    notices.say(words.t(`values.${!shown ? 'best' : all ? 'none' : 'all'}`));
  };
  const toggleOverlay = (name) => {
    const on = settings.get('overlay') !== name;
    settings.set('overlay', on ? name : null);
    notices.say(words.t(on ? `overlay.${name}` : 'overlay.off'));
  };
  const nextMode = () => {
    const at = GRAPH_MODES.indexOf(settings.get('graphMode'));
    settings.set('graphMode', GRAPH_MODES[(at + 1) % GRAPH_MODES.length]);
  };
  const toggleTheme = () => {
    const dark = matchMedia('(prefers-color-scheme: dark)').matches;
    const now = settings.get('theme') === 'auto' ? (dark ? 'dark' : 'light') : settings.get('theme');
    settings.set('theme', now === 'dark' ? 'light' : 'dark');
  };
  const overlays = OVERLAYS.map((name, i) => [`overlay-${i + 1}`, () => toggleOverlay(name)]);
  return {
    engine: () => control.toggle(),
    values: showValues,
    'black-view': () => settings.set('viewer', settings.get('viewer') === 'black' ? 'own' : 'black'),
    flip: () => settings.set('view', board.flip()),
    turn: () => settings.set('view', board.turn()),
    'graph-mode': nextMode,
    'more-lines': () => changeLines(1),
    'fewer-lines': () => changeLines(-1),
    theme: toggleTheme,
    ...Object.fromEntries(overlays),
  };
}

/** Actions that import and export. @param {App} app @returns {ActionTable} */
function sharing(app) {
  const { notices, rules, study, words } = app;
  /** Copies a text, or shows it if the browser refuses. @param {string} value @param {string} done the message */
  const copy = async (value, done) => {
    if (await copyText(value)) notices.show(done, { stay: 3000 });
    else app.dialog('showText', words.t('copy.byHand'), value);
  };
  /** Copies the study, or the line on the board. @param {'sgf' | 'pgn' | 'ggf' | 'moves'} notation */
  const copyStudy = (notation) => {
    const done = words.t(`copy.${notation}`);
    const others = [...study.tree.nodes()].some(({ children }) => children.length > 1);
    const isLine = others && ['ggf', 'moves'].includes(notation);
    return copy(writeStudy(app, notation), isLine ? words.t('copy.line', { done }) : done);
  };
  return {
    paste: async () => {
      const text = await pastedText();
      if (text === null || text.trim() === '') return app.dialog('askText');
      return (await app.taking()).takeText(app, text);
    },
    open: () => $('#file').click(),
    ...Object.fromEntries(NOTATIONS.map((name) => [`copy-${name}`, () => copyStudy(name)])),
    'copy-position': () =>
      copy(`${study.position.slice(0, 64)} ${study.position[64]}`, words.t('copy.position')),
    link: async () => {
      const { hash, href } = linkOf(app);
      await copy(href, words.t('copy.link'));
      if (hash.length > MAX_HASH) notices.show(words.t('link.long', { n: hash.length }), { key: 'link' });
    },
    ask: () => {
      const { over } = rules.look(study.position);
      return copy(questionOf(app).href, words.t(over ? 'copy.position' : 'copy.question'));
    },
    save: async () => {
      (await app.part('js/io/save.js')).askSave(app);
    },
  };
}

/** Actions that open panels and dialogs. @param {App} app @returns {ActionTable} */
function opening(app) {
  const { panels } = app;
  return {
    ...Object.fromEntries(PANELS.map(({ id }) => [id, () => panels.show(id, true)])),
    console: async () => {
      const wanted = panels.current !== 'console';
      panels.show(wanted ? 'console' : 'moves', true);
      if (wanted) /** @type {ConsolePanel} */ (await panels.get('console')).focus();
    },
    similar: async () => {
      const { hide } = app.modes.current ?? {};
      if (hide) app.notices.show(app.t('openings.hidden'), { key: 'similar', stay: 4000 });
      else (await app.part('js/io/similar.js')).showSimilar(app);
    },
    ideas: async () => (await app.part('js/panels/ideas.js')).showIdeas(app),
    help: () => app.dialog('showHelp'),
    settings: () => app.dialog('showSettings'),
    menu: () => app.dialog('showMenu'),
    command: () => app.dialog('askCommand', COMMANDS),
  };
}
