// The saved games as the database takes them: with numbers instead of names.

import { Tables } from '../base/tables.js';
import { readRecord } from '../model/game-record.js';

const TABLE = 'games';
const tables = new Tables('outflank', [TABLE]);

/** Returns all games that the page stores on this device, none if storage does not work. @returns {Promise<Game[]>} */
export const readDeviceGames = () => tables.run(TABLE, 'readonly', (rows) => rows.getAll()).catch(() => []);

/** Returns the year in a date of any form, or `null`. @param {string | undefined} date */
export const yearOf = (date = '') => Number(/\b(1[89]\d\d|20\d\d)/.exec(date)?.[1] ?? 0) || null;

/** A list of names, each once, the empty one first. */
class Numbers {
  #known = new Map([['', 0]]);

  get names() {
    return [...this.#known.keys()];
  }

  of(name = '') {
    const number = this.#known.get(name) ?? this.#known.size;
    this.#known.set(name, number);
    return number;
  }
}

/** Returns `{ games, plain, players, tournaments }`: valid games, the same games with numbers, and the lists of names.
 *  @param {unknown[]} kept @param {(base: string) => number | undefined} idOf the number of a loaded file */
export function numbered(kept, idOf) {
  const players = new Numbers();
  const tournaments = new Numbers();
  const games = kept.flatMap((row) => readRecord(row) ?? []).filter(({ moves }) => moves !== '');
  const plain = games.map(({ start, moves, black, white, place, date, result = null, base }) => ({
    start,
    moves,
    black: players.of(black),
    white: players.of(white),
    tournament: tournaments.of(place),
    year: yearOf(date),
    result,
    base: (base && idOf(base)) ?? null,
  }));
  return { games, plain, players: players.names, tournaments: tournaments.names };
}
