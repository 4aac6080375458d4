// Reads pasted texts and dropped or chosen files: games and positions in any notation that the rules module reads.

import { CodedError, located } from '../base/coded-error.js';
import { isBackup, readBackup } from './backup.js';

const TEXT_LIMIT = 100_000;
const FILE_LIMIT = 16_000_000;

/** The translated sentence of an error: the problem and its place. */
export function errorText(error, words) {
  if (!(error instanceof CodedError))
    return words.t('fault.other', { detail: error?.message ?? String(error) });
  /** @type {Record<string, unknown>} */
  const args = error.args;
  const key = `fault.${error.code}`;
  let told = words.has(key) ? words.t(key, args) : words.t('fault.other', { detail: error.message });
  for (const place of ['line', 'game', 'file'])
    if (args[place]) told = words.t(`fault.in-${place}`, { [place]: args[place], fault: told });
  return told;
}

/** Reads games from a text, or the fragment of a link to the page.
 *  @param {Rules} rules @param {string} text @returns {Imported} */
export function readText(rules, text) {
  if (text.length > TEXT_LIMIT) throw new CodedError({ code: 'too-long', limit: TEXT_LIMIT });
  const trimmed = text.trim();
  if (trimmed === '') throw new CodedError({ code: 'empty' });
  const hasMoves = /[?&#;](moves|game|kifu|transcript)=/i.test(trimmed);
  const link = !hasMoves && /^https?:\/\/[^\s#]*#(\S+)$/i.exec(trimmed);
  if (link) return { games: [], link: link[1] };
  return isBackup(trimmed) ? readBackup(trimmed) : rules.readGames(trimmed);
}

/** @param {File} file */
export const isPicture = (file) => file.type.startsWith('image/');

/** Reads games from a file. @param {Rules} rules @param {File} file @returns {Promise<Imported>} */
async function readFile(rules, file) {
  if (isPicture(file)) throw new CodedError({ code: 'picture' });
  if (file.size > FILE_LIMIT) throw new CodedError({ code: 'file-size', name: file.name });
  let bytes;
  try {
    bytes = new Uint8Array(await file.arrayBuffer());
  } catch (error) {
    // A folder, or a file that was deleted in the meantime.
    throw new CodedError({ code: 'file', message: /** @type {Error} */ (error).message });
  }
  const text = decode(bytes);
  if (text.length <= TEXT_LIMIT) return readText(rules, text);
  return isBackup(text) ? readBackup(text) : rules.readGames(text, true);
}

/** Encodings of older programs, by the language of the page. */
const ENCODINGS = { ja: 'shift_jis', zh: 'gb18030' };

/** Decodes UTF-8, UTF-16 with a byte order mark, or the encoding of older programs. @param {Uint8Array} bytes */
function decode(bytes) {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder(ENCODINGS[document.documentElement.lang] ?? 'windows-1252').decode(bytes);
  }
}

/** Reads several text files. An unreadable file does not affect the others.
 *  @param {Rules} rules @param {File[]} files @returns {Promise<Imported>} */
export async function readFiles(rules, files) {
  /** @type {Imported & { skipped: number, cut: number, faults: CodedError[] }} */
  const all = { games: [], skipped: 0, cut: 0, faults: [] };
  const inFile = (file, error) => (files.length > 1 ? located(error, { file }) : error);
  for (const file of files) {
    try {
      const found = await readFile(rules, file);
      if (found.link && files.length === 1) return found;
      for (const game of found.games) all.games.push(game);
      all.skipped += found.skipped ?? 0;
      all.cut += found.cut ?? 0;
      for (const fault of found.faults ?? []) all.faults.push(inFile(file.name, fault));
    } catch (error) {
      all.skipped++;
      all.faults.push(inFile(file.name, error));
    }
  }
  // A single error without games is thrown.
  if (all.games.length === 0 && all.faults.length === 1) throw all.faults[0];
  return all;
}
