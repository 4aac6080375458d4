// Tables on the device, in IndexedDB: which may be refused, never answer, or go away while it is open.

/** Whoever has not answered by then does not answer. */
const PATIENCE_MS = 5000;

/** Opens a database, with the tables that it lacks. Whatever version it is of will do: a newer page may have been here.
 *  @param {string} name @param {readonly string[]} tables @param {() => void} closed called where it is closed from
 *  outside @param {number} [version] @returns {Promise<IDBDatabase>} */
export const openTables = (name, tables, closed, version) =>
  new Promise((resolve, reject) => {
    const request = indexedDB.open(name, version);
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      reject(new Error('the database does not open'));
    }, PATIENCE_MS);
    request.onupgradeneeded = () => {
      for (const table of tables)
        if (!request.result.objectStoreNames.contains(table)) request.result.createObjectStore(table);
    };
    request.onerror = () => {
      clearTimeout(timer);
      reject(request.error);
    };
    request.onsuccess = () => {
      clearTimeout(timer);
      const database = request.result;
      const isWhole = tables.every((table) => database.objectStoreNames.contains(table));
      if (isWhole && !late) {
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
      if (!late) resolve(openTables(name, tables, closed, database.version + 1));
    };
  });
