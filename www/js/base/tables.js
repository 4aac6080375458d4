// Tables in IndexedDB. The browser may refuse them, never answer, or close them while they are open.

/** Time after which the page works without a database that has not opened. */
const OPEN_TIMEOUT_MS = 5000;

/** The database did not open. After the timeout, `late` resolves to the database if it opens after all. */
export class OpenError extends Error {
  /** @type {Promise<IDBDatabase> | undefined} */
  late;
}

/** @param {string} name @param {readonly string[]} tables @param {() => void} closed @param {number} [version]
 *  @returns {Promise<IDBDatabase>} */
const open = (name, tables, closed, version) =>
  new Promise((resolve, reject) => {
    const request = indexedDB.open(name, version);
    request.onupgradeneeded = () => {
      for (const table of tables)
        if (!request.result.objectStoreNames.contains(table)) request.result.createObjectStore(table);
    };
    request.onerror = () => reject(request.error);
    request.onsuccess = () => {
      const database = request.result;
      if (tables.every((table) => database.objectStoreNames.contains(table))) {
        database.onclose = closed;
        // Another page changes or deletes the database.
        database.onversionchange = () => {
          database.close();
          closed();
        };
        resolve(database);
        return;
      }
      database.close();
      resolve(open(name, tables, closed, database.version + 1));
    };
  });

/** Some tables of a database. Missing tables are created. Any version is accepted: a newer page may have written it. */
export class Tables {
  /** @type {Promise<IDBDatabase> | null} */
  #opening = null;

  /** @param {string} name of the database @param {readonly string[]} tables */
  constructor(name, tables) {
    this.name = name;
    this.tables = tables;
  }

  /** Uses a database that opened late. @param {IDBDatabase} database */
  use(database) {
    this.#opening = Promise.resolve(database);
  }

  #open() {
    this.#opening ??= new Promise((resolve, reject) => {
      const late = open(this.name, this.tables, () => {
        this.#opening = null;
      });
      const fail = (cause, more = {}) =>
        reject(Object.assign(new OpenError('the database does not open', { cause }), more));
      const timer = setTimeout(() => fail(undefined, { late }), OPEN_TIMEOUT_MS);
      late.then(resolve, fail).finally(() => clearTimeout(timer));
    });
    return this.#opening;
  }

  /** Runs `work` in a transaction on a table. Returns the result of the request that `work` returns.
   *  @param {string} table @param {IDBTransactionMode} mode @param {(rows: IDBObjectStore) => IDBRequest | void} work
   *  @returns {Promise<any>} */
  async run(table, mode, work) {
    const database = await this.#open();
    return new Promise((resolve, reject) => {
      const transaction = database.transaction(table, mode);
      const request = work(transaction.objectStore(table));
      transaction.oncomplete = () => resolve(/** @type {any} */ (request)?.result);
      transaction.onerror = transaction.onabort = () => reject(transaction.error);
    });
  }
}
