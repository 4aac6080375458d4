// What was played from the position on the board, in the games of the device and in the files that were dropped: the
// moves with their figures beside the engine's value, and the games themselves.

import { h, text } from '../base/dom.js';
import { disc } from '../base/format.js';
import { load } from '../base/load.js';
import { treeOf } from '../model/game-tree.js';
import { OpeningFiles } from './opening-files.js';
import { OpeningFilter } from './opening-filter.js';
import { OpeningMoves } from './opening-moves.js';

/** Games that are shown of those found. */
const SHOWN = 100;

export class OpeningsPanel {
  /** The position that the figures are of. @type {string | null} */
  #position = null;
  /** What was asked last, and grows with what is there to be asked. */
  #asked = '';
  #revision = 0;
  /** @type {GamesFound | null} */
  #found = null;

  /** @param {HTMLElement} root @param {App} app @param {Explorer} explorer */
  constructor(root, app, explorer) {
    this.root = root;
    this.app = app;
    this.explorer = explorer;
    this.note = h('p.muted', { role: 'status' });
    this.again = h('button.plain', { onclick: () => explorer.revive() });
    this.train = h('button.plain', { data: { do: 'train' } });
    this.moves = new OpeningMoves(app);
    this.filter = new OpeningFilter(app.words, () => this.draw());
    this.heading = h('h2');
    this.list = h('ul.list');
    this.more = h('p.muted');
    this.files = new OpeningFiles(app, explorer);
    /** What there is to show once something is known. */
    this.known = [
      h('div.known', this.moves.root, this.filter.root),
      h('div.known', this.heading, this.list, this.more),
    ];
    root.classList.add('openings');
    const [figures, games] = this.known;
    root.append(h('div.notes', this.note, this.again, this.train), figures, this.files.root, games);
    this.#reveal(false);
    app.screen.drawn.listen(() => this.draw());
    explorer.changed.listen(() => {
      this.#revision++;
      this.files.draw();
      this.draw();
    });
    this.relabel();
  }

  relabel() {
    const { t } = this.app.words;
    this.again.textContent = t('openings.again');
    this.train.textContent = t('do.train');
    this.filter.relabel();
    this.files.draw();
    this.moves.clear();
    this.#show();
    this.draw();
  }

  draw() {
    const { app } = this;
    if (app.panels.current !== 'openings' || this.root.hidden) return;
    const hidden = Boolean(app.modes.current?.hide || app.modes.current?.look);
    this.#reveal(!hidden && this.#found !== null);
    this.again.hidden = !this.explorer.crashed;
    this.train.hidden = hidden;
    if (hidden) {
      text(this.note, app.words.t('openings.hidden'));
      return;
    }
    this.#ask();
    this.#tell();
    this.moves.drawValues(app.study.position);
  }

  /** @param {boolean} on */
  #reveal(on) {
    for (const part of this.known) part.hidden = !on;
  }

  /** Asks for the position on the board, where its figures are not those shown. */
  async #ask() {
    const { position } = this.app.study;
    const wanted = { ...this.filter.wanted, list: SHOWN };
    const asked = `${position} ${JSON.stringify(wanted)} ${this.#revision}`;
    if (asked === this.#asked) return;
    this.#asked = asked;
    try {
      const found = await this.explorer.lookUp(position, wanted);
      if (asked !== this.#asked) return;
      this.#found = found;
      this.#position = position;
      this.#reveal(true);
      this.#show();
      this.#tell();
    } catch (error) {
      if (asked !== this.#asked) return;
      this.#found = null;
      this.#reveal(false);
      const { errorText } = await load('js/io/import.js');
      text(this.note, errorText(error, this.app.words));
    }
  }

  /** The line above the figures. */
  #tell() {
    const { t, number } = { t: this.app.words.t, number: (n) => this.app.words.number(n) };
    const { loading, files, opened } = this.explorer.state;
    const found = this.#found;
    if (!found) return;
    const told = [];
    if (loading)
      told.push(
        t('openings.loading', { name: loading.name, p: Math.floor((100 * loading.done) / loading.of) }),
      );
    if (found.games > 0) told.push(t('openings.games', { n: found.games }));
    else if (files.length > 0 || this.filter.active)
      told.push(t(this.filter.active ? 'openings.noneWanted' : 'openings.none'));
    else if (!loading && opened) told.push(t('openings.empty'));
    if (found.games > found.scored)
      told.push(t('openings.unscored', { count: number(found.games - found.scored) }));
    text(this.note, told.join(' · '));
  }

  /** Shows what was found. */
  #show() {
    const found = this.#found;
    const { words } = this.app;
    if (!found || this.#position === null) return;
    this.moves.show(found.moves, this.#position);
    this.filter.root.hidden = found.games === 0 && !this.filter.active;
    this.heading.hidden = found.games === 0;
    this.heading.textContent = words.t('openings.list');
    this.list.replaceChildren(...found.list.map((row) => this.#row(row)));
    const rest = found.games - found.list.length;
    this.more.hidden = rest === 0;
    this.more.textContent = rest > 0 ? words.t('openings.more', { n: rest }) : '';
  }

  /** @param {GameListed} row */
  #row(row) {
    const { t } = this.app.words;
    const players =
      row.black || row.white ? `${row.black ?? '?'} – ${row.white ?? '?'}` : t('openings.unnamed');
    const facts = [row.date, row.place, t('openings.length', { n: row.length })];
    return h(
      'li',
      h(
        'button',
        { onclick: () => this.#load(row) },
        h('span', players),
        row.result !== undefined && h('b', disc(row.result, Number.isInteger(row.result))),
        h('small', facts.filter(Boolean).join(' · ')),
      ),
    );
  }

  /** Puts a game on the table where it reached the position. @param {GameListed} row */
  async #load(row) {
    const { app, explorer } = this;
    if (this.#position === null) return;
    try {
      const tree = treeOf(app.rules, await explorer.game(row, this.#position));
      app.studyActions.loadTree(tree, tree.main[row.ply] ?? tree.main.at(-1));
    } catch (error) {
      app.fail(error);
    }
  }
}
