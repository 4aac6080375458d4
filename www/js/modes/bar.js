// The bar below the board that a match, the editor or a puzzle has for itself.

import { $, h } from '../base/dom.js';

export function showBar(...nodes) {
  const bar = $('#mode');
  bar.replaceChildren(...nodes.flat().filter(Boolean));
  bar.hidden = false;
  return bar;
}

export function hideBar() {
  const bar = $('#mode');
  bar.hidden = true;
  bar.replaceChildren();
}

export const barButton = (label, run, props = {}) => h('button', { type: 'button', class: 'plain', text: label, onclick: run, ...props });
