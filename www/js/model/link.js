// A study in a URL fragment: `#[position:]moves[@cursor]`.
//
// Moves are written as in a transcript. Variations follow the move they replace in brackets, a comment follows its move between
// tildes: `f5d6(f4~too early~)c3@2`. The cursor is a list of numbers joined by dots: plies along first children, the index of a
// child, plies, and so on. Without a cursor the link opens at the end. A plain transcript is also a link.

import { START } from '../base/position.js';
import { isPosition } from '../base/validate.js';
import { RulesError } from './rules.js';
import { Tree } from './tree.js';

/** Most characters of a link, and of a tree stored as a link. A character of a Japanese comment takes nine. */
export const LINK_LIMIT = 16_000_000;

const encode = (text) =>
  encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'))
    .replace(/[~()'!*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');
const decode = (text) => decodeURIComponent(text.replaceAll('+', '%20'));

const comment = (node) => (node.comment ? `~${encode(node.comment)}~` : '');

/** Writes the moves after a node. @param {TreeNode} node @returns {string} */
function writeLine(node) {
  const parts = [];
  for (let parent = node; parent.children.length > 0; parent = parent.children[0]) {
    const [first] = parent.children;
    parts.push(first.move, comment(first), writeOthers(parent));
  }
  return parts.join('');
}

/** Writes the variations of a node: all children but the first. @param {TreeNode} node */
export const writeOthers = (node) =>
  node.children
    .slice(1)
    .map((other) => `(${other.move}${comment(other)}${writeLine(other)})`)
    .join('');

/** The fragment of a tree with the cursor at `node`, without the `#`.
 *  @param {{ root: TreeNode }} tree @param {TreeNode | null} node */
export function writeLink({ root }, node = null) {
  const start = root.position === START ? '' : `${root.position}:`;
  const link = start + comment(root) + writeLine(root);
  return node && link ? `${link}@${pathOf(node).join('.')}` : link;
}

const fault = (code, args) => new RulesError({ code, ...args });

/** Reads a fragment. Throws a `RulesError` that names the error.
 *  @param {Rules} rules @param {string} fragment @returns {{ tree: Tree, node: TreeNode }} */
export function readLink(rules, fragment) {
  const link = fragment.replace(/^#/, '');
  if (link.length > LINK_LIMIT) throw fault('too-long', { limit: LINK_LIMIT });
  const at = link.lastIndexOf('@');
  const [body, address] = at < 0 ? [link, null] : [link.slice(0, at), link.slice(at + 1)];
  if (address !== null && !/^\d{1,3}(\.\d{1,3})*$/.test(address))
    throw fault('link-cursor', { text: address.slice(0, 20) });
  const colon = body.indexOf(':');
  const start = colon < 0 ? START : body.slice(0, colon).toUpperCase();
  if (!isPosition(start)) throw fault('link-position', { text: start.slice(0, 20) });
  rules.look(start);
  const tree = new Tree(rules, start);
  readMoves(tree, body.slice(colon + 1));
  const node = address === null ? tree.main.at(-1) : nodeAt(tree, address.split('.').map(Number));
  if (!node) throw fault('link-cursor', { text: address });
  return { tree, node };
}

/** Plays variations written by `writeOthers` from their node. Throws a `RulesError` if they are invalid.
 *  @param {Tree} tree @param {TreeNode} node @param {string} text */
export function readOthers(tree, node, text) {
  const first = node.children[0];
  if (!first) throw fault('link-text', { at: 1, text: text.slice(0, 12) });
  readMoves(tree, text, first);
}

function readMoves(tree, text, at = tree.root) {
  const token = /([a-hA-H][1-8])|~([^~]*)~|(\()|(\))|([-_.,;\s]+)/y;
  const stack = [];
  let node = at;
  while (token.lastIndex < text.length) {
    const from = token.lastIndex;
    const found = token.exec(text);
    if (!found) throw fault('link-text', { at: from + 1, text: text.slice(from, from + 12) });
    const [, move, comment, open, close] = found;
    if (move) node = tree.playRead(node, move.toLowerCase());
    else if (comment !== undefined) {
      try {
        node.comment = decode(comment);
      } catch {
        throw fault('link-comment', { text: comment.slice(0, 20) });
      }
    } else if (open) {
      if (!node.parent) throw fault('link-text', { at: from + 1, text: '(' });
      stack.push(node);
      node = node.parent;
    } else if (close) {
      if (stack.length === 0) throw fault('link-text', { at: from + 1, text: ')' });
      node = stack.pop();
    }
  }
  if (stack.length > 0) throw fault('link-open', {});
}

/** The path to a node as numbers. @param {TreeNode} node */
function pathOf(node) {
  const numbers = [];
  let run = 0;
  for (const step of node.path.slice(1)) {
    const index = /** @type {TreeNode} */ (step.parent).children.indexOf(step);
    if (index === 0) run++;
    else {
      numbers.push(run, index);
      run = 0;
    }
  }
  return [...numbers, run];
}

/** The node at the end of a path, or `undefined` if it does not exist. @param {Tree} tree @param {number[]} path */
function nodeAt(tree, path) {
  const steps = path.flatMap((number, i) => (i % 2 === 1 ? [number] : Array(number).fill(0)));
  return steps.reduce((node, index) => node?.children[index], tree.root);
}
