// Keys of a mode: what it takes comes before the page's own keys.

import { keyName } from '../base/dom.js';

/** Where typing belongs to what has the keyboard. */
const FIELDS = 'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]';
/** What Enter presses. */
const PRESSED = 'button, a, summary, [role=option], [role=tab]';

/** Calls `keys[name]` when that key goes down; one that answers false leaves the key to the page. Answers how to stop
 *  listening.
 *  @param {App} app @param {Record<string, (target: Element) => boolean>} keys */
export function attachKeys(app, keys) {
  /** @param {KeyboardEvent} event */
  const hear = (event) => {
    const { ctrlKey, metaKey, altKey, shiftKey } = event;
    if (event.isComposing || event.keyCode === 229 || event.repeat) return;
    if (ctrlKey || metaKey || altKey || shiftKey) return;
    const name = keyName(event);
    const target = /** @type {Element} */ (event.target);
    if (!keys[name] || target.closest?.(FIELDS) || document.querySelector('dialog[open]')) return;
    if (name.startsWith('Key') && !app.settings.get('singleKeys')) return;
    if (name === 'Enter' && target.closest?.(PRESSED)) return;
    if (!keys[name](target)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  document.addEventListener('keydown', hear, true);
  return () => document.removeEventListener('keydown', hear, true);
}
