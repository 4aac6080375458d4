// The part of IndexedDB that the page uses, in memory. All pages of a test share the databases.

const sorted = (rows) => [...rows].sort(([a], [b]) => (a < b ? -1 : 1));

/** Runs requests on the rows of a table when they are made, and reports them later. */
function tableOf(rows) {
  const request = (work) => {
    const made = { result: structuredClone(work()), onsuccess: null };
    queueMicrotask(() => made.onsuccess?.());
    return made;
  };
  return {
    get: (key) => request(() => rows.get(key)),
    put: (value, key) => request(() => void rows.set(key, structuredClone(value))),
    delete: (key) => request(() => void rows.delete(key)),
    clear: () => request(() => rows.clear()),
    count: () => request(() => rows.size),
    getAll: () => request(() => sorted(rows).map(([, value]) => value)),
    getAllKeys: () => request(() => sorted(rows).map(([key]) => key)),
  };
}

export function memoryDatabases() {
  const all = new Map();
  return {
    open(name, version) {
      const stored = all.get(name) ?? { version: 0, tables: new Map() };
      all.set(name, stored);
      const { tables } = stored;
      const request = {
        result: {
          version: Math.max(1, stored.version),
          objectStoreNames: { contains: (table) => tables.has(table) },
          createObjectStore: (table) => tables.set(table, new Map()),
          transaction: (table) => {
            const transaction = { objectStore: () => tableOf(tables.get(table)), oncomplete: null };
            setImmediate(() => transaction.oncomplete?.());
            return transaction;
          },
          close() {},
        },
        onupgradeneeded: null,
        onsuccess: null,
      };
      setImmediate(() => {
        const wanted = version ?? request.result.version;
        if (stored.version < wanted) request.onupgradeneeded?.();
        request.result.version = stored.version = Math.max(stored.version, wanted);
        request.onsuccess?.();
      });
      return request;
    },
  };
}
