// What the Games tab asks: facts about one game, and what is to become of those that are shown.

import { openDialog } from '../base/dialog.js';
import { h } from '../base/dom.js';
import { lineOf, namesOf, tagList } from '../model/game-record.js';
import { gameOf, tagsOf } from '../model/game-tree.js';
import { writeBackup, writeGgfOfAll } from './backup.js';
import { saveFile } from './clipboard.js';
import { errorText } from './import.js';

const ENDINGS = ['', 'resigned', 'timed-out', 'left', 'agreed'];

/** A field with its label. @param {string} label @param {HTMLElement} field */
const labelled = (label, field) => h('label.field', h('span', label), field);

/** What can be said of a game, as fields: `read` gives it back.
 *  @param {GamesPanel} panel @param {Partial<GameRecord>} facts @param {number | null} margin the result that the board tells */
function fieldsOf(panel, facts, margin) {
  const { words, shelf } = panel;
  const { t } = words;
  const line = (value, props = {}) =>
    h('input', { type: 'text', value: value ?? '', maxlength: 200, ...props });
  const black = line(facts.black);
  const white = line(facts.white);
  const date = line(facts.date);
  const place = line(facts.place);
  const fixed = margin !== null && !facts.ending;
  const result = h('input', {
    type: 'number',
    min: -64,
    max: 64,
    step: 'any',
    value: fixed ? String(margin) : String(facts.result ?? ''),
    readonly: fixed,
  });
  const ending = h(
    'select',
    ENDINGS.map((id) =>
      h('option', { value: id, selected: id === (facts.ending ?? '') }, t(`games.ending.${id || 'played'}`)),
    ),
  );
  const folders = h(
    'datalist',
    { id: 'game-folders' },
    namesOf(shelf.kept.values(), (record) => [record.folder], words.language).map((value) =>
      h('option', { value }),
    ),
  );
  const folder = line(facts.folder, { list: 'game-folders' });
  const tags = line((facts.tags ?? []).join(', '));
  return {
    body: [
      h(
        'div.fields',
        labelled(t('games.black'), black),
        labelled(t('games.white'), white),
        labelled(t('games.date'), date),
        labelled(t('games.place'), place),
        labelled(t('games.result'), result),
        labelled(t('games.ending'), ending),
        labelled(t('games.folder'), folder),
        labelled(t('games.tagsTyped'), tags),
      ),
      folders,
      fixed && h('p.muted', t('games.resultFixed')),
    ],
    /** @returns {Partial<GameRecord> | null} null, with the field marked, where the result is none */
    read() {
      if (!result.checkValidity()) {
        result.reportValidity();
        return null;
      }
      return {
        black: lineOf(black.value),
        white: lineOf(white.value),
        date: lineOf(date.value),
        place: lineOf(place.value),
        result: result.value === '' ? undefined : Number(result.value),
        ending: ending.value || undefined,
        folder: lineOf(folder.value) ?? '',
        tags: tagList(tags.value),
      };
    },
  };
}

/** Says what was done, with a way back. @param {GamesPanel} panel @param {string} message @param {() => unknown} back */
function tell({ app, words }, message, back) {
  app.notices.show(message, { key: 'games', action: { label: words.t('do.undo'), run: back } });
}

/** The result that the last position of a game tells, or null. @param {GamesPanel} panel @param {Tree} tree */
function marginOf({ app }, tree) {
  const last = /** @type {TreeNode} */ (tree.main.at(-1));
  const look = app.rules.look(last.position);
  return look.over ? look.margin : null;
}

/** Facts of a kept game. @param {GamesPanel} panel @param {string} key */
export function editGame(panel, key) {
  const { app, shelf, words } = panel;
  const { t } = words;
  const record = shelf.kept.get(key);
  if (!record) return;
  // A result that stands beside a finished game is the one it ended with.
  const fields = fieldsOf(panel, record, null);
  openDialog({
    title: t('games.editTitle'),
    words,
    body: fields.body,
    actions: [
      {
        label: t('games.remove'),
        run: async () => {
          const back = await shelf.remove([key]);
          tell(panel, t('games.cleared', { n: 1 }), back);
        },
      },
      {
        label: t('games.save'),
        solid: true,
        run: () => {
          const facts = fields.read();
          if (!facts) return false;
          shelf.change([key], () => facts).catch((error) => app.fail(error));
          const { tree } = app.study;
          if (shelf.of(tree)?.key === key) giveFacts(app, tree, facts);
          return true;
        },
      },
    ],
  });
}

/** The tree on the board bears these facts from now on. @param {App} app @param {Tree} tree @param {Partial<GameRecord>} facts */
function giveFacts(app, tree, { black, white, date, place, result, ending }) {
  tree.tags = tagsOf({ black, white, date, place, result, ending });
  app.study.changed.send('tree');
}

/** Facts of the game on the board; it is kept with them. @param {GamesPanel} panel */
export function editGameOnBoard(panel) {
  const { app, shelf, words } = panel;
  const { t } = words;
  const { tree } = app.study;
  const known = shelf.of(tree);
  const fields = fieldsOf(
    panel,
    { ...tagsOf(tree.tags), folder: known?.record.folder, tags: known?.record.tags },
    marginOf(panel, tree),
  );
  openDialog({
    title: t('games.boardTitle'),
    words,
    body: fields.body,
    actions: [
      {
        label: t('games.keep'),
        solid: true,
        run: () => {
          const facts = fields.read();
          if (!facts) return false;
          giveFacts(app, tree, facts);
          keep(panel, tree, facts).catch((error) => app.fail(error));
          return true;
        },
      },
    ],
  });
}

/** Keeps a tree: in its own place where it is kept already. @param {GamesPanel} panel @param {Tree} tree @param {Partial<GameRecord>} facts */
async function keep(panel, tree, facts) {
  const { app, shelf, words } = panel;
  const game = { tree: undefined, comments: undefined, ...gameOf(tree), ...facts };
  const own = shelf.of(tree)?.key;
  const key = own ?? (await shelf.add([game])).keys[0];
  if (!key) {
    app.notices.show(words.t('games.nothing'), { key: 'games' });
    return;
  }
  await shelf.change([key], () => game);
  shelf.tie(tree, key);
  app.notices.show(words.t('games.kept'), { key: 'games', stay: 3000 });
}

/** What is to become of the games that are shown. @param {GamesPanel} panel */
export function editGames(panel) {
  const { app, shelf, words } = panel;
  const { t } = words;
  const { found } = panel;
  const keys = found.map(([key]) => key);
  const n = keys.length;
  const folders = h(
    'datalist',
    { id: 'game-folders' },
    namesOf(shelf.kept.values(), (record) => [record.folder], words.language).map((value) =>
      h('option', { value }),
    ),
  );
  const folder = h('input', { type: 'text', list: 'game-folders', maxlength: 200 });
  const tags = h('input', { type: 'text', maxlength: 200 });
  const opened = openDialog({
    title: t('games.these', { n }),
    words,
    body: [
      h(
        'div.fields.one',
        labelled(t('games.folder'), folder),
        button('games.move', () => change(() => ({ folder: lineOf(folder.value) ?? '' }))),
        labelled(t('games.tagsTyped'), tags),
        h(
          'div.choices',
          button('games.tagAdd', () =>
            change((record) => ({ tags: [...record.tags, ...tagList(tags.value)] })),
          ),
          button('games.tagRemove', () =>
            change((record) => {
              const gone = new Set(tagList(tags.value));
              return { tags: record.tags.filter((tag) => !gone.has(tag)) };
            }),
          ),
        ),
      ),
      folders,
      h('h3', t('games.export')),
      h('div.choices', button('games.exportGgf', exportGgf), button('games.exportBackup', exportBackup)),
      h('p.muted', t('games.exportWhat')),
    ],
    actions: [{ label: t('games.removeThese', { n }), run: removeAll }],
  });

  /** @param {string} name @param {() => unknown} run */
  function button(name, run) {
    const press = async () => {
      try {
        await run();
        opened.close();
      } catch (error) {
        app.fail(error);
      }
    };
    return h('button.plain', { onclick: press }, t(name));
  }

  /** @param {(record: GameRecord) => Partial<GameRecord>} how */
  async function change(how) {
    const back = await shelf.change(keys, how);
    tell(panel, t('games.changed', { n }), back);
  }

  async function removeAll() {
    const back = await shelf.remove(keys);
    tell(panel, t('games.cleared', { n }), back);
  }

  function exportGgf() {
    const { text, faults } = writeGgfOfAll(app.rules, records());
    saveFile('outflank-games.ggf', new Blob([text], { type: 'text/plain' }));
    if (faults.length === 0) return;
    const lines = faults.map((fault) => errorText(fault, words));
    app.dialog('showText', t('faults.title'), lines.join('\n'));
  }

  function exportBackup() {
    saveFile('outflank-games.json', new Blob([writeBackup(records())], { type: 'application/json' }));
  }

  function* records() {
    for (const key of keys) {
      const record = shelf.kept.get(key);
      if (record) yield record;
    }
  }
}
