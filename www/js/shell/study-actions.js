// What is put on the table, and the moves that are played on the board.

import { Tree } from '../model/tree.js';

export class StudyActions {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
  }

  /** A square was pressed on the board as it was drawn: a press meant for an older state is dropped.
   *  @param {string} move @param {number} [drawn] the node that was drawn */
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
    const { t } = words;
    const node = study.play(move);
    const look = rules.look(node.position);
    if (look.over) notices.say(t('game.over', { black: look.black, white: look.white }));
    else if (node.passed)
      notices.show(t('game.passes', { side: t(look.side === 'X' ? 'white' : 'black') }), {
        key: 'pass',
        stay: 3000,
      });
    return node;
  }

  /** Plays a line of the engine as a variation. @param {string[]} moves */
  playLine(moves) {
    const { modes, study } = this.app;
    if (modes.current?.takesLines === false) return;
    try {
      study.playLine(moves);
    } catch (error) {
      this.app.fail(error);
    }
  }

  /** Puts a game on the table: at its end, or at its start where the game is over.
   *  @param {Game} game @param {string} [label] what undoing it is called */
  load(game, label) {
    const tree = Tree.fromGame(this.app.rules, game);
    const last = /** @type {TreeNode} */ (tree.main.at(-1));
    this.loadTree(tree, this.app.rules.look(last.position).over ? tree.root : last, label);
  }

  /** @param {Tree} tree @param {TreeNode} [node] @param {string} [label] */
  loadTree(tree, node, label) {
    this.app.modes.leave();
    this.app.study.load(tree, node, label);
  }
}
