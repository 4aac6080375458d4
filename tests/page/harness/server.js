// The real server of `cargo xtask serve`, with the files of `dist/`.

import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Starts the server on a free port, or finds that of `run.js`.
 *  @returns {Promise<{address: string, stop: () => Promise<void>}>} `address` ends without a slash */
export async function startServer() {
  if (process.env.OUTFLANK_SITE) return { address: process.env.OUTFLANK_SITE, stop: async () => {} };
  const built = process.env.OUTFLANK_XTASK;
  const [command, ...args] = built ? [built] : ['cargo', 'run', '--quiet', '--package', 'xtask', '--'];
  const child = spawn(command, [...args, 'serve', '--port', '0', '--no-build'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
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
