// The protocols' transcripts (`tests/transcripts/README.md`), played to a worker as `tests/src/engine.rs` plays them to
// the session and to the program.

import { readdirSync, readFileSync } from 'node:fs';

const FOLDER = new URL('../transcripts/live/', import.meta.url);

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
export const transcripts = () =>
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

/**
 * Plays the steps; throws where the engine says what is not foreseen.
 * @param {{ send: (line: string) => Promise<unknown>, next: () => Promise<string | null>, rest: () => Promise<string[]> }} engine
 *   `next` is its next line, or nothing where none comes, `rest` what it has said beyond
 */
export async function play({ name, steps }, engine) {
  let allowed = [];
  for (const { number, kind, rest } of steps) {
    const fail = (got) => {
      throw new Error(`${name}:${number}: expected \`${rest}\`, got ${got}`);
    };
    if (kind === '>') await engine.send(rest);
    else if (kind === '<*') allowed.push(pattern(rest));
    else if (kind === '@') await new Promise((resolve) => setTimeout(resolve, Number(rest) * 1000));
    else if (kind === '<') {
      const wanted = pattern(rest);
      for (;;) {
        const line = await engine.next();
        if (line === null) fail('nothing');
        if (wanted.test(line)) break;
        if (!allowed.some((known) => known.test(line))) fail(`\`${line}\``);
      }
      allowed = [];
    } else throw new Error(`${name}:${number}: \`${kind}\` begins no line`);
  }
  const unforeseen = (await engine.rest()).find((line) => !allowed.some((known) => known.test(line)));
  if (unforeseen !== undefined) throw new Error(`${name}: at the end: unforeseen \`${unforeseen}\``);
}
