// Search in names: without accents, in any case, by words in any order.

/** @param {string} text */
export const folded = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** A list of names. */
export class Names {
  /** @type {string[] | null} */
  #folded = null;

  /** @param {string[]} all */
  constructor(all) {
    this.all = all;
  }

  /** Returns a byte for each name: 1 if it contains all words of the query. @param {string} query */
  wanted(query) {
    this.#folded ??= this.all.map(folded);
    const words = folded(query).split(/\s+/).filter(Boolean);
    return Uint8Array.from(this.#folded, (name) => Number(words.every((word) => name.includes(word))));
  }
}
