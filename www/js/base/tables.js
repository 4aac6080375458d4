// Tables on the device, in IndexedDB: which may be refused, never answer, or go away while it is open.

/** Time after which the page works without a database that has not opened. */
const OPEN_TIMEOUT_MS = 5000;

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
        // Another page wants it changed, or gone.
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

/** Opens a database, with the tables that it lacks. Whatever version it is of will do: a newer page may have been here.
 *  After the timeout it throws an error whose `late` is the database that may open yet.
 *  @param {string} name @param {readonly string[]} tables @param {() => void} closed called where it is closed from
 *  outside @returns {Promise<IDBDatabase>} */
export const openTables = (name, tables, closed) =>
  new Promise((resolve, reject) => {
    const late = open(name, tables, closed);
    const timer = setTimeout(
      () => reject(Object.assign(new Error('the database does not open'), { late })),
      OPEN_TIMEOUT_MS,
    );
    late.then(resolve, reject).finally(() => clearTimeout(timer));
  });
