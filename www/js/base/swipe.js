// Swipes over an element, such as the board: left for what is next, right for what is before.

/** Least horizontal pixels of a swipe, and their least ratio to the vertical ones. */
const MIN_SWIPE = 36;
const MIN_RATIO = 1.6;

/** Returns a function to call at the end of a gesture over `root`: some browsers send a click after it. */
export function clickSkipper(root) {
  let skips = false;
  const pass = (event) => {
    if (skips && event.type === 'click') event.stopPropagation();
    skips = false;
  };
  for (const type of ['pointerdown', 'keydown', 'click'])
    root.addEventListener(type, pass, { capture: true });
  return () => {
    skips = true;
  };
}

/** `on` takes `next()` and `previous()`. */
export function attachSwipe(root, on) {
  /** @type {{ x: number, y: number } | null} */
  let from = null;
  const skipClick = clickSkipper(root);
  root.addEventListener('pointerdown', (event) => {
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
    skipClick();
    if (across < 0) on.next();
    else on.previous();
  });
}
