// The console: every line to and from the engine, and a prompt.

import { h } from '../base/dom.js';
import { View } from './view.js';

const LOG = { id: 'console-log', role: 'log', 'aria-live': 'off', tabindex: '0' };
const MAX_LINES = 400;
const LINES_PER_WRITE = 200;
const WRITE_INTERVAL_MS = 125;
/** Most pixels between the view and the end at which the log follows its last line. */
const FOLLOW_DISTANCE = 40;

export class ConsolePanel extends View {
  /** @type {string[]} */
  #typed = [];
  #at = 0;
  #timer = 0;

  /** @param {HTMLElement} root @param {App} app */
  constructor(root, app) {
    super(root, app);
    this.log = h('div.log', { ...LOG, data: { tLabel: 'console.log' } });
    this.input = h('input', {
      data: { tLabel: 'console.prompt' },
      type: 'text',
      autocomplete: 'off',
      autocapitalize: 'off',
      spellcheck: 'false',
      placeholder: 'hint 4',
      onkeydown: (event) => this.#key(event),
    });
    const sign = h('span', { 'aria-hidden': 'true' }, '›');
    const props = { id: 'console-form', onsubmit: (event) => this.#send(event) };
    const form = h('form', props, sign, this.input);
    root.classList.add('console');
    root.append(this.log, form);
    app.words.apply(root);
    app.log.added.listen(() => this.#soon());
  }

  draw() {
    this.#soon();
  }

  focus() {
    this.input.focus();
  }

  #send(event) {
    event.preventDefault();
    const line = this.input.value.trim();
    if (!line) return;
    this.#typed.push(line);
    this.#at = this.#typed.length;
    this.input.value = '';
    this.app.control.raw(line);
  }

  /** Up and down recall typed lines. @param {KeyboardEvent} event */
  #key(event) {
    if (event.isComposing || (event.code !== 'ArrowUp' && event.code !== 'ArrowDown')) return;
    event.preventDefault();
    this.#at = Math.min(this.#typed.length, Math.max(0, this.#at + (event.code === 'ArrowUp' ? -1 : 1)));
    this.input.value = this.#typed[this.#at] ?? '';
  }

  /** Writes the lines soon, if the console is visible. */
  #soon() {
    if (this.root.hidden) return;
    this.#timer ||= setTimeout(() => {
      this.#timer = 0;
      if (!this.root.hidden) this.#write();
    }, WRITE_INTERVAL_MS);
  }

  #write() {
    const { log } = this;
    const follow = log.scrollHeight - log.scrollTop - log.clientHeight < FOLLOW_DISTANCE;
    const lines = this.app.log.take(LINES_PER_WRITE);
    log.append(...lines.map(([direction, line]) => h('div', { class: direction }, line)));
    while (log.children.length > MAX_LINES) log.firstChild?.remove();
    if (follow) log.scrollTop = log.scrollHeight;
    if (!this.app.log.isEmpty) this.#soon();
  }
}
