// The files that were dropped, kept on the device for the next visit, in a database of their own. Where storage is
// full or denied everything still works until the page closes. What is kept may be odd: it is what it should be here,
// or not given out.

import { Tables } from '../base/tables.js';
import { isObject, isWhole } from '../base/validate.js';

const DATABASE = 'outflank-files';
const TABLES = ['games', 'names'];

/** The name under which it is said how often the loading of a file was begun and not ended. */
const TRYING = ' trying';
const MOST_TRIES = 1000;

/** @param {unknown} value @returns {Uint8Array | null} */
const bytesIn = (value) =>
  value instanceof Uint8Array ? value : value instanceof ArrayBuffer ? new Uint8Array(value) : null;

/** @param {unknown} value */
const wordsIn = (value) => (typeof value === 'string' ? value : null);

/** @typedef {{ name: string, added: number, bytes: Uint8Array | null }} KeptFile */

/** A file as it was kept, without its bytes where these are none. @param {any} kept @param {string} key @returns {KeptFile} */
const readFile = (kept, key) => ({
  name: wordsIn(kept?.name) ?? key,
  added: Number.isFinite(kept?.added) ? kept.added : 0,
  bytes: bytesIn(kept?.bytes),
});

export class FileStore {
  #tables = new Tables(DATABASE, TABLES);
  /** Whether what was put here last will be there at the next visit. */
  keeps = true;

  /** Runs `work` in a transaction. Returns `otherwise` if storage does not work.
   *  @template T @param {string} table @param {IDBTransactionMode} mode @param {(rows: IDBObjectStore) => IDBRequest} work
   *  @param {T} otherwise @returns {Promise<any | T>} */
  async #run(table, mode, work, otherwise) {
    const isWrite = mode === 'readwrite';
    try {
      const answer = await this.#tables.run(table, mode, work);
      if (isWrite) this.keeps = true;
      return answer;
    } catch {
      if (isWrite) this.keeps = false;
      return otherwise;
    }
  }

  /** The names of a table, null where that cannot be told. @param {'games' | 'names'} table @returns {Promise<string[] | null>} */
  async keys(table) {
    const keys = await this.#run(table, 'readonly', (rows) => rows.getAllKeys(), null);
    return keys?.filter((key) => typeof key === 'string' && key !== TRYING) ?? null;
  }

  /** A file of games, null where there is none. @param {string} key
   *  @returns {Promise<KeptFile & { players: string | null, tournaments: string | null } | null>} */
  async games(key) {
    const kept = await this.#run('games', 'readonly', (rows) => rows.get(key), undefined);
    if (kept === undefined) return null;
    return {
      ...readFile(kept, key),
      players: wordsIn(kept?.players),
      tournaments: wordsIn(kept?.tournaments),
    };
  }

  /** A list of names, null where there is none. @param {string} key
   *  @returns {Promise<KeptFile & { kind: string | null } | null>} */
  async names(key) {
    const kept = await this.#run('names', 'readonly', (rows) => rows.get(key), undefined);
    return kept === undefined ? null : { ...readFile(kept, key), kind: wordsIn(kept?.kind) };
  }

  /** How often the loading of each file was begun and not ended. @returns {Promise<Map<string, number>>} */
  async tries() {
    const kept = await this.#run('names', 'readonly', (rows) => rows.get(TRYING), undefined);
    const told = Object.entries(isObject(kept) ? kept : {});
    return new Map(told.filter(([, tries]) => isWhole(tries, MOST_TRIES)));
  }

  /** @param {Map<string, number>} tries */
  writeTries(tries) {
    return this.write('names', TRYING, Object.fromEntries(tries));
  }

  /** @param {'games' | 'names'} table @param {string} key @param {unknown} value */
  write(table, key, value) {
    return this.#run(table, 'readwrite', (rows) => rows.put(value, key), undefined);
  }

  /** @param {'games' | 'names'} table @param {string} key */
  remove(table, key) {
    return this.#run(table, 'readwrite', (rows) => rows.delete(key), undefined);
  }
}
