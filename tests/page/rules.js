// The rules façade in Node: the built wasm module, for tests of page modules that ask it.

import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

import { Rules } from '../../www/js/model/rules.js';
import { DIST } from './harness/static.js';

const BUILT = pathToFileURL(DIST);
const glue = await import(new URL('engine/rules.js', BUILT));
glue.initSync({ module: readFileSync(new URL('engine/rules_bg.wasm', BUILT)) });
export const rules = new Rules(glue);
