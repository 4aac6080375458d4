// The loaded files of games and the saved games, with their names, as one database; and the loaded opening books.

import { CodedError } from '../base/coded-error.js';
import { folded } from '../base/find.js';
import { numbered, readDeviceGames } from './device-games.js';
import { FileStore } from './file-store.js';
import { NameLists, Names } from './names.js';

/** Most bytes of a file: half a million games, or a million positions of a book. */
const MAX_FILE_BYTES = 34_000_016;
/** Most games of all files: about 300 MB. */
const MAX_GAMES = 1_000_000;
/** Most reported errors of a file. */
const MAX_FAULTS = 50;
/** Files with at most this many games are also added to the saved games. */
const MAX_LISTED = 200;
/** Source number of the saved games. */
const OWN = 0;
/** Source number of the book of the page. Its values are used for positions that no other book contains. */
const BOOK = 1;
/** Attempts to load a file. */
const MAX_TRIES = 2;
/** A file that could not be loaded. */
const UNLOADED = { games: 0, records: 0, year: null, faulty: 0, unnamed: 0, size: 0, added: 0 };
const CHANNEL = 'outflank-files';

/** @param {any} value a result of the module */
function checked(value, code = 'wthor') {
  if (value?.error !== undefined) throw new CodedError({ code, message: value.error });
  return value;
}

const endingOf = (name) => /\.(\w+)$/.exec(name)?.[1].toLowerCase();

/** @param {Uint8Array} a @param {Uint8Array} b */
const same = (a, b) => a.length === b.length && a.every((byte, at) => byte === b[at]);

export class GameDatabase {
  #store = new FileStore();
  #database;
  #part;
  /** Files of games and books, by folded name. @type {Map<string, any>} */
  #files = new Map();
  /** @type {NameLists} */
  #names;
  #nextId = BOOK + 1;
  /** Files are added and removed in sequence. @type {Promise<any>} */
  #line = Promise.resolve();
  /** The saved games, with their names. @type {{ games: Game[], players: Names, tournaments: Names } | null} */
  #own = null;
  /** Saved games that are not stored on this device. @type {Game[] | null} */
  #given = null;
  /** @type {Promise<void> | null} */
  #reading = null;
  /** Number of changes of the saved games. */
  #turns = 0;
  /** The names marked in the database. */
  #wanted = '';
  /** @type {LibraryState['loading']} */
  #loading = null;
  /** The stored files were listed. */
  #opened = false;
  /** @type {URL | undefined} */
  #address;
  /** Number of positions in the book of the page. */
  #booked = 0;
  /** The last removed file. @type {any} */
  #removed = null;
  #channel = new BroadcastChannel(CHANNEL);

  /** @param {{ Database: any, names_read: any, part_size: () => number, book?: URL }} module
   *  @param {(state: LibraryState) => void} report */
  constructor({ Database, names_read, part_size, book }, report) {
    this.#database = new Database();
    this.#names = new NameLists(this.#store, names_read);
    this.#part = part_size();
    this.report = report;
    this.#address = book;
    this.#channel.onmessage = () => this.open();
  }

  /** Loads files that are stored and not loaded, and drops files that are no longer stored. */
  open() {
    return this.#next(async () => {
      for (const table of /** @type {const} */ (['games', 'books'])) {
        const keys = await this.#store.keys(table);
        this.#opened = true;
        if (!keys) return;
        for (const [key, file] of this.#files)
          if (file.kept && file.table === table && !keys.includes(key)) this.#forget(key);
        for (const key of keys) if (!this.#files.has(key)) await this.#loadKept(table, key);
      }
    });
  }

  /** Loads a stored file. After two crashes during the loading, for example without memory, the file is only listed.
   *  @param {'games' | 'books'} table @param {string} key */
  async #loadKept(table, key) {
    const kept = await this.#store.file(table, key);
    if (!kept) return;
    const { bytes, ...entry } = { ...kept, table };
    /** @param {FileFault} fault */
    const list = (fault) =>
      this.#files.set(key, { ...UNLOADED, ...entry, key, id: this.#nextId++, faults: [fault], kept: true });
    if ((await this.#store.attempt(key)) >= MAX_TRIES) {
      list({ code: 'database-unloaded' });
      return;
    }
    try {
      await this.#load({ ...entry, key, kept: true }, bytes ?? new Uint8Array());
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      // The file was valid when it was added. The user decides whether to remove it.
      list({ name: entry.name, ...error.fault });
    }
    await this.#store.attempt(key, true);
  }

  /** Resolves when all stored files are loaded. */
  async ready() {
    await this.#line;
  }

  /** Adds files, and returns the result of each. @param {File[]} files @returns {Promise<FileTaken[]>} */
  add(files) {
    return this.#next(async () => {
      const taken = [];
      /** Lists of names added with these games. @type {Record<string, string>} */
      const together = {};
      const withGames = files.some(({ name }) => endingOf(name) === 'wtb');
      // Lists of names before their games, books last.
      const rank = ({ name }) => ['wtb', 'trn', 'jou'].indexOf(endingOf(name) ?? '');
      for (const file of files.toSorted((a, b) => rank(b) - rank(a)))
        taken.push(await this.#result(file, together, withGames));
      this.#channel.postMessage('changed');
      return taken;
    });
  }

  /** Removes a file. Returns `true` if that can be undone. @param {string} key */
  remove(key) {
    return this.#next(async () => {
      const file = this.#files.get(key);
      if (!file) return false;
      const { table } = file;
      const kept = await this.#store.file(table, key);
      this.#removed = kept?.bytes ? { ...kept, key, table } : null;
      this.#forget(key);
      await this.#store.remove(table, key);
      await this.#store.attempt(key, true);
      this.#channel.postMessage('changed');
      return this.#removed !== null;
    });
  }

  restore() {
    return this.#next(async () => {
      const removed = this.#removed;
      this.#removed = null;
      if (!removed || this.#files.has(removed.key)) return;
      const { bytes, key, ...entry } = removed;
      await this.#keep(await this.#load({ ...entry, key, kept: false }, bytes), bytes);
      this.#channel.postMessage('changed');
    });
  }

  /** Opens or closes the book of the page. @param {boolean} isOn */
  useBook(isOn) {
    return this.#next(async () => {
      this.#database.remove(BOOK);
      this.#booked = 0;
      if (!isOn) return;
      const answer = await fetch(/** @type {URL} */ (this.#address));
      if (!answer.ok) throw new CodedError({ code: 'book', message: String(answer.status) });
      const bytes = new Uint8Array(await answer.arrayBuffer());
      this.#booked = checked(this.#database.open_book(BOOK, bytes), 'book').positions;
    });
  }

  /** The saved games have changed. @param {Game[] | null} games if they are not stored on this device */
  own(games) {
    this.#given = games;
    this.#stale();
    this.#report();
  }

  /** The moves played from a position. @param {string} position @param {GamesWanted} wanted */
  async lookUp(position, wanted) {
    const answer = await this.#find(wanted, (limits) => this.#database.look_up(position, limits));
    answer.book = this.book(position);
    return answer;
  }

  /** Games with a similar position. @param {string} position @param {string} part that is the same @param {GamesWanted} wanted */
  similar(position, part, wanted) {
    return this.#find(wanted, (limits) => this.#database.similar(position, part, limits));
  }

  /** @param {GamesWanted} wanted @param {(limits: object) => any} find */
  async #find(wanted, find) {
    await this.#readOwn();
    this.#want(wanted);
    const year = (value) => (Number.isInteger(value) && value >= 0 && value < 65_536 ? value : null);
    const { from, to, player, list = 0 } = wanted;
    const side = player?.trim() ? wanted.side : null;
    const limits = { from: year(from), to: year(to), side, list };
    const answer = checked(find(limits));
    answer.list = answer.list.map((row) => this.#named(row));
    return answer;
  }

  /** The moves of a position in the last added book that contains it. @param {string} position @returns {BookValue[]} */
  book(position) {
    return checked(this.#database.book_moves(position), 'book');
  }

  /** The values of positions in books that know them, and of the positions after their moves.
   *  @param {string[]} positions @returns {PositionBooked[]} */
  bookValues(positions) {
    return checked(this.#database.book_values(positions), 'book');
  }

  /** The positions that each side must know of a line, or `null`: see `web/src/database.rs`. @param {string} moves */
  toKnow(moves) {
    return checked(this.#database.to_know(moves), 'book');
  }

  /** A book in text form, or `undefined`. @param {string} key @returns {string | undefined} */
  bookText(key) {
    return this.#database.book_text(this.#files.get(key)?.id ?? OWN);
  }

  /** A game of a list, transformed so that it reaches the position. A saved game with variations is not transformed.
   *  @param {GameListed} row @param {string} position @returns {Game} */
  game({ source, index, game, ply, number, black, white, place, date, result }, position) {
    const turned = checked(this.#database.game(source, index, game, ply, position));
    if (source !== OWN) return { ...turned, black, white, place, date, result };
    const { scores, added, ...kept } = this.#own?.games[number] ?? turned;
    return kept.tree ? kept : { ...kept, ...turned };
  }

  /** @template T @param {() => Promise<T>} work @returns {Promise<T>} */
  #next(work) {
    const done = this.#line.then(work).finally(() => {
      this.#loading = null;
      this.#report();
    });
    this.#line = done.catch(() => {});
    return done;
  }

  /** @param {File} file @param {Record<string, string>} together @param {boolean} withGames @returns {Promise<FileTaken>} */
  async #result(file, together, withGames) {
    const { name } = file;
    const key = folded(name);
    try {
      if (file.size > MAX_FILE_BYTES) throw new CodedError({ code: 'file-size' });
      const bytes = new Uint8Array(await file.arrayBuffer());
      const ending = endingOf(name) ?? '';
      if (['jou', 'trn'].includes(ending))
        return { name, ...(await this.#addNames(name, key, bytes, together, withGames)) };
      if (ending === 'wtb') return { name, ...(await this.#addGames(name, key, bytes, together)) };
      return { name, ...(await this.#put({ table: 'books', key, name }, bytes)) };
    } catch (error) {
      if (error instanceof CodedError) return { name, fault: { name, ...error.fault } };
      // The file was deleted while it was read.
      if (error instanceof DOMException) return { name, fault: { code: 'other', message: error.message } };
      throw error;
    }
  }

  /** @param {string} name @param {string} key @param {Uint8Array} bytes @param {Record<string, string>} together @param {boolean} withGames */
  async #addNames(name, key, bytes, together, withGames) {
    const kind = endingOf(name) === 'trn' ? 'tournaments' : 'players';
    const { names, records } = checked(await this.#names.add(key, kind, name, bytes));
    this.#wanted = '';
    together[kind] = key;
    for (const entry of this.#files.values()) {
      if (entry[kind] === null && !withGames) {
        entry[kind] = key;
        await this.#keep(entry);
      }
      if (entry[kind] === key) this.#countUnnamed(entry);
    }
    return { names: names.length, missing: Math.max(0, records - names.length) };
  }

  /** @param {string} name @param {string} key @param {Uint8Array} bytes @param {Record<string, string>} together */
  async #addGames(name, key, bytes, together) {
    for (const other of this.#files.values()) {
      if (other.key === key || other.size !== bytes.length) continue;
      const kept = await this.#store.file('games', other.key);
      if (kept?.bytes && same(kept.bytes, bytes)) return { sameAs: other.name };
    }
    const before = this.#files.get(key);
    const players = together.players ?? before?.players ?? (await this.#names.latest('players'));
    const tournaments =
      together.tournaments ?? before?.tournaments ?? (await this.#names.latest('tournaments'));
    return this.#put({ table: 'games', key, name, players, tournaments }, bytes);
  }

  /** Indexes and stores an added file. @param {any} entry @param {Uint8Array} bytes */
  async #put(entry, bytes) {
    const file = await this.#load({ ...entry, added: Date.now(), kept: false }, bytes);
    await this.#keep(file, bytes);
    await this.#store.attempt(file.key, true);
    const { faults, faulty, games, positions } = file;
    const list = positions === undefined && games <= MAX_LISTED ? this.#listOf(file) : [];
    return { games, positions, faults, faulty, list };
  }

  /** Stores a file: with its bytes, or with the stored ones. */
  async #keep(entry, /** @type {Uint8Array | undefined} */ bytes = undefined) {
    const { table, key, name, added, players, tournaments } = entry;
    const held = bytes ?? (await this.#store.file(table, key))?.bytes;
    if (!held) return;
    await this.#store.write(table, key, { name, added, players, tournaments, bytes: held });
    entry.kept = this.#store.keeps;
  }

  /** Indexes a file in parts, then removes a file with the same name.
   *  @param {any} entry @param {Uint8Array} bytes */
  async #load(entry, bytes) {
    const id = this.#nextId++;
    try {
      const found = await (entry.table === 'books'
        ? this.#readBook(entry, id, bytes)
        : this.#readGames(entry, id, bytes));
      const file = { ...UNLOADED, ...entry, id, size: bytes.length, ...found };
      this.#countUnnamed(file);
      this.#forget(entry.key);
      this.#files.set(entry.key, file);
      this.#stale();
      return file;
    } catch (error) {
      this.#database.remove(id);
      throw error;
    }
  }

  /** Reports the progress, and lets requests in between two parts of a file. @param {LibraryState['loading']} loading */
  async #pause(loading) {
    this.#loading = loading;
    this.#report();
    await new Promise((resolve) => setTimeout(resolve));
  }

  /** @param {any} entry @param {number} id @param {Uint8Array} bytes */
  async #readGames({ key, name, players, tournaments }, id, bytes) {
    const database = this.#database;
    const { records, year, written, first, size } = checked(database.open(id, bytes.subarray(0, 64)));
    const found = Math.floor((bytes.length - first) / size);
    const taken = Math.min(records, found);
    const others = [...this.#files.values()].filter((file) => file.key !== key);
    if (others.reduce((games, file) => games + file.games, taken) > MAX_GAMES)
      throw new CodedError({ code: 'database-full', limit: MAX_GAMES });
    const faults = [];
    if (found < records) faults.push({ code: 'wthor-short', records, found });
    if (found > records) faults.push({ code: 'wthor-long', records, found });
    if (year === null) faults.push({ code: 'wthor-year', found: written });
    let games = 0;
    let faulty = 0;
    for (let at = 0; at < taken; at += this.#part) {
      await this.#pause({ name, done: at, of: taken });
      const end = first + Math.min(taken, at + this.#part) * size;
      const part = checked(database.add_records(id, bytes.subarray(first + at * size, end)));
      games += part.taken;
      faulty += part.faults.length;
      faults.push(...part.faults.slice(0, Math.max(0, MAX_FAULTS - faults.length)));
    }
    for (const list of [players, tournaments]) await this.#names.load(list);
    return { records, year, games, faulty, faults };
  }

  /** @param {any} entry @param {number} id @param {Uint8Array} bytes */
  async #readBook({ name }, id, bytes) {
    await this.#pause({ name, done: 0, of: 1 });
    const { positions, faults } = checked(this.#database.open_book(id, bytes), 'book');
    const shown = faults.slice(0, MAX_FAULTS).map((message) => ({ code: 'book', message }));
    return { positions, faulty: faults.length, faults: shown };
  }

  #countUnnamed(file) {
    const players = this.#names.of(file.players)?.all.length;
    const tournaments = this.#names.of(file.tournaments)?.all.length;
    // Without a list no name is missing.
    const all = 0xffff_ffff;
    file.unnamed = this.#database.unnamed(file.id, players ?? all, tournaments ?? all);
  }

  #forget(key) {
    const file = this.#files.get(key);
    if (!file) return;
    this.#database.remove(file.id);
    this.#files.delete(key);
    this.#stale();
  }

  /** The saved games must be read again: they have changed, or a file they belong to was added or removed. */
  #stale() {
    this.#own = null;
    this.#wanted = '';
    this.#turns++;
  }

  #readOwn() {
    if (this.#own) return Promise.resolve();
    this.#reading ??= this.#takeOwn().finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  async #takeOwn() {
    for (let turn = -1; turn !== this.#turns; ) {
      turn = this.#turns;
      const kept = this.#given ?? (await readDeviceGames());
      if (turn !== this.#turns) continue;
      const ids = new Map([...this.#files.values()].map(({ name, id }) => [name, id]));
      const { games, plain, players, tournaments } = numbered(kept, (base) => ids.get(base));
      checked(this.#database.add_games(OWN, plain));
      this.#own = { games, players: new Names(players), tournaments: new Names(tournaments) };
      this.#wanted = '';
    }
  }

  /** Marks the requested names in the database. @param {GamesWanted} wanted */
  #want({ player = '', tournament = '' }) {
    const wanted = JSON.stringify([player.trim(), tournament.trim()]);
    if (wanted === this.#wanted) return;
    const none = new Uint8Array();
    const marks = (names, query) => (query.trim() === '' ? undefined : (names?.wanted(query) ?? none));
    const mark = (id, players, tournaments) =>
      this.#database.want(id, marks(players, player), marks(tournaments, tournament));
    mark(OWN, this.#own?.players, this.#own?.tournaments);
    for (const { id, players, tournaments } of this.#files.values())
      mark(id, this.#names.of(players), this.#names.of(tournaments));
    this.#wanted = wanted;
  }

  /** The names, the date and the result of a game of a file, or of the saved games.
   *  @param {any} file @param {any} game */
  #facts(file, { black, white, tournament, year, result }) {
    const players = file ? this.#names.of(file.players) : this.#own?.players;
    const tournaments = file ? this.#names.of(file.tournaments) : this.#own?.tournaments;
    return {
      black: players?.all[black] || undefined,
      white: players?.all[white] || undefined,
      place: tournaments?.all[tournament] || undefined,
      date: year === null ? undefined : String(year),
      result: result ?? undefined,
    };
  }

  /** A row of a list with its names. @param {any} found @returns {GameListed} */
  #named({ year, tournament, ...row }) {
    const file = [...this.#files.values()].find(({ id }) => id === row.source);
    const facts = this.#facts(file, { ...row, tournament, year });
    return { ...row, ...facts, date: file ? facts.date : this.#own?.games[row.number]?.date };
  }

  /** The games of a small file, for the saved games. @returns {Game[]} */
  #listOf(file) {
    const games = checked(this.#database.games(file.id));
    const base = file.name;
    return games.map((game) => ({ start: game.start, moves: game.moves, ...this.#facts(file, game), base }));
  }

  #report() {
    const files = [...this.#files.values()].map(
      ({ id, added, size, table, players, tournaments, ...file }) => ({
        ...file,
        named: players !== null || tournaments !== null || table === 'books',
      }),
    );
    files.sort((a, b) => (a.year ?? 0) - (b.year ?? 0) || a.name.localeCompare(b.name));
    const [loading, booked, opened] = [this.#loading, this.#booked, this.#opened];
    this.report({ files, loading, booked, bytes: this.#database.bytes(), opened });
  }
}
