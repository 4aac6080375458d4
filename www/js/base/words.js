// The page's words: one flat JSON file a language, numbers by Intl.

import { $$ } from './dom.js';
import { withPoint } from './format.js';

export const LANGUAGES = { en: 'English', fr: 'Français', ja: '日本語' };

export function pickLanguage(wanted, offered = navigator.languages ?? ['en']) {
  for (const tag of [wanted, ...offered]) {
    const short = tag?.slice(0, 2).toLowerCase();
    if (short in LANGUAGES) return short;
  }
  return 'en';
}

export class Words {
  /** `english` fills what a translation lacks. */
  constructor(language, words, english = words) {
    this.adopt({ language, words, english });
  }

  /** Takes another language on; whoever holds these words speaks it from then on. */
  adopt({ language, words, english }) {
    this.language = language;
    this.words = words;
    this.english = english;
    this.plurals = null;
    this.formats = new Map();
  }

  #plural(n) {
    this.plurals ??= new Intl.PluralRules(this.language);
    return this.plurals.select(n);
  }

  /** The sentence for `key`, `{name}` replaced from `args`; `key.one`/`key.other` by `args.n`. */
  t = (key, args = {}) => {
    const plural = typeof args.n === 'number' ? `${key}.${this.#plural(args.n)}` : null;
    const sentence = (plural && this.words[plural]) ?? this.words[key] ?? this.words[`${key}.other`] ?? this.english[key] ?? key;
    return sentence.replace(/\{(\w+)\}/g, (_, name) => {
      const value = args[name];
      return typeof value === 'number' ? this.number(value) : String(value ?? '');
    });
  };

  has(key) {
    return key in this.words || `${key}.other` in this.words || key in this.english;
  }

  /** Small whole numbers look alike in all languages: the first use of `Intl` costs tens of milliseconds. */
  number(value, options = { maximumFractionDigits: 1 }) {
    if (Number.isInteger(value) && Math.abs(value) < 1000 && !options.minimumFractionDigits) return String(value);
    const key = JSON.stringify(options);
    if (!this.formats.has(key)) this.formats.set(key, new Intl.NumberFormat(this.language, options));
    return this.formats.get(key).format(value);
  }

  /** `146 M`, `1.2 k`: three digits with the sign of the power of thousand. */
  compact(value) {
    const power = value >= 1e9 ? [1e9, 'G'] : value >= 1e6 ? [1e6, 'M'] : value >= 1e3 ? [1e3, 'k'] : [1, ''];
    return `${withPoint(String(Number((value / power[0]).toPrecision(3))))}\u00a0${power[1]}`;
  }

  date(value, options = { dateStyle: 'medium' }) {
    return new Intl.DateTimeFormat(this.language, options).format(value);
  }

  /** Puts the words into the marked elements: `data-t` is the text, `data-t-label`, `data-t-title`
   *  and `data-t-placeholder` attributes. */
  apply(root = document) {
    for (const node of $$('[data-t]', root)) node.textContent = this.t(node.dataset.t);
    for (const node of $$('[data-t-label]', root)) node.setAttribute('aria-label', this.t(node.dataset.tLabel));
    for (const node of $$('[data-t-title]', root)) node.title = this.t(node.dataset.tTitle);
    for (const node of $$('[data-t-placeholder]', root)) node.placeholder = this.t(node.dataset.tPlaceholder);
  }
}

export async function loadWords(language) {
  const get = async (name) => (await fetch(new URL(`../../lang/${name}.json`, import.meta.url))).json();
  const english = get('en');
  const words = language === 'en' ? english : get(language).catch(() => english);
  return new Words(language, await words, await english);
}
