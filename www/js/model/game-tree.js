// Conversion between games, as they are written and saved, and trees.
//
// Notations know one line and comments. A variation becomes a comment at the move it replaces, written as in a link:
// `(f4e3~dubious~)`. Such a comment becomes a variation again.

import { readLink, readOthers, writeLink, writeOthers } from './link.js';
import { Tree } from './tree.js';

const TAGS = ['black', 'white', 'date', 'place', 'result', 'ending'];

/** Players, date, place and result of a game, if they are known. @param {Partial<Game>} game @returns {Partial<Game>} */
export function tagsOf(game) {
  const known = TAGS.filter((tag) => game[tag] !== undefined && game[tag] !== null && game[tag] !== '');
  return Object.fromEntries(known.map((tag) => [tag, game[tag]]));
}

/** The tree of a game, with its comments and variations. Throws a `RulesError` if a move is illegal.
 *  @param {Rules} rules @param {Game} game @returns {Tree} */
export function treeOf(rules, game) {
  const tree = game.tree ? readLink(rules, game.tree).tree : Tree.fromGame(rules, game);
  tree.tags = tagsOf(game);
  const line = tree.main;
  for (const [ply, text] of game.tree ? [] : (game.comments ?? [])) {
    const node = line[Math.min(ply, line.length - 1)];
    if (/^\([a-h][1-8]/.test(text) && playOthers(tree, node, text)) continue;
    node.comment = node.comment ? `${node.comment}\n${text}` : text;
  }
  return tree;
}

/** Returns `false`, with the tree unchanged, if the text is not a variation. */
function playOthers(tree, node, text) {
  const before = [...node.children];
  try {
    readOthers(tree, node, text);
    return true;
  } catch {
    node.children = before;
    return false;
  }
}

/** The main line of a tree as a game. `tree` has the rest, if there is more. @param {Tree} tree @returns {Game} */
export function gameOf(tree) {
  const { moves } = /** @type {TreeNode} */ (tree.main.at(-1));
  const game = { ...tagsOf(tree.tags), start: tree.root.position, moves: moves.join('') };
  const plain = [...tree.nodes()].every(({ children, comment }) => children.length < 2 && !comment);
  return plain ? game : { ...game, tree: writeLink(tree) };
}

/** A game for a notation with comments, which contain the variations. @param {Tree} tree @returns {Game} */
export function gameWithComments(tree) {
  const { tree: _, ...game } = gameOf(tree);
  /** @type {[number, string][]} */
  const comments = [];
  for (const node of tree.main) {
    if (node.comment) comments.push([node.ply, node.comment]);
    if (node.children.length > 1) comments.push([node.ply, writeOthers(node)]);
  }
  return { ...game, comments };
}
