// The weaknesses of the user: what the user's analyzed games have lost, by phase, reason, opening and opponent. Each mistake counts
// under its first reason. The other losses have their own row, so every table adds up to the whole loss.

import { emptyCount } from '../base/position.js';
import { reportOf } from './game-record.js';
import { playerTag } from './perspective.js';

/** The width of a row of ratings. */
const BAND = 200;
/** Most rows of a table. */
const MAX_ROWS = 8;
const NONE = { games: 0, scored: 0, points: 0, rated: 0, accuracy: 0, loss: 0, mistakes: 0 };

/** A saved game of the user, with the result for the user. `figures` are `null` until it is analyzed.
 *  @typedef {{ key: string, record: GameRecord, side: Side, figures: Figures | null, rating?: number | null, rival: string,
 *    result?: number }} OwnGame */
/** Sums of games or mistakes. `others` is the number of rows that are one row. @typedef {typeof NONE & { id: string, others?: number }} Sum */

/** The saved games of the user, the newest first. @param {SavedGames} shelf @param {Pick<OwnNames, 'sideIn'>} ownNames @returns {OwnGame[]} */
export const ownGames = (shelf, ownNames) =>
  shelf.entries.flatMap(([key, record]) => {
    const side = ownNames.sideIn(record);
    if (!side) return [];
    const rating = record.ratings?.[side === 'X' ? 1 : 0];
    const low = rating && Math.floor(rating / BAND) * BAND;
    const rival = low ? `${low}–${low + BAND - 1}` : (record[playerTag(side === 'X' ? 'O' : 'X')] ?? '?');
    const result = record.result && side === 'O' ? -record.result : record.result;
    return [{ key, record, side, figures: reportOf(record, side), rating, rival, result }];
  });

const total = (/** @type {number[]} */ losses) => losses.reduce((sum, loss) => sum + loss, 0);

/** Adds up those of `games` that are analyzed. Rows and mistakes with the largest losses are first, phases in their order.
 *  @param {OwnGame[]} games @param {(record: GameRecord) => string} openingOf */
export function weaknessesOf(games, openingOf) {
  const phase = new Map(['0', '1', '2'].map((id) => [id, { id, ...NONE }]));
  /** @type {Record<'kind' | 'phase' | 'opening' | 'rival', Map<string, Sum>>} */
  const tables = { kind: new Map(), phase, opening: new Map(), rival: new Map() };
  const names = /** @type {(keyof typeof tables)[]} */ (Object.keys(tables));
  const add = (
    /** @type {keyof typeof tables} */ by,
    /** @type {string} */ id,
    /** @type {Partial<Sum>} */ sums,
  ) => tables[by].set(id, joined(tables[by].get(id) ?? { id, ...NONE }, sums));
  const mistakes = [];
  for (const game of games) {
    const { figures, record, result, rival } = game;
    if (!figures) continue;
    const [accuracy, , , phases, made] = figures;
    const opening = openingOf(record);
    const discs = 60 - emptyCount(record.start);
    for (const [i, loss] of phases.entries()) add('phase', String(i), { loss });
    for (const [ply, loss, kind] of made) {
      const phase = String(Number(discs + ply > 20) + Number(discs + ply > 40));
      const mistake = { game, ply, loss, phase, kind: kind || 'none', opening, rival };
      mistakes.push(mistake);
      for (const by of names) add(by, mistake[by], { mistakes: 1, loss: by === 'kind' ? loss : 0 });
    }
    const loss = total(phases);
    add('kind', 'small', { loss: Math.max(0, loss - total(made.map(([, loss]) => loss))) });
    const rated = { rated: Number(accuracy !== null), accuracy: accuracy ?? 0 };
    const points = result === undefined ? {} : { scored: 1, points: (1 + Math.sign(result)) / 2 };
    for (const by of /** @type {const} */ (['opening', 'rival']))
      add(by, { opening, rival }[by], { games: 1, loss, ...rated, ...points });
  }
  const rows = (/** @type {keyof typeof tables} */ by) => [...tables[by].values()].sort(byLoss);
  return {
    mistakes: mistakes.sort(byLoss),
    tables: {
      kind: rows('kind'),
      phase: [...tables.phase.values()],
      opening: shortened(rows('opening')),
      rival: shortened(rows('rival')),
    },
  };
}

const byLoss = (/** @type {{ loss: number }} */ a, /** @type {{ loss: number }} */ b) => b.loss - a.loss;

/** @param {Sum} sum @param {Partial<Sum>} more @returns {Sum} */
function joined(sum, { id, ...more }) {
  const all = { ...sum };
  for (const [name, figure] of Object.entries(more)) all[name] += figure;
  return all;
}

/** The first rows, and a row with the sums of the others. @param {Sum[]} rows */
function shortened(rows) {
  if (rows.length <= MAX_ROWS) return rows;
  const others = rows.slice(MAX_ROWS - 1);
  const sum = others.reduce(joined, { id: '', ...NONE });
  return [...rows.slice(0, MAX_ROWS - 1), { ...sum, others: others.length }];
}

/** A cell of CSV. A text that a spreadsheet would run as a formula begins with an apostrophe. @param {unknown} value */
function cell(value) {
  const text = typeof value === 'string' ? value.replace(/^[=+\-@＝＋－＠\t\r]/, "'$&") : String(value ?? '');
  const isPlain = /^[^\x22,;\r\n]*$/.test(text);
  return isPlain ? text : ['"', text.replaceAll('"', '""'), '"'].join('');
}

const FACTS = 'date,black,white,place,side,result,opponent rating,opening'.split(',');

/** The games as CSV, a line for each. The losses of a game that is not analyzed are empty.
 *  @param {OwnGame[]} games @param {(record: GameRecord) => string} openingOf */
export function writeCsv(games, openingOf) {
  const kinds = weaknessesOf(games, openingOf).tables.kind.map(({ id }) => id);
  const losses = ['1-20', '21-40', '41-60', ...kinds].map((name) => `loss ${name}`);
  const rows = games.map((game) => {
    const { figures, rating, record, result, side } = game;
    const { date, black, white, place, moves } = record;
    const { kind } = weaknessesOf([game], openingOf).tables;
    const lost = figures && kinds.map((id) => kind.find((row) => row.id === id)?.loss ?? 0);
    const facts = [date, black, white, place, playerTag(side), result, rating, openingOf(record)];
    const known = figures
      ? [figures[0], figures[4].length, figures[3], lost].flat()
      : Array(losses.length + 2);
    return [...facts, ...known, moves];
  });
  const head = [...FACTS, 'accuracy', 'mistakes', ...losses, 'moves'];
  // The mark by which spreadsheets recognize UTF-8.
  return ['\ufeff', ...[head, ...rows].map((row) => Array.from(row, cell).join(',').concat('\r\n'))].join('');
}
