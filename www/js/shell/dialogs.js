// The page's dialogs: help, settings, the menu of small screens, the command box, and asking for text.

import { checkbox, choices, openDialog } from '../base/dialog.js';
import { h } from '../base/dom.js';
import { takeText } from '../io/load.js';
import { DEPTHS } from '../io/settings.js';
import { LANGUAGES } from './languages.js';
import { networkChoices } from './network.js';

export function showText(app, title, value) {
  const area = h('textarea', { rows: 6, readonly: true, value, 'aria-label': title });
  openDialog({ title, words: app.words, body: [area] });
  area.select();
}

/** Asks for a game or a position: where the browser does not give the clipboard away. */
export function askText(app) {
  const { t } = app.words;
  const area = h('textarea', {
    rows: 8,
    'aria-label': t('paste.title'),
    placeholder: t('paste.placeholder'),
    spellcheck: 'false',
    autocapitalize: 'off',
  });
  openDialog({
    title: t('paste.title'),
    words: app.words,
    body: [h('p.muted', t('paste.what')), area],
    actions: [
      { label: t('do.open'), run: () => app.act('open') },
      { label: t('do.load'), solid: true, run: () => takeText(app, area.value) },
    ],
  });
  area.focus();
}

export function askComment(app) {
  const { t } = app.words;
  const { node } = app.study;
  const area = h('textarea', {
    rows: 4,
    maxlength: 2000,
    value: node.comment,
    'aria-label': t('comment.title'),
  });
  openDialog({
    title: node.move ? t('comment.on', { move: node.move }) : t('comment.title'),
    words: app.words,
    body: [area],
    actions: [{ label: t('do.keep'), solid: true, run: () => app.study.comment(node, area.value.trim()) }],
  });
  area.focus();
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
];

export function showHelp(app) {
  const { t } = app.words;
  openDialog({
    title: t('help.title'),
    words: app.words,
    body: [
      h('p.muted', t('help.intro')),
      h(
        'dl.keys',
        HELP.flatMap(([keys, label]) => [
          h(
            'dt',
            keys.flatMap((key) => [key === '–' ? '–' : h('kbd', key), ' ']),
          ),
          h('dd', t(label)),
        ]),
      ),
      h('p.muted', t('help.marks')),
      h('p.muted', [app.engine.info?.name, app.engine.info?.version].filter(Boolean).join(' ')),
    ],
  });
}

export async function showSettings(app) {
  const { words, settings } = app;
  const { t } = words;
  const network = await networkChoices(app);
  const forget = () => {
    app.evaluations.forget();
    app.painter.now();
    app.notices.show(t('settings.forgotten'), { stay: 3000 });
  };
  const toggle = (key, label) =>
    checkbox({ label: t(label), checked: settings.get(key), onchange: (on) => settings.set(key, on) });
  const opened = openDialog({
    title: t('settings.title'),
    words,
    body: [
      choices({
        name: 'language',
        legend: t('settings.language'),
        value: words.language,
        options: Object.entries(LANGUAGES),
        onchange: (language) => app.settings.set('language', language),
      }),
      choices({
        name: 'theme',
        legend: t('settings.theme'),
        value: settings.get('theme'),
        options: ['auto', 'light', 'dark'].map((theme) => [theme, t(`theme.${theme}`)]),
        onchange: (theme) => settings.set('theme', theme),
      }),
      choices({
        name: 'depth',
        legend: t('settings.depth'),
        value: settings.get('depth'),
        options: DEPTHS.map((depth) => [depth, depth === 60 ? t('settings.toTheEnd') : String(depth)]),
        onchange: (depth) => settings.set('depth', depth),
      }),
      choices({
        name: 'review',
        legend: t('settings.reviewDepth'),
        value: settings.get('reviewDepth'),
        options: [10, 14, 18, 22].map((depth) => [depth, String(depth)]),
        onchange: (depth) => settings.set('reviewDepth', depth),
      }),
      network,
      choices({
        name: 'hash',
        legend: t('settings.hash'),
        value: settings.get('hash'),
        options: [0, 8, 32, 128, 256].map((mib) => [mib, mib === 0 ? t('settings.hashAuto') : String(mib)]),
        onchange: (mib) => settings.set('hash', mib),
      }),
      choices({
        name: 'threads',
        legend: t('settings.threads'),
        value: settings.get('threads'),
        options: [0, 1, 2, 4, 8].map((n) => [n, n === 0 ? t('settings.hashAuto') : String(n)]),
        onchange: (n) => settings.set('threads', n),
      }),
      choices({
        name: 'workers',
        legend: t('settings.workers'),
        value: settings.get('workers'),
        options: [0, 1, 2, 4].map((n) => [n, n === 0 ? t('settings.hashAuto') : String(n)]),
        onchange: (n) => settings.set('workers', n),
      }),
      toggle('black', 'settings.black'),
      toggle('singleKeys', 'settings.singleKeys'),
      h(
        'div.actions',
        h('button.plain', { onclick: () => app.act('turn') }, t('command.turn')),
        h('button.plain', { onclick: forget }, t('settings.forget')),
      ),
    ],
  });
  words.changed.listen(() => {
    if (!opened.dialog.open) return;
    opened.close();
    showSettings(app);
  });
}

/** The actions that small screens have no room for. */
export function showMenu(app) {
  const { t } = app.words;
  const offered = [
    'edit',
    'play',
    'review',
    'open',
    'link',
    'copy-moves',
    'copy-ggf',
    'save',
    'comment',
    'promote',
    'delete',
    'undo',
  ];
  const opened = openDialog({
    title: t('do.menu'),
    words: app.words,
    body: [
      h(
        'div.menu',
        offered.map((name) =>
          h(
            'button',
            {
              onclick: () => {
                opened.close();
                app.act(name);
              },
            },
            t(`command.${name}`),
          ),
        ),
      ),
    ],
  });
}

/** The command box: an action by its name, or anything that could be pasted. */
export function askCommand(app, commands) {
  const { t } = app.words;
  const input = h('input', {
    type: 'text',
    role: 'combobox',
    'aria-expanded': 'true',
    'aria-controls': 'command-list',
    'aria-label': t('command.title'),
    placeholder: t('command.placeholder'),
    autocomplete: 'off',
    spellcheck: 'false',
    autocapitalize: 'off',
  });
  const list = h('div.menu', { role: 'listbox', id: 'command-list', 'aria-label': t('command.title') });
  let matching = [];
  let at = 0;
  const draw = () => {
    list.replaceChildren(
      ...matching.map((name, i) =>
        h(
          'div.option',
          { role: 'option', id: `command-${i}`, 'aria-selected': String(i === at), onclick: () => run(name) },
          t(`command.${name}`),
        ),
      ),
    );
    input.setAttribute('aria-activedescendant', matching.length > 0 ? `command-${at}` : '');
    list.children[at]?.scrollIntoView({ block: 'nearest' });
  };
  const filter = () => {
    const wanted = input.value.trim().toLowerCase();
    matching = commands
      .filter((name) => name.includes(wanted) || t(`command.${name}`).toLowerCase().includes(wanted))
      .slice(0, 8);
    at = 0;
    draw();
  };
  const run = (name) => {
    opened.close();
    if (name) app.act(name);
    else if (input.value.trim()) takeText(app, input.value);
  };
  const opened = openDialog({ title: t('command.title'), words: app.words, body: [input, list] });
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
  filter();
  input.focus();
}

/** Asks who is to move in a position that does not say so. */
export function askSide(app, text) {
  const { t } = app.words;
  const read = (side) => takeText(app, `${text.trim()} ${side}`);
  openDialog({
    title: t('side.title'),
    words: app.words,
    body: [h('p', t('side.what'))],
    actions: [
      { label: t('do.black'), solid: true, type: 'button', run: () => read('X') },
      { label: t('do.white'), solid: true, type: 'button', run: () => read('O') },
    ],
  });
}
