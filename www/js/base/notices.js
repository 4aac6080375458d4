// One-line notices, and the live region for messages that are only spoken.

import { h, text } from './dom.js';

const STAY_MS = 7000;

export class Notices {
  /** `closing` returns the name of the button that closes a notice. */
  constructor(region, live, closing = () => '×') {
    this.closing = closing;
    this.region = region;
    this.live = live;
  }

  /** Shows and speaks a notice. It replaces a notice with the same `key`; `action` adds a button. With a `stay` of 0 it stays
   *  until it is closed. Returns a function that closes it.
   *  @param {string} message
   *  @param {{ kind?: 'info' | 'fault', action?: { label: string, run: () => void } | null, key?: string, stay?: number }} how */
  show(message, { kind = 'info', action = null, key = message, stay = STAY_MS } = {}) {
    this.close(key);
    while (this.region.children.length >= 3) this.region.firstChild.remove();
    const close = () => {
      clearTimeout(timer);
      box.remove();
    };
    const run = () => {
      close();
      action?.run();
    };
    const box = h(
      `div.notice.${kind}`,
      { data: { key } },
      h('span', message),
      action && h('button', { onclick: run }, action.label),
      h('button.icon.close', { 'aria-label': this.closing(), onclick: close }, '×'),
    );
    this.region.append(box);
    const timer = stay ? setTimeout(close, kind === 'fault' ? stay * 2 : stay) : 0;
    this.say(message);
    return close;
  }

  /** Removes the notice with a key. @param {string} key */
  close(key) {
    for (const old of this.region.children) if (old.dataset.key === key) old.remove();
  }

  /** Speaks a sentence without showing it. */
  say(message) {
    text(this.live, '');
    requestAnimationFrame(() => text(this.live, message));
  }
}
