// The console: every line to and from the engine, and a prompt that sends what is typed; in other dialects to an
// engine of its own.

import { attr, h } from '../base/dom.js';
import { DIALECTS, DialectEngine } from '../engine/dialects.js';

const KEPT = 400;
const SHOWN_AT_ONCE = 200;
const GAP_MS = 125;
/** Pixels from the end within which the log follows its last line. */
const NEAR_END = 40;

export class ConsolePanel {
  /** @type {string[]} */
  #typed = [];
  #at = 0;
  /** @type {ReturnType<typeof setTimeout> | null} */
  #timer = null;
  /** The engine that is spoken to instead of the page's. @type {DialectEngine | null} */
  #other = null;

  /** @param {HTMLElement} root @param {App} app */
  constructor(root, app) {
    this.root = root;
    this.app = app;
    this.log = h('div.log', { id: 'console-log', role: 'log', 'aria-live': 'off', tabindex: '0' });
    this.input = h('input', {
      type: 'text',
      autocomplete: 'off',
      autocapitalize: 'off',
      spellcheck: 'false',
      placeholder: DIALECTS.NBoard.example,
      onkeydown: (event) => this.#key(event),
    });
    this.dialects = h(
      'select',
      { onchange: () => this.#choose(this.dialects.value) },
      Object.keys(DIALECTS).map((name) => h('option', { value: name }, name)),
    );
    const form = h(
      'form',
      { id: 'console-form', onsubmit: (event) => this.#send(event) },
      h('span', { 'aria-hidden': 'true' }, '›'),
      this.dialects,
      this.input,
    );
    root.classList.add('console');
    root.append(this.log, form);
    this.relabel();
    app.log.added.listen(() => this.#soon());
  }

  draw() {
    this.#soon();
  }

  relabel() {
    const { t } = this.app.words;
    attr(this.log, 'aria-label', t('console.log'));
    attr(this.input, 'aria-label', t('console.prompt'));
    attr(this.dialects, 'aria-label', t('console.dialect'));
  }

  focus() {
    this.input.focus();
  }

  /** Another engine for every dialect but the page's own. @param {string} name */
  #choose(name) {
    const { opening, example } = DIALECTS[name];
    const { app } = this;
    const { log } = app;
    this.#other?.end();
    log.add('note', name);
    /** @type {(direction: Direction, line: string) => void} */
    const hear = (direction, line) => log.add(direction, line);
    this.#other = opening ? new DialectEngine(opening, hear, () => app.network) : null;
    log.muted = this.#other !== null;
    this.input.placeholder = example;
    this.input.focus();
  }

  /** @param {SubmitEvent} event */
  #send(event) {
    event.preventDefault();
    const line = this.input.value.trim();
    if (!line) return;
    this.#typed.push(line);
    this.#at = this.#typed.length;
    this.input.value = '';
    if (this.#other) this.#other.say(line);
    else this.app.control.raw(line);
  }

  /** Up and down go through what was typed. @param {KeyboardEvent} event */
  #key(event) {
    if (event.isComposing || (event.code !== 'ArrowUp' && event.code !== 'ArrowDown')) return;
    event.preventDefault();
    this.#at = Math.min(this.#typed.length, Math.max(0, this.#at + (event.code === 'ArrowUp' ? -1 : 1)));
    this.input.value = this.#typed[this.#at] ?? '';
  }

  /** Lines are written only while they are seen. */
  #soon() {
    if (this.root.hidden) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      if (!this.root.hidden) this.#write();
    }, GAP_MS);
  }

  #write() {
    const { log } = this;
    const follow = log.scrollHeight - log.scrollTop - log.clientHeight < NEAR_END;
    log.append(
      ...this.app.log.take(SHOWN_AT_ONCE).map(([direction, line]) => h('div', { class: direction }, line)),
    );
    while (log.children.length > KEPT) log.firstChild?.remove();
    if (follow) log.scrollTop = log.scrollHeight;
    if (!this.app.log.isEmpty) this.#soon();
  }
}
