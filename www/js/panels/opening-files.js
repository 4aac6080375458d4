// The loaded files of games and books: the size of each, what could not be read, and buttons to save a book and to remove the file.

import { button, each, patch, v } from '../base/dom.js';
import { load } from '../base/load.js';
import { View } from './view.js';

export class OpeningFiles extends View {
  /** @param {HTMLElement} root @param {App} app @param {Explorer} explorer */
  constructor(root, app, explorer) {
    super(root, app);
    this.explorer = explorer;
  }

  draw() {
    const { t, words } = this.app;
    const { files, bytes } = this.explorer.state;
    const games = files.reduce((sum, file) => sum + file.games, 0);
    const booked = files.reduce((sum, { positions = 0 }) => sum + positions, 0);
    const faults = files.reduce((sum, file) => sum + Math.max(file.faulty, file.faults.length), 0);
    const facts = [
      t('openings.files', { n: files.length }),
      booked > 0 && t('openings.positions', { n: booked }),
      games > 0 && t('openings.inFiles', { n: games }),
      bytes > 0 && t('openings.memory', { mb: words.number(Math.ceil(bytes / 1e6)) }),
      faults > 0 && t('openings.faults', { n: faults }),
    ];
    const summary = files.length > 0 ? facts.filter(Boolean).join(' · ') : t('openings.noFiles');
    const focused = this.root.querySelector('.loaded')?.contains(document.activeElement);
    patch(
      this.root,
      v(
        'details.fold',
        // Open before the first file, closed after it. In between, the user opens and closes it.
        { open: files.length === 0 },
        v('summary', summary),
        each('ul.loaded', files, (file) => this.#row(file)),
        v('p.muted', t('openings.drop')),
        button(t('openings.add'), () => this.app.act('open'), { key: 'add' }),
      ),
    );
    if (focused && !this.root.contains(document.activeElement))
      /** @type {HTMLElement} */ (this.root.querySelector('button')).focus();
  }

  /** @param {FileLoaded} file */
  #row({ key, name, games, positions = 0, year, faulty, faults, unnamed, kept, named }) {
    const facts = [
      positions ? this.t('openings.positions', { n: positions }) : this.t('openings.inFile', { n: games }),
      year === null ? null : String(year),
      !named && this.t('openings.noNames'),
      named && unnamed > 0 && this.t('openings.unnamedGames', { n: unnamed }),
      !kept && this.t('openings.notKept'),
    ];
    const more = faulty - faults.filter(({ record }) => record !== undefined).length;
    const label = this.t('openings.remove', { name });
    const remove = { 'aria-label': label, onclick: () => this.#remove(key, name) };
    const told = faults.map((fault) => this.#fault(fault));
    if (more > 0) told.push(this.t('openings.moreFaults', { n: more }));
    const list = v(
      'details.faults',
      v('summary', this.t('openings.faults', { n: Math.max(faults.length, faulty) })),
      each('ul', told, (text) => v('li', text)),
    );
    return v(
      'li',
      { key },
      v('span', name),
      v('small', facts.filter(Boolean).join(' · ')),
      positions > 0 && button(this.t('openings.export'), () => this.#export(key, name)),
      v('button.icon', remove, '×'),
      faults.length > 0 && list,
    );
  }

  /** @param {FileFault} fault */
  #fault({ record, code, ...args }) {
    // Years and bytes are not quantities: they are written without separators.
    const text = this.t(`fault.${code}`, { ...args, detail: args.message, found: String(args.found ?? '') });
    return record === undefined ? text : this.t('openings.record', { record: String(record), fault: text });
  }

  /** Saves a book in text form. */
  #export(key, name) {
    return this.app.attempt(async () => {
      const text = await this.explorer.bookText(key);
      const { saveFile } = await load('js/io/clipboard.js');
      if (text) saveFile(`${name.replace(/\.\w+$/, '')}.txt`, new Blob([text]));
    });
  }

  #remove(key, name) {
    const { app, explorer, t } = this;
    return app.attempt(async () => {
      const undoable = await explorer.remove(key);
      const restore = () => app.attempt(() => explorer.restore());
      const action = undoable ? { label: t('do.undo'), run: restore } : null;
      app.notices.show(t('openings.removed', { name }), { key: 'files', action });
    });
  }
}
