// The way through the mistakes of a game: which one is asked about, and what became of each.

/** @typedef {{ node: TreeNode, tries: number, end: 'first' | 'later' | 'shown' | 'skipped' | null }} Task */

export class Lesson {
  /** @type {Task[]} */
  tasks;
  at = 0;

  /** @param {TreeNode[]} mistakes nodes that the mistakes lead to */
  constructor(mistakes) {
    this.tasks = mistakes.map((node) => ({ node, tries: 0, end: null }));
  }

  /** What is asked about; null at the end. */
  get task() {
    return this.tasks[this.at] ?? null;
  }

  /** A move was judged. What was shown before does not count as found. @param {boolean} right */
  tried(right) {
    const { task } = this;
    if (!task || task.end) return;
    task.tries++;
    if (right) task.end = task.tries === 1 ? 'first' : 'later';
  }

  /** The answer was shown. */
  show() {
    if (this.task) this.task.end ??= 'shown';
  }

  /** Goes on; what was neither found nor shown was skipped. */
  next() {
    if (!this.task) return;
    this.task.end ??= 'skipped';
    this.at++;
  }

  /** Leaves out the mistakes that are in the game no more; true where the present one was among them.
   *  @param {(node: TreeNode) => boolean} isThere */
  keep(isThere) {
    const { task } = this;
    const before = this.tasks.slice(0, this.at).filter(({ node }) => isThere(node)).length;
    this.tasks = this.tasks.filter(({ node }) => isThere(node));
    this.at = before;
    return task !== null && this.task !== task;
  }

  /** How many ended in each way. */
  get counts() {
    const count = (end) => this.tasks.filter((task) => task.end === end).length;
    return {
      all: this.tasks.length,
      first: count('first'),
      later: count('later'),
      shown: count('shown'),
      skipped: count('skipped'),
    };
  }

  /** The mistakes that were not mended at the first try. @returns {TreeNode[]} */
  get failed() {
    return this.tasks.filter(({ end }) => end !== 'first').map(({ node }) => node);
  }
}
