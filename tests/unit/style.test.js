// The style sheets use three radii, four sizes of text and one scale of distances.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const folder = new URL('../../www/style/', import.meta.url);
const sheets = Object.fromEntries(
  readdirSync(folder).map((name) => [
    name,
    readFileSync(new URL(name, folder), 'utf8').replace(/\/\*.*?\*\//gs, ''),
  ]),
);
const root = /:root \{(.*?)\}/s.exec(sheets['base.css'])?.[1] ?? '';
/** Names of the tokens that match. @param {RegExp} pattern */
const tokens = (pattern) =>
  [...root.matchAll(/--([\w-]+):/g)].map(([, name]) => name).filter((name) => pattern.test(name));

const KINDS = {
  radius: { property: /^border(-\w+)*-radius$/, token: /^r\d$/, count: 3 },
  text: { property: /^(font|font-size)$/, token: /^(t\d|on-(value|mark))$/, count: 6 },
  distance: { property: /^(gap|(row|column)-gap|(padding|margin)(-\w+)*)$/, token: /^(s\d|hair)$/, count: 7 },
};

test('the tokens are three radii, four sizes of text besides two of the squares, and one scale', () => {
  for (const [kind, { token, count }] of Object.entries(KINDS))
    assert.equal(tokens(token).length, count, kind);
  const scale = tokens(/^s\d$/).map((name) => Number(new RegExp(`--${name}: (\\d+)px`).exec(root)?.[1]));
  assert.deepEqual(scale, [2, 4, 8, 12, 16, 24]);
});

test('radii, sizes of text and distances are tokens', () => {
  const found = [];
  for (const [name, sheet] of Object.entries(sheets)) {
    // Paper is measured in millimeters.
    if (name === 'print.css') continue;
    for (const [rule, property, value] of sheet.matchAll(/(?<=[{;]\s*)([a-z-]+)\s*:\s*([^;{}]+)/g)) {
      const kind = Object.values(KINDS).find((kind) => kind.property.test(property));
      if (!kind) continue;
      const left = value
        .replace(/var\(--([\w-]+)\)/g, (whole, token) =>
          kind.token.test(token) || /^(target|edge|width)$/.test(token) ? '' : whole,
        )
        .replace(/env\([\w-]+\)/g, '');
      if (/var\(|\d(px|r?em|pt|vw|vh|dvh|ch)\b/.test(left)) found.push(`${name}: ${rule}`);
    }
  }
  assert.deepEqual(found, []);
});
