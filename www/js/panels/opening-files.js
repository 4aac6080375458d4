// The files of games that are loaded: how many games each holds, what of it could not be read, and removing it.

import { h } from '../base/dom.js';

export class OpeningFiles {
  #drawn = '';
  /** Whether there was a file when it was last looked at. @type {boolean | null} */
  #some = null;

  /** @param {App} app @param {Explorer} explorer */
  constructor(app, explorer) {
    this.app = app;
    this.explorer = explorer;
    this.summary = h('summary');
    this.list = h('ul.loaded');
    this.hint = h('p.muted');
    this.open = h('button.plain', { onclick: () => app.act('open') });
    this.root = h('details.fold', this.summary, this.list, this.hint, this.open);
  }

  draw() {
    const { words } = this.app;
    const { t } = words;
    const { files, bytes } = this.explorer.state;
    this.hint.textContent = t('openings.drop');
    this.open.textContent = t('openings.add');
    let games = 0;
    let faults = 0;
    for (const file of files) {
      games += file.games;
      faults += Math.max(file.faulty, file.faults.length);
    }
    // Open where the first file is still to come, out of the way when it has.
    const some = files.length > 0;
    if (some !== this.#some) this.root.open = !some;
    this.#some = some;
    const told = [
      t('openings.files', { n: files.length }),
      t('openings.inFiles', { n: games }),
      t('openings.memory', { mb: words.number(Math.ceil(bytes / 1e6)) }),
      faults > 0 && t('openings.faults', { n: faults }),
    ];
    this.summary.textContent = some ? told.filter(Boolean).join(' · ') : t('openings.noFiles');
    // An open list of faults stays open, and what has the keyboard keeps it.
    const drawn = JSON.stringify([files, words.language]);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    const focused = this.list.contains(document.activeElement);
    this.list.replaceChildren(...files.map((file) => this.#row(file)));
    if (focused) (this.list.querySelector('button') ?? this.open).focus();
  }

  /** @param {FileLoaded} file */
  #row({ key, name, games, year, faulty, faults, unnamed, kept, named }) {
    const { t } = this.app.words;
    const facts = [
      t('openings.inFile', { n: games }),
      year === null ? null : String(year),
      !named && t('openings.noNames'),
      named && unnamed > 0 && t('openings.unnamedGames', { n: unnamed }),
      !kept && t('openings.notKept'),
    ];
    const untold = faulty - faults.filter(({ record }) => record !== undefined).length;
    return h(
      'li',
      h('span', name),
      h('small', facts.filter(Boolean).join(' · ')),
      h(
        'button.icon',
        { 'aria-label': t('openings.remove', { name }), onclick: () => this.#remove(key, name) },
        '×',
      ),
      faults.length > 0 &&
        h(
          'details.faults',
          h('summary', t('openings.faults', { n: Math.max(faults.length, faulty) })),
          h(
            'ul',
            faults.map((fault) => h('li', this.#fault(fault))),
            untold > 0 && h('li', t('openings.moreFaults', { n: untold })),
          ),
        ),
    );
  }

  /** @param {FileFault} fault */
  #fault({ record, code, ...args }) {
    const { t } = this.app.words;
    // Years and bytes are no quantities: they are written as they are.
    const told = t(`fault.${code}`, { ...args, found: String(args.found ?? '') });
    return record === undefined ? told : t('openings.record', { record: String(record), fault: told });
  }

  async #remove(key, name) {
    const { app, explorer } = this;
    const { t } = app.words;
    try {
      const undoable = await explorer.remove(key);
      const restore = () => explorer.restore().catch((error) => app.fail(error));
      app.notices.show(t('openings.removed', { name }), {
        key: 'files',
        action: undoable ? { label: t('do.undo'), run: restore } : null,
      });
    } catch (error) {
      app.fail(error);
    }
  }
}
