// The dialogs of the page: help, settings, the menu of small screens, the command box, and text input.

import { checkbox, choices, openDialog } from '../base/dialog.js';
import { button, each, h, patch, v } from '../base/dom.js';
import { finder, folded } from '../base/find.js';
import { takeText } from '../io/load.js';
import { BOARD_COLOURS, DEPTHS, VIEWERS } from '../io/settings.js';
import { writeMarks } from '../model/marks.js';
import { findLines, namedLines } from '../model/opening-lines.js';
import { LANGUAGES } from './languages.js';
import { networkChoices } from './network.js';

/** Properties of a field that is not corrected while the user types. */
const PLAIN = { spellcheck: 'false', autocapitalize: 'off' };

export function showText(app, title, value) {
  const area = h('textarea', { rows: 6, readonly: true, value, 'aria-label': title });
  openDialog(app, title, [area]);
  area.select();
}

/** Asks for a game or a position, if the browser does not give access to the clipboard. */
export function askText(app) {
  const { t } = app.words;
  const title = t('paste.title');
  const area = h('textarea', { rows: 8, 'aria-label': title, placeholder: t('paste.placeholder'), ...PLAIN });
  const open = { label: t('do.open'), run: () => app.act('open') };
  const load = { label: t('do.load'), solid: true, run: () => takeText(app, area.value) };
  openDialog(app, title, [h('p.muted', t('paste.what')), area], [open, load]);
}

export function askComment(app) {
  const { t } = app.words;
  const { node } = app.study;
  const title = t('comment.title');
  const area = h('textarea', { rows: 4, maxlength: 2000, value: node.text, 'aria-label': title });
  const keep = {
    label: t('do.keep'),
    solid: true,
    run: () => app.study.comment(node, writeMarks(node.comment, { text: area.value.trim() })),
  };
  openDialog(app, node.move ? t('comment.on', { move: node.move }) : title, [area], [keep]);
}

/** @type {[keys: string[], label: string][]} */
const HELP = [
  [['←', '→'], 'key.move'],
  [['↑', '↓'], 'key.variation'],
  [['Home', 'End'], 'key.ends'],
  [['Shift+←', 'Shift+→'], 'key.mistake'],
  [['Space'], 'key.best'],
  [['L'], 'key.engine'],
  [['V'], 'key.values'],
  [['A'], 'key.review'],
  [['G'], 'key.graph'],
  [['F'], 'key.flip'],
  [['E'], 'key.edit'],
  [['N'], 'key.new'],
  [['X'], 'key.refutation'],
  [['+', '−'], 'key.lines'],
  [['1', '–', '6'], 'key.overlays'],
  [['`'], 'key.console'],
  [['/'], 'key.command'],
  [['?'], 'key.help'],
  [['Ctrl+C'], 'key.copy'],
  [['Ctrl+Shift+C'], 'key.ggf'],
  [['Ctrl+V'], 'key.paste'],
  [['Ctrl+Z'], 'key.undo'],
  [['Ctrl+Shift+Z'], 'command.redo'],
  [['Enter', 'C'], 'key.board'],
  [['M'], 'key.mark'],
];

export function showHelp(app) {
  const { t } = app.words;
  const { name, version } = app.engine.info ?? {};
  const key = (text) => [text === '–' ? '–' : v('kbd', text), ' '];
  openDialog(app, t('help.title'), [
    h('p.muted', t('help.intro')),
    navigator.maxTouchPoints > 0 && h('p', t('help.touch')),
    each('dl.keys', HELP, ([keys, label]) => [v('dt', keys.map(key)), v('dd', t(label))]),
    h('p.muted', t('help.marks')),
    h('p.muted', [name, version].filter(Boolean).join(' ')),
  ]);
}

export async function showSettings(app) {
  const { notices, painter, settings, t, values, words } = app;
  const network = await networkChoices(app);
  const forget = () => {
    values.forget();
    painter.now();
    notices.show(t('settings.forgotten'), { stay: 3000 });
  };
  /** Radio buttons for a setting. @param {string} key @param {any[]} values */
  const choose = (key, values, label = (value) => String(value)) =>
    choices({
      name: key,
      legend: t(`settings.${key}`),
      value: key === 'language' ? words.language : settings.get(key),
      options: values.map((value) => [value, label(value)]),
      onchange: (value) => settings.set(key, value),
    });
  const toggle = (key) => checkbox(t(`settings.${key}`), settings.get(key), (on) => settings.set(key, on));
  const orAuto = (n) => (n === 0 ? t('settings.hashAuto') : String(n));
  const engine = [
    choose('depth', DEPTHS, (n) => (n === 60 ? t('settings.toTheEnd') : String(n))),
    choose('reviewDepth', [10, 14, 18, 22]),
    toggle('book'),
    network,
    choose('hash', [0, 8, 32, 128, 256], orAuto),
    choose('threads', [0, 1, 2, 4, 8], orAuto),
    choose('workers', [0, 1, 2, 4], orAuto),
    choose('pace', [0, 400, 1500], (n) => t(`settings.pace.${n}`)),
    h('div.actions', button(t('settings.forget'), forget)),
  ];
  const body = [
    toggle('sound'),
    toggle('decimals'),
    toggle('ghosts'),
    choose('viewer', VIEWERS, (viewer) => t(`settings.viewer.${viewer}`)),
    h('div.actions', [button(t('command.turn'), () => app.act('turn'))]),
    choose('language', Object.keys(LANGUAGES), (key) => LANGUAGES[key]),
    choose('theme', ['auto', 'light', 'dark'], (theme) => t(`theme.${theme}`)),
    choose('boardColour', BOARD_COLOURS, (colour) => t(`boardColour.${colour}`)),
    toggle('singleKeys'),
    h('details.fold', h('summary', t('settings.engine')), engine),
  ];
  const opened = openDialog(app, t('settings.title'), body, [], () => unlisten());
  const unlisten = words.changed.listen(() => {
    opened.close();
    showSettings(app);
  });
}

const MENU =
  'edit play review open link ask copy-moves copy-ggf save comment promote delete undo flip values';

/** The actions that small screens have no room for. */
export function showMenu(app) {
  const { t } = app.words;
  const run = (name) => {
    opened.close();
    app.act(name);
  };
  const items = MENU.split(' ').map((name) =>
    h('button', { onclick: () => run(name) }, t(`command.${name}`)),
  );
  const opened = openDialog(app, t('do.menu'), [h('div.menu', items)]);
}

/** @param {Pick<App, 'words'>} app @param {any} name of a command, or an opening */
const commandLabel = ({ words }, name) =>
  typeof name === 'string'
    ? words.t(`command.${name}`)
    : `${words.t('command.openings')}: ${words.pick(name.names)}`;

/** Shows an opening in the library. @param {Pick<App, 'attempt' | 'panels' | 'words'>} app @param {TrainerLine} line */
const findOpening = (app, { names }) =>
  app.attempt(async () => {
    app.panels.show('openings', true);
    const panel = /** @type {OpeningsPanel} */ (await app.panels.get('openings'));
    panel.library.search(app.words.pick(/** @type {any} */ (names)));
  });

/** The command box: an action by its name, or any text that could be pasted. */
export function askCommand(app, commands) {
  const { t } = app.words;
  const title = t('command.title');
  const input = h('input', {
    type: 'text',
    role: 'combobox',
    'aria-expanded': 'true',
    'aria-controls': 'command-list',
    'aria-label': title,
    placeholder: t('command.placeholder'),
    autocomplete: 'off',
    ...PLAIN,
  });
  const list = h('div.menu', { role: 'listbox', id: 'command-list', 'aria-label': title });
  /** Names of commands, and openings. @type {(string | TrainerLine)[]} */
  let matching = [];
  /** @type {TrainerLine[]} */
  let openings = [];
  let at = 0;
  const draw = () => {
    const option = (name, i) => {
      const props = { role: 'option', id: `command-${i}`, 'aria-selected': String(i === at) };
      return v('div.option', { ...props, onclick: () => run(name) }, commandLabel(app, name));
    };
    patch(list, matching.map(option));
    input.setAttribute('aria-activedescendant', matching.length > 0 ? `command-${at}` : '');
    list.children[at]?.scrollIntoView({ block: 'nearest' });
  };
  const filter = () => {
    const isFound = finder(input.value);
    const named = commands.filter((name) => isFound(folded(`${name} ${t(`command.${name}`)}`)));
    // Moves are loaded, also those of an opening.
    const isMoves = /^([a-h][1-8]\s*)+$/i.test(input.value.trim());
    matching = [...named, ...(isMoves ? [] : findLines(openings, input.value))].slice(0, 8);
    at = 0;
    draw();
  };
  const run = (name) => {
    opened.close();
    if (name?.names) findOpening(app, name);
    else if (name) app.act(name);
    else if (input.value.trim()) takeText(app, input.value);
  };
  const opened = openDialog(app, title, [input, list]);
  input.addEventListener('input', filter);
  input.addEventListener('keydown', (event) => {
    if (event.isComposing) return;
    if (event.key === 'Enter') run(matching[at]);
    else if (event.code === 'ArrowDown' || event.code === 'ArrowUp') {
      at = Math.max(0, Math.min(matching.length - 1, at + (event.code === 'ArrowDown' ? 1 : -1)));
      draw();
    } else return;
    event.preventDefault();
  });
  namedLines().then((lines) => {
    openings = lines;
    filter();
  });
  filter();
}

/** Asks for the side to move of a position that does not state it. */
export function askSide(app, text) {
  const { t } = app.words;
  const side = (label, side) => {
    const run = () => takeText(app, `${text.trim()} ${side}`);
    return { label: t(label), solid: true, type: 'button', run };
  };
  const sides = [side('do.black', 'X'), side('do.white', 'O')];
  openDialog(app, t('side.title'), [h('p', t('side.what'))], sides);
}
