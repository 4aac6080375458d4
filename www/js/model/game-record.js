// Games as they are kept on the device: what each record holds, and how odd ones are read.
//
// Version 1 had no `v`, no folder and no tags. What a later version adds is left as it is.

import { START } from '../base/position.js';
import { isObject, isPosition, isWhole, isWithin } from '../base/validate.js';
import { LINK_LIMIT } from './link.js';

export const RECORD_VERSION = 2;

const LONGEST_NAME = 200;
const MOST_TAGS = 30;
/** What is read as tags, and as comments. */
const MOST_PARTS = 1000;
/** Characters of a comment, of whatever a later version added. */
const LONGEST = 100_000;
const LAST_TIME = 8.64e15;
const ENDINGS = ['resigned', 'timed-out', 'left', 'agreed'];

/** One line, without blanks around it; nothing where there is none. @param {unknown} value */
export function lineOf(value) {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const line = String(value).replace(/\s+/g, ' ').trim().slice(0, LONGEST_NAME);
  return line === '' ? undefined : line;
}

/** Tags out of a list, or out of what was typed: parted by commas. @param {unknown} value @returns {string[]} */
export function tagList(value) {
  const parts = typeof value === 'string' ? value.split(/[,;、，；]/) : Array.isArray(value) ? value : [];
  return [
    ...new Set(
      parts
        .slice(0, MOST_PARTS)
        .map((part) => lineOf(part) ?? '')
        .filter(Boolean),
    ),
  ].slice(0, MOST_TAGS);
}

/** What tells a game from another. @param {Game} game */
export const keyOf = (game) =>
  [
    game.start === START ? '' : game.start,
    game.moves,
    game.black ?? '',
    game.white ?? '',
    game.date ?? '',
  ].join('|');

const isText = (value, limit = LONGEST) => typeof value === 'string' && value.length <= limit;

/** Whether a value can be written into a backup. @param {unknown} value */
function isPlain(value) {
  try {
    return isText(JSON.stringify(value));
  } catch {
    return false;
  }
}

/** The fields that are read here. */
const KNOWN = [
  'start',
  'moves',
  'v',
  'black',
  'white',
  'date',
  'place',
  'result',
  'ending',
  'tree',
  'base',
].concat(['folder', 'tags', 'added', 'comments']);

/** A record out of whatever was kept, or null where there is no game in it: a faulty field is left out, what is not
 *  known here is kept. @param {any} kept @returns {GameRecord | null} */
export function readRecord(kept) {
  if (!isObject(kept)) return null;
  const { start, moves, result } = kept;
  if (!isPosition(start)) return null;
  if (typeof moves !== 'string' || !/^([a-h][1-8]){0,60}$/.test(moves)) return null;
  const others = Object.entries(kept).filter(([name, value]) => !KNOWN.includes(name) && isPlain(value));
  /** @type {any} */
  const record = { ...Object.fromEntries(others), v: RECORD_VERSION, start, moves };
  for (const name of ['black', 'white', 'date', 'place', 'base']) record[name] = lineOf(kept[name]);
  record.result = isWithin(result, -64, 64) ? result : undefined;
  record.ending = ENDINGS.includes(kept.ending) ? kept.ending : undefined;
  record.tree = isText(kept.tree, LINK_LIMIT) ? kept.tree : undefined;
  record.folder = lineOf(kept.folder) ?? '';
  record.tags = tagList(kept.tags);
  record.added = isWithin(kept.added, -LAST_TIME, LAST_TIME) ? kept.added : 0;
  const comments = Array.isArray(kept.comments) ? kept.comments.slice(0, MOST_PARTS) : [];
  record.comments = comments.filter(
    (entry) => Array.isArray(entry) && isWhole(entry[0], 60) && isText(entry[1]),
  );
  for (const [name, value] of Object.entries(record)) if (value === undefined) delete record[name];
  if (record.comments.length === 0) delete record.comments;
  return record;
}

/** What a search looks through, in lower case. @param {Partial<GameRecord>} game */
const haystack = (game) =>
  [
    game.black,
    game.white,
    game.date,
    game.place,
    game.folder,
    ...(game.tags ?? []).map((tag) => `#${tag}`),
    game.moves,
  ]
    .filter(Boolean)
    .join(' ')
    .toLowerCase();

/** Games that hold every word of `query`. @template {Partial<GameRecord>} T @param {T[]} games @returns {T[]} */
export function findGames(games, query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return games;
  return games.filter((game) => {
    const text = haystack(game);
    return words.every((word) => text.includes(word));
  });
}

/** The names of the folders or of the tags of some games, each once, in the order of the language.
 *  @param {Iterable<GameRecord>} games @param {(game: GameRecord) => string[]} read @param {string} language */
export function namesOf(games, read, language) {
  const names = new Set();
  for (const game of games) for (const name of read(game)) if (name) names.add(name);
  return [...names].sort(new Intl.Collator(language, { numeric: true }).compare);
}

/** A record with other facts. @param {GameRecord} record @param {Partial<GameRecord>} changes @returns {GameRecord} */
export const changed = (record, changes) =>
  /** @type {GameRecord} */ (readRecord({ ...record, ...changes })) ?? record;
