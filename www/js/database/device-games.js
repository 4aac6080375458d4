// The saved games as the database takes them: with numbers instead of names.

import { Tables } from '../base/tables.js';
import { isPosition } from '../base/validate.js';

const TABLE = 'games';
const tables = new Tables('outflank', [TABLE]);

/** Returns all games that the page stores on this device, none if storage does not work. @returns {Promise<Game[]>} */
export const readDeviceGames = () => tables.run(TABLE, 'readonly', (rows) => rows.getAll()).catch(() => []);

const isGame = (game) =>
  isPosition(game?.start) && typeof game.moves === 'string' && /^([a-h][1-8]){1,60}$/.test(game.moves);

/** Returns a text, or `undefined` for any other value. @param {unknown} field */
const textOf = (field) => (typeof field === 'string' ? field : undefined);

/** Returns a date, which may be a year. @param {unknown} field */
const dateOf = (field) => (typeof field === 'number' ? String(field) : textOf(field));

/** Returns a game with valid fields: stored data may be invalid. @param {any} game */
const plain = (game) => {
  const texts = ['black', 'white', 'place', 'tree'].map((name) => [name, textOf(game[name])]);
  return { ...game, ...Object.fromEntries(texts), date: dateOf(game.date) };
};

/** Returns the year in a date of any form, or `null`. @param {unknown} date */
export const yearOf = (date) => Number(/\b(1[89]\d\d|20\d\d)/.exec(dateOf(date) ?? '')?.[1] ?? 0) || null;

/** A list of names, each once, the empty one first. */
class Numbers {
  names = [''];
  #known = new Map([['', 0]]);

  /** @param {unknown} name */
  of(name) {
    const text = typeof name === 'string' ? name : '';
    let number = this.#known.get(text);
    if (number === undefined) {
      number = this.names.length;
      this.names.push(text);
      this.#known.set(text, number);
    }
    return number;
  }
}

/** Returns `{ games, plain, players, tournaments }`: valid games, the same games with numbers, and the lists of names.
 *  @param {unknown[]} kept @param {(base: string) => number | undefined} idOf the number of a loaded file */
export function numbered(kept, idOf) {
  const players = new Numbers();
  const tournaments = new Numbers();
  const games = /** @type {Game[]} */ (kept.filter(isGame).map(plain));
  const numbers = games.map((game) => ({
    start: game.start,
    moves: game.moves,
    black: players.of(game.black),
    white: players.of(game.white),
    tournament: tournaments.of(game.place),
    year: yearOf(game.date),
    result: Number.isFinite(game.result) ? game.result : null,
    base: (typeof game.base === 'string' ? idOf(game.base) : null) ?? null,
  }));
  return { games, plain: numbers, players: players.names, tournaments: tournaments.names };
}
