// The games of `<outflank-board>`: its rules and links are those of the module.

import assert from 'node:assert/strict';
import test from 'node:test';
import { afterMove, legalMoves, readGame, writeLink } from '../../../web/npm/game.js';
import { START, squareName } from '../../../www/js/base/position.js';
import { Tree } from '../../../www/js/model/tree.js';
import { dice } from '../harness/dice.js';
import { rules } from '../rules.js';

test('moves, discs and passes of random games are those of the module', () => {
  const random = dice(67);
  for (let game = 0; game < 40; game++) {
    for (let position = START; ; ) {
      const { legal, over } = rules.look(position);
      assert.deepEqual(legalMoves(position), Array.from(legal), position);
      if (over) break;
      const square = legal[random(legal.length)];
      const next = rules.play(position, squareName(square)).position;
      assert.equal(afterMove(position, square), next, `${position} ${square}`);
      position = next;
    }
  }
  assert.equal(afterMove(START, 0), null);
});

/** The tree of the module as the element has it. */
const shape = ({ move, position, comment, children }) => ({
  move,
  position,
  comment,
  children: children.map(shape),
});

test('links of random trees with comments are read and written as by the module', () => {
  const random = dice(4);
  const pick = (list) => list[random(list.length)];
  for (let turn = 0; turn < 60; turn++) {
    const tree = new Tree(rules, turn % 3 === 0 ? `${START.slice(0, 64)}O` : START);
    for (let moves = 0; moves < turn; moves++) {
      const node = pick([...tree.nodes()]);
      const { legal, over } = rules.look(node.position);
      if (!over) tree.play(node, squareName(pick(legal)));
      if (moves % 7 === 0) node.comment = `${turn}: "50%" (or ~2) + 黒の好手! *'`;
    }
    const node = pick([...tree.nodes()]);
    const link = tree.link(node);
    const { root, cursor } = readGame(link);
    assert.deepEqual(shape(root), shape(tree.root), link);
    if (!cursor) continue;
    assert.deepEqual([cursor.ply, cursor.position], [node.ply, node.position], link);
    assert.equal(writeLink(root, cursor), link);
  }
  assert.equal(readGame('#f5d6@1&black=Ann').cursor.move, 'f5');
  assert.deepEqual(shape(readGame('#F5 D6/-3.00/5;, c3').root), shape(new Tree(rules, 'f5d6c3').root));
});

test('an invalid game is refused with its place', () => {
  assert.throws(() => readGame('f5d6a1'), { code: 'element.illegal', args: { n: 3, move: 'a1' } });
  for (const [link, text] of Object.entries({ 'f5?': '?', 'XXX:f5': 'XXX', hello: 'h' }))
    assert.throws(() => readGame(link), { code: 'element.invalid', args: { text } }, link);
  for (const link of 'f5)d6 f5(d6 (f5) f5@9.9.9 f5@x ~%E0%A4%A~f5 )))) @ :'.split(' '))
    try {
      readGame(link);
    } catch (error) {
      assert.match(error.code, /^element\./, link);
    }
});
