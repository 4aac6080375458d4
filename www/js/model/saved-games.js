// The games that are kept on the device. Records that hold no game are passed over, told, and left where they are.

import { Signal } from '../base/signal.js';
import { changed, keyOf, readRecord } from './game-record.js';

const TABLE = 'games';
const MOST = 20_000;

export class SavedGames {
  /** @type {Map<string, GameRecord>} */
  kept = new Map();
  /** Number of records that could not be read. */
  odd = 0;
  /** Games have come, gone or changed. @type {Signal<[]>} */
  changed = new Signal();
  /** Under which key a tree on the table is kept. @type {WeakMap<Tree, string>} */
  #trees = new WeakMap();

  /** @param {Store} store */
  constructor(store) {
    this.store = store;
    this.ready = this.#load();
    store.elsewhere.listen((table) => {
      if (table === TABLE) this.ready = this.#load();
    });
  }

  async #load() {
    const rows = await this.store.all(TABLE);
    this.kept.clear();
    this.odd = 0;
    for (const [key, value] of rows) {
      const record = readRecord(value);
      if (record) this.kept.set(key, record);
      else this.odd++;
    }
    this.changed.send();
  }

  /** All games, the newest first. @returns {[string, GameRecord][]} */
  get entries() {
    return [...this.kept].sort((a, b) => b[1].added - a[1].added);
  }

  /** Keeps games that are not kept yet; those that are come to the top with what they were given here.
   *  @param {(Game & Partial<GameRecord>)[]} games
   *  @returns {Promise<{ keys: (string | null)[], left: number }>} the key of each; how many there was no room for */
  async add(games) {
    await this.ready;
    const known = new Map([...this.kept].map(([key, record]) => [keyOf(record), key]));
    const now = Date.now();
    /** @type {Map<string, GameRecord>} */
    const entries = new Map();
    /** @type {[string, (row: any) => GameRecord][]} */
    const changes = [];
    let left = 0;
    const keys = games.map((game, i) => {
      const record = readRecord({ ...game, added: now - i / 1000, scores: undefined });
      if (!record || (record.moves === '' && !record.tree)) return null;
      const key = known.get(keyOf(record)) ?? keyOf(record);
      const old = entries.get(key) ?? this.kept.get(key);
      if (!old && this.kept.size + entries.size >= MOST) {
        left++;
        return null;
      }
      entries.set(key, old ? merged(old, record) : record);
      known.set(keyOf(record), key);
      changes.push([
        key,
        (row) => {
          const there = readRecord(row) ?? old;
          return there ? merged(there, record) : record;
        },
      ]);
      return key;
    });
    await this.#update(changes);
    return { keys, left };
  }

  /** The key that the tree is kept under, and its record; null where it is not kept. @param {Tree} tree */
  of(tree) {
    const key = this.#trees.get(tree);
    const record = key === undefined ? undefined : this.kept.get(key);
    return key !== undefined && record ? { key, record } : null;
  }

  /** The tree on the table is the game kept under `key`. @param {Tree} tree @param {string} key */
  tie(tree, key) {
    this.#trees.set(tree, key);
  }

  /** Changes games; the function returned takes that back. @param {Iterable<string>} keys
   *  @param {(record: GameRecord) => Partial<GameRecord>} change */
  async change(keys, change) {
    /** @type {[string, GameRecord][]} */
    const before = [];
    /** @type {[string, (row: any) => GameRecord][]} */
    const changes = [];
    for (const key of keys) {
      const record = this.kept.get(key);
      if (!record) continue;
      before.push([key, record]);
      changes.push([
        key,
        (row) => {
          const there = readRecord(row) ?? record;
          return changed(there, change(there));
        },
      ]);
    }
    await this.#update(changes);
    return () => this.#write(before);
  }

  /** Removes games; the function returned brings them back. @param {Iterable<string>} keys */
  async remove(keys) {
    /** @type {[string, GameRecord][]} */
    const before = [];
    for (const key of keys) {
      const record = this.kept.get(key);
      if (record) before.push([key, record]);
    }
    for (const [key] of before) this.kept.delete(key);
    this.changed.send();
    await this.store.removeAll(
      TABLE,
      before.map(([key]) => key),
    );
    return () => this.#write(before);
  }

  /** Changes games by what is stored of them by now: another tab may have changed them as well.
   *  @param {[string, (row: any) => GameRecord][]} changes */
  async #update(changes) {
    if (changes.length === 0) return;
    for (const [key, change] of changes) this.kept.set(key, change(this.kept.get(key)));
    this.changed.send();
    for (const [key, record] of await this.store.updateAll(TABLE, changes)) this.kept.set(key, record);
  }

  /** @param {[string, GameRecord][]} entries */
  async #write(entries) {
    if (entries.length === 0) return;
    for (const [key, record] of entries) this.kept.set(key, record);
    this.changed.send();
    await this.store.writeAll(TABLE, entries);
  }
}

/** A game that comes again: what the person gave it stays, what was not known of it is added.
 *  @param {GameRecord} old @param {GameRecord} record @returns {GameRecord} */
const merged = (old, record) => ({
  ...record,
  ...old,
  added: record.added,
  folder: old.folder || record.folder,
  tags: [...new Set([...old.tags, ...record.tags])],
});
