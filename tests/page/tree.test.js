// The tree and its cursor: random changes, compared with a plain tree.

import assert from 'node:assert/strict';
import test from 'node:test';

import { START, squareName } from '../../www/js/base/position.js';
import { Study } from '../../www/js/model/study.js';
import { Tree } from '../../www/js/model/tree.js';
import { dice } from '../harness/small-game.js';
import { rulesInNode } from './rules.js';

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
const find = (tree, path) => path.reduce((at, move) => at?.slice(1).find(([name]) => name === move), tree);
const copy = (tree) => structuredClone(tree);
const starts = (path, with_) => with_.every((move, i) => path[i] === move);

/** The path continued by first children. */
function on(tree, path) {
  const whole = [...path];
  for (let at = find(tree, path); at.length > 1; at = at[1]) whole.push(at[1][0]);
  return whole;
}

function grow(tree, path, moves) {
  let at = find(tree, path);
  for (const move of moves) {
    let next = at.slice(1).find(([name]) => name === move);
    if (!next) {
      next = planted(move);
      at.push(next);
    }
    at = next;
  }
}

test('random changes and moves in a tree match a plain one, and all can be undone and redone', () => {
  for (let seed = 1; seed <= 40; seed++) {
    const roll = dice(seed);
    const study = new Study(rules);
    study.load(new Tree(rules, LATE));
    let tree = planted(null);
    let path = [];
    /** The tree and the cursor after each undo, and after each redo. */
    const undos = [];
    let redos = [];
    const changed = (before = copy(tree)) => {
      undos.push({ tree: before, path });
      redos = [];
    };
    const legal = () => rules.look(study.position).legal.map(squareName);
    const ways = {
      play() {
        if (legal().length === 0) return;
        const move = legal()[roll(legal().length)];
        const to = [...path, move];
        const isNew = !find(tree, path)
          .slice(1)
          .some(([name]) => name === move);
        if (isNew) changed();
        grow(tree, path, [move]);
        study.play(move);
        path = to;
      },
      playLine() {
        const moves = [];
        let at = study.position;
        for (let n = roll(4); n >= 0 && !rules.look(at).over; n--) {
          const { legal } = rules.look(at);
          moves.push(squareName(legal[roll(legal.length)]));
          at = rules.play(at, moves.at(-1)).position;
        }
        const before = copy(tree);
        const from = path;
        grow(tree, path, moves);
        let known = 0;
        while (known < moves.length && find(before, [...from, ...moves.slice(0, known + 1)])) known++;
        if (known < moves.length) changed(before);
        study.play(...moves);
        path = [...from, ...moves];
      },
      faultyLine() {
        const moves = [];
        let at = study.position;
        for (let n = roll(3); n > 0 && !rules.look(at).over; n--) {
          moves.push(squareName(rules.look(at).legal.at(-1)));
          at = rules.play(at, moves.at(-1)).position;
        }
        assert.throws(() => study.play(...moves, 'nowhere'));
      },
      forward() {
        const [, child] = find(tree, path);
        if (child) path = [...path, child[0]];
        study.go(study.node.children[0]);
      },
      back() {
        path = path.slice(0, -1);
        study.go(study.node.parent);
      },
      first() {
        path = [];
        study.go(study.tree.root);
      },
      last() {
        path = on(tree, path);
        study.go(study.line.at(-1));
      },
      sibling() {
        const step = roll(2) ? 1 : -1;
        study.sibling(step);
        if (path.length === 0) return;
        const siblings = find(tree, path.slice(0, -1))
          .slice(1)
          .map(([name]) => name);
        const at = siblings.indexOf(path.at(-1)) + step + siblings.length;
        path = [...path.slice(0, -1), siblings[at % siblings.length]];
      },
      go() {
        const nodes = [...study.tree.nodes()];
        const node = nodes[roll(nodes.length)];
        study.go(node);
        path = node.moves;
      },
      load() {
        if (roll(4) > 0) return;
        changed();
        study.load(new Tree(rules, LATE));
        tree = planted(null);
        path = [];
      },
      comment() {
        const comment = `note ${undos.length}`;
        const { node } = study;
        if (node.comment !== comment) changed();
        study.comment(node, comment);
        find(tree, path).comment = comment;
      },
      remove() {
        const nodes = [...study.tree.nodes()];
        const node = nodes[roll(nodes.length)];
        const gone = node.moves;
        study.remove(node);
        if (gone.length === 0) return;
        changed();
        const parent = find(tree, gone.slice(0, -1));
        parent.splice(
          parent.findIndex((child, i) => i > 0 && child[0] === gone.at(-1)),
          1,
        );
        if (starts(path, gone)) path = gone.slice(0, -1);
      },
      promote() {
        const nodes = [...study.tree.nodes()];
        const node = nodes[roll(nodes.length)];
        const { moves, isMain } = node;
        study.promote(node);
        if (isMain) return;
        changed();
        for (let n = 0; n < moves.length; n++) {
          const parent = find(tree, moves.slice(0, n));
          const at = parent.findIndex((child, i) => i > 0 && child[0] === moves[n]);
          parent.splice(1, 0, ...parent.splice(at, 1));
        }
      },
      undo() {
        if (undos.length === 0) return;
        redos.push({ tree, path });
        assert.ok(study.undo());
        ({ tree, path } = undos.pop());
      },
      redo() {
        const next = redos.pop();
        assert.equal(study.redo() !== null, next !== undefined, 'a new change removes the redo steps');
        if (!next) return;
        undos.push({ tree, path });
        ({ tree, path } = next);
      },
    };
    const names = Object.keys(ways);
    for (let step = 0; step < 150; step++) {
      const name = names[roll(names.length)];
      ways[name]();
      const where = `seed ${seed}, step ${step}, ${name}`;
      assert.deepEqual(plain(study.tree.root), tree, where);
      assert.deepEqual(study.node.moves, path, where);
      assert.deepEqual(study.line.at(-1).moves, on(tree, path), where);
      assert.deepEqual(study.tree.main.at(-1).moves, on(tree, []), where);
    }
    for (const [way, left] of [
      ['undo', undos],
      ['redo', redos],
    ])
      while (left.length > 0) {
        ways[way]();
        assert.deepEqual(plain(study.tree.root), tree, `seed ${seed}, ${way} of all`);
      }
  }
});
