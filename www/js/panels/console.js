// The console: every line to and from the engine, and a prompt that sends what is typed.

import { h } from '../base/dom.js';

const KEEP = 400;
const SHOWN_AT_ONCE = 200;

export class Console {
  constructor(log, form, { send }) {
    this.log = log;
    this.input = form.querySelector('input');
    this.history = [];
    this.at = 0;
    this.waiting = [];
    this.visible = false;
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      const line = this.input.value.trim();
      if (!line) return;
      this.history.push(line);
      this.at = this.history.length;
      this.input.value = '';
      send(line);
    });
    this.input.addEventListener('keydown', (event) => {
      if (event.isComposing || (event.code !== 'ArrowUp' && event.code !== 'ArrowDown')) return;
      event.preventDefault();
      this.at = Math.min(this.history.length, Math.max(0, this.at + (event.code === 'ArrowUp' ? -1 : 1)));
      this.input.value = this.history[this.at] ?? '';
    });
  }

  /** Notes a line; `direction` is `in`, `out` or `note`. Written to the page only while it is seen. */
  add(direction, line) {
    this.waiting.push([direction, line]);
    if (this.waiting.length > KEEP) this.waiting.splice(0, this.waiting.length - KEEP);
    if (this.visible) this.#soon();
  }

  show(visible) {
    this.visible = visible;
    if (visible) this.#soon();
  }

  focus() {
    this.input.focus();
  }

  #soon() {
    this.timer ??= setTimeout(() => {
      this.timer = null;
      this.#flush();
    }, 125);
  }

  #flush() {
    if (!this.visible) return;
    const { log } = this;
    const follow = log.scrollHeight - log.scrollTop - log.clientHeight < 40;
    const fresh = this.waiting.splice(0, SHOWN_AT_ONCE);
    log.append(...fresh.map(([direction, line]) => h('div', { class: direction, text: line })));
    while (log.children.length > KEEP) log.firstChild.remove();
    if (follow) log.scrollTop = log.scrollHeight;
    if (this.waiting.length > 0) this.#soon();
  }
}
