// The fragment of a link to the page: a tree as `engine/src/notation/link.rs` writes it, then the tags of the game as `&name=value`.
// With the tag `ask` the link is a question: the reader looks for the best move at its cursor.

import { givenOf, lineOf } from './game-record.js';
import { Tree } from './tree.js';

const TAGS = ['black', 'white', 'date', 'place', 'given', 'ask'];

/** Restores a link changed by a messenger: some encode its signs, such as `~` and `(`, some also every percent sign.
 *  @param {string} fragment */
export function restoreLink(fragment) {
  if (/[~&]/.test(fragment) || !/%(2[68]|40|[5-7][0-9a-f])/i.test(fragment)) return fragment;
  const all = !/%(?!25[0-9a-f]{2}|7e|2[689b]|3[ad]|40)/i.test(fragment);
  return all ? decodeURIComponent(fragment) : fragment.replace(/%(7e|2[89b]|3a|40)/gi, decodeURIComponent);
}

/** The link of a tree with the cursor at a node. Empty for a tree without moves and comments from the usual start.
 *  @param {Tree} tree @param {TreeNode} [node] @param {string} [you] the name of the user in matches, which is omitted */
export function writeLink(tree, node, you) {
  const link = tree.link(node);
  const tags = TAGS.flatMap((tag) => {
    const value = tree.tags?.[tag];
    return value && value !== you ? `&${tag}=${encodeURIComponent(value)}` : [];
  });
  return link && link + tags.join('');
}

/** The tree of a link. Throws a `CodedError` if it is invalid. @param {Rules} rules @param {string} fragment */
export function readLink(rules, fragment) {
  const [link, ...rest] = restoreLink(fragment).split('&');
  const found = new URLSearchParams(rest.join('&'));
  const read = (tag) => (tag === 'given' ? givenOf(Number(found.get(tag))) : lineOf(found.get(tag)));
  const tags = TAGS.map((tag) => [tag, read(tag)]).filter(([, value]) => value);
  return new Tree(rules, link, Object.fromEntries(tags));
}
