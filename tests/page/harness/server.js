// The server of the program, with the built page.

import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { DIST } from './static.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
/** The program, or the command that builds and runs it. */
const PROGRAM = process.env.OUTFLANK_NATIVE
  ? [process.env.OUTFLANK_NATIVE]
  : ['cargo', 'run', '--quiet', '--package', 'outflank-cli', '--'];

export const TOKEN = 'token-of-the-page-tests';

/** Starts the server on a free port, or finds that of `run.js`. Its address ends without a slash.
 *  @param {string[]} [options] of a separate server */
export async function startServer(options) {
  if (process.env.OUTFLANK_SITE && !options)
    return { address: process.env.OUTFLANK_SITE, stop: async () => {} };
  const [command, ...args] = PROGRAM;
  const words = ['serve', '--port', '0', '--page', DIST, '--token', TOKEN, ...(options ?? [])];
  const child = spawn(command, [...args, ...words], { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  process.once('exit', () => child.kill());
  const address = await new Promise((resolve, reject) => {
    let text = '';
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`the server ended (${code}):\n${text}`)));
    child.stdout.on('data', (data) => {
      text += data;
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(text);
      if (found) resolve(found[0]);
    });
  });
  return {
    address,
    async stop() {
      child.kill();
      await ended;
    },
  };
}
