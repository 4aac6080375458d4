// The packages of `cargo xtask package`, unpacked in empty folders.

import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { inflateRawSync } from 'node:zlib';

import { sha } from '../page/harness/static.js';

const FOLDER =
  process.env.OUTFLANK_PACKAGES ?? fileURLToPath(new URL('../../target/package/', import.meta.url));

/** Runs a program to its end. */
export const run = promisify(execFile);

/** Returns the path of the package with a matching name in the list of checksums, after a check of its checksum. */
export async function packageNamed(pattern) {
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

/** Creates an empty folder, with a function that removes it. */
export async function emptyFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'outflank package '));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Unpacks a package into a folder. */
export async function unpack(file, folder) {
  if (!file.endsWith('.zip')) {
    await run('tar', ['-xzf', file, '-C', folder]);
    return;
  }
  for (const [path, { bytes, mode }] of zipped(await readFile(file))) {
    const target = join(folder, path);
    if (normalize(path) !== path || !target.startsWith(folder)) throw new Error(`${path} leads outside`);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, bytes, { mode });
  }
}

/** The files of a zip by its directory. @param {Buffer} zip */
function zipped(zip) {
  const end = zip.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  const files = new Map();
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [method, packed, length] = [
      zip.readUInt16LE(at + 10),
      zip.readUInt32LE(at + 20),
      zip.readUInt32LE(at + 24),
    ];
    const [name, extra, comment] = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset));
    const mode = (zip.readUInt32LE(at + 38) >>> 16) & 0o777;
    const local = zip.readUInt32LE(at + 42);
    const path = zip.toString('utf8', at + 46, at + 46 + name);
    const data = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const raw = zip.subarray(data, data + packed);
    const bytes = method === 8 ? inflateRawSync(raw) : raw;
    if (bytes.length !== length) throw new Error(`${path} has ${bytes.length} bytes, not ${length}`);
    files.set(path, { bytes, mode });
    at += 46 + name + extra + comment;
  }
  return files;
}

/** Installs the npm package in a folder. */
export async function installNpm(folder) {
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  await run(npm, ['install', '--offline', '--no-audit', '--no-fund', await packageNamed(/\.tgz$/)], {
    cwd: folder,
    shell: process.platform === 'win32',
  });
}

/** Installs the wheel in a virtual environment in a folder. Returns functions that run its Python and its program, or the reason
 *  why there is no environment. @returns {Promise<any>} */
export async function installWheel(folder) {
  const inside = (name) => join(folder, process.platform === 'win32' ? 'Scripts' : 'bin', name);
  try {
    await run('python3', ['-m', 'venv', folder]);
  } catch (error) {
    return { reason: `python3 cannot create a virtual environment: ${error.message}` };
  }
  const program = (name) => (words) =>
    run(inside(name), words, { cwd: folder, timeout: 600_000, maxBuffer: 1 << 26 });
  const [python, outflank] = ['python', 'outflank'].map(program);
  await python(['-m', 'pip', 'install', '--quiet', '--no-index', await packageNamed(/\.whl$/)]);
  return { python, outflank };
}

/** Returns the code blocks of a README in a language. @param {string} text @param {string} language */
export const examplesIn = (text, language) =>
  [...text.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, code]) => code);

/** Returns the output that the comments of an example state, a line for each. Output follows the statement that prints it.
 *  @param {string} code @param {string} mark of a comment */
export const outputIn = (code, mark) =>
  code
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith(`${mark}> `))
    .map((line) => line.slice(mark.length + 2));

/**
 * A program at the other end of two pipes, by lines.
 * @param {string} program @param {string[]} [args] @param {object} [options] of `spawn`
 */
export function talk(program, args = [], options = {}) {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'], ...options });
  const lines = [];
  let rest = '';
  let wake = () => {};
  let over = false;
  child.stdout.setEncoding('utf8').on('data', (data) => {
    const parts = (rest + data).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts.map((line) => line.replace(/\r$/, '')));
    wake();
  });
  const ended = new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      over = true;
      wake();
      resolve(code);
    });
  });
  ended.catch(() => {});
  return {
    /** @param {string[]} texts */
    say: (...texts) => child.stdin.write(texts.map((text) => `${text}\n`).join('')),
    /** The next line that matches; those before it are dropped. @param {RegExp} pattern */
    async line(pattern, ms = 300_000) {
      const until = Date.now() + ms;
      for (;;) {
        while (lines.length > 0) {
          const line = lines.shift();
          if (pattern.test(line)) return line;
        }
        if (over) throw new Error(`${program} has ended and did not say ${pattern}`);
        const left = until - Date.now();
        if (left <= 0) throw new Error(`${program} did not say ${pattern}`);
        await new Promise((resolve) => {
          const timer = setTimeout(resolve, left);
          wake = () => {
            clearTimeout(timer);
            resolve(undefined);
          };
        });
      }
    },
    ended,
    kill: () => child.kill(),
  };
}
