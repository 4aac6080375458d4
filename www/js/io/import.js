// What is pasted, dropped or chosen: games and positions in any notation the rules façade reads.

import { RulesError } from '../model/rules.js';

export const TEXT_LIMIT = 100_000;
export const FILE_LIMIT = 16_000_000;

/** The sentence for a fault in what was read. */
export function errorText(error, words) {
  if (error instanceof RulesError) {
    const key = `fault.${error.code}`;
    if (words.has(key)) return words.t(key, error.args);
    return words.t('fault.other', { detail: error.message });
  }
  return words.t('fault.other', { detail: error.message ?? String(error) });
}

/** Games out of pasted text, or the fragment, where it is one of our links.
 *  @param {Rules} rules @param {string} text @returns {Imported} */
export function readText(rules, text) {
  if (text.length > TEXT_LIMIT) throw new RulesError({ code: 'too-long', limit: TEXT_LIMIT });
  const trimmed = text.trim();
  if (trimmed === '') throw new RulesError({ code: 'empty' });
  const link = /^https?:\/\/[^\s#]*#(\S+)$/i.exec(trimmed);
  if (link) return { games: [], link: link[1] };
  return rules.readGames(trimmed);
}

/** Reads several files of text. @param {Rules} rules @param {File[]} files @returns {Promise<Imported>} */
export async function readFiles(rules, files) {
  /** @type {Imported & { skipped: number }} */
  const all = { games: [], skipped: 0 };
  for (const file of files) {
    if (file.size > FILE_LIMIT) throw new RulesError({ code: 'file-size', name: file.name });
    const found = readText(rules, await file.text());
    if (found.link) return found;
    all.games.push(...found.games);
    all.skipped += found.skipped ?? 0;
  }
  return all;
}
