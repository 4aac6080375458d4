// The protocols' transcripts (`tests/native/transcripts/README.md`), played to a worker as `tests/native/src/transcript.rs` plays
// them to the session and to the program.

import { readdirSync, readFileSync } from 'node:fs';

import { lines, send, startWorker } from './engine.js';

const FOLDER = new URL('../../native/transcripts/live/', import.meta.url);

const SQUARE = '[a-hA-H][1-8]';
/** Placeholders for variable parts of a line. */
const HOLES = {
  '{n}': '[0-9]+',
  '{t}': '[0-9]+(?:\\.[0-9]+)?',
  '{e}': '[+-]?[0-9]+\\.[0-9]{2}',
  '{sq}': SQUARE,
  '{pv}': `(?:${SQUARE}|PA)+`,
  '{w}': '\\S+',
  '{*}': '.*',
};

const quoted = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

function pattern(text) {
  const parts = text.split(/(\{(?:n|t|e|sq|pv|w|\*)\})/);
  return new RegExp(`^${parts.map((part) => HOLES[part] ?? quoted(part)).join('')}$`, 's');
}

/** Every transcript: its name and its steps `{ number, kind, rest }`. */
const transcripts = () =>
  readdirSync(FOLDER)
    .sort()
    .map((file) => ({
      name: file.replace(/\.txt$/, ''),
      steps: readFileSync(new URL(file, FOLDER), 'utf8')
        .split('\n')
        .map((text, index) => {
          const [, kind, rest = ''] = /^(\S*)(?: (.*))?$/s.exec(text) ?? [];
          return { number: index + 1, kind, rest };
        })
        .filter(({ kind }) => kind && kind !== '#'),
    }));

/** Plays the steps to the worker of the page. Throws if the engine sends an unexpected line. A pause lasts until the engine has sent a
 *  line, if one is allowed. */
async function play(page, { name, steps }) {
  let heard = 0;
  // Answers of GTP end with an empty line.
  const unread = () => page.waitForFunction((at) => window.lines.length > at, heard);
  let allowed = [];
  for (const { number, kind, rest } of steps) {
    if (kind === '>') await send(page, rest);
    else if (kind === '<*') allowed.push(pattern(rest));
    else if (kind === '@') await (allowed.length > 0 && unread());
    else if (kind === '<') {
      const wanted = pattern(rest);
      for (;;) {
        await unread();
        const line = (await lines(page))[heard];
        heard += 1;
        if (wanted.test(line)) break;
        if (!allowed.some((known) => known.test(line)))
          throw new Error(`${name}:${number}: expected \`${rest}\`, got \`${line}\``);
      }
      allowed = [];
    } else throw new Error(`${name}:${number}: \`${kind}\` begins no line`);
  }
  const others = (await lines(page)).slice(heard);
  const unforeseen = others.find((line) => !allowed.some((known) => known.test(line)));
  if (unforeseen !== undefined) throw new Error(`${name}: at the end: unforeseen \`${unforeseen}\``);
}

/** Plays the transcripts with a matching name, each to a new worker. @param {string} query as of `startWorker` @param {RegExp} names */
export async function playAll(page, query, names = /./) {
  for (const transcript of transcripts().filter(({ name }) => names.test(name))) {
    await startWorker(page, query);
    await play(page, transcript);
  }
}
