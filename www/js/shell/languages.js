// The languages of the page. Each has two flat JSON files: one for the start, one for the rest.

import { loadJson } from '../base/load.js';
import { Translations } from '../base/translations.js';

export const LANGUAGES = { en: 'English', fr: 'Français', ja: '日本語', zh: '简体中文' };

/** The selected language, or the first one of the browser that the page supports.
 *  @param {string | null} wanted @param {readonly string[]} offered */
export function pickLanguage(wanted, offered = navigator.languages ?? ['en']) {
  for (const tag of [wanted, ...offered]) {
    const short = tag?.slice(0, 2).toLowerCase();
    if (short && Object.hasOwn(LANGUAGES, short)) return short;
  }
  return 'en';
}

/** The texts of the start, in English if those of the language cannot be loaded. @param {string} language @returns {Promise<Translations>} */
export async function loadWords(language) {
  const words = await loadJson(`lang/${language}.json`).catch(
    (error) => language === 'en' && Promise.reject(error),
  );
  return words ? new Translations(language, words) : loadWords('en');
}
