// Games of `<outflank-board>`: the links of the page, read and written without its module, and the rules that they need.

import { START, squareIndex } from '../../www/js/base/position.js';

const RAYS = [-1, 0, 1].flatMap((r) => [-1, 0, 1].map((c) => [r, c])).filter(([r, c]) => r || c);
const SQUARES = Array.from({ length: 64 }, (_, square) => square);

const otherSide = (side) => (side === 'X' ? 'O' : 'X');

/** Returns the squares whose discs a move turns. Empty if it is illegal. @param {string} position @param {number} square */
function flipsOf(position, square) {
  const own = position[64];
  const along = ([r, c]) => {
    const line = [];
    for (let [row, column] = [(square >> 3) + r, (square & 7) + c]; ; row += r, column += c) {
      const at = row * 8 + column;
      if (row < 0 || row > 7 || column < 0 || column > 7 || position[at] === '-') return [];
      if (position[at] === own) return line;
      line.push(at);
    }
  };
  return position[square] === '-' ? RAYS.flatMap(along) : [];
}

/** @param {string} position @returns {number[]} */
export const legalMoves = (position) => SQUARES.filter((square) => flipsOf(position, square).length > 0);

/** Returns the position after a move and a forced pass, or `null` if the move is illegal.
 *  @param {string} position @param {number} square */
export function afterMove(position, square) {
  const flips = flipsOf(position, square);
  if (flips.length === 0) return null;
  const own = position[64];
  const squares = [...position.slice(0, 64)];
  for (const at of [square, ...flips]) squares[at] = own;
  const board = squares.join('');
  const [next, passed] = [board + otherSide(own), board + own];
  return legalMoves(next).length === 0 && legalMoves(passed).length > 0 ? passed : next;
}

/** An error of a game. `code` is the key of its text, `args` are those of the text. */
export class GameError extends Error {
  /** @param {string} code @param {Record<string, unknown>} args */
  constructor(code, args) {
    super(`${code} ${Object.values(args).join(' ')}`);
    this.code = code;
    this.args = args;
  }
}

/** @typedef {{ move: string | null, position: string, comment: string, parent: GameNode | null, children: GameNode[], ply: number }} GameNode */

/** @returns {GameNode} */
const node = (position, move = null, parent = null) => ({
  move,
  position,
  comment: '',
  parent,
  children: [],
  ply: parent ? parent.ply + 1 : 0,
});

/** Returns the child of a node by a move, which is added if it is new. `null` if it is illegal.
 *  @param {GameNode} parent @param {string} move */
export function playFrom(parent, move) {
  const known = parent.children.find((child) => child.move === move);
  const position = known ? null : afterMove(parent.position, squareIndex(move));
  if (position) parent.children.push(node(position, move, parent));
  return known ?? (position ? /** @type {GameNode} */ (parent.children.at(-1)) : null);
}

/** The main line from a node on. @param {GameNode} from @returns {GameNode[]} */
export function lineFrom(from) {
  const line = [from];
  for (let [next] = from.children; next; [next] = next.children) line.push(next);
  return line;
}

/** A move with its value and time, which are skipped, a pass, a comment, a bracket, blanks, or anything else. */
const TOKEN = /([a-h][1-8]|pa)(?:\/[^;~()@]*)?|~([^~]*)~|([()])|[-_.,;\s]+|(.)/giy;

/** Reads a link, `[position:]moves[@cursor]` (see `engine/src/notation/link.rs`). Throws a `GameError`. @param {string} link */
export function readGame(link) {
  // The tags of the game follow.
  const [game] = link.split('&', 1);
  const [, start, body, path] = /^#?(?:([^:@]*):)?([^@]*)(?:@(.*))?$/s.exec(game) ?? [];
  if (body === undefined || (start !== undefined && !/^[-XO]{64}[XO]$/i.test(start)))
    throw new GameError('element.invalid', { text: start ?? link });
  const root = node(start?.toUpperCase() ?? START);
  let at = root;
  const open = [];
  for (const [token, move, comment, bracket, other] of body.matchAll(TOKEN)) {
    if (other) throw new GameError('element.invalid', { text: other });
    if (comment !== undefined) at.comment += decoded(comment);
    else if (bracket === '(' && at.parent) {
      open.push(at);
      at = at.parent;
    } else if (bracket) at = open.pop() ?? at;
    else if (move && move.toLowerCase() !== 'pa') {
      const next = playFrom(at, move.toLowerCase());
      if (!next) throw new GameError('element.illegal', { n: at.ply + 1, move: token });
      at = next;
    }
  }
  return { root, cursor: path === undefined ? null : nodeAt(root, path) };
}

function decoded(comment) {
  try {
    return decodeURIComponent(comment.replaceAll('+', ' '));
  } catch {
    return comment;
  }
}

/** The node at the end of a path: moves along first children, the index of a child, moves, and so on. */
function nodeAt(root, path) {
  let at = root;
  for (const [i, number] of path.split('.').map(Number).entries())
    for (let steps = i % 2 === 0 ? number : 1; steps > 0; steps--)
      at = at.children[i % 2 === 0 ? 0 : number] ?? at;
  return at;
}

/** @param {GameNode} from */
function pathOf(from) {
  let [path, run] = ['', 0];
  for (let at = from; at.parent; at = at.parent) {
    const index = at.parent.children.indexOf(at);
    if (index > 0) [path, run] = [`.${index}.${run}${path}`, 0];
    else run += 1;
  }
  return run + path;
}

const written = ({ move, comment }) => {
  const escaped = (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`;
  const text = encodeURIComponent(comment)
    .replaceAll('%20', '+')
    .replaceAll(/[~!*'()]/g, escaped);
  return `${move ?? ''}${text && `~${text}~`}`;
};

/** @param {GameNode} from */
const lineText = (from) =>
  lineFrom(from)
    .slice(1)
    .map((at) => {
      const others = /** @type {GameNode} */ (at.parent).children.slice(1);
      return written(at) + others.map((other) => `(${written(other)}${lineText(other)})`).join('');
    })
    .join('');

/** Writes a link with the cursor at a node. @param {GameNode} root @param {GameNode} cursor */
export function writeLink(root, cursor) {
  const start = root.position === START ? '' : `${root.position}:`;
  return `${start}${written(root)}${lineText(root)}@${pathOf(cursor)}`;
}
