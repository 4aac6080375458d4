// Conversion between games, as they are written and saved, and trees.

import { Tree } from './tree.js';

/** @type {('sgf' | 'pgn' | 'ggf' | 'moves')[]} */
export const NOTATIONS = ['sgf', 'pgn', 'ggf', 'moves'];

const TAGS = ['black', 'white', 'date', 'place', 'result', 'ending', 'given', 'ratings'];

/** Players, date, place, result, number of given moves and ratings of a game, if they are known. @param {Partial<Game>} game @returns {Partial<Game>} */
export function tagsOf(game) {
  const known = TAGS.filter((tag) => game[tag] !== undefined && game[tag] !== null && game[tag] !== '');
  return Object.fromEntries(known.map((tag) => [tag, game[tag]]));
}

/** The tree of a game, with its comments and variations. Throws a `CodedError` if a move is illegal.
 *  @param {Rules} rules @param {Game} game */
export const treeOf = (rules, game) => new Tree(rules, game, tagsOf(game));

/** The study in a notation, or only the line on the board if the notation holds one line.
 *  @param {Pick<App, 'rules' | 'study'>} app @param {'sgf' | 'pgn' | 'ggf' | 'moves'} notation */
export const writeStudy = ({ rules, study }, notation) =>
  rules.write(notation === 'sgf' || notation === 'pgn' ? gameOf(study.tree) : study.game(), notation);

/** The main line of a tree as a game. `tree` has the rest, if there is more. @param {Tree} tree @returns {Game} */
export function gameOf(tree) {
  const { moves } = /** @type {TreeNode} */ (tree.main.at(-1));
  const game = { ...tagsOf(tree.tags), start: tree.root.position, moves: moves.join('') };
  const plain = [...tree.nodes()].every(({ children, comment }) => children.length < 2 && !comment);
  return plain ? game : { ...game, tree: tree.link() };
}
