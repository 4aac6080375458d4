// The lists of names that came with files of games, each under the name of its file.

import { Names } from './names.js';

/** @typedef {'players' | 'tournaments'} Kind */

export class NameLists {
  #shelf;
  #read;
  /** @type {Map<string, Names>} */
  #lists = new Map();
  /** Which came last. @type {Partial<Record<Kind, string>>} */
  #newest = {};

  /** @param {import('./file-store.js').FileStore} shelf @param {(bytes: Uint8Array, tournaments: boolean) => any} read */
  constructor(shelf, read) {
    this.#shelf = shelf;
    this.#read = read;
  }

  /** @param {string | null | undefined} key */
  of(key) {
    return key ? this.#lists.get(key) : undefined;
  }

  /** Takes a list in and keeps it. @param {string} key @param {Kind} kind @param {string} name @param {Uint8Array} bytes
   *  @returns {Promise<{ names: string[], records: number } | { error: string }>} */
  async add(key, kind, name, bytes) {
    const read = this.#read(bytes, kind === 'tournaments');
    if (read.error !== undefined) return read;
    this.#lists.set(key, new Names(read.names));
    this.#newest[kind] = key;
    await this.#shelf.write('names', key, { kind, name, added: Date.now(), bytes });
    return read;
  }

  /** Brings a list that is kept. @param {string | null} key */
  async load(key) {
    if (key === null || this.#lists.has(key)) return;
    const kept = await this.#shelf.names(key);
    if (!kept?.bytes) return;
    const { names = [] } = this.#read(kept.bytes, kept.kind === 'tournaments');
    this.#lists.set(key, new Names(names));
  }

  /** The list that came last, or null. @param {Kind} kind */
  async latest(kind) {
    const newest = this.#newest[kind];
    if (newest) return newest;
    let latest = null;
    let added = 0;
    for (const key of (await this.#shelf.keys('names')) ?? []) {
      const kept = await this.#shelf.names(key);
      if (kept?.kind !== kind || kept.added < added) continue;
      latest = key;
      added = kept.added;
    }
    return latest;
  }
}
