// Selects the next puzzle by spaced repetition: a right answer moves a puzzle to the next of five boxes, a wrong one back to the
// first. The higher the box, the longer the time until the puzzle is due. If no puzzle is due, a new one follows.

import { isWhole, isWithin } from '../base/validate.js';

const DAY_MS = 86_400_000;
/** Time until a puzzle of each box is due. */
export const RESTS_MS = [0, 600_000, DAY_MS, 3 * DAY_MS, 10 * DAY_MS, 30 * DAY_MS];

/** Limits of stored values. */
const MAX_TRIES = 1_000_000;
const LAST_TIME = 8.64e15;

/** Progress before the first answer. @type {Progress} */
export const UNTRIED = { box: 0, due: 0, tries: 0, right: 0, last: 0 };

/** Reads stored progress. Returns `null` if it is invalid. @param {any} kept @returns {Progress | null} */
export function readProgress(kept) {
  const { box, due, tries, right, last } = Object(kept);
  const fits =
    isWhole(box, RESTS_MS.length - 1) &&
    [tries, right].every((n) => isWhole(n, MAX_TRIES)) &&
    [due, last].every((time) => isWithin(time, 0, LAST_TIME));
  return fits ? { box, due, tries, right, last } : null;
}

/** Progress after an answer. @param {Progress | null | undefined} before @param {boolean} right @param {number} now @returns {Progress} */
export function answered(before, right, now) {
  const { box: last, tries, right: known } = before ?? UNTRIED;
  const box = right ? Math.min(last + 1, RESTS_MS.length - 1) : 0;
  return { box, due: now + RESTS_MS[box], tries: tries + 1, right: known + Number(right), last: now };
}

/** Returns the next puzzle: the weakest that is due, otherwise the first new one, otherwise the one due soonest. The id `not` and
 *  the ids in `skipped` are avoided if there is another puzzle.
 *  @template {{ id: string }} T @param {T[]} puzzles @param {Map<string, Progress>} progress @param {number} now
 *  @param {string | null} not @param {Set<string>} skipped @returns {T | null} */
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

/** Returns `true` if a move is good enough instead of a mistake: it keeps the outcome, and loses at most one disc or a quarter of
 *  the loss of the mistake. @param {Loss} cost @param {number} mistake discs that the mistake lost */
export const isGoodEnough = ({ loss, changed }, mistake) =>
  changed === null && loss <= Math.max(1, mistake / 4);
