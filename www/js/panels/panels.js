// The tabs and what is behind them. The tabs are made from the register and are one tab stop; on a phone the panels
// are a sheet that the tabs open and close.

import { $, attr, h } from '../base/dom.js';
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

  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.#tabs = PANELS.map((entry) => {
      const { id } = entry;
      const tab = h('button', {
        type: 'button',
        role: 'tab',
        id: `tab-${id}`,
        'aria-controls': `panel-${id}`,
        onclick: () => this.#press(id),
        onkeydown: (event) => this.#key(event, id),
      });
      const root = h('div', {
        role: 'tabpanel',
        id: `panel-${id}`,
        class: 'panel',
        'aria-labelledby': `tab-${id}`,
      });
      return { entry, tab, root };
    });
    $('#tabs').append(...this.#tabs.map(({ tab }) => tab));
    $('#panels').append(...this.#tabs.map(({ root }) => root));
    this.#label();
    this.#select(this.current);
  }

  #label() {
    for (const { entry, tab } of this.#tabs) tab.textContent = this.app.words.pick(entry.title);
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
    if (open) this.#sheet(true);
    // Once the tab is painted.
    requestAnimationFrame(() =>
      this.get(id).then(
        (panel) => panel.draw(),
        () => {},
      ),
    );
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

  /** @param {boolean} open */
  #sheet(open) {
    $('#side').classList.toggle('open', open);
  }

  /** A tab was pressed: the one that is shown closes the sheet. @param {string} id */
  #press(id) {
    this.#sheet(!(id === this.current && $('#side').classList.contains('open')));
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
