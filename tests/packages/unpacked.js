// The packages of `cargo xtask package`, unpacked in empty folders.

import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { HANG_MS, launchBrowser } from '../page/harness/browser.js';
import { sha, startStatic } from '../page/harness/static.js';
import { pattern } from '../page/harness/transcript.js';

const FOLDER =
  process.env.OUTFLANK_PACKAGES ?? fileURLToPath(new URL('../../target/package/', import.meta.url));

/** Words that run programs of another system. Scripts cannot start them. */
export const EMULATOR = process.env.OUTFLANK_EMULATOR?.split(' ') ?? [];
export const IS_WINDOWS = process.platform === 'win32';

export const run = promisify(execFile);

/** Returns the path of the package with a matching name in the list of checksums, after a check of its checksum. */
async function packageNamed(pattern) {
  const sums = (await readFile(join(FOLDER, 'SHA256SUMS'), 'utf8')).trim().split('\n');
  const listed = sums.map((line) => line.split('  ')).filter(([, name]) => pattern.test(name));
  if (listed.length !== 1)
    throw new Error(`${pattern} names ${listed.length} packages of:\n${sums.join('\n')}`);
  const [[sum, name]] = listed;
  const file = join(FOLDER, name);
  const found = sha(await readFile(file));
  if (found !== sum) throw new Error(`the checksum of ${name} is ${found}, not ${sum}`);
  return file;
}

async function emptyFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'outflank package '));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Unpacks a package. Returns the folder, and the name of the package without its ending. */
export async function unpacked(pattern) {
  const [file, folder] = [await packageNamed(pattern), await emptyFolder()];
  const isZip = file.endsWith('.zip');
  // The tar of other systems also reads zip files.
  if (isZip && process.platform === 'linux') await run('python3', ['-m', 'zipfile', '-e', file, folder]);
  else await run('tar', ['-xf', file, '-C', folder]);
  return { folder, name: basename(file).replace(/\.(tar\.gz|zip)$/, ''), isZip };
}

/** Installs the npm package in an empty folder. Returns the folder. */
export async function installNpm() {
  const cwd = await emptyFolder();
  await writeFile(join(cwd, 'package.json'), '{ "private": true, "type": "module" }');
  const words = ['install', '--offline', '--no-audit', '--no-fund', await packageNamed(/\.tgz$/)];
  await run(IS_WINDOWS ? 'npm.cmd' : 'npm', words, { cwd, shell: IS_WINDOWS });
  return cwd;
}

/** Installs the wheel in a virtual environment. Returns its folder and functions that run its Python and its program, or the reason
 *  why there is no environment. */
export async function installWheel() {
  const folder = await emptyFolder();
  const inside = (name) => join(folder, IS_WINDOWS ? 'Scripts' : 'bin', name);
  try {
    await run('python3', ['-m', 'venv', folder]);
  } catch (error) {
    return { reason: `python3 cannot create a virtual environment: ${error.message}` };
  }
  const program = (name) => (words) =>
    run(inside(name), words, { cwd: folder, timeout: 600_000, maxBuffer: 1 << 26 });
  const [python, outflank] = ['python', 'outflank'].map(program);
  await python(['-m', 'pip', 'install', '--quiet', '--no-index', await packageNamed(/\.whl$/)]);
  return { folder, python, outflank };
}

/** Opens an empty page in a new browser, and a host. Both are closed when the test ends. @param {object} options of `startStatic` */
export async function openPlain(t, options) {
  const [server, browser] = await Promise.all([startStatic(options), launchBrowser()]);
  t.after(() => Promise.all([browser.close(), server.stop()]));
  const page = await browser.newPage();
  page.setDefaultTimeout(HANG_MS);
  return { page, server };
}

export const examplesIn = (text, language) =>
  [...text.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, code]) => code);

/** Returns the output that the comments of an example state, a line for each. Output follows the statement that prints it. */
export const outputIn = (code, mark) =>
  Array.from(code.matchAll(new RegExp(`^ *${mark}> (.*\\S)`, 'gm')), ([, line]) => line);

/** Asserts that each error is its line of `expected`, in which `{*}` is any text. */
export function assertErrors(errors, expected) {
  const lines = expected.trim().split(/\n\s*/);
  assert.equal(errors.length, lines.length, errors.join('\n'));
  for (const [at, line] of lines.entries()) assert.match(errors[at], pattern(line));
}

/** A program at the other end of two pipes, by lines, for `HANG_MS` at most. It is killed when the test ends.
 *  @param {object} [options] of `spawn` */
export function talking(t, program, args = [], options = {}) {
  const stdio = ['pipe', 'pipe', 'inherit'];
  const child = spawn(program, args, { stdio, timeout: HANG_MS, ...options });
  t.after(() => child.kill());
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ended = once(child, 'close').then(([code]) => code);
  ended.catch(() => {});
  return {
    say: (...texts) => child.stdin.write(texts.map((text) => `${text}\n`).join('')),
    /** The next line that matches; those before it are dropped. */
    async line(pattern) {
      for (;;) {
        const { value, done } = await lines.next();
        if (done) throw new Error(`${program} has ended without a line like ${pattern}`);
        if (pattern.test(value)) return value;
      }
    },
    ended,
  };
}
