// Opens games in the study, and plays moves of the board and lines.

import { Tree } from '../model/tree.js';

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
    this.app.attempt(() => study.playLine(moves));
  }

  /** Opens a game, at its end, or at its start if it is over. @param {Game} game @param {string} [label] of its undo */
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
