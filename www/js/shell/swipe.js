// Swiping over the board: to the left for the next move, to the right for the one before.

/** Pixels that a finger goes sideways, at least, and how much further than up or down. */
const LEAST = 36;
const SLANT = 1.6;

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
    if (Math.abs(across) < LEAST || Math.abs(across) < SLANT * Math.abs(along)) return;
    // A click that some browsers send after it is not meant for the square.
    swiped = event.timeStamp;
    if (across < 0) on.next();
    else on.previous();
  });
}
