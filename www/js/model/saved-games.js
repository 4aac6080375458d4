// The saved games. Records without a game are skipped, counted, and stay stored.

import { Signal } from '../base/signal.js';
import { changed, keyOf, readRecord } from './game-record.js';

const TABLE = 'games';
const MAX_GAMES = 20_000;

/** A change of a stored row. Another tab may have changed the row. @typedef {[key: string, change: (row: any) => GameRecord]} Update */

export class SavedGames {
  /** @type {Map<string, GameRecord>} */
  kept = new Map();
  /** Number of unreadable records. */
  odd = 0;
  /** Games were added, removed or changed. @type {Signal<[]>} */
  changed = new Signal();
  /** The key of each open tree. @type {WeakMap<Tree, string>} */
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

  /** Saves games. A game that is already saved becomes the newest one and gets the new fields.
   *  @param {(Game & Partial<GameRecord>)[]} games
   *  @returns {Promise<{ keys: (string | null)[], left: number }>} the key of each, and how many there was no room for */
  async add(games) {
    await this.ready;
    const known = new Map([...this.kept].map(([key, record]) => [keyOf(record), key]));
    const now = Date.now();
    /** @type {Map<string, GameRecord>} */
    const entries = new Map();
    /** @type {Update[]} */
    const changes = [];
    let left = 0;
    const keys = games.map((game, i) => {
      const record = readRecord({
        ...game,
        added: now - i / 1000,
        cut: undefined,
        notKept: undefined,
        scores: undefined,
      });
      if (!record || (record.moves === '' && !record.tree)) return null;
      const key = known.get(keyOf(record)) ?? keyOf(record);
      const old = entries.get(key) ?? this.kept.get(key);
      if (!old && this.kept.size + entries.size >= MAX_GAMES) {
        left++;
        return null;
      }
      const merge = (row) => {
        const before = readRecord(row) ?? old;
        return before ? merged(before, record) : record;
      };
      entries.set(key, merge(old));
      known.set(keyOf(record), key);
      changes.push([key, merge]);
      return key;
    });
    await this.#update(changes);
    return { keys, left };
  }

  /** The key and the record of a tree, or `null` if it is not saved. @param {Tree} tree */
  of(tree) {
    const key = this.#trees.get(tree);
    const record = key === undefined ? undefined : this.kept.get(key);
    return key !== undefined && record ? { key, record } : null;
  }

  /** The tree is the game saved under `key`. @param {Tree} tree @param {string} key */
  tie(tree, key) {
    this.#trees.set(tree, key);
  }

  /** The saved games under some keys. @param {Iterable<string>} keys @returns {[string, GameRecord][]} */
  #entriesOf(keys) {
    const wanted = new Set(keys);
    return [...this.kept].filter(([key]) => wanted.has(key));
  }

  /** Changes games. Returns a function that undoes it. @param {Iterable<string>} keys
   *  @param {(record: GameRecord) => Partial<GameRecord>} change */
  async change(keys, change) {
    const before = this.#entriesOf(keys);
    const update = (record) => (row) => {
      const there = readRecord(row) ?? record;
      return changed(there, change(there));
    };
    await this.#update(before.map(([key, record]) => [key, update(record)]));
    return () => this.#write(before);
  }

  /** Removes games. Returns a function that restores them. @param {Iterable<string>} keys */
  async remove(keys) {
    const before = this.#entriesOf(keys);
    const removed = before.map(([key]) => key);
    for (const key of removed) this.kept.delete(key);
    this.changed.send();
    await this.store.removeAll(TABLE, removed);
    return () => this.#write(before);
  }

  /** @param {Update[]} changes */
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

/** A game that is saved again: the user's fields stay, unknown fields are added.
 *  @param {GameRecord} old @param {GameRecord} record @returns {GameRecord} */
const merged = (old, record) => ({
  ...record,
  ...old,
  added: record.added,
  folder: old.folder || record.folder,
  tags: [...new Set([...old.tags, ...record.tags])],
});
