// The texts of the page in the current language. Numbers are formatted by `Intl`.

import { $$, attr, text } from './dom.js';
import { withPoint, writeAs } from './format.js';
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
  /** The texts that the start does not need, by language. @type {Map<string, Promise<void>>} */
  #loading = new Map();

  /** @param {string} language @param {Sentences} words */
  constructor(language, words) {
    this.language = language;
    this.words = { ...words };
  }

  /** Changes to the language and the texts of `other`. @param {Translations} other */
  adopt(other) {
    this.language = other.language;
    this.words = other.words;
    this.#loading = other.#loading;
    this.#plurals = null;
    this.#formats.clear();
    this.apply();
    this.changed.send();
  }

  /** Loads the texts that the start does not need, once. */
  load() {
    const path = `lang/parts/${this.language}.json`;
    return once(this.#loading, path, async () => {
      const words = await loadJson(path).catch((cause) => Promise.reject(new PartError(path, { cause })));
      Object.assign(this.words, words);
    });
  }

  /** Selects the text in the current language. @template T @param {Record<string, T>} texts */
  pick(texts) {
    return texts[this.language] ?? texts.en;
  }

  /** The text of `key`, with `{name}` replaced from `args`. `args.n` selects `key.one` or `key.other`. */
  t = (key, args = {}) => {
    if (typeof args.n === 'number') this.#plurals ??= new Intl.PluralRules(this.language);
    const plural = typeof args.n === 'number' ? `${key}.${this.#plurals?.select(args.n)}` : null;
    const sentence = (plural && this.words[plural]) ?? this.words[key] ?? this.words[`${key}.other`] ?? key;
    return sentence.replace(/\{(\w+)\}/g, (_, name) => {
      const value = args[name];
      return typeof value === 'number' ? this.number(value) : String(value ?? '');
    });
  };

  /** @param {Side} side */
  side = (side) => this.t(side === 'X' ? 'black' : 'white');

  /** Names as alternatives: `b7 or g8`. @param {string[]} names */
  either = (names) => new Intl.ListFormat(this.language, { type: 'disjunction' }).format(names);

  has(key) {
    return key in this.words || `${key}.other` in this.words;
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

  /** Writes the texts of marked elements: `data-t` is the key of the text, `data-t-label` of the label. From then on, the language
   *  of the document and the decimal sign are those of the texts. @param {ParentNode} root */
  apply(root = document) {
    document.documentElement.lang = this.language;
    writeAs(this.language);
    for (const node of $$('[data-t]', root)) text(node, this.t(node.dataset.t));
    for (const node of $$('[data-t-label]', root)) attr(node, 'aria-label', this.t(node.dataset.tLabel));
  }
}
