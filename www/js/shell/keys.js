// The keys of the page. Single keys can be switched off. Keys are ignored during composition, in fields and in dialogs.

import { isTyping, keyName } from '../base/dom.js';
import { OVERLAYS } from '../board/overlays.js';

/** Actions by key. `Mod` is Ctrl or the command key. */
export const KEYS = {
  ArrowLeft: 'back',
  ArrowRight: 'forward',
  ArrowUp: 'variation-up',
  ArrowDown: 'variation-down',
  Home: 'first',
  End: 'last',
  'Shift+ArrowLeft': 'mistake-back',
  'Shift+ArrowRight': 'mistake-forward',
  Space: 'best',
  KeyL: 'engine',
  KeyV: 'values',
  KeyA: 'review',
  KeyG: 'graph-mode',
  KeyF: 'flip',
  KeyE: 'edit',
  KeyN: 'new',
  KeyX: 'refutation',
  Equal: 'more-lines',
  'Shift+Equal': 'more-lines',
  NumpadAdd: 'more-lines',
  Minus: 'fewer-lines',
  NumpadSubtract: 'fewer-lines',
  ...Object.fromEntries(OVERLAYS.map((_, i) => [`Digit${i + 1}`, `overlay-${i + 1}`])),
  Backquote: 'console',
  Slash: 'command',
  'Shift+Slash': 'help',
  Delete: 'delete',
  'Mod+KeyC': 'copy-moves',
  'Mod+Shift+KeyC': 'copy-ggf',
  'Mod+KeyZ': 'undo',
  'Mod+Shift+KeyZ': 'redo',
  'Mod+KeyY': 'redo',
};

/** Actions by printed character. */
const PRINTED = { '?': 'help', '/': 'command', '+': 'more-lines', '-': 'fewer-lines' };

/** Keys that work even if single keys are switched off. */
const ALWAYS = /^(Mod\+|Arrow|Home|End|Delete|Shift\+Arrow)/;

/** The action of a key event, or `null`. Some keys are recognized by the printed character. */
export function actionOf(event, singleKeys = true) {
  if (event.isComposing || event.keyCode === 229 || event.defaultPrevented) return null;
  const mod = event.ctrlKey || event.metaKey;
  const held = [mod && 'Mod', event.altKey && 'Alt', event.shiftKey && 'Shift'];
  const key = [...held, keyName(event)].filter(Boolean).join('+');
  const printed = !mod && !event.altKey && PRINTED[event.key];
  const action = printed || KEYS[key];
  if (!action) return null;
  return singleKeys || ALWAYS.test(key) ? action : null;
}

/** @param {Pick<App, 'act' | 'settings'>} app */
export function listenKeys(app) {
  document.addEventListener('keydown', (event) => {
    if (isTyping(event)) return;
    const action = actionOf(event, app.settings.get('singleKeys'));
    if (!action) return;
    const target = /** @type {Element} */ (event.target);
    if (/^(Space|Enter)$/.test(keyName(event)) && target.closest('button, a, summary')) return;
    if (action === 'copy-moves' && String(getSelection())) return;
    event.preventDefault();
    app.act(action);
  });
}
