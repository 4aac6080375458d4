// The native engine, controlled by protocol lines.

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The command of the program, or the one that builds and runs it, from the root of the repository. */
export const program = () =>
  process.env.OUTFLANK_NATIVE
    ? [process.env.OUTFLANK_NATIVE]
    : ['cargo', 'run', '--quiet', '--package', 'outflank-cli', '--'];

/**
 * Returns the answers to some lines, up to the first answer that matches `last`.
 * @param {string[]} options of the program @param {string[]} lines @param {RegExp} last
 * @returns {Promise<string[]>}
 */
export async function askNative(options, lines, last) {
  const [command, ...before] = program();
  const child = spawn(command, [...before, ...options], { cwd: ROOT, stdio: ['pipe', 'pipe', 'inherit'] });
  try {
    child.stdin.write(`${lines.join('\n')}\n`);
    const said = [];
    for await (const line of createInterface({ input: child.stdout })) {
      said.push(line);
      if (last.test(line)) return said;
    }
    throw new Error(`the native engine ended after ${JSON.stringify(said)}`);
  } finally {
    child.kill();
  }
}
