// Swipes over an element, such as the board: left for what is next, right for what is before.

/** Least horizontal pixels of a swipe, and their least ratio to the vertical ones. */
const MIN_SWIPE = 36;
const MIN_RATIO = 1.6;

/** `on` takes `next()` and `previous()`. */
export function attachSwipe(root, on) {
  /** @type {{ x: number, y: number } | null} */
  let from = null;
  let swiped = -Infinity;
  root.addEventListener('click', (event) => event.timeStamp - swiped < 80 && event.stopPropagation(), {
    capture: true,
  });
  root.addEventListener('pointerdown', (event) => {
    swiped = -Infinity;
    from = event.pointerType === 'touch' && event.isPrimary ? { x: event.clientX, y: event.clientY } : null;
  });
  root.addEventListener('pointercancel', () => {
    from = null;
  });
  root.addEventListener('pointerup', (event) => {
    if (!from || !event.isPrimary) return;
    const [across, along] = [event.clientX - from.x, event.clientY - from.y];
    from = null;
    if (Math.abs(across) < MIN_SWIPE || Math.abs(across) < MIN_RATIO * Math.abs(along)) return;
    // Some browsers send a click after a swipe.
    swiped = event.timeStamp;
    if (across < 0) on.next();
    else on.previous();
  });
}
