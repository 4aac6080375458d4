// Links: the study in the address, and the errors of invalid links.

import assert from 'node:assert/strict';
import test from 'node:test';
import { START, squareName } from '../../www/js/base/position.js';
import { restoreLink } from '../../www/js/io/load.js';
import { readRecord } from '../../www/js/model/game-record.js';
import { gameOf, treeOf } from '../../www/js/model/game-tree.js';
import { Tree } from '../../www/js/model/tree.js';
import { dice } from '../harness/small-game.js';
import { GAME } from './hands.js';
import { rulesInNode } from './rules.js';

const rules = await rulesInNode();

/** The tree in a form that can be compared. */
const shape = (node) => [node.move, node.comment, node.children.map(shape)];

test('a link recoded by a messenger is the same study', () => {
  const tree = new Tree(rules, { start: START, moves: GAME });
  for (const comment of ['50% of it (or so)', '100%', '黒の好手 90%', 'plain']) {
    tree.main[12].comment = comment;
    const link = tree.link(tree.main[3]);
    const signs = link.replace(/[~():@+]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
    const all = encodeURIComponent(link).replaceAll('~', '%7E').replaceAll('(', '%28').replaceAll(')', '%29');
    for (const recoded of [link, signs, all])
      assert.equal(new Tree(rules, restoreLink(recoded)).main[12].comment, comment, recoded);
  }
});

test('a study with long comments is restored from its stored link', () => {
  const tree = new Tree(rules, { start: START, moves: GAME });
  for (const node of tree.main.slice(1, 31)) node.comment = '黒'.repeat(2000);
  const game = gameOf(tree);
  assert.ok(game.tree.length > 500_000, `${game.tree.length} characters`);
  const again = treeOf(rules, readRecord({ ...game, added: 1 }));
  assert.deepEqual(shape(again.root), shape(tree.root));
});

test('a plain transcript is a link, with the cursor at its end', () => {
  const tree = new Tree(rules, '#f5d6C3');
  assert.deepEqual(tree.cursor.moves, ['f5', 'd6', 'c3']);
  assert.equal(tree.main.length, 4);
  assert.equal(new Tree(rules, 'f5d6c3@1').cursor.move, 'f5');
});

test('a link contains a cursor at the start', () => {
  const tree = new Tree(rules, { start: START, moves: 'f5d6c3' });
  assert.equal(tree.link(tree.root), 'f5d6c3@0');
  assert.equal(new Tree(rules, 'f5d6c3@0').cursor.ply, 0);
  assert.equal(new Tree(rules, START).link(), '');
  const empty = new Tree(rules, START);
  assert.equal(empty.link(empty.root), '', 'the empty page has no fragment');
});

test('any tree is restored from its link, with the cursor at any node', () => {
  const random = dice(2024);
  const pick = (list) => list[random(list.length)];
  const signs = [..."a~()@:%+ \n黒é🟢'*!#&\u202e\0"];
  for (let round = 0; round < 150; round++) {
    // Some start elsewhere, after a few moves.
    let start = START;
    for (let i = random(2) * random(20); i > 0; i--) {
      const { legal } = rules.look(start);
      if (legal.length > 0) start = rules.play(start, squareName(pick(legal))).position;
    }
    const tree = new Tree(rules, start);
    const nodes = [tree.root];
    for (let i = random(90); i > 0; i--) {
      const from = random(3) === 0 ? pick(nodes) : nodes.at(-1);
      const { legal } = rules.look(from.position);
      if (legal.length === 0) continue;
      const { node, made } = tree.play(from, squareName(pick(legal)));
      if (made) nodes.push(node);
      if (random(4) === 0) node.comment = Array.from({ length: random(12) }, () => pick(signs)).join('');
    }
    if (random(3) === 0) tree.root.comment = 'the root ~ too';
    for (const node of [tree.root, pick(nodes), pick(nodes), nodes.at(-1)]) {
      const link = tree.link(node);
      assert.match(link, /^[\w~()@.%+:-]*$/);
      const again = new Tree(rules, link);
      assert.deepEqual(shape(again.root), shape(tree.root), link);
      assert.equal(again.root.position, start);
      assert.deepEqual(again.cursor.moves, node.moves, link);
      assert.equal(again.link(again.cursor), link);
    }
  }
});

test('a link is written for a comment with half a character', () => {
  const tree = new Tree(rules, { start: START, moves: 'f5' });
  tree.root.comment = 'half \ud83d of one';
  assert.equal(new Tree(rules, tree.link(tree.root)).root.comment, 'half \ufffd of one');
});

test('the fault of a link is named', () => {
  const faulty = {
    'f5d6?': 'link-text',
    'f5(d3': 'link-open',
    'f5)d6': 'link-text',
    '(f5)': 'link-text',
    'f5d6@9': 'link-cursor',
    'f5@x': 'link-cursor',
    'XXX:f5': 'link-position',
    'f5~%E0%A4%A~': 'link-comment',
  };
  for (const [link, code] of Object.entries(faulty))
    assert.throws(() => new Tree(rules, link), { code }, link);
  assert.throws(
    () => new Tree(rules, 'f5d6a1'),
    ({ code, args }) => code === 'illegal' && args.number === 3 && args.move === 'a1',
  );
});

test('any invalid text of a link throws a named error', () => {
  const random = dice(12345);
  const signs = 'abcdefgh12345678()~@.:%XO-+ ';
  for (let round = 0; round < 3000; round++) {
    let text = random(2) ? 'f5d6' : '';
    for (let i = random(24); i > 0; i--) text += signs[random(signs.length)];
    try {
      new Tree(rules, text);
    } catch (error) {
      assert.equal(typeof error.code, 'string', `${text}: ${error.stack}`);
    }
  }
});
