// Storage on this device: small values in localStorage; games, evaluations and puzzle progress in IndexedDB. If storage is denied,
// full or broken, everything works in memory until the page closes. Stored data may be invalid: callers must check them.

import { Signal } from '../base/signal.js';
import { OpenError, Tables } from '../base/tables.js';
import { mergeAgain } from '../base/validate.js';

const PREFIX = 'outflank.';
const DATABASE = 'outflank';
const TABLES = ['games', 'evaluations', 'puzzles', 'meta'];
/** Suffix of the key of an unreadable small value. */
const ASIDE = '.unreadable';

/** Storage problems: small values, tables, both, or more data.
 *  @typedef {'small' | 'tables' | 'denied' | 'full'} Trouble */

/** @param {IDBObjectStore} rows @param {[key: any, value: any][]} entries */
function putAll(rows, entries) {
  for (const [key, value] of entries) value === undefined ? rows.delete(key) : rows.put(value, key);
}

/** Removes stored rows from memory, unless they have changed since. @param {Map<any, any>} memory @param {[any, any][]} entries */
function release(memory, entries) {
  for (const [key, value] of entries) if (memory.get(key) === value) memory.delete(key);
}

export class Store {
  /** A table was changed. @type {Signal<[table: string]>} */
  written = new Signal();
  /** Another tab changed a table or a small value. @type {Signal<[name: string]>} */
  elsewhere = new Signal();
  /** The last problem. @type {Trouble | null} */
  trouble = null;
  /** The tables are available in memory only. */
  broken = false;
  /** @type {Set<Trouble>} */
  #troubles = new Set();
  /** Small values that could not be stored. @type {Map<string, any>} */
  #small = new Map();
  /** Rows that are not stored yet; `undefined` if they were removed. @type {Record<string, Map<any, any>>} */
  #memory = Object.fromEntries(TABLES.map((table) => [table, new Map()]));
  /** Tables that could not be cleared. @type {Set<string>} */
  #emptied = new Set();
  /** Tables that are not stored completely. @type {Set<string>} */
  #apart = new Set();
  #tables = new Tables(DATABASE, TABLES);
  /** Notifies other tabs of changed tables. @type {BroadcastChannel | null} */
  #tabs = null;

  /** `onTrouble` is called once per problem. @param {(trouble: Trouble) => void} onTrouble */
  constructor(onTrouble = () => {}) {
    this.onTrouble = onTrouble;
    if (!globalThis.document) return;
    addEventListener('storage', ({ key }) => {
      if (!key?.startsWith(PREFIX)) return;
      mergeAgain(this, key.slice(PREFIX.length));
      this.elsewhere.send(key.slice(PREFIX.length));
    });
    this.#tabs = new BroadcastChannel(DATABASE);
    this.#tabs.onmessage = ({ data }) => {
      if (TABLES.includes(data)) this.elsewhere.send(data);
    };
  }

  /** @param {Trouble} what @param {any} [error] */
  #trouble(what, error) {
    const found = error?.name === 'QuotaExceededError' ? 'full' : what;
    if (this.#troubles.has(found)) return;
    this.#troubles.add(found);
    const isAll = found !== 'full' && this.#troubles.has('small') && this.#troubles.has('tables');
    this.trouble = isAll ? 'denied' : found;
    this.onTrouble(this.trouble);
  }

  /** A small value, or `fallback` if it is missing or unreadable. @param {string} key @param {any} fallback */
  get(key, fallback = null) {
    if (this.#small.has(key)) return this.#small.get(key);
    /** @type {string | null} */
    let text = null;
    try {
      text = localStorage.getItem(PREFIX + key);
      return text === null ? fallback : JSON.parse(text);
    } catch (error) {
      if (text === null) this.#trouble('small', error);
      else this.#lay(key + ASIDE, text);
      return fallback;
    }
  }

  /** @param {string} key @param {any} value */
  set(key, value) {
    if (this.#lay(key, JSON.stringify(value))) this.#small.delete(key);
    else this.#small.set(key, value);
  }

  /** Moves an invalid small value to another key. @param {string} key */
  setAside(key) {
    this.set(key + ASIDE, this.get(key));
    this.set(key, null);
  }

  #lay(key, text) {
    try {
      localStorage.setItem(PREFIX + key, text);
      return true;
    } catch (error) {
      this.#trouble('small', error);
      return false;
    }
  }

  /** Returns the result of `work`, and whether it was done.
   *  @param {string} table @param {IDBTransactionMode} mode @param {(rows: IDBObjectStore) => IDBRequest | void} work */
  async #run(table, mode, work) {
    const failed = { done: false, found: undefined };
    if (this.broken) return failed;
    try {
      return { done: true, found: await this.#tables.run(table, mode, work) };
    } catch (/** @type {any} */ error) {
      if (error instanceof OpenError) {
        if (!this.broken) error.late?.then((late) => this.#recover(late)).catch(() => {});
        this.broken = true;
      }
      this.#trouble('tables', error.cause ?? error);
      return failed;
    }
  }

  /** Changes a stored table. @param {string} table @param {(rows: IDBObjectStore) => IDBRequest | void} work */
  async #change(table, work) {
    const { done } = await this.#run(table, 'readwrite', work);
    if (done) this.#tabs?.postMessage(table);
    else this.#apart.add(table);
    this.written.send(table);
    return done;
  }

  /** Uses a database that opened late, and stores the changes made until then. @param {IDBDatabase} database */
  async #recover(database) {
    this.#tables.use(database);
    this.broken = false;
    for (const table of this.#apart) {
      const memory = this.#memory[table];
      const isEmptied = this.#emptied.has(table);
      const changes = [...memory];
      const done = await this.#change(table, (rows) => {
        if (isEmptied) rows.clear();
        putAll(rows, changes);
      });
      if (!done) return;
      this.#apart.delete(table);
      this.#emptied.delete(table);
      release(memory, changes);
    }
    for (const table of TABLES) this.elsewhere.send(table);
  }

  async read(table, key) {
    const memory = this.#memory[table];
    if (memory.has(key) || this.#emptied.has(table)) return memory.get(key);
    return (await this.#run(table, 'readonly', (rows) => rows.get(key))).found;
  }

  write(table, key, value) {
    return this.writeAll(table, [[key, value]]);
  }

  /** Writes rows at once. A value of `undefined` removes its row. @param {string} table @param {[key: any, value: any][]} entries */
  async writeAll(table, entries) {
    if (entries.length === 0) return;
    const memory = this.#memory[table];
    for (const [key, value] of entries) memory.set(key, value);
    // Other tabs may change stored rows.
    if (await this.#change(table, (rows) => putAll(rows, entries))) release(memory, entries);
  }

  /** Changes rows depending on their current values, which another tab may have written. Returns the new rows.
   *  @param {string} table @param {[key: any, change: (row: any) => any][]} changes @returns {Promise<Map<any, any>>} */
  async updateAll(table, changes) {
    const memory = this.#memory[table];
    const after = new Map();
    const done = await this.#change(table, (rows) => {
      for (const [key, change] of changes) {
        const request = rows.get(key);
        request.onsuccess = () => {
          after.set(key, change(memory.get(key) ?? request.result));
          rows.put(after.get(key), key);
          memory.delete(key);
        };
      }
    });
    for (const [key, change] of changes) {
      if (!after.has(key)) after.set(key, change(memory.get(key)));
      if (!done) memory.set(key, after.get(key));
    }
    return after;
  }

  /** @param {string} table @param {any[]} keys */
  removeAll(table, keys) {
    const entries = keys.map((key) => /** @type {[any, any]} */ ([key, undefined]));
    return this.writeAll(table, entries);
  }

  async clear(table) {
    this.#memory[table].clear();
    this.#emptied.add(table);
    if (await this.#change(table, (rows) => rows.clear())) this.#emptied.delete(table);
  }

  /** The number of stored rows. @param {string} table @returns {Promise<number>} */
  async count(table) {
    return (await this.#run(table, 'readonly', (rows) => rows.count())).found ?? 0;
  }

  /** All `[key, value]` of a table. */
  async all(table) {
    // Keys and values in one transaction: another tab may write between two.
    /** @type {IDBRequest<IDBValidKey[]> | undefined} */
    let keys;
    const { found } = await this.#run(table, 'readonly', (rows) => {
      keys = rows.getAllKeys();
      return rows.getAll();
    });
    const kept = this.#emptied.has(table) ? [] : (found ?? []);
    const merged = new Map(kept.map((value, i) => [keys?.result[i], value]));
    for (const [key, value] of this.#memory[table]) {
      if (value === undefined) merged.delete(key);
      else merged.set(key, value);
    }
    return [...merged];
  }

  /** All values of a table that is not stored completely, otherwise `null`. @param {string} table
   *  @returns {Promise<any[] | null>} */
  async apart(table) {
    // The tables exist after this.
    await this.read('meta', table);
    if (!this.broken && !this.#apart.has(table)) return null;
    return (await this.all(table)).map(([, value]) => value);
  }
}
