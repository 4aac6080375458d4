// The native engine, controlled by protocol lines.

import { fileURLToPath } from 'node:url';

import { talk } from '../../packages/unpacked.js';

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** The command of the program, or the one that builds and runs it, from the root of the repository. */
export const program = () =>
  process.env.OUTFLANK_NATIVE
    ? [process.env.OUTFLANK_NATIVE]
    : ['cargo', 'run', '--quiet', '--package', 'outflank-cli', '--'];

/** Returns the answers to some lines, up to the first answer that matches `last`.
 *  @param {string[]} options of the program @param {string[]} lines @param {RegExp} last @returns {Promise<string[]>} */
export async function askNative(options, lines, last) {
  const [command, ...before] = program();
  const engine = talk(command, [...before, ...options], { cwd: ROOT });
  engine.say(...lines);
  const said = [];
  try {
    do said.push(await engine.line(/./, 300_000));
    while (!last.test(said.at(-1)));
    return said;
  } finally {
    engine.kill();
  }
}
