// The position and the caption of a diagram, in a file or on paper.

/** @param {App} app @param {TreeNode} node @returns {Diagram} */
export function diagramAt(app, node) {
  const { openings, rules, study, t } = app;
  const { black, white } = study.tree.tags;
  const look = rules.look(node.position);
  const told = look.over
    ? t('game.over', { black: look.black, white: look.white })
    : t(look.side === 'X' ? 'do.black' : 'do.white');
  return {
    squares: look.squares,
    last: node.move,
    players: [
      { name: black || t('black'), count: look.black },
      { name: white || t('white'), count: look.white },
    ],
    told,
    title: [black && white && `${black} – ${white}`, openings.along(node), told].filter(Boolean).join(', '),
  };
}
