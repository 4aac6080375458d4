// Games as they are written and kept, and the trees they become on the table.
//
// Notations know one line and comments. A variation becomes a comment at the move it replaces, written as in a link:
// `(f4e3~dubious~)`; such a comment becomes a variation again.

import { readLink, readOthers, writeLink, writeOthers } from './link.js';
import { RulesError, splitMoves } from './rules.js';
import { Tree } from './tree.js';

/** What of a game stands around its moves. */
const TAGS = ['black', 'white', 'date', 'place', 'result', 'ending'];

/** Players, date, place and result of a game or of the tags of a tree, those that are known.
 *  @param {Partial<Game>} game @returns {Partial<Game>} */
export function tagsOf(game) {
  const known = TAGS.filter((tag) => game[tag] !== undefined && game[tag] !== null && game[tag] !== '');
  return Object.fromEntries(known.map((tag) => [tag, game[tag]]));
}

/** The tree of a game, with its comments and variations. Throws a `RulesError` where a move is illegal.
 *  @param {Rules} rules @param {Game} game @returns {Tree} */
export function treeOf(rules, game) {
  if (game.tree) {
    const { tree } = readLink(rules, game.tree);
    tree.tags = tagsOf(game);
    return tree;
  }
  const { start, moves, comments = [] } = game;
  const tree = new Tree(rules, start, tagsOf(game));
  let end = tree.root;
  for (const move of splitMoves(moves)) {
    try {
      end = tree.play(end, move).node;
    } catch (error) {
      const { message } = /** @type {Error} */ (error);
      throw new RulesError({ code: 'illegal', number: end.ply + 1, move, message });
    }
  }
  const line = tree.main;
  for (const [ply, text] of comments) {
    const node = line[Math.min(ply, line.length - 1)];
    if (isVariation(text) && playOthers(tree, node, text)) continue;
    node.comment = node.comment ? `${node.comment}\n${text}` : text;
  }
  return tree;
}

const isVariation = (text) => /^\([a-h][1-8]/.test(text);

/** False, with the tree as it was, where the text is no variation. */
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

/** The main line of a tree as a game: `tree` tells the rest, where there is more. @param {Tree} tree @returns {Game} */
export function gameOf(tree) {
  const line = tree.main;
  const game = {
    ...tagsOf(tree.tags),
    start: tree.root.position,
    moves: line
      .slice(1)
      .map(({ move }) => move)
      .join(''),
  };
  const plain = [...tree.nodes()].every(({ children, comment }) => children.length < 2 && !comment);
  return plain ? game : { ...game, tree: writeLink(tree) };
}

/** A game for a notation that knows comments: the variations among them. @param {Tree} tree @returns {Game} */
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
