// What the page shows of values: the rows of a position, and a point for every position of the tree.

import { alike, bestFirst } from '../engine/evaluation.js';
import { repair } from './losses.js';

export class Scores {
  /** @type {Map<TreeNode, Point | null> | null} */
  #points = null;

  /** @param {Study} study @param {Evaluations} evaluations @param {Rules} rules */
  constructor(study, evaluations, rules) {
    this.study = study;
    this.evaluations = evaluations;
    this.rules = rules;
  }

  /** Rows of a position, symmetric moves made equal: by move, and the best first. @param {string} position */
  rows(position) {
    const evaluation = this.evaluations.get(position);
    /** @type {Map<string, Row>} */
    const map = alike(evaluation.rows.values(), (move) =>
      this.rules.canonical(this.rules.play(position, move).position),
    );
    return { map, sorted: [...map.values()].sort(bestFirst) };
  }

  /** Points of the tree, repaired; made anew where something changed since. */
  get points() {
    this.#points ??= repair(this.study.tree, (position) => this.evaluations.point(position));
    return this.#points;
  }

  /** Something changed in the tree, or what is known of it. */
  change() {
    this.#points = null;
  }
}
