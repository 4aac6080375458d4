// The protocols' transcripts (`tests/native/transcripts/README.md`), played to a worker as `tests/native/src/transcript.rs` plays
// them to the session and to the program.

import { readdirSync, readFileSync } from 'node:fs';

import { lines, send, startWorker } from './engine.js';

const FOLDER = new URL('../../native/transcripts/live/', import.meta.url);

const SQUARE = '[a-hA-H][1-8]';
/** Placeholders for variable parts of a line. */
const HOLES = {
  n: '[0-9]+',
  t: '[0-9]+(?:\\.[0-9]+)?',
  e: '[+-]?[0-9]+\\.[0-9]{2}',
  sq: SQUARE,
  pv: `(?:${SQUARE}|PA)+`,
  w: '\\S+',
  '*': '.*',
};

/** Returns the pattern of a line with placeholders: `{n}`. */
export function pattern(text) {
  const quoted = (part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const parts = text.split(/\{(n|t|e|sq|pv|w|\*)\}/);
  return new RegExp(`^${parts.map((part, at) => (at % 2 ? HOLES[part] : quoted(part))).join('')}$`, 's');
}

/** Plays the lines of a transcript to the worker of the page. Throws if the engine sends an unexpected line. A pause lasts until the
 *  engine has sent a line, if one is allowed. */
async function play(page, name) {
  let heard = 0;
  let allowed = [];
  const isAllowed = (line) => allowed.some((known) => known.test(line));
  // Answers of GTP end with an empty line.
  const unread = () => page.waitForFunction((at) => window.lines.length > at, heard);
  for (const [at, step] of readFileSync(new URL(name, FOLDER), 'utf8').split('\n').entries()) {
    const [, kind, rest = ''] = /^(\S*)(?: (.*))?$/s.exec(step) ?? [];
    if (kind === '>') await send(page, rest);
    else if (kind === '<*') allowed.push(pattern(rest));
    else if (kind === '@') await (allowed.length > 0 && unread());
    else if (kind === '<') {
      for (let isFound = false; !isFound; heard++) {
        await unread();
        const line = (await lines(page))[heard];
        isFound = pattern(rest).test(line);
        if (!isFound && !isAllowed(line))
          throw new Error(`${name}:${at + 1}: got \`${line}\` at \`${step}\``);
      }
      allowed = [];
    } else if (kind && kind !== '#') throw new Error(`${name}:${at + 1}: \`${kind}\` begins no line`);
  }
  const other = (await lines(page)).slice(heard).find((line) => !isAllowed(line));
  if (other !== undefined) throw new Error(`${name}: got \`${other}\` at the end`);
}

/** Plays the transcripts with a matching name, each to a new worker. @param {string} query as of `startWorker` @param {RegExp} names */
export async function playAll(page, query, names = /./) {
  for (const name of readdirSync(FOLDER).filter((file) => names.test(file))) {
    await startWorker(page, query);
    await play(page, name);
  }
}
