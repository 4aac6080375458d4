// The dialogs of the saved games: the fields of one game, and actions for all games that are shown.

import { closingButton, openDialog } from '../base/dialog.js';
import { each, h, options, s } from '../base/dom.js';
import { ENDINGS, lineOf, namesOf, tagList } from '../model/game-record.js';
import { gameOf, tagsOf } from '../model/game-tree.js';
import { writeBackup, writeGgfOfAll } from './backup.js';
import { saveFile } from './clipboard.js';
import { errorText } from './import.js';

/** A field with its label. @param {string} label @param {HTMLElement} field */
const labelled = (label, field) => h('label.field', h('span', label), field);

/** @param {unknown} value @param {object} [props] */
const textField = (value, props = {}) =>
  h('input', { type: 'text', value: value ?? '', maxlength: 200, ...props });

/** The choice of existing folders. @param {GamesPanel} panel */
const folderList = ({ shelf, words }) => {
  const names = namesOf(shelf.kept.values(), (record) => [record.folder], words.language);
  return h('datalist', { id: 'game-folders' }, options(names.map((name) => [name])));
};

/** The fields of a game. `read` returns their values.
 *  @param {GamesPanel} panel @param {Partial<GameRecord>} facts @param {number | null} margin result on the board */
function fieldsOf(panel, facts, margin) {
  const { t } = panel;
  const fixed = margin !== null && !facts.ending;
  const value = fixed ? String(margin) : String(facts.result ?? '');
  const result = h('input', { type: 'number', min: -64, max: 64, step: 'any', value, readonly: fixed });
  const endings = ['', ...ENDINGS].map((id) => {
    const props = { value: id, selected: id === (facts.ending ?? '') };
    return h('option', props, t(`games.ending.${id || 'played'}`));
  });
  const fields = {
    black: textField(facts.black),
    white: textField(facts.white),
    date: textField(facts.date),
    place: textField(facts.place),
    result,
    ending: h('select', endings),
    folder: textField(facts.folder, { list: 'game-folders' }),
    tagsTyped: textField((facts.tags ?? []).join(', ')),
  };
  return {
    body: [
      each('div.fields', Object.entries(fields), ([name, field]) => labelled(t(`games.${name}`), field)),
      folderList(panel),
      fixed && h('p.muted', t('games.resultFixed')),
    ],
    /** @returns {Partial<GameRecord> | null} `null`, with the field marked, if the result is invalid */
    read() {
      if (!result.reportValidity()) return null;
      const lines = ['black', 'white', 'date', 'place'].map((name) => [name, lineOf(fields[name].value)]);
      return {
        ...Object.fromEntries(lines),
        result: result.value === '' ? undefined : Number(result.value),
        ending: fields.ending.value || undefined,
        folder: lineOf(fields.folder.value) ?? '',
        tags: tagList(fields.tagsTyped.value),
      };
    },
  };
}

/** Reports a change that can be undone. @param {GamesPanel} panel @param {string} message @param {() => unknown} undo */
function report({ app, words }, message, undo) {
  app.notices.show(message, { key: 'games', action: { label: words.t('do.undo'), run: undo } });
}

/** Edits a saved game. @param {GamesPanel} panel @param {string} key */
export function editGame(panel, key) {
  const { app, shelf, t } = panel;
  const record = shelf.kept.get(key);
  if (!record) return;
  // A stored result of a finished game is its result, whatever the board shows.
  const fields = fieldsOf(panel, record, null);
  const remove = async () => report(panel, t('games.cleared', { n: 1 }), await shelf.remove([key]));
  const save = () => {
    const facts = fields.read();
    if (!facts) return false;
    app.attempt(() => shelf.change([key], () => facts));
    const { tree } = app.study;
    if (shelf.of(tree)?.key === key) setTags(app, tree, facts);
    return true;
  };
  openDialog(app, t('games.editTitle'), fields.body, [
    { label: t('games.remove'), run: remove },
    { label: t('games.save'), solid: true, run: save },
  ]);
}

/** @param {Pick<App, 'study'>} app @param {Tree} tree @param {Partial<GameRecord>} facts */
function setTags(app, tree, facts) {
  const { given, ratings } = tree.tags;
  tree.tags = { ...tagsOf(facts), given, ratings };
  app.study.changed.send('tree');
}

/** Edits the current game, and saves it. @param {GamesPanel} panel */
export function editGameOnBoard(panel) {
  const { app, shelf, t } = panel;
  const { tree } = app.study;
  const { folder, tags } = shelf.of(tree)?.record ?? {};
  const last = /** @type {TreeNode} */ (tree.main.at(-1));
  const { over, margin } = app.rules.look(last.position);
  const fields = fieldsOf(panel, { ...tagsOf(tree.tags), folder, tags }, over ? margin : null);
  const run = () => {
    const facts = fields.read();
    if (!facts) return false;
    setTags(app, tree, facts);
    app.attempt(() => saveTree(panel, tree, facts));
    return true;
  };
  openDialog(app, t('games.boardTitle'), fields.body, [{ label: t('games.keep'), solid: true, run }]);
}

/** Saves a tree, under its key if it is already saved.
 *  @param {GamesPanel} panel @param {Tree} tree @param {Partial<GameRecord>} facts */
async function saveTree(panel, tree, facts) {
  const { app, shelf, words } = panel;
  const game = { tree: undefined, comments: undefined, ...gameOf(tree), ...facts };
  const key = shelf.of(tree)?.key ?? (await shelf.add([game])).keys[0];
  if (!key) {
    app.notices.show(words.t('games.nothing'), { key: 'games' });
    return;
  }
  await shelf.change([key], () => game);
  shelf.tie(tree, key);
  app.notices.show(words.t('games.kept'), { key: 'games', stay: 3000 });
}

/** Three sketches: a list of games with its share button, the choice of programs, and a file above the page. Phones have the app's
 *  games, a share sheet and a file; each is drawn with plain shapes. */
const SKETCHES = [
  'M34 6h52v68H34zM42 18h22M42 30h22M42 42h22M74 56l8-6-8-6M82 50H66v12',
  'M34 6h52v68H34zM34 44h52M42 52h12v12H42zM66 52h12v12H66zM72 58m-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0',
  'M14 24h92v50H14zM14 32h92M26 40h28v28H26zM40 40v28M26 54h28M70 6h16l6 6v18H70zM86 6v6h6M81 40v18M74 52l7 7 7-7',
];

/** Shows how to get games out of other programs. @param {GamesPanel} panel */
export function showGuide({ app, t }) {
  const figure = (path, index) => {
    const number = index + 1;
    const picture = { viewBox: '0 0 120 80', role: 'img', 'aria-label': t(`guide.picture${number}`) };
    const sketch = s('svg', picture, s('path', { d: path }));
    return h('figure', sketch, h('figcaption', `${number}. ${t(`guide.step${number}`)}`));
  };
  const guide = h('div.guide', SKETCHES.map(figure));
  openDialog(app, t('guide.title'), [guide, h('p.muted', t('guide.read'))]);
}

/** Actions for the games that are shown. @param {GamesPanel} panel */
export function editGames(panel) {
  const { app, shelf, t, words } = panel;
  const keys = panel.found.map(([key]) => key);
  const n = keys.length;
  const folder = textField('', { list: 'game-folders' });
  const tags = textField('');
  /** @param {string} name @param {() => unknown} run */
  const action = (name, run) => closingButton(app, t(name), run);
  /** @param {(record: GameRecord) => Partial<GameRecord>} how */
  const change = async (how) => report(panel, t('games.changed', { n }), await shelf.change(keys, how));
  const removeAll = async () => report(panel, t('games.cleared', { n }), await shelf.remove(keys));
  const records = () => keys.flatMap((key) => shelf.kept.get(key) ?? []);
  const addTags = () => change((record) => ({ tags: [...record.tags, ...tagList(tags.value)] }));
  const removeTags = () => {
    const removed = tagList(tags.value);
    return change((record) => ({ tags: record.tags.filter((tag) => !removed.includes(tag)) }));
  };
  const exportGgf = () => {
    const { text, faults } = writeGgfOfAll(app.rules, records());
    saveFile('outflank-games.ggf', new Blob([text], { type: 'text/plain' }));
    const lines = faults.map((fault) => errorText(fault, words));
    if (lines.length > 0) app.dialog('showText', t('faults.title'), lines.join('\n'));
  };
  const exportBackup = () =>
    saveFile('outflank-games.json', new Blob([writeBackup(records())], { type: 'application/json' }));
  const body = [
    h(
      'div.fields.one',
      labelled(t('games.folder'), folder),
      action('games.move', () => change(() => ({ folder: lineOf(folder.value) ?? '' }))),
      labelled(t('games.tagsTyped'), tags),
      h('div.choices', action('games.tagAdd', addTags), action('games.tagRemove', removeTags)),
    ),
    folderList(panel),
    h('h3', t('games.export')),
    h('div.choices', action('games.exportGgf', exportGgf), action('games.exportBackup', exportBackup)),
    h('p.muted', t('games.exportWhat')),
  ];
  const remove = { label: t('games.removeThese', { n }), run: removeAll };
  openDialog(app, t('games.these', { n }), body, [remove]);
}
