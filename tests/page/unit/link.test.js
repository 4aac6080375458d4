// Links: the study in the address, and the errors of invalid links.

import assert from 'node:assert/strict';
import test from 'node:test';
import { START } from '../../../www/js/base/position.js';
import { restoreLink } from '../../../www/js/io/load.js';
import { Tree } from '../../../www/js/model/tree.js';
import { GAME } from '../hands.js';
import { rulesInNode } from '../rules.js';

const rules = await rulesInNode();

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
