// What is kept on the device: small settings in localStorage, games, evaluations and puzzle progress
// in IndexedDB. Where storage is full or denied everything still works, in memory, until the page closes.

import { Signal } from '../base/signal.js';

const PREFIX = 'outflank.';
const DATABASE = 'outflank';
const TABLES = ['games', 'evaluations', 'puzzles', 'meta'];
const VERSION = 1;

export class Store {
  /** A table holds something else now. @type {Signal<[table: string]>} */
  written = new Signal();

  /** `onTrouble` is told once where storage cannot be used. @param {(error: unknown) => void} onTrouble */
  constructor(onTrouble = () => {}) {
    this.onTrouble = onTrouble;
    this.small = new Map();
    this.memory = Object.fromEntries(TABLES.map((table) => [table, new Map()]));
    this.opening = null;
    this.broken = false;
  }

  #trouble(error) {
    if (this.broken) return;
    this.broken = true;
    this.onTrouble(error);
  }

  /** A small value; `fallback` where it is missing or unreadable. @param {string} key @param {any} fallback */
  get(key, fallback = null) {
    if (this.small.has(key)) return this.small.get(key);
    try {
      const text = localStorage.getItem(PREFIX + key);
      return text === null ? fallback : JSON.parse(text);
    } catch {
      return fallback;
    }
  }

  /** A small value as another page may have written it since. @param {string} key @param {any} fallback */
  fresh(key, fallback = null) {
    if (!this.broken) this.small.delete(key);
    return this.get(key, fallback);
  }

  set(key, value) {
    this.small.set(key, value);
    try {
      localStorage.setItem(PREFIX + key, JSON.stringify(value));
    } catch (error) {
      this.#trouble(error);
    }
  }

  #open() {
    this.opening ??= new Promise((resolve, reject) => {
      const request = indexedDB.open(DATABASE, VERSION);
      request.onupgradeneeded = () => {
        for (const table of TABLES)
          if (!request.result.objectStoreNames.contains(table)) request.result.createObjectStore(table);
      };
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
      request.onblocked = () => reject(new Error('blocked'));
    });
    return this.opening;
  }

  async #run(table, mode, work) {
    if (this.broken) return undefined;
    try {
      const database = await this.#open();
      return await new Promise((resolve, reject) => {
        const transaction = database.transaction(table, mode);
        const request = work(transaction.objectStore(table));
        transaction.oncomplete = () => resolve(request?.result);
        transaction.onerror = transaction.onabort = () => reject(transaction.error);
      });
    } catch (error) {
      this.#trouble(error);
      return undefined;
    }
  }

  async read(table, key) {
    const kept = this.memory[table].get(key);
    return kept !== undefined ? kept : await this.#run(table, 'readonly', (rows) => rows.get(key));
  }

  async write(table, key, value) {
    this.memory[table].set(key, value);
    await this.#run(table, 'readwrite', (rows) => rows.put(value, key));
    this.written.send(table);
  }

  async writeAll(table, entries) {
    for (const [key, value] of entries) this.memory[table].set(key, value);
    await this.#run(table, 'readwrite', (rows) => {
      let last;
      for (const [key, value] of entries) last = rows.put(value, key);
      return last;
    });
    this.written.send(table);
  }

  async remove(table, key) {
    this.memory[table].delete(key);
    await this.#run(table, 'readwrite', (rows) => rows.delete(key));
    this.written.send(table);
  }

  /** Removes many rows at once. @param {string} table @param {string[]} keys */
  async removeAll(table, keys) {
    if (keys.length === 0) return;
    for (const key of keys) this.memory[table].delete(key);
    await this.#run(table, 'readwrite', (rows) => {
      let last;
      for (const key of keys) last = rows.delete(key);
      return last;
    });
    this.written.send(table);
  }

  async clear(table) {
    this.memory[table].clear();
    await this.#run(table, 'readwrite', (rows) => rows.clear());
    this.written.send(table);
  }

  /** All `[key, value]` of a table. */
  async all(table) {
    // Both in one transaction: what another tab writes between them would part keys from values.
    /** @type {IDBRequest<IDBValidKey[]> | undefined} */
    let keys;
    const values = await this.#run(table, 'readonly', (rows) => {
      keys = rows.getAllKeys();
      return rows.getAll();
    });
    const merged = new Map((values ?? []).map((value, i) => [keys?.result[i], value]));
    for (const [key, value] of this.memory[table]) merged.set(key, value);
    return [...merged];
  }
}
