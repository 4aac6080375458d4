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

/** Files of names that go with a WTHOR database, by their ending: kept until its games come. */
const names = { jou: undefined, trn: undefined };

/** Games out of a dropped or chosen file; null where the file only brings names. */
export async function readFile(rules, file) {
  if (file.size > FILE_LIMIT) throw new RulesError({ code: 'file-size', name: file.name });
  const ending = /\.(wtb|jou|trn)$/i.exec(file.name)?.[1].toLowerCase();
  if (!ending) return readText(rules, await file.text());
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (ending === 'wtb') return rules.readWthor(bytes, names.jou, names.trn);
  names[ending] = bytes;
  return null;
}

/** Reads several files, those with names first. @param {Rules} rules @param {File[]} files @returns {Promise<Imported>} */
export async function readFiles(rules, files) {
  const rank = (file) => (/\.wtb$/i.test(file.name) ? 1 : 0);
  /** @type {Imported & { skipped: number }} */
  const all = { games: [], skipped: 0 };
  for (const file of [...files].sort((a, b) => rank(a) - rank(b))) {
    const found = await readFile(rules, file);
    if (found?.link) return found;
    if (found === null) all.names = true;
    all.games.push(...(found?.games ?? []));
    all.skipped += found?.skipped ?? 0;
  }
  return all;
}
