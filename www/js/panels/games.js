// The games of everything pasted or dropped, searchable, kept on the device.

import { h } from '../base/dom.js';
import { disc } from '../base/format.js';
import { START } from '../base/position.js';

const SHOWN = 200;
const KEPT = 20_000;

const keyOf = (game) =>
  [
    game.start === START ? '' : game.start,
    game.moves,
    game.black ?? '',
    game.white ?? '',
    game.date ?? '',
  ].join('|');

/** What a search looks through, in lower case. */
const haystack = (game) =>
  [game.black, game.white, game.date, game.place, game.moves].filter(Boolean).join(' ').toLowerCase();

/** Games that hold every word of `query`. */
export function findGames(games, query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return games;
  return games.filter((game) => {
    const text = haystack(game);
    return words.every((word) => text.includes(word));
  });
}

export class GamesPanel {
  /** @type {Map<string, any>} */
  kept = new Map();

  /** @param {HTMLElement} root @param {App} app */
  constructor(root, app) {
    this.app = app;
    this.words = app.words;
    this.store = app.store;
    this.input = h('input', { type: 'search', oninput: () => this.#list() });
    this.list = h('ul', { class: 'list' });
    this.clear = h('button', { type: 'button', class: 'plain', onclick: () => this.#clear() });
    root.append(h('div', { class: 'search' }, this.input, this.clear), this.list);
    this.#load();
    this.relabel();
  }

  draw() {
    this.#list();
  }

  relabel() {
    const { t } = this.words;
    this.input.placeholder = t('games.search');
    this.input.setAttribute('aria-label', t('games.search'));
    this.clear.textContent = t('games.clear');
    this.#list();
  }

  async #load() {
    for (const [key, game] of await this.store.all('games')) {
      if (typeof game?.moves === 'string' && typeof game.start === 'string') this.kept.set(key, game);
    }
    this.#list();
  }

  add(games) {
    const added = Date.now();
    const entries = games
      .filter((game) => game.moves.length > 0)
      .map((game, i) => [keyOf(game), { ...game, added: added - i / 1000 }]);
    for (const [key, game] of entries) this.kept.set(key, game);
    const drop = [...this.kept.keys()].slice(0, Math.max(0, this.kept.size - KEPT));
    for (const key of drop) {
      this.kept.delete(key);
      this.store.remove('games', key);
    }
    this.store.writeAll('games', entries);
    this.#list();
  }

  async #clear() {
    const before = [...this.kept];
    this.kept.clear();
    await this.store.clear('games');
    this.#list();
    const restore = () => {
      for (const [key, game] of before) this.kept.set(key, game);
      this.store.writeAll('games', before);
      this.#list();
    };
    const { t } = this.words;
    this.app.notices.show(t('games.cleared', { n: before.length }), {
      key: 'games',
      action: { label: t('do.undo'), run: restore },
    });
  }

  #list() {
    const { t } = this.words;
    const all = [...this.kept.values()].sort((a, b) => (b.added ?? 0) - (a.added ?? 0));
    const found = findGames(all, this.input.value);
    this.clear.hidden = all.length === 0;
    if (found.length === 0) {
      this.list.replaceChildren(
        h('li', { class: 'blank', text: t(all.length === 0 ? 'games.none' : 'games.notFound') }),
      );
      return;
    }
    const rows = found.slice(0, SHOWN).map((game) => this.#row(game));
    if (found.length > SHOWN)
      rows.push(h('li', { class: 'blank', text: t('games.more', { n: found.length - SHOWN }) }));
    this.list.replaceChildren(...rows);
  }

  #row(game) {
    const { t } = this.words;
    const players =
      game.black || game.white ? `${game.black ?? '?'} – ${game.white ?? '?'}` : game.moves.slice(0, 20);
    const result = Number.isFinite(game.result) ? disc(game.result, true) : null;
    const facts = [game.date, t('games.moves', { n: game.moves.length / 2 })];
    return h(
      'li',
      null,
      h(
        'button',
        { type: 'button', onclick: () => this.app.table.load(game) },
        h('span', { text: players }),
        result && h('b', { text: result }),
        h('small', { text: facts.filter(Boolean).join(' · ') }),
      ),
    );
  }
}
