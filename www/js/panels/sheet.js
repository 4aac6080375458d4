// What makes the open panel of a phone a sheet: its head can be drawn up and down, it has buttons for the same, and
// Escape closes it. Where there is room for everything at once the buttons are not shown.

import { attr, h, s } from '../base/dom.js';

/** Pixels that its head is drawn, at least, to mean something. */
const LEAST = 32;
/** Pixels that a finger may tremble in a press. */
const SLACK = 6;

/** @typedef {'closed' | 'open' | 'tall'} Height */

/** `sheet` takes `height` and `set(height)`.
 *  @param {HTMLElement} side @param {HTMLElement} head @param {Translations} words @param {{ height: Height, set(height: Height): void }} sheet */
export function attachSheet(side, head, words, sheet) {
  const sign = (path) => s('svg', { viewBox: '0 0 20 20', 'aria-hidden': 'true' }, s('path', { d: path }));
  const taller = h(
    'button.icon.taller',
    { data: { tLabel: 'sheet.tall' }, onclick: () => sheet.set(sheet.height === 'tall' ? 'open' : 'tall') },
    sign('M5 12.5l5-5 5 5'),
  );
  const close = h(
    'button.icon',
    { data: { tLabel: 'do.close' }, onclick: () => sheet.set('closed') },
    sign('M5.5 5.5l9 9M14.5 5.5l-9 9'),
  );
  head.append(taller, close);
  words.apply(head);

  document.addEventListener('keydown', (event) => {
    const busy = event.defaultPrevented || event.isComposing || document.querySelector('dialog[open]');
    if (event.key !== 'Escape' || busy || !close.offsetParent) return;
    event.preventDefault();
    sheet.set('closed');
  });

  /** Where the finger took hold. @type {number | null} */
  let from = null;
  let drawn = 0;
  /** @param {PointerEvent} event */
  const follow = (event) => {
    if (from === null || !event.isPrimary) return;
    drawn = event.clientY - from;
    // It follows downwards; upwards it would leave a gap at the foot.
    side.style.transform = drawn > SLACK ? `translateY(${drawn}px)` : '';
  };
  /** @param {PointerEvent} event */
  const release = (event) => {
    if (from === null || !event.isPrimary) return;
    from = null;
    side.style.transform = '';
    for (const [type, hear] of held) document.removeEventListener(type, hear);
    if (event.type === 'pointerup') {
      if (drawn > LEAST) sheet.set(sheet.height === 'tall' ? 'open' : 'closed');
      else if (drawn < -LEAST) sheet.set('tall');
    }
    // The click that follows a pull is none.
    setTimeout(() => {
      drawn = 0;
    });
  };
  /** @type {[string, any][]} */
  const held = [
    ['pointermove', follow],
    ['pointerup', release],
    ['pointercancel', release],
  ];
  head.addEventListener('pointerdown', (event) => {
    if (from !== null || !event.isPrimary || !close.offsetParent) return;
    drawn = 0;
    from = event.clientY;
    // The finger may leave the head at once; capturing it would take the click from the tab below it.
    for (const [type, hear] of held) document.addEventListener(type, hear);
  });
  head.addEventListener('click', (event) => Math.abs(drawn) > SLACK && event.stopPropagation(), {
    capture: true,
  });

  return {
    /** @param {Height} height */
    show(height) {
      attr(taller, 'aria-pressed', String(height === 'tall'));
    },
  };
}
