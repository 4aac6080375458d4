// Which puzzle comes next: five boxes, a right answer moves a puzzle up, a wrong one back to the first,
// and the boxes come back after longer and longer times. New puzzles come when nothing is due.

import { isWhole, isWithin } from '../base/validate.js';

const DAY_MS = 86_400_000;
/** How long a puzzle of each box rests. */
export const RESTS_MS = [0, 600_000, DAY_MS, 3 * DAY_MS, 10 * DAY_MS, 30 * DAY_MS];

/** More answers and later times are none. */
const MOST_TRIES = 1_000_000;
const LAST_TIME = 8.64e15;

/** Progress as it was kept, or null where it makes no sense. @param {any} kept @returns {Progress | null} */
export function readProgress(kept) {
  const { box, due, tries, right, last } = Object(kept);
  const fits =
    isWhole(box, RESTS_MS.length - 1) &&
    [tries, right].every((n) => isWhole(n, MOST_TRIES)) &&
    [due, last].every((time) => isWithin(time, 0, LAST_TIME));
  return fits ? { box, due, tries, right, last } : null;
}

/** Progress after an answer. `before` is what is kept of the puzzle, or null. */
export function answered(before, right, now) {
  const box = right ? Math.min((before?.box ?? 0) + 1, RESTS_MS.length - 1) : 0;
  return {
    box,
    due: now + (right ? RESTS_MS[box] : 0),
    tries: (before?.tries ?? 0) + 1,
    right: (before?.right ?? 0) + (right ? 1 : 0),
    last: now,
  };
}

/** The next of `puzzles` by `progress`: the weakest that is due, else the first new one, else the one due soonest.
 *  `not` is the id to leave out where another is available, and so are the ids in `skipped`.
 *  @template {{ id: string }} T @param {T[]} puzzles @param {Map<string, Progress>} progress @param {number} now @param {string | null} not @param {Set<string>} skipped
 *  @returns {T | null} */
export function pick(puzzles, progress, now, not = null, skipped = new Set()) {
  const others = puzzles.filter(({ id }) => id !== not);
  const open = others.filter(({ id }) => !skipped.has(id));
  const pool = [open, others].find(({ length }) => length > 0) ?? puzzles;
  const known = pool.flatMap((puzzle) => {
    const at = progress.get(puzzle.id);
    return at ? [{ puzzle, at }] : [];
  });
  const due = known
    .filter(({ at }) => at.due <= now)
    .sort((a, b) => a.at.box - b.at.box || a.at.due - b.at.due || a.at.last - b.at.last);
  if (due.length > 0) return due[0].puzzle;
  const fresh = pool.find(({ id }) => !progress.has(id));
  if (fresh) return fresh;
  return known.sort((a, b) => a.at.due - b.at.due)[0]?.puzzle ?? null;
}

/** Whether a move will do instead of a mistake: it keeps the outcome, and loses a disc at most or a quarter of what
 *  the mistake lost. @param {Loss} cost @param {number} mistake discs that the mistake lost */
export const isGoodEnough = ({ loss, changed }, mistake) =>
  changed === null && loss <= Math.max(1, mistake / 4);
