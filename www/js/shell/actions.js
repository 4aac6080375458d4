// What the buttons, the keys and the command box can do, by name.

import { $ } from '../base/dom.js';
import { load } from '../base/load.js';
import { START } from '../base/position.js';
import { OVERLAYS } from '../board/overlays.js';
import { GRAPH_MODES } from '../io/settings.js';
import { MAX_HASH } from '../model/saved-studies.js';
import { Tree } from '../model/tree.js';
import { PANELS } from '../panels/register.js';
import { linkOf } from './address.js';

/** Actions that the command box offers, in order, with the key that the help shows. */
export const COMMANDS = [
  'new',
  'paste',
  'open',
  'edit',
  'play',
  'review',
  'report',
  'learn',
  'copy-moves',
  'copy-ggf',
  'copy-position',
  'link',
  'save',
  'engine',
  'values',
  'black-view',
  'flip',
  'turn',
  'graph-mode',
  'more-lines',
  'fewer-lines',
  'comment',
  'promote',
  'delete',
  'undo',
  'redo',
  'games',
  'openings',
  'puzzles',
  'train',
  'console',
  'settings',
  'theme',
  'help',
];

/** Shows all moves in the table of lines. */
const ALL_LINES = 64;

/** @typedef {Record<string, () => unknown>} ActionTable */

/** @type {ActionTable | null} */
let table = null;

/** All actions by name. @param {App} app */
export function actions(app) {
  table ??= new Actions(app).table;
  return table;
}

class Actions {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** @type {ActionTable} */
    this.table = {
      ...this.#moving(),
      ...this.#changing(),
      ...this.#showing(),
      ...this.#sharing(),
      ...this.#opening(),
    };
  }

  /** Through the game. @returns {ActionTable} */
  #moving() {
    const { app } = this;
    const { study } = app;
    return {
      first: () => study.first(),
      back: () => study.back(),
      forward: () => study.forward(),
      last: () => study.last(),
      'variation-up': () => study.sibling(-1),
      'variation-down': () => study.sibling(1),
      'mistake-back': () => this.#seekMistake(-1),
      'mistake-forward': () => this.#seekMistake(1),
      best: () => {
        const move = app.screen.bestMove;
        if (move) app.studyActions.press(move);
      },
    };
  }

  /** What lies on the table. @returns {ActionTable} */
  #changing() {
    const { app } = this;
    const { notices, study, words } = app;
    const { t } = words;
    const undo = () => ({ label: t('do.undo'), run: () => app.act('undo') });
    return {
      new: () => {
        const { root, tags } = study.tree;
        const isFresh = root.children.length === 0 && Object.keys(tags).length === 0;
        if (isFresh && study.position === START) return app.modes.leave();
        app.studyActions.loadTree(new Tree(app.rules, START), undefined, 'undo.new');
        return notices.show(t('new.done'), { stay: 5000, key: 'new', action: undo() });
      },
      undo: () => {
        if (app.modes.current?.mayUndo === false || app.modes.current?.undo()) return;
        const label = study.undo();
        notices.show(label ? t('undo.done', { what: t(label) }) : t('undo.nothing'), {
          stay: 3000,
          key: 'undo',
        });
      },
      redo: () => {
        if (app.modes.current?.mayUndo === false) return;
        const label = study.redo();
        notices.show(label ? t('redo.done', { what: t(label) }) : t('redo.nothing'), {
          stay: 3000,
          key: 'undo',
        });
      },
      delete: () => {
        const { node } = study;
        if (!node.parent || app.modes.current?.mayDelete === false) return;
        study.remove(node);
        notices.show(t('delete.done', { move: node.move }), { key: 'delete', action: undo() });
      },
      promote: () => {
        if (app.modes.current?.mayDelete !== false) study.promote(study.node);
      },
      comment: () => app.dialog('askComment'),
      play: () => app.modes.begin('match'),
      edit: () => app.modes.begin('editor'),
      learn: () => app.modes.begin('learn'),
      train: () => app.modes.begin('trainer'),
      review: async () => /** @type {ReportPanel} */ (await app.panels.get('report')).toggle(),
    };
  }

  /** What is shown, and what the engine does. @returns {ActionTable} */
  #showing() {
    const { app } = this;
    const { settings } = app;
    /** @type {ActionTable} */
    const actions = {
      engine: () => app.control.toggle(),
      values: () => settings.toggle('values'),
      'black-view': () => settings.toggle('black'),
      flip: () => settings.set('view', app.board.flip()),
      turn: () => settings.set('view', app.board.turn()),
      'graph-mode': () =>
        settings.set(
          'graphMode',
          GRAPH_MODES[(GRAPH_MODES.indexOf(settings.get('graphMode')) + 1) % GRAPH_MODES.length],
        ),
      'more-lines': () => this.#changeLines(1),
      'fewer-lines': () => this.#changeLines(-1),
      theme: () => {
        const dark = matchMedia('(prefers-color-scheme: dark)').matches;
        const now = settings.get('theme') === 'auto' ? (dark ? 'dark' : 'light') : settings.get('theme');
        settings.set('theme', now === 'dark' ? 'light' : 'dark');
      },
    };
    for (const [i, name] of OVERLAYS.entries()) actions[`overlay-${i + 1}`] = () => this.#toggleOverlay(name);
    return actions;
  }

  /** Into the program and out of it. @returns {ActionTable} */
  #sharing() {
    const { app } = this;
    const { notices, study, words } = app;
    return {
      paste: async () => {
        const { pastedText } = await load('js/io/clipboard.js');
        const text = await pastedText();
        if (text === null || text.trim() === '') return app.dialog('askText');
        return (await app.taking()).takeText(app, text);
      },
      open: () => $('#file').click(),
      'copy-moves': () => this.#copy(study.game().moves, 'copy.moves'),
      'copy-ggf': () => {
        try {
          return this.#copy(app.rules.writeGgf(study.game()), 'copy.ggf');
        } catch (error) {
          return app.fail(error);
        }
      },
      'copy-position': () =>
        this.#copy(`${study.position.slice(0, 64)} ${study.position[64]}`, 'copy.position'),
      link: async () => {
        const { hash, href } = await linkOf(app);
        await this.#copy(href, 'copy.link');
        if (hash.length > MAX_HASH) notices.show(words.t('link.long', { n: hash.length }), { key: 'link' });
      },
      save: async () => {
        const [{ askSave }] = await Promise.all([load('js/io/save.js'), app.words.load('save')]);
        askSave(app);
      },
    };
  }

  /** Panels and dialogs. @returns {ActionTable} */
  #opening() {
    const { app } = this;
    /** @type {ActionTable} */
    const panels = {};
    for (const { id } of PANELS) panels[id] = () => app.panels.show(id, true);
    return {
      ...panels,
      console: async () => {
        const wanted = app.panels.current !== 'console';
        app.panels.show(wanted ? 'console' : 'moves', true);
        if (wanted) /** @type {ConsolePanel} */ (await app.panels.get('console')).focus();
      },
      help: () => app.dialog('showHelp'),
      settings: () => app.dialog('showSettings'),
      menu: () => app.dialog('showMenu'),
      command: () => app.dialog('askCommand', COMMANDS),
    };
  }

  /** Goes to the next or previous mistake of the line. @param {number} step */
  #seekMistake(step) {
    const { notices, scores, study, words } = this.app;
    const { line, node } = study;
    for (let at = line.indexOf(node) + step; at > 0 && at < line.length; at += step) {
      if (scores.loss(line[at])?.mistake) return study.go(line[at]);
    }
    return notices.show(words.t('mistake.none'), { stay: 2500, key: 'mistake' });
  }

  /** More or fewer lines of the engine. @param {number} change */
  #changeLines(change) {
    const { rules, settings, study } = this.app;
    const { legal } = rules.look(study.position);
    const shown = Math.min(settings.get('lines'), Math.max(1, legal.length));
    const next = Math.max(1, shown + change);
    settings.set('lines', next >= legal.length ? ALL_LINES : next);
  }

  /** @param {string} name */
  #toggleOverlay(name) {
    const { notices, settings, words } = this.app;
    const on = settings.get('overlay') !== name;
    settings.set('overlay', on ? name : null);
    notices.say(words.t(on ? `overlay.${name}` : 'overlay.off'));
  }

  /** Copies a text, or shows it where the browser refuses. @param {string} value @param {string} done what is said */
  async #copy(value, done) {
    const { notices, words } = this.app;
    const { copyText } = await load('js/io/clipboard.js');
    if (await copyText(value)) notices.show(words.t(done), { stay: 3000 });
    else this.app.dialog('showText', words.t('copy.byHand'), value);
  }
}
