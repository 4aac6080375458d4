// Tabs with one tab stop; on a phone the panels are a sheet that the tabs open and close.

import { $$, attr } from '../base/dom.js';

export class Tabs {
  constructor(side, onShow = () => {}) {
    this.side = side;
    this.onShow = onShow;
    this.tabs = $$('[role=tab]', side);
    for (const tab of this.tabs) {
      tab.addEventListener('click', () => {
        const again = tab.getAttribute('aria-selected') === 'true';
        this.#sheet(!(again && side.classList.contains('open')));
        this.show(tab.dataset.tab);
      });
      tab.addEventListener('keydown', (event) => this.#key(event, tab));
    }
    this.show('moves');
  }

  #sheet(open) {
    this.side.classList.toggle('open', open);
  }

  #key(event, tab) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.code];
    if (!step || event.shiftKey || event.ctrlKey) return;
    event.preventDefault();
    event.stopPropagation();
    const at = this.tabs.indexOf(tab);
    const next = this.tabs[(at + step + this.tabs.length) % this.tabs.length];
    this.show(next.dataset.tab);
    next.focus();
  }

  show(name, open = false) {
    this.current = name;
    for (const tab of this.tabs) {
      const on = tab.dataset.tab === name;
      attr(tab, 'aria-selected', String(on));
      attr(tab, 'tabindex', on ? '0' : '-1');
      document.getElementById(`panel-${tab.dataset.tab}`).hidden = !on;
    }
    if (open) this.#sheet(true);
    requestAnimationFrame(() => this.onShow(name));
  }
}
