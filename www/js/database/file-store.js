// The loaded files, stored on this device for the next visit. If storage is full or denied, everything works until the page
// closes. Stored data may be invalid: only valid data are returned.

import { Tables } from '../base/tables.js';
import { isObject, isWhole } from '../base/validate.js';

const DATABASE = 'outflank-files';
const TABLES = ['games', 'names', 'books'];

/** @typedef {'games' | 'names' | 'books'} FileTable */

/** Key of the numbers of unfinished attempts to load each file. */
const TRYING = ' trying';
const MAX_TRIES = 9;

/** @param {unknown} value @returns {Uint8Array | null} */
const bytesOf = (value) =>
  value instanceof Uint8Array ? value : value instanceof ArrayBuffer ? new Uint8Array(value) : null;

const textOf = (value) => (typeof value === 'string' ? value : null);

/** Texts in the rows of each table. */
const TEXTS = { games: ['players', 'tournaments'], names: ['kind'], books: [] };

export class FileStore {
  #tables = new Tables(DATABASE, TABLES);
  /** The last write succeeded. */
  keeps = true;

  /** Runs `work` in a transaction. Returns `undefined` if storage does not work.
   *  @param {string} table @param {IDBTransactionMode} mode @param {(rows: IDBObjectStore) => IDBRequest} work
   *  @returns {Promise<any>} */
  async #run(table, mode, work) {
    const isWrite = mode === 'readwrite';
    try {
      const answer = await this.#tables.run(table, mode, work);
      if (isWrite) this.keeps = true;
      return answer;
    } catch {
      if (isWrite) this.keeps = false;
      return undefined;
    }
  }

  /** The keys of a table, or `null` if storage does not work. @param {FileTable} table @returns {Promise<string[] | null>} */
  async keys(table) {
    const keys = await this.#run(table, 'readonly', (rows) => rows.getAllKeys());
    return keys?.filter((key) => typeof key === 'string' && key !== TRYING) ?? null;
  }

  /** A file of games, a list of names or a book, or `null`. @param {FileTable} table @param {string} key @returns {Promise<any>} */
  async file(table, key) {
    const kept = await this.#run(table, 'readonly', (rows) => rows.get(key));
    if (kept === undefined) return null;
    const { name, added, bytes } = Object(kept);
    const texts = TEXTS[table].map((field) => [field, textOf(Object(kept)[field])]);
    return {
      name: textOf(name) ?? key,
      added: Number.isFinite(added) ? added : 0,
      bytes: bytesOf(bytes),
      ...Object.fromEntries(texts),
    };
  }

  /** Records an attempt to load a file, or its end. Returns the number of unfinished ones before. @param {string} key @param {boolean} [isEnd] */
  async attempt(key, isEnd = false) {
    const kept = await this.#run('names', 'readonly', (rows) => rows.get(TRYING));
    const { [key]: found, ...others } = isObject(kept) ? kept : {};
    const tries = isWhole(found, MAX_TRIES) ? found : 0;
    if (!isEnd) await this.write('names', TRYING, { ...others, [key]: Math.min(tries + 1, MAX_TRIES) });
    else if (found !== undefined) await this.write('names', TRYING, others);
    return tries;
  }

  /** @param {FileTable} table @param {string} key @param {unknown} value */
  write(table, key, value) {
    return this.#run(table, 'readwrite', (rows) => rows.put(value, key));
  }

  /** @param {FileTable} table @param {string} key */
  remove(table, key) {
    return this.#run(table, 'readwrite', (rows) => rows.delete(key));
  }
}
