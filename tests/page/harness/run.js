// Runs files of tests with one server and one browser for all of them:
//
//   node tests/page/harness/run.js [OPTION OF NODE]... FILE...
//
// `stage` and `hosting` find both by their environment variables. Output and exit status are those of `node --test`.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { chromium } from 'playwright-core';

import { browserOptions, HANG_MS } from './browser.js';
import { startServer } from './server.js';

// Each file waits for the browser most of the time.
const concurrency = `--test-concurrency=${availableParallelism() + 1}`;
const [server, browser] = await Promise.all([startServer(), chromium.launchServer(browserOptions())]);
const env = { ...process.env, OUTFLANK_SITE: server.address, OUTFLANK_BROWSER: browser.wsEndpoint() };
const words = ['--test', concurrency, `--test-timeout=${6 * HANG_MS}`, ...process.argv.slice(2)];
const [status] = await once(spawn(process.execPath, words, { stdio: 'inherit', env }), 'exit');
await Promise.all([browser.close(), server.stop()]);
process.exitCode = status ?? 1;
