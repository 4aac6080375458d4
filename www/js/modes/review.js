// One review of all that is due today: trained lines first, then the user's own mistakes and puzzles. Each step is the trainer or a
// puzzle, whose button for the next step continues the review.

import { fromF5 } from '../model/repertoire.js';
import { dueOf } from '../model/review.js';
import { create as createPuzzle, PuzzleMode } from './puzzle.js';
import { Trainer } from './trainer.js';

/** The step that has ended. @typedef {{ line: TrainerLine, side: Side } | { puzzle: Puzzle, right: boolean | null }} Step */

/** @param {App} app @param {Step | null} [last] */
export async function create(app, last = null) {
  const { puzzles, repertoire } = await dueOf(app);
  const panel = /** @type {PuzzlesPanel} */ (await app.panels.get('puzzles'));
  const trained = last && 'line' in last ? last : null;
  const solved = last && 'puzzle' in last ? last : null;
  // A puzzle that was skipped follows after the others.
  const open = puzzles.due().filter(({ id }) => id !== solved?.puzzle.id || solved.right === false);
  const next = repertoire.next(trained);
  // The only line failed: it follows after the puzzles.
  const isAgain = trained && next?.side === trained.side && next.line.moves === fromF5(trained.line.moves);
  if (next && !(isAgain && open.length > 0)) {
    // The game returns to the board before the trainer starts.
    if (app.modes.current instanceof PuzzleMode) app.modes.current.leave();
    return new Trainer(app, { lines: [next.line], side: next.side });
  }
  const puzzle = open.length > 0 && (await puzzles.next(solved?.puzzle ?? null, open));
  if (puzzle) return createPuzzle(app, { puzzle, panel, review: true });
  app.modes.current?.leave();
  app.notices.show(app.t('review.done'), { key: 'trainer', stay: 4000 });
  return null;
}
