// The tree and its cursor: the results of single changes, and random changes that are undone and redone.

import assert from 'node:assert/strict';
import test from 'node:test';

import { Study } from '../../../www/js/model/study.js';
import { Tree } from '../../../www/js/model/tree.js';
import { randomGame } from '../harness/board.js';
import { dice } from '../harness/dice.js';
import { rules } from '../rules.js';

const stateOf = ({ node, tree }) => tree.link(node);
const nodeOf = ({ tree }, moves) => [...tree.nodes()].find((node) => node.moves.join('') === moves);

test('moves, removals, promotions and comments change the tree and the cursor as expected', () => {
  const link = 'f5d6(f4~narrow~e3(d3))(f6)c3d3@2';
  // A change, its moves or number, the link after it, and the step that is undone.
  for (const row of `play c3,d3 f5d6(f4~narrow~e3(d3))(f6)c3d3@4 undo.load
    play c4 f5d6(f4~narrow~e3(d3))(f6)c3(c4)d3@2.1.0 undo.move
    play c3,d3,c4,f4 f5d6(f4~narrow~e3(d3))(f6)c3d3c4f4@6 undo.line
    go f5d6c3d3 f5d6(f4~narrow~e3(d3))(f6)c3d3@4 undo.load
    go nowhere f5d6(f4~narrow~e3(d3))(f6)c3d3@2 undo.load
    sibling 1 f5d6(f4~narrow~e3(d3))(f6)c3d3@1.1.0 undo.load
    sibling -1 f5d6(f4~narrow~e3(d3))(f6)c3d3@1.2.0 undo.load
    remove f5 - undo.delete
    remove f5f4e3 f5d6(f4~narrow~d3)(f6)c3d3@2 undo.delete
    remove start f5d6(f4~narrow~e3(d3))(f6)c3d3@2 undo.load
    promote f5f4d3 f5f4~narrow~(d6c3d3)(f6)d3(e3)@1.1.0 undo.promote
    comment f5d6 f5d6~wide~(f4~narrow~e3(d3))(f6)c3d3@2 undo.comment`.split(/\n\s*/)) {
    const [change, at, expected, step] = row.split(' ');
    const study = new Study(rules);
    const tree = new Tree(rules, link);
    study.load(tree, tree.cursor);
    // An illegal line changes nothing.
    assert.throws(() => study.play('c4', 'nowhere'));
    const node = nodeOf(study, at.replace('start', '')) ?? null;
    const words = { play: at.split(','), sibling: [Number(at)] }[change] ?? [node, 'wide'];
    study[change](...words);
    assert.equal(stateOf(study) || '-', expected, row);
    assert.equal(study.undo(), step);
  }
});

const shape = ({ move, comment, children }) => [move, comment, children.map(shape)];

test('random changes are those of the module, and all can be undone and redone', () => {
  // Few moves are left, so that different ways meet.
  const { board, side } = randomGame(dice(5), 8);
  const late = board.write() + (side === 1 ? 'X' : 'O');
  for (let seed = 1; seed <= 20; seed++) {
    const roll = dice(seed);
    const of = (all) => all[roll(all.length)];
    const study = new Study(rules);
    study.load(new Tree(rules, late));
    const anyNode = () => of([...study.tree.nodes()]);
    const play = () => {
      const moves = rules.moves(study.position);
      if (moves.length > 0) study.play(of(moves));
    };
    const ways = [
      ...[play, play, play, play],
      () => study.go(anyNode()),
      () => study.remove(anyNode()),
      () => study.promote(anyNode()),
      () => study.comment(study.node, `note ${roll(9)}`),
      () => roll(4) || study.load(new Tree(rules, late)),
      () => study.undo(),
      () => study.redo(),
    ];
    for (let step = 0; step < 100; step++) {
      of(ways)();
      const { cursor, root } = new Tree(rules, stateOf(study) || late);
      assert.deepEqual([shape(root), cursor?.moves ?? []], [shape(study.tree.root), study.node.moves]);
    }
    // A change after an undo ends what can be redone.
    study.comment(study.node, 'the last change');
    const states = [];
    do states.push(stateOf(study));
    while (study.undo());
    assert.equal(states.pop(), '');
    while (study.redo()) assert.equal(stateOf(study), states.pop());
    assert.equal(states.length, 0);
  }
});
