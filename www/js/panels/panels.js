// The tabs and their panels. The tabs are one tab stop, and their row scrolls if there is not enough room. On a phone the panels are
// a sheet that the tabs open and close.

import { $, attr, h, text } from '../base/dom.js';
import { once } from '../base/load.js';
import { PANELS } from './register.js';
import { attachSheet } from './sheet.js';

export class Panels {
  current = PANELS[0].id;
  /** Created panels by id. @type {Map<string, Panel>} */
  made = new Map();
  /** Panels that are created or being created. @type {Map<string, Promise<Panel>>} */
  #making = new Map();
  /** @type {{ entry: PanelEntry, tab: HTMLElement, root: HTMLElement }[]} */
  #tabs;
  /** The height of the sheet of a phone. @type {SheetHeight} */
  height = 'closed';

  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.#tabs = PANELS.map((entry) => {
      const { id } = entry;
      const on = { onclick: () => this.#press(id), onkeydown: (event) => this.#key(event, id) };
      const tab = h('button', { role: 'tab', id: `tab-${id}`, 'aria-controls': `panel-${id}`, ...on });
      const root = h('div.panel', { role: 'tabpanel', id: `panel-${id}`, 'aria-labelledby': `tab-${id}` });
      return { entry, tab, root };
    });
    $('#tabs').append(...this.#tabs.map(({ tab }) => tab));
    $('#panels').append(...this.#tabs.map(({ root }) => root));
    this.#label();
    this.#select(this.current);
    attachSheet(this);
    addEventListener('resize', () => this.#reveal($(`#tab-${this.current}`)));
    // A mode needs the board visible.
    /** @type {Mode | null} */
    let mode = null;
    app.modes.changed.listen(() => {
      if (app.modes.current && app.modes.current !== mode) this.set('closed');
      mode = app.modes.current;
    });
  }

  #label() {
    for (const { entry, tab } of this.#tabs) {
      const title = this.app.t(`tab.${entry.id}`);
      if (entry.sign) tab.replaceChildren(h('span.sr', title), entry.sign);
      else text(tab, title);
      attr(tab, 'title', entry.sign ? title : null);
    }
  }

  /** Returns a panel, created at its first use. @param {string} id @returns {Promise<Panel>} */
  get(id) {
    return once(this.#making, id, async () => {
      const at = this.#tabs.find(({ entry }) => entry.id === id);
      if (!at) throw new Error(`there is no panel ${id}`);
      if (id !== PANELS[0].id) await this.app.words.load();
      const panel = await at.entry.create(at.root, this.app);
      this.made.set(id, panel);
      return panel;
    });
  }

  /** Shows a panel. On a phone, `open` also opens the sheet. @param {string} id @param {boolean} open */
  show(id, open = false) {
    this.#select(id);
    if (open && this.height === 'closed') this.set('open');
    // After the tab is painted.
    requestAnimationFrame(() => {
      this.#reveal($(`#tab-${id}`));
      this.app.attempt(async () => (await this.get(id)).draw());
    });
  }

  #select(id) {
    this.current = id;
    for (const { entry, tab, root } of this.#tabs) {
      const on = entry.id === id;
      attr(tab, 'aria-selected', String(on));
      attr(tab, 'tabindex', on ? '0' : '-1');
      root.hidden = !on;
    }
  }

  /** Scrolls a tab into view. @param {HTMLElement} tab */
  #reveal(tab) {
    const row = $('#tabs');
    const { offsetLeft: left, offsetWidth: width } = tab;
    if (left < row.scrollLeft) row.scrollLeft = left;
    else if (left + width > row.scrollLeft + row.clientWidth) row.scrollLeft = left + width - row.clientWidth;
  }

  /** Opens and closes the sheet. @param {SheetHeight} height */
  set(height) {
    const side = $('#side');
    const inside =
      $('#tab-row').contains(document.activeElement) || $('#panels').contains(document.activeElement);
    this.height = height;
    this.app.painter.now();
    side.classList.toggle('open', height !== 'closed');
    document.body.classList.toggle('side-open', height !== 'closed');
    side.classList.toggle('tall', height === 'tall');
    attr($('.taller', side), 'aria-pressed', String(height === 'tall'));
    // The focus must not stay on a hidden element.
    if (height === 'closed' && inside && !document.activeElement?.matches('[role=tab]'))
      this.#tabs.find(({ entry }) => entry.id === this.current)?.tab.focus();
  }

  /** A tab was pressed. The current tab closes the sheet. @param {string} id */
  #press(id) {
    this.set(id === this.current && this.height !== 'closed' ? 'closed' : 'open');
    this.show(id);
  }

  /** Closes the sheet of a phone, which covers what is below the board. */
  uncover() {
    if ($('.shut').offsetParent) this.set('closed');
  }

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

  relabel() {
    this.#label();
    for (const panel of this.made.values()) (panel.relabel ?? panel.draw).call(panel);
  }
}
