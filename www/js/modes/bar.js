// The bar below the board that a mode has for itself.

import { $, h } from '../base/dom.js';

/** @param {(Node | null)[]} nodes */
export function showBar(nodes) {
  const bar = $('#mode');
  bar.replaceChildren(...nodes.filter((node) => node !== null));
  bar.hidden = false;
  // Where the page scrolls it is in sight.
  if (matchMedia('(max-width: 700px)').matches) bar.scrollIntoView({ block: 'nearest' });
}

export function hideBar() {
  const bar = $('#mode');
  bar.hidden = true;
  bar.replaceChildren();
}

/** Takes what has no room anywhere else to the end of the bar. */
export const spring = () => h('span', { class: 'sp' });

/** @param {string} label @param {() => void} run @param {object} props */
export const barButton = (label, run, props = {}) =>
  h('button', { type: 'button', class: 'plain', text: label, onclick: run, ...props });
