// The study in a URL fragment: `#[position:]moves[@cursor]`.
//
// Moves are written as in a transcript; other tries follow the move they replace in brackets, and a
// comment follows its move between tildes: `f5d6(f4~too early~)c3@2`. The cursor is a list of
// numbers joined by dots: plies along first children, the index of a child, plies, and so on; none is the end.
// A plain transcript is therefore a link too.

import { START } from '../base/position.js';
import { RulesError } from './rules.js';
import { Tree } from './tree.js';

/** Most characters of a link, and of a tree that is stored as one: each character of a Japanese comment takes nine. */
export const LINK_LIMIT = 16_000_000;

const encode = (words) =>
  encodeURIComponent(words.replace(/\p{Surrogate}/gu, '\ufffd'))
    .replace(/[~()'!*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');
const decode = (words) => decodeURIComponent(words.replaceAll('+', '%20'));

function writeLine(node, out) {
  for (let parent = node; parent.children.length > 0; parent = parent.children[0]) {
    const [first, ...others] = parent.children;
    writeMove(first, out);
    for (const other of others) {
      out.push('(');
      writeMove(other, out);
      writeLine(other, out);
      out.push(')');
    }
  }
}

function writeMove(node, out) {
  out.push(node.move);
  if (node.comment) out.push('~', encode(node.comment), '~');
}

/** The fragment of a tree with the cursor at `node`, without the `#`.
 *  @param {Tree} tree @param {TreeNode | null} node */
export function writeLink(tree, node = null) {
  const out = [];
  if (tree.root.position !== START) out.push(tree.root.position, ':');
  if (tree.root.comment) out.push('~', encode(tree.root.comment), '~');
  writeLine(tree.root, out);
  // A link without a cursor opens at the end, so that a bare transcript does: the start is a cursor too.
  if (node && out.length > 0) out.push('@', pathOf(node).join('.'));
  return out.join('');
}

const fault = (code, args) => new RulesError({ code, ...args });

/** Reads a fragment; throws a `RulesError` that names the fault. `{ tree, node }`. */
export function readLink(rules, fragment) {
  let rest = fragment.replace(/^#/, '');
  if (rest.length > LINK_LIMIT) throw fault('too-long', { limit: LINK_LIMIT });
  /** @type {number[] | null} */
  let cursor = null;
  let address = '';
  const at = rest.lastIndexOf('@');
  if (at >= 0) {
    address = rest.slice(at + 1);
    if (!/^\d{1,3}(\.\d{1,3})*$/.test(address)) throw fault('link-cursor', { text: address.slice(0, 20) });
    cursor = address.split('.').map(Number);
    rest = rest.slice(0, at);
  }
  let start = START;
  const colon = rest.indexOf(':');
  if (colon >= 0) {
    start = rest.slice(0, colon).toUpperCase();
    if (!/^[-XO]{64}[XO]$/.test(start)) throw fault('link-position', { text: start.slice(0, 20) });
    rest = rest.slice(colon + 1);
  }
  rules.look(start);
  const tree = new Tree(rules, start);
  readMoves(tree, rest);
  const node = cursor === null ? tree.main.at(-1) : nodeAt(tree, cursor);
  if (!node) throw fault('link-cursor', { text: address });
  return { tree, node };
}

/** The variations and comments of a node as a link writes them, beside its first child. @param {TreeNode} node */
export function writeOthers(node) {
  const out = [];
  for (const other of node.children.slice(1)) {
    out.push('(');
    writeMove(other, out);
    writeLine(other, out);
    out.push(')');
  }
  return out.join('');
}

/** Plays variations that `writeOthers` wrote, from the node they are tries at. Throws a `RulesError` at what is none.
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
    if (move) {
      try {
        node = tree.play(node, move.toLowerCase()).node;
      } catch (error) {
        throw fault('illegal', {
          number: node.ply + 1,
          move: move.toLowerCase(),
          message: /** @type {Error} */ (error).message,
        });
      }
    } else if (comment !== undefined) {
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

/** The way to a node as numbers: plies along first children, the index of a child, plies, and so on.
 *  @param {TreeNode} node */
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

/** The node at the end of such a way, or null where there is none. @param {Tree} tree @param {number[]} path */
function nodeAt(tree, path) {
  let node = tree.root;
  for (const [i, number] of path.entries()) {
    const way = i % 2 === 1 ? [number] : Array(number).fill(0);
    for (const index of way) {
      node = node.children[index];
      if (!node) return null;
    }
  }
  return node;
}
