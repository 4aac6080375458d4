// Opens trees in the study, and plays moves of the board and lines.

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

  /** Opens a tree. @param {Tree} tree @param {TreeNode} [node] @param {string} [label] of its undo */
  loadTree(tree, node, label) {
    this.app.modes.leave();
    this.app.study.load(tree, node, label);
  }
}
