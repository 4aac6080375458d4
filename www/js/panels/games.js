// The saved games: everything that was pasted or dropped. Games can be searched, put into folders, tagged and edited.

import { button, h, options, patch, s, v } from '../base/dom.js';
import { finder } from '../base/find.js';
import { dateText, disc } from '../base/format.js';
import { namesOf, reportOf, searchText } from '../model/game-record.js';
import { SavedGames } from '../model/saved-games.js';
import { gameButton, playersOf, Thumbnails, View } from './view.js';

const MAX_SHOWN = 200;
/** The value of "all" in the choice of folders. The name of a folder is never blank. */
const ALL = ' ';
/** The value of the user's games in the choice of tags. */
const MINE = ' mine';

/** Orders of the games, the largest first. @type {Record<string, (record: GameRecord, side: Side) => string | number>} */
const ORDERS = {
  date: ({ date }) => date ?? '',
  result: ({ result = -99 }, side) => (side === 'X' ? result : -result),
  accuracy: (record, side) => reportOf(record, side)?.[0] ?? -1,
  loss: (record, side) => reportOf(record, side)?.[2] ?? -1,
};

export class GamesPanel extends View {
  #boards = new Thumbnails(this.app.rules);

  /** @param {HTMLElement} root @param {App} app */
  constructor(root, app) {
    super(root, app);
    this.shelf = new SavedGames(app.store);
    const props = { onchange: () => this.draw() };
    this.input = h('input', { type: 'search', oninput: () => this.draw() });
    this.folder = h('select', props);
    this.tag = h('select', props);
    this.order = h('select', props);
    this.shelf.changed.listen(() => this.draw());
    app.settings.changed.listen((key) => key === 'names' && this.draw());
    this.shelf.ready.then(() => {
      const { odd } = this.shelf;
      if (odd > 0) app.notices.show(this.t('games.odd', { n: odd }), { key: 'games-odd' });
    });
    this.draw();
  }

  /** Saves games. The first of them is the current game. @param {(Game & Partial<GameRecord>)[]} games */
  async add(games) {
    const { tree } = this.app.study;
    const { keys, left } = await this.shelf.add(games);
    if (keys[0]) this.shelf.tie(tree, keys[0]);
    const { ownNames, notices } = this.app;
    const name = ownNames.guess(games);
    const action = { label: this.t('games.isMe'), run: () => ownNames.add(/** @type {string} */ (name)) };
    if (name) notices.show(this.t('games.own', { name }), { key: 'own', stay: 0, action });
    if (left > 0)
      this.app.notices.show(this.t('games.full', { n: left }), { kind: 'fault', key: 'games-full' });
  }

  /** The games that match the search. @returns {[string, GameRecord][]} */
  get found() {
    const { folder, tag, input, shelf } = this;
    const isFound = finder(input.value);
    const found = shelf.entries.filter(
      ([, record]) =>
        (folder.value === ALL || record.folder === folder.value) &&
        (tag.value === '' || record.tags.includes(tag.value) || (tag.value === MINE && this.#side(record))) &&
        (input.value === '' || isFound(searchText(record))),
    );
    const key = ORDERS[this.order.value];
    if (!key) return found;
    const keys = new Map(found.map(([id, record]) => [id, key(record, this.#side(record) ?? 'X')]));
    const of = (/** @type {[string, GameRecord]} */ [id]) => keys.get(id) ?? '';
    return found.sort((a, b) => (of(a) < of(b) ? 1 : of(a) > of(b) ? -1 : 0));
  }

  /** The accuracy of the user in analyzed games, by their dates, as a curve. `null` for fewer than three. */
  get curve() {
    const figures = [...this.shelf.kept.values()]
      .toSorted((a, b) => ((a.date ?? '') < (b.date ?? '') ? -1 : 1))
      .flatMap((record) => reportOf(record, this.#side(record))?.[0] ?? []);
    if (figures.length < 3) return null;
    const step = 300 / (figures.length - 1);
    const top = Math.max(...figures);
    const height = Math.max(12, 0.6 * (top - Math.min(...figures)));
    const points = figures.map(
      (accuracy, i) => `${(i * step).toFixed(1)} ${(2 + 0.6 * (top - accuracy)).toFixed(1)}`,
    );
    const label = this.t('games.curve', { from: figures[0], to: figures.at(-1) });
    const svg = s('svg', { viewBox: `0 0 300 ${height + 4}`, role: 'img', 'aria-label': label });
    svg.append(s('path', { d: `M${points.join('L')}` }));
    return v('figure.trend', { key: points.join() }, v('figcaption.muted', label), svg);
  }

  /** @param {'editGame' | 'editGameOnBoard' | 'editGames' | 'showGuide' | 'showWeaknesses'} name @param {string} [key] */
  #dialog(name, key = '') {
    const path = name === 'showWeaknesses' ? 'js/io/weaknesses.js' : 'js/io/game-dialogs.js';
    return this.app.attempt(async () => (await this.app.part(path))[name](this, key));
  }

  /** Fills a choice, and keeps the chosen value if it still exists. @param {any} select @param {string[][]} pairs */
  #fill(select, pairs) {
    const chosen = select.value;
    patch(select, options(pairs));
    select.value = pairs.some(([value]) => value === chosen) ? chosen : pairs[0][0];
  }

  draw() {
    const { language, t } = this.words;
    const records = [...this.shelf.kept.values()];
    const folders = namesOf(records, ({ folder }) => [folder], language);
    const tags = namesOf(records, (record) => record.tags, language);
    const loose = folders.length > 0 && records.some(({ folder }) => folder === '');
    this.#fill(this.folder, [
      [ALL, t('games.folders')],
      ...folders.map((name) => [name, name]),
      ...(loose ? [['', t('games.loose')]] : []),
    ]);
    const mine = records.some((record) => this.#side(record)) ? [[MINE, t('games.mine')]] : [];
    this.#fill(this.tag, [['', t('games.tags')], ...mine, ...tags.map((name) => [name, `#${name}`])]);
    this.#fill(
      this.order,
      ['added', ...Object.keys(ORDERS)].map((name) => [name, t(`games.order.${name}`)]),
    );
    this.order.setAttribute('aria-label', t('games.order'));
    this.order.hidden = records.length < 2;
    this.folder.hidden = folders.length === 0;
    this.tag.hidden = tags.length + mine.length === 0;
    this.input.placeholder = t('games.search');
    for (const name of ['search', 'folder', 'tag'])
      this[name === 'search' ? 'input' : name].setAttribute('aria-label', t(`games.${name}`));
    const { found } = this;
    const n = found.length;
    const none = n === 0 && t(records.length === 0 ? 'games.none' : 'games.notFound');
    const more = n > MAX_SHOWN && t('games.more', { n: n - MAX_SHOWN });
    patch(
      this.root,
      v('div.search', this.input),
      v(
        'div.search.shelves',
        this.folder,
        this.tag,
        this.order,
        button(t('games.board'), () => this.#dialog('editGameOnBoard')),
        button(t('games.get'), () => this.#dialog('showGuide')),
        records.length > 0 && button(t('weak.title'), () => this.#dialog('showWeaknesses')),
        n > 0 && button(t('games.these', { n }), () => this.#dialog('editGames'), { key: 'these' }),
      ),
      this.curve,
      v(
        'ul.list',
        found.slice(0, MAX_SHOWN).map(([key, record]) => this.#row(key, record)),
        (none || more) && v('li.blank', none || more),
      ),
    );
  }

  /** @param {string} key @param {GameRecord} record */
  #row(key, record) {
    const players = playersOf(record) ?? record.moves.slice(0, 20);
    const side = this.#side(record);
    const result = record.result && side === 'O' ? -record.result : record.result;
    const [accuracy, worst, loss] = reportOf(record, side) ?? [];
    const facts = [
      side && result !== undefined && this.t(`games.${result > 0 ? 'won' : result < 0 ? 'lost' : 'drawn'}`),
      dateText(record.date, this.words.language),
      record.place,
      this.t('games.moves', { n: record.moves.length / 2 }),
      record.folder,
      ...record.tags.map((tag) => `#${tag}`),
      accuracy && this.t('games.accuracy', { n: accuracy }),
      worst && `${worst} ${disc(-(loss ?? 0))}`,
      this.app.openings.ofGame(record),
    ];
    const label = this.t('games.edit', { game: players });
    const edit = { 'aria-label': label, onclick: () => this.#dialog('editGame', key) };
    return v(
      side ? 'li.game.own' : 'li.game',
      { key },
      this.#boards.board(`${key} ${record.moves}`, record),
      gameButton(players, result, facts, () => this.open(key, record)),
      v('button.icon.edit', edit, '✎'),
    );
  }

  /** The side of the user. @param {GameRecord} record */
  #side(record) {
    return this.app.ownNames.sideIn(record);
  }

  /** Opens a game, before one of its moves if `ply` is its number.
   *  @param {string} key @param {GameRecord} record @param {number} [ply] */
  open(key, record, ply) {
    const { app } = this;
    return app.attempt(async () => {
      const tree = (await app.taking()).putGame(app, record);
      this.shelf.tie(tree, key);
      if (ply) app.study.go(tree.main[ply - 1]);
    });
  }
}
