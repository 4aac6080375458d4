// Games as they are stored on this device. Invalid fields are dropped when a record is read; unknown fields of later versions are
// retained. Version 1 had no `v`, no folder and no tags.

import { folded } from '../base/find.js';
import { SIDES, START } from '../base/position.js';
import { isObject, isPosition, isWhole, isWithin, orNull } from '../base/validate.js';

const RECORD_VERSION = 2;

const MAX_NAME_CHARS = 200;
const MAX_TAGS = 30;
/** Most tags and comments that are read. */
const MAX_PARTS = 1000;
/** Most characters of a comment and of an unknown field. */
const MAX_CHARS = 100_000;
/** Most characters of a link, as in the rules module. */
const LINK_LIMIT = 16_000_000;
const MAX_TIME = 8.64e15;
const MAX_RATING = 10_000;
/** Most discs that a move can lose, and a side in a game. */
const MAX_LOSS = 128;
const MAX_TOTAL = 60 * MAX_LOSS;
const MAX_KIND_CHARS = 20;
export const ENDINGS = ['resigned', 'timed-out', 'left', 'agreed'];

/** Returns a text as one trimmed line. `undefined` if it is empty. @param {unknown} value */
export function lineOf(value) {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const line = String(value).replace(/\s+/g, ' ').trim().slice(0, MAX_NAME_CHARS);
  return line === '' ? undefined : line;
}

/** Returns the number of moves that no player has chosen. `undefined` if it is 0 or invalid. @param {any} value */
export const givenOf = (value) => (isWhole(value, 60) && value) || undefined;

/** Returns tags from a list, or from a text with commas. @param {unknown} value @returns {string[]} */
export function tagList(value) {
  const parts = typeof value === 'string' ? value.split(/[,;、，；]/) : Array.isArray(value) ? value : [];
  const tags = parts.slice(0, MAX_PARTS).flatMap((part) => lineOf(part) ?? []);
  return [...new Set(tags)].slice(0, MAX_TAGS);
}

/** The key of a game. @param {Game} game */
export const keyOf = ({ start, moves, black = '', white = '', date = '' }) =>
  [start === START ? '' : start, moves, black, white, date].join('|');

const isText = (value, limit = MAX_CHARS) => typeof value === 'string' && value.length <= limit;

/** Returns `true` if a value can be written into a backup. @param {unknown} value */
const isPlain = (value) => isText(orNull(() => JSON.stringify(value)));

const TEXTS = ['black', 'white', 'date', 'place', 'base'];
const OTHERS = 'start moves v result ending given tree folder tags added comments ratings report'.split(' ');
const FIELDS = [...TEXTS, ...OTHERS];

/** Reads the figures of a side. @param {any} one @param {number} plies of the game @returns {Figures | null} */
function readFigures(one, plies) {
  const [accuracy, worst, loss, phases, mistakes] = Array.isArray(one) ? one : [];
  const isMistake = (made, i) =>
    Array.isArray(made) &&
    isWhole(made[0], plies) &&
    made[0] > (mistakes[i - 1]?.[0] ?? 0) &&
    isWithin(made[1], 0, MAX_LOSS) &&
    isText(made[2], MAX_KIND_CHARS);
  const [first, second, third, more] = Array.isArray(phases) ? phases : [];
  const fits =
    (accuracy === null || isWithin(accuracy, 0, 100)) &&
    isText(worst, MAX_NAME_CHARS) &&
    isWithin(loss, 0, MAX_LOSS) &&
    [first, second, third].every((sum) => isWithin(sum, 0, MAX_TOTAL)) &&
    more === undefined &&
    Array.isArray(mistakes) &&
    mistakes.every(isMistake);
  if (!fits) return null;
  const made = mistakes.map(([ply, lost, kind]) => /** @type {StoredMistake} */ ([ply, lost, kind]));
  return [accuracy, worst, loss, [first, second, third], made];
}

/** @param {any} report @param {string} moves */
function readReport(report, moves) {
  const [X, O] = SIDES.map((side) => readFigures(Object(report)[side], moves.length / 2));
  return X && O ? { X, O } : undefined;
}

/** Reads a stored record. Returns `null` if it contains no game. @param {any} kept @returns {GameRecord | null} */
export function readRecord(kept) {
  if (!isObject(kept)) return null;
  const { start, moves, result } = kept;
  if (!isPosition(start)) return null;
  if (typeof moves !== 'string' || !/^([a-h][1-8]){0,60}$/.test(moves)) return null;
  const others = Object.entries(kept).filter(([name, value]) => !FIELDS.includes(name) && isPlain(value));
  /** @type {any} */
  const record = { ...Object.fromEntries(others), v: RECORD_VERSION, start, moves };
  for (const name of TEXTS) record[name] = lineOf(kept[name]);
  record.result = isWithin(result, -64, 64) ? result : undefined;
  record.ending = ENDINGS.includes(kept.ending) ? kept.ending : undefined;
  record.given = givenOf(kept.given);
  const ratings = [0, 1].map((i) => (isWithin(kept.ratings?.[i], 0, MAX_RATING) ? kept.ratings[i] : null));
  record.ratings = ratings.some((rating) => rating !== null) ? ratings : undefined;
  record.report = readReport(kept.report, moves);
  record.tree = isText(kept.tree, LINK_LIMIT) ? kept.tree : undefined;
  record.folder = lineOf(kept.folder) ?? '';
  record.tags = tagList(kept.tags);
  record.added = isWithin(kept.added, -MAX_TIME, MAX_TIME) ? kept.added : 0;
  const comments = Array.isArray(kept.comments) ? kept.comments.slice(0, MAX_PARTS) : [];
  record.comments = comments.filter(
    (entry) => Array.isArray(entry) && isWhole(entry[0], 60) && isText(entry[1]),
  );
  for (const [name, value] of Object.entries(record)) if (value === undefined) delete record[name];
  if (record.comments.length === 0) delete record.comments;
  return record;
}

/** The searched text. @param {Partial<GameRecord>} game */
export function searchText({ black, white, date, place, folder, tags = [], moves }) {
  const texts = [black, white, date, place, folder, ...tags.map((tag) => `#${tag}`), moves];
  return folded(texts.filter(Boolean).join(' '));
}

/** The names of the folders or of the tags of some games, each once, in the order of the language.
 *  @param {Iterable<GameRecord>} games @param {(game: GameRecord) => string[]} read @param {string} language */
export function namesOf(games, read, language) {
  const names = new Set();
  for (const game of games) for (const name of read(game)) if (name) names.add(name);
  return [...names].sort(new Intl.Collator(language, { numeric: true }).compare);
}

/** A record with some fields changed. Other moves have no report yet.
 *  @param {GameRecord} record @param {Partial<GameRecord>} changes @returns {GameRecord} */
export function changed(record, changes) {
  const { start, moves, report } = { ...record, ...changes };
  const isSame = start === record.start && moves === record.moves;
  return readRecord({ ...record, ...changes, report: isSame ? report : changes.report }) ?? record;
}

/** The figures of an analyzed game for a side, or for the one with the larger loss. `null` without an analysis.
 *  @param {Partial<GameRecord>} game @param {Side | null} side @returns {Figures | null} */
export function reportOf({ report }, side) {
  if (!report) return null;
  const { X, O } = report;
  return side ? report[side] : O[2] > X[2] ? O : X;
}
