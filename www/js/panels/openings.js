// The openings: the library of lines, and the moves played from the position on the board, in saved games and in loaded files, with
// their figures next to the values of the loaded book and of the engine, and the games.

import { button, each, h, patch, v } from '../base/dom.js';
import { load } from '../base/load.js';
import { sideOf } from '../base/position.js';
import { OpeningFiles } from './opening-files.js';
import { OpeningFilter } from './opening-filter.js';
import { OpeningLibrary } from './opening-library.js';
import { OpeningMoves } from './opening-moves.js';
import { gameButton, openListed, playersOf, View } from './view.js';

/** Most games that are shown. */
const MAX_SHOWN = 100;

export class OpeningsPanel extends View {
  /** The position of the figures. @type {string | null} */
  #position = null;
  /** The last request, and the number of changes of the games. */
  #asked = '';
  #revision = 0;
  /** @type {GamesFound | null} */
  #found = null;
  /** Text instead of the figures. */
  #fault = '';

  /** @param {HTMLElement} root @param {App} app @param {Explorer} explorer */
  constructor(root, app, explorer) {
    super(root, app);
    this.explorer = explorer;
    root.classList.add('openings');
    this.moves = new OpeningMoves(h('table.played'), app);
    this.filter = new OpeningFilter(h('div'), app.words, () => this.draw());
    this.files = new OpeningFiles(h('div'), app, explorer);
    this.library = new OpeningLibrary(h('section.library'), app, explorer);
    app.screen.drawn.listen(() => this.draw());
    explorer.changed.listen(() => {
      this.#revision++;
      this.files.draw();
      this.draw();
    });
    this.relabel();
  }

  relabel() {
    this.filter.draw();
    this.files.draw();
    this.draw();
  }

  draw() {
    const { app, t } = this;
    if (app.panels.current !== 'openings' || this.root.hidden) return;
    const hidden = Boolean(app.modes.current?.hide || app.modes.current?.look);
    if (!hidden) this.#ask();
    const shown = !hidden && this.#found !== null;
    if (shown) this.moves.draw();
    const again = this.explorer.crashed && button(t('openings.again'), () => this.explorer.revive());
    const note = v('p.muted', { role: 'status' }, hidden ? t('openings.hidden') : this.#note);
    const { head, onBoard, root: lists } = this.library;
    head.hidden = lists.hidden = this.files.root.hidden = hidden;
    if (!hidden) this.library.draw();
    const side = sideOf(this.app.study.position);
    const know = !hidden && this.library.toKnow(onBoard);
    const begin = () => app.modes.begin('trainer', { games: onBoard, side });
    const train = shown && (this.#found?.games ?? 0) > 0 && button(t('trainer.games'), begin);
    const alike = !hidden && button(t('command.similar'), () => app.act('similar'), { key: 'similar' });
    this.filter.root.hidden = this.#found?.games === 0 && !this.filter.active;
    patch(
      this.root,
      head,
      v('div.notes', note, again, train, alike, know && v('p.muted', know)),
      v('div.known', { hidden: !shown }, this.moves.root, this.filter.root),
      lists,
      this.files.root,
      v('div.known', { hidden: !shown }, this.#games),
    );
  }

  /** Looks up the position on the board, unless its figures are shown. */
  async #ask() {
    const { position } = this.app.study;
    const wanted = { ...this.filter.wanted, list: MAX_SHOWN };
    const asked = `${position} ${JSON.stringify(wanted)} ${this.#revision}`;
    if (asked === this.#asked) return;
    this.#asked = asked;
    try {
      const found = await this.explorer.lookUp(position, wanted);
      if (asked !== this.#asked) return;
      this.#found = found;
      this.#position = position;
      this.moves.show(found.moves, position, found.book);
    } catch (error) {
      if (asked !== this.#asked) return;
      this.#found = null;
      const { errorText } = await load('js/io/import.js');
      this.#fault = errorText(error, this.app.words);
    }
    this.draw();
  }

  /** The line above the figures. */
  get #note() {
    const { t, words } = this.app;
    const { loading, files, opened } = this.explorer.state;
    const found = this.#found;
    if (!found) return this.#fault;
    const parts = [];
    if (loading) {
      const p = Math.floor((100 * loading.done) / loading.of);
      parts.push(t('openings.loading', { name: loading.name, p }));
    }
    if (found.games > 0) parts.push(t('openings.games', { n: found.games }));
    else if (this.filter.active) parts.push(t('openings.noneWanted'));
    else if (files.length > 0) parts.push(t('openings.none'));
    else if (!loading && opened) parts.push(t('openings.empty'));
    if (found.games > found.scored)
      parts.push(t('openings.unscored', { count: words.number(found.games - found.scored) }));
    return parts.join(' · ');
  }

  get #games() {
    const found = this.#found;
    if (!found || found.games === 0) return null;
    const rest = found.games - found.list.length;
    return [
      v('h2', this.t('openings.list')),
      each('ul.list', found.list, (row) => this.#row(row)),
      v('p.muted', { hidden: rest === 0 }, rest > 0 && this.t('openings.more', { n: rest })),
    ];
  }

  /** @param {GameListed} row */
  #row(row) {
    const title = playersOf(row) ?? this.t('openings.unnamed');
    const facts = [row.date, row.place, this.t('openings.length', { n: row.length })];
    const open = () => openListed(this.app, this.explorer, row, this.#position ?? '');
    return v('li', gameButton(title, row.result, facts, open));
  }
}
