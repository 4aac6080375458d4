// One review of all that is due today: trained lines first, then the user's own mistakes and puzzles, then endings. Each step is the
// trainer, a puzzle or an ending, whose button for the next step continues the review.

import { fromF5 } from '../model/repertoire.js';
import { dueOf } from '../model/review.js';
import { create as createEnding } from './ending.js';
import { create as createPuzzle, PuzzleMode } from './puzzle.js';
import { Trainer } from './trainer.js';

/** The step that has ended. @typedef {{ line: TrainerLine, side: Side } | { puzzle: Puzzle, right: boolean | null }} Step */

/** @param {App} app @param {Step | null} [last] */
export async function create(app, last = null) {
  const { puzzles, endings, repertoire } = await dueOf(app);
  const trained = last && 'line' in last ? last : null;
  const solved = last && 'puzzle' in last ? last : null;
  // A puzzle that was skipped or failed follows after the others.
  const suites = [puzzles, endings];
  const isOther = (/** @type {Puzzle} */ { id }) => id !== solved?.puzzle.id;
  const suite =
    suites.find((suite) => suite.due().some(isOther)) ??
    suites.find((suite) => solved?.right === false && suite.due().length > 0);
  const next = repertoire.next(trained);
  // The only line failed: it follows after the others.
  const isAgain = trained && next?.side === trained.side && next.line.moves === fromF5(trained.line.moves);
  if (next && !(isAgain && suite)) {
    // The game returns to the board before the trainer starts.
    if (app.modes.current instanceof PuzzleMode) app.modes.current.leave();
    return new Trainer(app, { lines: [next.line], side: next.side });
  }
  const puzzle = await suite?.next(solved?.puzzle ?? null, suite.due());
  if (puzzle) return (suite === endings ? createEnding : createPuzzle)(app, { puzzle, review: true });
  app.modes.current?.leave();
  app.notices.show(app.t('review.done'), { key: 'trainer', stay: 4000 });
  return null;
}
