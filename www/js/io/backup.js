// All saved games as one text: as a backup with folders and tags, or in GGF for other programs.

import { CodedError, located } from '../base/coded-error.js';
import { readRecord } from '../model/game-record.js';

const FORMAT = 'outflank-games';
const VERSION = 1;

/** Returns `true` if a text is a backup. @param {string} text */
export const isBackup = (text) => /^\s*\{\s*"format"\s*:\s*"outflank-games"/.test(text.slice(0, 200));

/** @param {Iterable<GameRecord>} records */
export function writeBackup(records) {
  const lines = [...records].map((record) => JSON.stringify(record));
  return `{"format":"${FORMAT}","version":${VERSION},"games":[\n${lines.join(',\n')}\n]}\n`;
}

/** Reads the games of a backup. Invalid games are skipped and reported. Throws a `CodedError` if the text is not JSON.
 *  @param {string} text @returns {Imported} */
export function readBackup(text) {
  let read;
  try {
    read = JSON.parse(text);
  } catch (error) {
    throw new CodedError({ code: 'json', message: /** @type {Error} */ (error).message });
  }
  if (read?.format !== FORMAT || !Array.isArray(read.games)) throw new CodedError({ code: 'empty' });
  const faults = [];
  const games = [];
  for (const [index, kept] of read.games.entries()) {
    const record = readRecord(kept);
    if (record) games.push(record);
    else faults.push(new CodedError({ code: 'record', game: index + 1 }));
  }
  if (games.length === 0) throw faults[0] ?? new CodedError({ code: 'empty' });
  return { games, skipped: faults.length, faults: faults.slice(0, 200) };
}

/** Writes games in GGF, one per line, with comments and variations as comments. Reports games that cannot be written.
 *  @param {Rules} rules @param {Iterable<GameRecord>} records @returns {{ text: string, faults: CodedError[] }} */
export function writeGgfOfAll(rules, records) {
  const lines = [];
  const faults = [];
  for (const [index, record] of [...records].entries()) {
    try {
      lines.push(rules.write(record, 'ggf'));
    } catch (error) {
      faults.push(located(error, { game: index + 1 }));
    }
  }
  return { text: lines.map((line) => `${line}\n`).join(''), faults };
}
