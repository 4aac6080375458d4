// The caption of a diagram, in a file or on paper.

/** The players, the side to move, and the title. @param {App} app @param {TreeNode} node @returns {Caption} */
export function captionOf(app, node) {
  const { openings, rules, study, t } = app;
  const { black, white } = study.tree.tags;
  const look = rules.look(node.position);
  const told = look.over
    ? t('game.over', { black: look.black, white: look.white })
    : t(look.side === 'X' ? 'do.black' : 'do.white');
  return {
    players: [
      { name: black || t('black'), count: look.black },
      { name: white || t('white'), count: look.white },
    ],
    told,
    title: [black && white && `${black} – ${white}`, openings.along(node), told].filter(Boolean).join(', '),
  };
}
