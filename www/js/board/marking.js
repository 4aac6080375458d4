// Marks that the user draws on the board with the right button or a long press: a circle on a square, an arrow to another one. Shift
// or Ctrl, Alt, and both select other colors. The key M circles the focused square. The wheel steps through the game.

import { keyName } from '../base/dom.js';
import { clickSkipper } from '../base/swipe.js';

const LONG_PRESS_MS = 450;
/** Most pixels that a finger moves before a long press. */
const MAX_SHIFT = 10;
/** Pixels of the wheel for a step. */
const WHEEL_STEP = 60;

/** The name of the square at a point of the window, or ''. */
export const squareAt = ({ clientX, clientY }) =>
  /** @type {HTMLElement | null} */ (document.elementFromPoint(clientX, clientY)?.closest('.sq') ?? null)
    ?.dataset.square ?? '';

/** @param {HTMLElement} grid
 *  @param {{ canMark(): boolean, mark(mark: string): void, step(by: number): boolean }} on `step` returns `false` if there is nothing
 *  to step through */
export function attachMarking(grid, on) {
  /** The first square and the color. @type {{ square: string, colour: string } | null} */
  let from = null;
  let [timer, x, y, turned] = [0, 0, 0, 0];
  const skipClick = clickSkipper(grid);
  const colourOf = ({ altKey, ctrlKey, shiftKey }) =>
    'GRBY'[Number(shiftKey || ctrlKey) + 2 * Number(altKey)];
  const begin = (event) => {
    from = { square: squareAt(event), colour: colourOf(event) };
  };
  grid.addEventListener('contextmenu', (event) => event.preventDefault());
  grid.addEventListener('pointerdown', (event) => {
    clearTimeout(timer);
    from = null;
    if (!on.canMark()) return;
    [x, y] = [event.clientX, event.clientY];
    if (event.pointerType === 'touch' && event.isPrimary)
      timer = window.setTimeout(() => begin(event), LONG_PRESS_MS);
    else if (event.button === 2) begin(event);
  });
  grid.addEventListener('keydown', (event) => {
    const { square } = /** @type {HTMLElement} */ (event.target).dataset;
    if (keyName(event) !== 'KeyM' || event.metaKey || event.isComposing || !square || !on.canMark()) return;
    event.preventDefault();
    on.mark(colourOf(event) + square);
  });
  grid.addEventListener('pointermove', ({ clientX, clientY }) => {
    if (Math.hypot(clientX - x, clientY - y) > MAX_SHIFT) clearTimeout(timer);
  });
  grid.addEventListener('pointercancel', () => {
    clearTimeout(timer);
    from = null;
  });
  grid.addEventListener('pointerup', (event) => {
    clearTimeout(timer);
    const to = squareAt(event);
    if (!from || !to) return;
    // Neither a swipe nor a press.
    event.stopPropagation();
    // The right button gives none.
    if (event.pointerType === 'touch') skipClick();
    on.mark(from.colour + from.square + (to === from.square ? '' : to));
    from = null;
  });
  // The page does not scroll under an arrow.
  grid.addEventListener('touchmove', (event) => from && event.preventDefault(), { passive: false });
  grid.addEventListener(
    'wheel',
    (event) => {
      if (event.ctrlKey) return;
      turned = Math.sign(turned) === Math.sign(event.deltaY) ? turned + event.deltaY : event.deltaY;
      const by = Math.trunc(turned / WHEEL_STEP);
      if (by !== 0) turned = 0;
      if (by !== 0 && on.step(Math.sign(by))) event.preventDefault();
    },
    { passive: false },
  );
}
