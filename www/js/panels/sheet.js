// The sheet of a phone: its head can be dragged up and down, buttons do the same, and Escape closes it. On larger screens the
// buttons are hidden.

import { $ } from '../base/dom.js';

const MIN_DRAG = 32;
/** Most pixels that a finger moves during a press. */
const MAX_PRESS = 6;

/** @param {{ height: SheetHeight, set(height: SheetHeight): void }} sheet */
export function attachSheet(sheet) {
  const side = $('#side');
  const [head, taller, close] = ['#tab-row', '.taller', '.shut'].map((part) => $(part, side));
  taller.onclick = () => sheet.set(sheet.height === 'tall' ? 'open' : 'tall');
  close.onclick = () => sheet.set('closed');

  document.addEventListener('keydown', (event) => {
    const busy = event.defaultPrevented || event.isComposing || document.querySelector('dialog[open]');
    if (event.key !== 'Escape' || busy || !close.offsetParent) return;
    event.preventDefault();
    sheet.set('closed');
  });

  /** The start of the drag. @type {number | null} */
  let from = null;
  let drawn = 0;
  const follow = (event) => {
    if (from === null || !event.isPrimary) return;
    drawn = event.clientY - from;
    // The sheet follows downward only: upward it would leave a gap below.
    side.style.transform = drawn > MAX_PRESS ? `translateY(${drawn}px)` : '';
  };
  const release = (event) => {
    if (from === null || !event.isPrimary) return;
    from = null;
    side.style.transform = '';
    if (event.type === 'pointerup') {
      if (drawn > MIN_DRAG) sheet.set(sheet.height === 'tall' ? 'open' : 'closed');
      else if (drawn < -MIN_DRAG) sheet.set('tall');
    }
    // The click after a drag is ignored.
    setTimeout(() => {
      drawn = 0;
    });
  };
  // The finger may leave the head. Capturing the pointer would take the click from the tab below it.
  document.addEventListener('pointermove', follow);
  for (const end of ['pointerup', 'pointercancel']) document.addEventListener(end, release);
  head.addEventListener('pointerdown', (event) => {
    if (from !== null || !event.isPrimary || !close.offsetParent) return;
    drawn = 0;
    from = event.clientY;
  });
  head.addEventListener('click', (event) => Math.abs(drawn) > MAX_PRESS && event.stopPropagation(), {
    capture: true,
  });
}
