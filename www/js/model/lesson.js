// The sequence of the mistakes of a lesson: the current one, and the result of each.

/** @typedef {{ node: TreeNode, tries: number, end: 'first' | 'later' | 'shown' | 'skipped' | null }} Task */

export class Lesson {
  /** @type {Task[]} */
  tasks;
  at = 0;

  /** @param {TreeNode[]} mistakes nodes after the mistakes */
  constructor(mistakes) {
    this.tasks = mistakes.map((node) => ({ node, tries: 0, end: null }));
  }

  /** The current mistake. `null` at the end. */
  get task() {
    return this.tasks[this.at] ?? null;
  }

  /** A move was judged. A mistake whose answer was shown does not count as found. @param {boolean} right */
  tried(right) {
    const { task } = this;
    if (!task || task.end) return;
    task.tries++;
    if (right) task.end = task.tries === 1 ? 'first' : 'later';
  }

  show() {
    if (this.task) this.task.end ??= 'shown';
  }

  /** Continues. A mistake that was neither found nor shown was skipped. */
  next() {
    if (this.task) this.task.end ??= 'skipped';
    this.at++;
  }

  get counts() {
    const count = (end) => this.tasks.filter((task) => task.end === end).length;
    const [first, later, shown, skipped] = ['first', 'later', 'shown', 'skipped'].map(count);
    return { all: this.tasks.length, first, later, shown, skipped };
  }

  /** The mistakes that were not corrected at the first try. @returns {TreeNode[]} */
  get failed() {
    return this.tasks.filter(({ end }) => end !== 'first').map(({ node }) => node);
  }
}
