// The tabs and what is behind them. The tabs are made from the register and are one tab stop; where they have not room
// enough their row scrolls. On a phone the panels are a sheet that the tabs open and close.

import { $, attr, h, text } from '../base/dom.js';
import { load } from '../base/load.js';
import { PANELS } from './register.js';

export class Panels {
  /** The panel that is shown. */
  current = PANELS[0].id;
  /** Panels made so far, by id. @type {Map<string, Panel>} */
  made = new Map();
  /** Panels made or being made. @type {Map<string, Promise<Panel>>} */
  #making = new Map();
  /** @type {{ entry: PanelEntry, tab: HTMLElement, root: HTMLElement }[]} */
  #tabs;
  /** How high the sheet of a phone stands. @type {'closed' | 'open' | 'tall'} */
  height = 'closed';
  /** Its buttons, and drawing it up and down: loaded when it is first open. @type {Promise<{ show(height: string): void }> | null} */
  #sheet = null;

  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.#tabs = PANELS.map((entry) => {
      const { id } = entry;
      const tab = h('button', {
        role: 'tab',
        id: `tab-${id}`,
        'aria-controls': `panel-${id}`,
        onclick: () => this.#press(id),
        onkeydown: (event) => this.#key(event, id),
      });
      const root = h('div.panel', { role: 'tabpanel', id: `panel-${id}`, 'aria-labelledby': `tab-${id}` });
      return { entry, tab, root };
    });
    $('#tabs').append(...this.#tabs.map(({ tab }) => tab));
    $('#panels').append(...this.#tabs.map(({ root }) => root));
    this.#label();
    this.#select(this.current);
    // What takes the board wants it seen.
    /** @type {Mode | null} */
    let mode = null;
    app.modes.changed.listen(() => {
      if (app.modes.current && app.modes.current !== mode) this.set('closed');
      mode = app.modes.current;
    });
  }

  #label() {
    for (const { entry, tab } of this.#tabs) {
      const title = this.app.words.pick(entry.title);
      if (entry.sign) tab.replaceChildren(h('span.sr', title), entry.sign);
      else text(tab, title);
      attr(tab, 'title', entry.sign ? title : null);
    }
  }

  /** A panel, made when it is first wanted. @param {string} id @returns {Promise<Panel>} */
  get(id) {
    let making = this.#making.get(id);
    if (!making) {
      making = this.#make(id);
      making.catch((error) => {
        this.#making.delete(id);
        this.app.fail(error);
      });
      this.#making.set(id, making);
    }
    return making;
  }

  /** @param {string} id */
  async #make(id) {
    const at = this.#tabs.find(({ entry }) => entry.id === id);
    if (!at) throw new Error(`there is no panel ${id}`);
    if (id !== PANELS[0].id) await this.app.words.load(id);
    const panel = await at.entry.create(at.root, this.app);
    this.made.set(id, panel);
    return panel;
  }

  /** Shows a panel; on a phone it opens the sheet where asked to. @param {string} id @param {boolean} open */
  show(id, open = false) {
    this.#select(id);
    if (open && this.height === 'closed') this.set('open');
    // Once the tab is painted.
    requestAnimationFrame(() => {
      this.#reveal($(`#tab-${id}`));
      this.get(id).then(
        (panel) => panel.draw(),
        () => {},
      );
    });
  }

  /** @param {string} id */
  #select(id) {
    this.current = id;
    for (const { entry, tab, root } of this.#tabs) {
      const on = entry.id === id;
      attr(tab, 'aria-selected', String(on));
      attr(tab, 'tabindex', on ? '0' : '-1');
      root.hidden = !on;
    }
  }

  /** Brings a tab into sight where the row scrolls. @param {HTMLElement} tab */
  #reveal(tab) {
    const row = $('#tabs');
    const { offsetLeft: left, offsetWidth: width } = tab;
    if (left < row.scrollLeft) row.scrollLeft = left;
    else if (left + width > row.scrollLeft + row.clientWidth) row.scrollLeft = left + width - row.clientWidth;
  }

  /** Opens and closes the sheet. @param {'closed' | 'open' | 'tall'} height */
  set(height) {
    const { app } = this;
    const side = $('#side');
    const inside =
      $('#tab-row').contains(document.activeElement) || $('#panels').contains(document.activeElement);
    this.height = height;
    side.classList.toggle('open', height !== 'closed');
    side.classList.toggle('tall', height === 'tall');
    // The keyboard does not stay on what is gone.
    if (height === 'closed' && inside && !document.activeElement?.matches('[role=tab]'))
      this.#tabs.find(({ entry }) => entry.id === this.current)?.tab.focus();
    if (height === 'closed' && !this.#sheet) return;
    this.#sheet ??= Promise.all([load('js/panels/sheet.js'), app.words.load('sheet')]).then(
      ([{ attachSheet }]) => attachSheet(side, $('#tab-row'), app.words, this),
    );
    this.#sheet.then(
      (sheet) => sheet.show(this.height),
      (error) => {
        this.#sheet = null;
        app.fail(error);
      },
    );
  }

  /** A tab was pressed: the one that is shown closes the sheet. @param {string} id */
  #press(id) {
    this.set(id === this.current && this.height !== 'closed' ? 'closed' : 'open');
    this.show(id);
  }

  /** @param {KeyboardEvent} event @param {string} id */
  #key(event, id) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.code];
    if (!step || event.shiftKey || event.ctrlKey) return;
    event.preventDefault();
    event.stopPropagation();
    const at = this.#tabs.findIndex(({ entry }) => entry.id === id);
    const next = this.#tabs[(at + step + this.#tabs.length) % this.#tabs.length];
    this.show(next.entry.id);
    next.tab.focus();
  }

  /** Writes the words anew after a change of language. */
  relabel() {
    this.#label();
    for (const panel of this.made.values()) panel.relabel();
  }
}
