// A plain static host for `dist/` or another folder, without additional headers. A test may change its files or replace its answers.

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the built page: that of `cargo xtask test`, or `dist/`. */
export const DIST = process.env.OUTFLANK_PAGE
  ? `${process.env.OUTFLANK_PAGE}/`
  : fileURLToPath(new URL('../../../dist/', import.meta.url));

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
};

export const sha = (bytes) => createHash('sha256').update(bytes).digest('hex');

export const versionOf = (files) =>
  sha(Object.entries(files).reduce((all, [path, digest]) => `${all}${path} ${digest}\n`, ''));

export const ISOLATED = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
};

/** Starts a host. `headers` are those of every answer, `change` has functions that change texts by the paths of their files, `below`
 *  is the path of the folder with a slash at its end, `types` replace the usual ones. `instead` may return another answer for a
 *  path: `{ status, headers, body }`. `asked` are the paths so far. */
export async function startStatic({
  headers = {},
  change = {},
  types = {},
  instead = () => null,
  folder = DIST,
  below = '',
} = {}) {
  const asked = [];
  const known = { ...TYPES, ...types };
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    const whole = normalize(decodeURIComponent(pathname)).replace(/^\//, '');
    asked.push(whole || 'index.html');
    try {
      if (!whole.startsWith(below)) throw new Error('outside');
      const path = whole.slice(below.length) || 'index.html';
      if (path.startsWith('..')) throw new Error('outside');
      const other = await instead(path);
      if (other) {
        response.writeHead(other.status ?? 200, other.headers ?? {}).end(other.body ?? '');
        return;
      }
      const built = await readFile(join(folder, path));
      const body = change[path]?.(String(built)) ?? built;
      if (change[path] && body === String(built)) throw new Error(`${path} has nothing to change`);
      const type = known[extname(path)] ?? 'application/octet-stream';
      response.writeHead(200, { 'content-type': type, 'cache-control': 'no-cache', ...headers }).end(body);
    } catch (error) {
      response.writeHead(404, headers).end(String(error));
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = server.address();
  return {
    address: `http://127.0.0.1:${port}`,
    asked,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(() => resolve(undefined)));
    },
  };
}
