// The rules façade in Node: the built wasm module, for tests of page modules that ask it.

import { readFileSync } from 'node:fs';

import { Rules } from '../../www/js/model/rules.js';

const DIST = new URL('../../dist/', import.meta.url);

export async function rulesInNode() {
  const glue = await import(new URL('engine/rules.js', DIST));
  glue.initSync({ module: readFileSync(new URL('engine/rules_bg.wasm', DIST)) });
  return new Rules(glue);
}
