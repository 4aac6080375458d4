// The lists of names that belong to files of games, and the search in them.

import { finder, folded } from '../base/find.js';

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
    const isFound = finder(query);
    return Uint8Array.from(this.#folded, (name) => Number(isFound(name)));
  }
}

/** @typedef {'players' | 'tournaments'} Kind */

/** The lists by the names of their files. */
export class NameLists {
  #store;
  #read;
  /** @type {Map<string, Names>} */
  #lists = new Map();
  /** The last added list of each kind. @type {Partial<Record<Kind, string>>} */
  #newest = {};

  /** @param {import('./file-store.js').FileStore} store @param {(bytes: Uint8Array, tournaments: boolean) => any} read */
  constructor(store, read) {
    this.#store = store;
    this.#read = read;
  }

  /** @param {string | null | undefined} key */
  of(key) {
    return key ? this.#lists.get(key) : undefined;
  }

  /** Adds a list and stores it. @param {string} key @param {Kind} kind @param {string} name @param {Uint8Array} bytes
   *  @returns {Promise<{ names: string[], records: number } | { error: string }>} */
  async add(key, kind, name, bytes) {
    const read = this.#read(bytes, kind === 'tournaments');
    if (read.error !== undefined) return read;
    this.#lists.set(key, new Names(read.names));
    this.#newest[kind] = key;
    await this.#store.write('names', key, { kind, name, added: Date.now(), bytes });
    return read;
  }

  /** Loads a stored list. @param {string | null} key */
  async load(key) {
    if (key === null || this.#lists.has(key)) return;
    const kept = await this.#store.file('names', key);
    if (!kept?.bytes) return;
    const { names = [] } = this.#read(kept.bytes, kept.kind === 'tournaments');
    this.#lists.set(key, new Names(names));
  }

  /** The key of the last added list, or `null`. @param {Kind} kind */
  async latest(kind) {
    const newest = this.#newest[kind];
    if (newest) return newest;
    let latest = null;
    let added = 0;
    for (const key of (await this.#store.keys('names')) ?? []) {
      const kept = await this.#store.file('names', key);
      if (kept?.kind !== kind || kept.added < added) continue;
      latest = key;
      added = kept.added;
    }
    return latest;
  }
}
