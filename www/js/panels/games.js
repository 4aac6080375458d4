// The games of everything pasted or dropped, kept on the device: searched, put into folders, tagged, edited.

import { h } from '../base/dom.js';
import { disc } from '../base/format.js';
import { findGames, namesOf } from '../model/game-record.js';
import { SavedGames } from '../model/saved-games.js';

const SHOWN = 200;
/** The value of "all" in the choice of folders; a folder's name is never blank. */
const ALL = ' ';

export class GamesPanel {
  /** @param {HTMLElement} root @param {App} app */
  constructor(root, app) {
    this.app = app;
    this.words = app.words;
    this.shelf = new SavedGames(app.store);
    this.input = h('input', { type: 'search', oninput: () => this.#list() });
    this.folder = h('select', { onchange: () => this.#list() });
    this.tag = h('select', { onchange: () => this.#list() });
    this.board = h('button.plain', { onclick: () => this.#open('editGameOnBoard') });
    this.these = h('button.plain', { onclick: () => this.#open('editGames') });
    this.list = h('ul.list');
    root.append(
      h('div.search', this.input),
      h('div.search.shelves', this.folder, this.tag, this.board, this.these),
      this.list,
    );
    this.shelf.changed.listen(() => this.#list());
    this.shelf.ready.then(() => {
      const { odd } = this.shelf;
      if (odd > 0) app.notices.show(this.words.t('games.odd', { n: odd }), { key: 'games-odd' });
    });
    this.relabel();
  }

  draw() {
    this.#list();
  }

  relabel() {
    const { t } = this.words;
    this.input.placeholder = t('games.search');
    for (const [field, name] of [
      [this.input, 'games.search'],
      [this.folder, 'games.folder'],
      [this.tag, 'games.tag'],
    ])
      field.setAttribute('aria-label', t(name));
    this.board.textContent = t('games.board');
    this.#list();
  }

  /** Keeps games; the first of them lies on the board. @param {(Game & Partial<GameRecord>)[]} games */
  async add(games) {
    const { tree } = this.app.study;
    const { keys, left } = await this.shelf.add(games);
    if (keys[0]) this.shelf.tie(tree, keys[0]);
    if (left > 0)
      this.app.notices.show(this.words.t('games.full', { n: left }), { kind: 'fault', key: 'games-full' });
  }

  /** The games that are sought. @returns {[string, GameRecord][]} */
  get found() {
    const { folder, tag, input, shelf } = this;
    const chosen = shelf.entries.filter(
      ([, record]) =>
        (folder.value === ALL || record.folder === folder.value) &&
        (tag.value === '' || record.tags.includes(tag.value)),
    );
    const games = new Set(
      findGames(
        chosen.map(([, record]) => record),
        input.value,
      ),
    );
    return chosen.filter(([, record]) => games.has(record));
  }

  /** @param {'editGame' | 'editGameOnBoard' | 'editGames'} name @param {string} [key] */
  async #open(name, key) {
    try {
      const dialogs = await (await this.app.taking()).gameDialogs();
      dialogs[name](this, key ?? '');
    } catch (error) {
      this.app.fail(error);
    }
  }

  /** Fills a choice and keeps what is chosen where it still can be. @param {any} select @param {[string, string][]} options */
  #fill(select, options) {
    const chosen = select.value;
    select.replaceChildren(...options.map(([value, text]) => h('option', { value }, text)));
    select.value = options.some(([value]) => value === chosen) ? chosen : options[0][0];
  }

  #list() {
    const { language, t } = this.words;
    const records = [...this.shelf.kept.values()];
    const folders = namesOf(records, ({ folder }) => [folder], language);
    const tags = namesOf(records, (record) => record.tags, language);
    const loose = records.some(({ folder }) => folder === '');
    this.#fill(this.folder, [
      [ALL, t('games.folders')],
      .../** @type {[string, string][]} */ (folders.map((name) => [name, name])),
      .../** @type {[string, string][]} */ (loose && folders.length > 0 ? [['', t('games.loose')]] : []),
    ]);
    this.#fill(this.tag, [
      ['', t('games.tags')],
      .../** @type {[string, string][]} */ (tags.map((name) => [name, `#${name}`])),
    ]);
    this.folder.hidden = folders.length === 0;
    this.tag.hidden = tags.length === 0;
    const { found } = this;
    this.these.hidden = found.length === 0;
    this.these.textContent = t('games.these', { n: found.length });
    if (found.length === 0) {
      const none = records.length === 0 ? 'games.none' : 'games.notFound';
      this.list.replaceChildren(h('li.blank', t(none)));
      return;
    }
    const rows = found.slice(0, SHOWN).map(([key, record]) => this.#row(key, record));
    if (found.length > SHOWN) rows.push(h('li.blank', t('games.more', { n: found.length - SHOWN })));
    this.list.replaceChildren(...rows);
  }

  /** @param {string} key @param {GameRecord} record */
  #row(key, record) {
    const { t } = this.words;
    const players =
      record.black || record.white
        ? `${record.black ?? '?'} – ${record.white ?? '?'}`
        : record.moves.slice(0, 20);
    const result = Number.isFinite(record.result) ? disc(record.result, true) : null;
    const facts = [
      record.date,
      record.place,
      t('games.moves', { n: record.moves.length / 2 }),
      record.folder,
      ...record.tags.map((tag) => `#${tag}`),
    ];
    return h(
      'li.game',
      h(
        'button',
        { onclick: () => this.#load(key, record) },
        h('span', players),
        result && h('b', result),
        h('small', facts.filter(Boolean).join(' · ')),
      ),
      h(
        'button.icon.edit',
        { 'aria-label': t('games.edit', { game: players }), onclick: () => this.#open('editGame', key) },
        '✎',
      ),
    );
  }

  /** @param {string} key @param {GameRecord} record */
  async #load(key, record) {
    try {
      const { putGame } = await this.app.taking();
      this.shelf.tie(putGame(this.app, record), key);
    } catch (error) {
      this.app.fail(error);
    }
  }
}
