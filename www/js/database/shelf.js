// The files that were dropped, kept on the device for the next visit, in a database of their own. Where storage is
// full or denied everything still works until the page closes.

const DATABASE = 'outflank-files';
const VERSION = 1;
const TABLES = ['games', 'names'];

/** @param {IDBRequest} request @returns {Promise<any>} */
const settled = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

export class Shelf {
  /** @type {Promise<IDBDatabase> | null} */
  #opening = null;
  /** Whether what was put here last will be there at the next visit. */
  keeps = true;

  #open() {
    this.#opening ??= new Promise((resolve, reject) => {
      const request = indexedDB.open(DATABASE, VERSION);
      request.onupgradeneeded = () => {
        for (const table of TABLES) request.result.createObjectStore(table);
      };
      request.onsuccess = () => {
        const database = request.result;
        database.onversionchange = () => {
          database.close();
          this.#opening = null;
        };
        resolve(database);
      };
      request.onerror = () => reject(request.error);
      request.onblocked = () => reject(new Error('blocked'));
    });
    return this.#opening;
  }

  /** @template T @param {string} table @param {IDBTransactionMode} mode @param {(rows: IDBObjectStore) => IDBRequest} work
   *  @param {T} otherwise what stands for the answer where there is no storage @returns {Promise<any | T>} */
  async #run(table, mode, work, otherwise) {
    try {
      const database = await this.#open();
      const transaction = database.transaction(table, mode);
      const done = new Promise((resolve, reject) => {
        transaction.oncomplete = resolve;
        transaction.onerror = transaction.onabort = () => reject(transaction.error);
      });
      const [answer] = await Promise.all([settled(work(transaction.objectStore(table))), done]);
      if (mode === 'readwrite') this.keeps = true;
      return answer;
    } catch {
      if (mode === 'readwrite') this.keeps = false;
      return otherwise;
    }
  }

  /** The keys of a table, null where that cannot be told. @param {'games' | 'names'} table @returns {Promise<string[] | null>} */
  keys(table) {
    return this.#run(table, 'readonly', (rows) => rows.getAllKeys(), null);
  }

  /** What is kept under a key, undefined where there is nothing. @param {'games' | 'names'} table @param {string} key */
  read(table, key) {
    return this.#run(table, 'readonly', (rows) => rows.get(key), undefined);
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
