// Opens trees in the study, and plays moves of the board and lines.

import { sideOf } from '../base/position.js';

export class StudyActions {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
  }

  /** A square was pressed. A press on an older state of the board is ignored.
   *  @param {string} move @param {number} [drawn] id of the drawn node */
  press(move, drawn) {
    const { modes, rules, study } = this.app;
    if (drawn !== undefined && drawn !== study.node.id) return;
    if (modes.current?.press(move)) return;
    if (!rules.isLegal(study.position, move)) return;
    if (modes.current?.mayPlay() === false) return;
    this.playMove(move);
  }

  /** @param {string} move a legal one @returns {TreeNode} */
  playMove(move) {
    const { notices, rules, study, words } = this.app;
    const node = study.play(move);
    const { over, black, white } = rules.look(node.position);
    if (over) notices.say(words.t('game.over', { black, white }));
    else if (node.passed) this.reportPass(node.position);
    return node;
  }

  /** Reports that the other side had to pass. @param {string} position after the pass */
  reportPass(position) {
    const { notices, words } = this.app;
    const side = words.side(sideOf(position) === 'X' ? 'O' : 'X');
    notices.show(words.t('game.passes', { side }), { key: 'pass', stay: 3000 });
  }

  /** Plays a line of the engine as a variation. @param {string[]} moves */
  playLine(moves) {
    const { modes, study } = this.app;
    if (modes.current?.takesLines === false) return;
    this.app.attempt(() => study.playLine(moves));
  }

  /** Opens a tree. @param {Tree} tree @param {TreeNode} [node] @param {string} [label] of its undo */
  loadTree(tree, node, label) {
    this.app.modes.leave();
    this.app.study.load(tree, node, label);
  }
}
