// Undo and redo of random changes of a study.

import assert from 'node:assert/strict';
import test, { before } from 'node:test';
import { START, squareName } from '../../www/js/base/position.js';
import { Study } from '../../www/js/model/study.js';
import { Tree } from '../../www/js/model/tree.js';
import { dice } from '../harness/small-game.js';
import { GAME } from './hands.js';
import { rulesInNode } from './rules.js';

let rules;
before(async () => {
  rules = await rulesInNode();
});

const shape = (node) => [node.move, node.comment, node.children.map(shape)];
const state = (study) => JSON.stringify([study.tree.root.position, shape(study.tree.root)]);

test('any changes are undone one by one and redone', () => {
  const random = dice(77);
  for (let round = 0; round < 40; round++) {
    const study = new Study(rules);
    const states = [state(study)];
    for (let i = 0; i < 60; i++) {
      const nodes = [...study.tree.nodes()];
      const node = nodes[random(nodes.length)];
      const kind = random(8);
      if (kind === 0 && random(4) === 0)
        study.load(Tree.fromGame(rules, { start: START, moves: GAME.slice(0, 2 * random(60)) }));
      else if (kind === 1) study.remove(node);
      else if (kind === 2) study.promote(node);
      else if (kind === 3) study.comment(node, `note ${i}`);
      else {
        if (kind > 5) study.go(node);
        const { legal } = rules.look(study.position);
        if (legal.length === 0) continue;
        const move = squareName(legal[random(legal.length)]);
        if (kind === 4) study.playLine([move]);
        else study.play(move);
      }
      if (state(study) !== states.at(-1)) states.push(state(study));
    }
    // A promotion or removal without effect is not a change, and neither is an existing move.
    const back = [];
    for (let at = states.length - 1; at > 0; ) {
      assert.ok(study.undo(), `${at} changes are left`);
      back.push(state(study));
      if (state(study) !== states[at]) at--;
      assert.equal(state(study), states[at]);
      assert.ok([...study.tree.nodes()].includes(study.node), 'the cursor is in the tree');
    }
    for (let at = 0; at < states.length - 1; ) {
      assert.ok(study.redo());
      if (state(study) !== states[at]) at++;
      assert.equal(state(study), states[at]);
      assert.ok([...study.tree.nodes()].includes(study.node), 'the cursor is in the tree');
    }
    // Half of the steps again.
    for (let i = 0; i < states.length / 2; i++) study.undo();
    while (study.redo());
    assert.equal(state(study), states.at(-1));
  }
});

test('a new change removes the redo steps', () => {
  const study = new Study(rules);
  study.play('f5');
  study.undo();
  study.play('d3');
  assert.equal(study.redo(), null);
  assert.equal(study.undo(), 'undo.move');
  assert.equal(study.redo(), 'undo.move');
  assert.equal(study.node.move, 'd3');
});
