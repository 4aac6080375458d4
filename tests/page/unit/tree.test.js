// The tree and its cursor: random changes, compared with a plain tree.

import assert from 'node:assert/strict';
import test from 'node:test';

import { START, squareName } from '../../../www/js/base/position.js';
import { Study } from '../../../www/js/model/study.js';
import { Tree } from '../../../www/js/model/tree.js';
import { dice } from '../harness/dice.js';
import { rulesInNode } from '../rules.js';

const rules = await rulesInNode();

/** A position with about eight moves left, so that different ways meet. */
function lateStart() {
  const roll = dice(5);
  let at = START;
  for (let ply = 0; ply < 52; ply++) {
    const { legal } = rules.look(at);
    at = rules.play(at, squareName(legal[roll(legal.length)])).position;
  }
  return at;
}

const LATE = lateStart();

/** A plain tree: `[move, ...children]` with a comment, the first child being the main line. */
const planted = (move, comment = '', children = []) => Object.assign([move, ...children], { comment });
const plain = ({ move, comment, children }) => planted(move, comment, children.map(plain));
const childOf = (tree, move) => tree?.slice(1).find(([name]) => name === move);
const find = (tree, path) => path.reduce(childOf, tree);

/** The path continued by first children. */
function on(tree, path) {
  const whole = [...path];
  for (let at = find(tree, path); at.length > 1; at = at[1]) whole.push(at[1][0]);
  return whole;
}

/** A study and its plain form: `tree` and `path`. Every way changes both. */
function paired(roll) {
  const study = new Study(rules);
  study.load(new Tree(rules, LATE));
  const it = { study, tree: planted(null), path: [] };
  const undos = [];
  const redos = [];
  const changed = (tree) => {
    undos.push({ tree, path: it.path });
    redos.length = 0;
  };
  /** A change of the plain tree that can be undone. */
  const change = (make) => {
    const before = structuredClone(it.tree);
    make();
    if (JSON.stringify(before) !== JSON.stringify(it.tree)) changed(before);
  };
  const anyNode = () => {
    const nodes = [...study.tree.nodes()];
    return nodes[roll(nodes.length)];
  };
  /** Up to `most` legal moves. */
  const someMoves = (most) => {
    const moves = [];
    let at = study.position;
    for (let n = roll(most) + 1; n > 0 && !rules.look(at).over; n--) {
      const { legal } = rules.look(at);
      moves.push(squareName(legal[roll(legal.length)]));
      at = rules.play(at, moves.at(-1)).position;
    }
    return moves;
  };
  const go = (node, path) => {
    study.go(node);
    it.path = path;
  };
  const ways = {
    play() {
      const moves = someMoves(roll(2) ? 1 : 4);
      if (moves.length === 0) return;
      change(() => {
        let at = find(it.tree, it.path);
        for (const move of moves) {
          if (!childOf(at, move)) at.push(planted(move));
          at = childOf(at, move);
        }
      });
      study.play(...moves);
      it.path = [...it.path, ...moves];
    },
    faultyLine: () => assert.throws(() => study.play(...someMoves(3), 'nowhere')),
    forward: () => go(study.node.children[0], on(it.tree, it.path).slice(0, it.path.length + 1)),
    back: () => go(study.node.parent, it.path.slice(0, -1)),
    first: () => go(study.tree.root, []),
    last: () => go(study.line.at(-1), on(it.tree, it.path)),
    go() {
      const node = anyNode();
      go(node, node.moves);
    },
    sibling() {
      const step = roll(2) ? 1 : -1;
      study.sibling(step);
      if (it.path.length === 0) return;
      const [, ...siblings] = find(it.tree, it.path.slice(0, -1));
      const at = siblings.findIndex(([move]) => move === it.path.at(-1)) + step + siblings.length;
      it.path = [...it.path.slice(0, -1), siblings[at % siblings.length][0]];
    },
    load() {
      if (roll(4) > 0) return;
      changed(it.tree);
      study.load(new Tree(rules, LATE));
      Object.assign(it, { tree: planted(null), path: [] });
    },
    comment() {
      const comment = `note ${undos.length}`;
      if (study.node.comment !== comment) changed(structuredClone(it.tree));
      study.comment(study.node, comment);
      find(it.tree, it.path).comment = comment;
    },
    remove() {
      const node = anyNode();
      const gone = node.moves;
      study.remove(node);
      if (gone.length === 0) return;
      change(() => {
        const parent = find(it.tree, gone.slice(0, -1));
        parent.splice(parent.indexOf(childOf(parent, gone.at(-1))), 1);
      });
      if (gone.every((move, i) => it.path[i] === move)) it.path = gone.slice(0, -1);
    },
    promote() {
      const node = anyNode();
      const { moves } = node;
      study.promote(node);
      change(() => {
        for (const [n, move] of moves.entries()) {
          const parent = find(it.tree, moves.slice(0, n));
          parent.splice(1, 0, ...parent.splice(parent.indexOf(childOf(parent, move)), 1));
        }
      });
    },
    undo() {
      if (undos.length === 0) return;
      assert.ok(study.undo());
      redos.push({ tree: it.tree, path: it.path });
      Object.assign(it, undos.pop());
    },
    redo() {
      assert.equal(study.redo() !== null, redos.length > 0, 'a new change removes the redo steps');
      if (redos.length === 0) return;
      undos.push({ tree: it.tree, path: it.path });
      Object.assign(it, redos.pop());
    },
  };
  return Object.assign(it, { ways, undos, redos });
}

test('random changes and moves in a tree match a plain one, and all can be undone and redone', () => {
  for (let seed = 1; seed <= 40; seed++) {
    const roll = dice(seed);
    const it = paired(roll);
    const { study, ways } = it;
    const names = Object.keys(ways);
    for (let step = 0; step < 150; step++) {
      const name = names[roll(names.length)];
      ways[name]();
      const where = `seed ${seed}, step ${step}, ${name}`;
      assert.deepEqual(plain(study.tree.root), it.tree, where);
      assert.deepEqual(study.node.moves, it.path, where);
      assert.deepEqual(study.line.at(-1).moves, on(it.tree, it.path), where);
      assert.deepEqual(study.tree.main.at(-1).moves, on(it.tree, []), where);
    }
    for (const way of ['undo', 'redo'])
      while (it[`${way}s`].length > 0) {
        ways[way]();
        assert.deepEqual(plain(study.tree.root), it.tree, `seed ${seed}, ${way} of all`);
      }
  }
});
