// Runs files of tests with one server and one browser for all of them:
//
//   node tests/page/harness/run.js [OPTION OF NODE]... FILE...
//
// `stage.js` finds both by their environment variables. Several files share a process, because each process needs half a
// second of processor time. Output and exit status are those of `node --test`.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

import { browserOptions, HANG_MS } from './browser.js';
import { startServer } from './server.js';

const isFile = (word) => word.endsWith('.js');
const words = process.argv.slice(2);
const imports = words.filter(isFile).map((file) => `import '${pathToFileURL(file)}';\n`);
// Each process waits for the browser most of the time.
const count = Math.min(availableParallelism() + 1, imports.length);
const folder = mkdtempSync(join(tmpdir(), 'outflank-tests-'));
const modules = Array.from({ length: count }, (_, number) => join(folder, `${number}.test.mjs`));
for (const [number, file] of modules.entries())
  writeFileSync(file, imports.filter((_, at) => at % count === number).join(''));
const [server, browser] = await Promise.all([startServer(), chromium.launchServer(browserOptions())]);
const env = { ...process.env, OUTFLANK_SITE: server.address, OUTFLANK_BROWSER: browser.wsEndpoint() };
const options = ['--test', `--test-concurrency=${count}`, `--test-timeout=${24 * HANG_MS}`];
const all = [...options, ...words.filter((word) => !isFile(word)), ...modules];
const [status] = await once(spawn(process.execPath, all, { stdio: 'inherit', env }), 'exit');
await Promise.all([browser.close(), server.stop()]);
rmSync(folder, { recursive: true });
process.exitCode = status ?? 1;
