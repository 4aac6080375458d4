// The bar below the board that a mode has for itself.

import { $, h } from '../base/dom.js';

/** Shows the bar. Where the keyboard was in it, it stays there: on the same button, or on the one that is marked.
 *  @param {(Node | null)[]} nodes */
export function showBar(nodes) {
  const bar = $('#mode');
  const held = bar.contains(document.activeElement) ? document.activeElement?.textContent : undefined;
  bar.replaceChildren(...nodes.filter((node) => node !== null));
  bar.hidden = false;
  if (held !== undefined) {
    const buttons = [...bar.querySelectorAll('button')];
    const same = buttons.find(({ textContent, disabled }) => textContent === held && !disabled);
    (same ?? buttons.find(({ classList }) => classList.contains('solid')) ?? buttons[0])?.focus();
  }
  // Where the page scrolls it is in sight.
  if (matchMedia('(max-width: 700px)').matches) bar.scrollIntoView({ block: 'nearest' });
}

export function hideBar() {
  const bar = $('#mode');
  bar.hidden = true;
  bar.replaceChildren();
}

/** Takes what has no room anywhere else to the end of the bar. */
export const spring = () => h('span.sp');

/** @param {string} label @param {() => void} run @param {object} props */
export const barButton = (label, run, props = {}) =>
  h('button', { class: 'plain', onclick: run, ...props }, label);
