// The texts of the page in the current language. Numbers are formatted by `Intl`.

import { $$ } from './dom.js';
import { withPoint } from './format.js';
import { loadJson, once, PartError } from './load.js';
import { Signal } from './signal.js';

/** @type {[number, string][]} */
const UNITS = [
  [1e9, 'G'],
  [1e6, 'M'],
  [1e3, 'k'],
];

export class Translations {
  /** The language has changed. @type {Signal<[]>} */
  changed = new Signal();
  /** @type {Intl.PluralRules | null} */
  #plurals = null;
  /** @type {Map<string, Intl.NumberFormat>} */
  #formats = new Map();
  /** Texts of the loaded parts. @type {PartWords[]} */
  #parts = [];
  /** @type {Map<string, Promise<void>>} */
  #loading = new Map();

  /** `english` replaces missing translations.
   *  @param {string} language @param {Sentences} words @param {Sentences} english */
  constructor(language, words, english = words) {
    this.#set(language, words, english);
  }

  #set(language, words, english) {
    this.language = language;
    this.words = { ...words };
    this.english = { ...english };
    this.#plurals = null;
    this.#formats.clear();
    for (const part of this.#parts) this.#merge(part);
  }

  #merge(part) {
    Object.assign(this.words, part[this.language]);
    Object.assign(this.english, part.en);
  }

  /** Changes to the language and the texts of `other`. @param {Translations} other */
  adopt(other) {
    this.#set(other.language, other.words, other.english);
    this.apply();
    this.changed.send();
  }

  /** Adds the texts of a part of the page. @param {PartWords} part */
  include(part) {
    this.#parts.push(part);
    this.#merge(part);
  }

  /** Loads the texts of a part of the page, once. @param {string} part */
  load(part) {
    const failed = (cause) => Promise.reject(new PartError(part, { cause }));
    const include = () => loadJson(`lang/parts/${part}.json`).then((words) => this.include(words), failed);
    return once(this.#loading, part, include);
  }

  /** Selects the text in the current language. @template T @param {Record<string, T>} texts */
  pick(texts) {
    return texts[this.language] ?? texts.en;
  }

  /** The text of `key`, with `{name}` replaced from `args`. `args.n` selects `key.one` or `key.other`. */
  t = (key, args = {}) => {
    if (typeof args.n === 'number') this.#plurals ??= new Intl.PluralRules(this.language);
    const plural = typeof args.n === 'number' ? `${key}.${this.#plurals?.select(args.n)}` : null;
    const sentence =
      (plural && this.words[plural]) ??
      this.words[key] ??
      this.words[`${key}.other`] ??
      this.english[key] ??
      key;
    return sentence.replace(/\{(\w+)\}/g, (_, name) => {
      const value = args[name];
      return typeof value === 'number' ? this.number(value) : String(value ?? '');
    });
  };

  /** @param {Side} side */
  side = (side) => this.t(side === 'X' ? 'black' : 'white');

  has(key) {
    return key in this.words || `${key}.other` in this.words || key in this.english;
  }

  /** Small whole numbers are equal in all languages. The first use of `Intl` takes tens of milliseconds. */
  number = (value, options = { maximumFractionDigits: 1 }) => {
    if (Number.isInteger(value) && Math.abs(value) < 1000 && !options.minimumFractionDigits)
      return String(value);
    const key = JSON.stringify(options);
    const format = this.#formats.get(key) ?? new Intl.NumberFormat(this.language, options);
    this.#formats.set(key, format);
    return format.format(value);
  };

  /** `146 M`, `1.2 k`: three digits and a unit. */
  compact = (value) => {
    const [unit, sign] = UNITS.find(([unit]) => value >= unit) ?? [1, ''];
    return `${withPoint(String(Number((value / unit).toPrecision(3))))}\u00a0${sign}`;
  };

  /** Writes the texts of marked elements: `data-t` is the key of the text, `data-t-label` of the label.
   *  @param {ParentNode} root */
  apply(root = document) {
    for (const node of $$('[data-t]', root)) node.textContent = this.t(node.dataset.t);
    for (const node of $$('[data-t-label]', root))
      node.setAttribute('aria-label', this.t(node.dataset.tLabel));
  }
}
