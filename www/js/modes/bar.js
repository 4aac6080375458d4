// The bar below the board that belongs to the current mode.

import { $, patch } from '../base/dom.js';

/** Updates the bar. If the focused button disappears, the marked button gets the focus. @param {any[]} parts */
export function updateBar(parts) {
  const bar = $('#mode');
  const focused = bar.contains(document.activeElement);
  patch(bar, parts);
  bar.hidden = false;
  if (focused && !(bar.contains(document.activeElement) && !document.activeElement?.matches(':disabled')))
    (bar.querySelector('button.solid') ?? bar.querySelector('button'))?.focus();
}

/** Updates the bar and scrolls it into view on small screens. @param {any[]} parts */
export function showBar(parts) {
  updateBar(parts);
  if (matchMedia('(max-width: 700px)').matches) $('#mode').scrollIntoView({ block: 'nearest' });
}

export function hideBar() {
  const bar = $('#mode');
  bar.hidden = true;
  patch(bar);
}
