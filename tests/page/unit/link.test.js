// Links: the study in the address, and the errors of invalid links.

import assert from 'node:assert/strict';
import test from 'node:test';
import { START } from '../../../www/js/base/position.js';
import { takeLink, takeText } from '../../../www/js/io/load.js';
import { readLink, restoreLink, writeLink } from '../../../www/js/model/link.js';
import { readMarks, signOf, toggleMark, writeMarks } from '../../../www/js/model/marks.js';
import { Study } from '../../../www/js/model/study.js';
import { Tree } from '../../../www/js/model/tree.js';
import { GAME } from '../hands.js';
import { appInNode } from '../harness/app.js';
import { rules } from '../rules.js';

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

test('a link has the names of the players and a question, also one that a messenger recoded', () => {
  const names = { black: 'Ann & [Bo] 50%', white: '村上 健' };
  const tags = { ...names, date: '2026-11-27', place: '#1', given: 3, ask: 'best' };
  const tree = new Tree(rules, { start: START, moves: 'f5d6c3' }, tags);
  const link = writeLink(tree, tree.main[1]);
  assert.match(link, /^f5d6c3@1&black=Ann%20%26%20/);
  for (const sent of [link, encodeURIComponent(link)]) {
    const read = readLink(rules, sent);
    assert.deepEqual([read.tags, read.cursor.ply], [tags, 1], sent);
  }
  assert.deepEqual(readLink(rules, 'f5&black=&white=%20&x=1&given=61&date=2026').tags, { date: '2026' });
  assert.equal(writeLink(new Tree(rules, START, tags)), '');
  const own = new Tree(rules, 'f5', { black: 'You', white: 'Bo' });
  assert.equal(writeLink(own, undefined, 'You'), 'f5&white=Bo');
});

test('a transcript in the address opens up to its error, a finished game is analyzed, and a fault goes with the next link', async () => {
  const study = new Study(rules);
  const calls = [];
  const app = {
    rules,
    study,
    words: { t: (key) => key, has: () => false },
    notices: {
      show: (text, { key }) => calls.push(`${text} ${key}`),
      close: (key) => calls.push(`close ${key}`),
    },
    loadTree: (tree, node) => study.load(tree, node),
    fail: (error, key) => calls.push(`${error.code} ${key}`),
    analyzeReceived: (stays) => calls.push(`analyze ${stays}`),
  };
  for (const [link, expected] of [
    ['f5?', 'false ,link-text link'],
    ['f5d6a1', 'true f5d6,games.cut link'],
    // Another game is not replaced.
    ['f5a1a2', 'false f5d6,illegal link'],
    ['f5f6', 'true f5f6,close link'],
    [GAME, `true ${GAME},close link,analyze false`],
    [`${GAME}@3`, `true ${GAME.slice(0, 6)},close link,analyze true`],
  ]) {
    calls.length = 0;
    const isOpen = await takeLink(app, link);
    assert.equal(`${isOpen} ${[study.node.moves.join(''), ...calls]}`, expected, link);
  }
});

test('a notice names the parts of a text that no game contains', async (t) => {
  const app = await appInNode(t);
  app.saveGames = () => {};
  for (const text of ['Round 3\nf5d6', '【Ann】f5d6\n【Bob】e6f4', 'f5d6']) assert.ok(takeText(app, text));
  assert.deepEqual(app.shown, [
    'Not kept: `Round 3`',
    '2 games read; the first is on the board; Not kept: `【Ann】`; `【Bob】`',
  ]);
});

test('marks are in comments: they are toggled, and other commands stay', () => {
  const first = writeMarks('good [%lb f5:A]', { marks: ['Gf5'] });
  assert.equal(first, 'good [%csl Gf5][%lb f5:A]');
  const { marks } = readMarks(first);
  const second = writeMarks(first, { marks: toggleMark(toggleMark(marks, 'Ra1b2'), 'Bf5') });
  assert.equal(second, 'good [%csl Bf5][%cal Ra1b2][%lb f5:A]');
  assert.deepEqual(readMarks(second), { text: 'good', marks: ['Bf5', 'Ra1b2'], others: ['[%lb f5:A]'] });
  assert.equal(writeMarks(second, { text: 'x', marks: toggleMark(['Bf5'], 'Bf5') }), 'x [%lb f5:A]');
  assert.deepEqual(readMarks('[%csl Gi9,Gf5,Xa1] y').marks, ['Gf5']);
  const signs = ['bad [%sign ??]', '[%csl Gf5][%sign !?]', '[%sign <b>]', '?'].map(signOf);
  assert.equal(signs.join(), '??,!?,,');
});
