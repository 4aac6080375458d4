// Keys of a mode. They take precedence over the keys of the page.

import { keyName } from '../base/dom.js';

/** Elements that use typed keys. */
const FIELDS = 'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]';
/** Elements that Enter activates. */
const PRESSED = 'button, a, summary, [role=option], [role=tab]';

/** Calls `keys[name]` when that key is pressed, until `signal` is aborted. If it returns `false`, the page handles the key.
 *  @param {App} app @param {AbortSignal} signal @param {Record<string, (target: Element) => boolean>} keys */
export function attachKeys(app, signal, keys) {
  const handle = (event) => {
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
  document.addEventListener('keydown', handle, { capture: true, signal });
}
