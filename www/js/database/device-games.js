// The games of the Games tab, as the database takes them: read where the page keeps them, names made numbers.

import { Tables } from '../base/tables.js';
import { isPosition } from '../base/validate.js';

const TABLE = 'games';
const tables = new Tables('outflank', [TABLE]);

/** Returns all games that the page stores on this device, none if storage does not work. @returns {Promise<Game[]>} */
export const readDeviceGames = () => tables.run(TABLE, 'readonly', (rows) => rows.getAll()).catch(() => []);

const isGame = (game) =>
  isPosition(game?.start) && typeof game.moves === 'string' && /^([a-h][1-8]){1,60}$/.test(game.moves);

/** What is written in a field, undefined where it is anything else. @param {unknown} field */
const wordsIn = (field) => (typeof field === 'string' ? field : undefined);

/** A date, which may be a bare year. @param {unknown} field */
const dateIn = (field) => (typeof field === 'number' ? String(field) : wordsIn(field));

/** A game with words where words belong: what was kept may be odd. @param {any} game */
const plainly = (game) => ({
  ...game,
  black: wordsIn(game.black),
  white: wordsIn(game.white),
  place: wordsIn(game.place),
  date: dateIn(game.date),
  tree: wordsIn(game.tree),
});

/** The year in a date of any form, or null. @param {unknown} date */
export const yearOf = (date) => Number(/\b(1[89]\d\d|20\d\d)/.exec(dateIn(date) ?? '')?.[1] ?? 0) || null;

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

/** Games with numbers for names: `{ games, plain, players, tournaments }`, `plain` being what the database takes.
 *  @param {unknown[]} kept @param {(base: string) => number | undefined} idOf the number of a file that is here */
export function numbered(kept, idOf) {
  const players = new Numbers();
  const tournaments = new Numbers();
  const games = /** @type {Game[]} */ (kept.filter(isGame).map(plainly));
  const plain = games.map((game) => ({
    start: game.start,
    moves: game.moves,
    black: players.of(game.black),
    white: players.of(game.white),
    tournament: tournaments.of(game.place),
    year: yearOf(game.date),
    result: Number.isFinite(game.result) ? game.result : null,
    base: (typeof game.base === 'string' ? idOf(game.base) : null) ?? null,
  }));
  return { games, plain, players: players.names, tournaments: tournaments.names };
}
