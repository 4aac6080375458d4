// Swipes over an element, such as the board: left for what is next, right for what is before.

/** Least horizontal pixels of a swipe, and their least ratio to the vertical ones. */
const MIN_SWIPE = 36;
const MIN_RATIO = 1.6;

/** Returns a function that makes `root` ignore the click that some browsers send after a gesture. The next press or key ends that. */
export function clickSkipper(root) {
  let isIgnored = false;
  const hear = (event) => {
    if (isIgnored && event.type === 'click') event.stopPropagation();
    isIgnored = false;
  };
  for (const type of ['pointerdown', 'keydown', 'click'])
    root.addEventListener(type, hear, { capture: true });
  return () => {
    isIgnored = true;
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
