// The weaknesses of the user: what the analyzed games among the user's saved games have lost, by phase, reason, opening and opponent.
// Each mistake counts under its first reason. The other losses are a row of their own, so every table adds up to the whole loss.

import { emptyCount } from '../base/position.js';
import { reportOf } from './game-record.js';
import { playerTag } from './perspective.js';

/** The row of losses that are no mistakes. */
const SMALL = 'small';
/** The width of a row of ratings. */
const BAND = 200;
/** Most rows of a table. */
const MAX_ROWS = 8;

/** A saved game of the user. @typedef {{ key: string, record: GameRecord, side: Side, figures: Figures | null, rival: string,
 *  result: number | undefined }} OwnGame */
/** A mistake of the user. @typedef {{ game: OwnGame, ply: number, loss: number, phase: string, kind: string, opening: string,
 *  rival: string }} OwnMistake */
/** Sums of games, or of mistakes. @typedef {{ id: string, games: number, scored: number, points: number, rated: number,
 *  accuracy: number, loss: number, mistakes: number, others?: number }} Sum */

/** The saved games of the user, the newest first. @param {SavedGames} shelf @param {Pick<OwnNames, 'sideIn'>} ownNames @returns {OwnGame[]} */
export const ownGames = (shelf, ownNames) =>
  shelf.entries.flatMap(([key, record]) => {
    const side = ownNames.sideIn(record);
    if (!side) return [];
    const { ratings, result } = record;
    const rating = ratings?.[side === 'X' ? 1 : 0];
    const low = rating && Math.floor(rating / BAND) * BAND;
    const rival = low ? `${low}–${low + BAND - 1}` : record[playerTag(side === 'X' ? 'O' : 'X')];
    const own = result !== undefined && side === 'O' ? -result : result;
    return [{ key, record, side, figures: reportOf(record, side), rival: rival ?? '?', result: own }];
  });

const total = (/** @type {number[]} */ losses) => losses.reduce((sum, loss) => sum + loss, 0);

/** Adds up analyzed games. The rows of phases are in their order, the others by their losses.
 *  @param {OwnGame[]} games @param {(record: GameRecord) => string} openingOf */
export function weaknessesOf(games, openingOf) {
  /** @type {Record<'phase' | 'kind' | 'opening' | 'rival', Map<string, Sum>>} */
  const tables = { phase: new Map(), kind: new Map(), opening: new Map(), rival: new Map() };
  const row = (/** @type {keyof typeof tables} */ by, /** @type {string} */ id) => {
    const none = { id, games: 0, scored: 0, points: 0, rated: 0, accuracy: 0, loss: 0, mistakes: 0 };
    const known = tables[by].get(id) ?? none;
    tables[by].set(id, known);
    return known;
  };
  /** @type {OwnMistake[]} */
  const mistakes = [];
  for (const game of games) {
    const { figures, record, result, rival } = game;
    const [accuracy, , , phases = [], made = []] = /** @type {Figures} */ (figures);
    const opening = openingOf(record);
    for (const [i, loss] of phases.entries()) row('phase', String(i)).loss += loss;
    const discs = 60 - emptyCount(record.start);
    for (const [ply, loss, kind] of made) {
      const phase = String(Number(discs + ply > 20) + Number(discs + ply > 40));
      const mistake = { game, ply, loss, phase, kind: kind || 'none', opening, rival };
      mistakes.push(mistake);
      for (const by of /** @type {(keyof typeof tables)[]} */ (Object.keys(tables)))
        row(by, mistake[by]).mistakes++;
      row('kind', mistake.kind).loss += loss;
    }
    const whole = total(phases);
    row('kind', SMALL).loss += whole - total(made.map(([, loss]) => loss));
    for (const sum of [row('opening', opening), row('rival', rival)]) {
      sum.games++;
      sum.loss += whole;
      if (accuracy !== null) {
        sum.rated++;
        sum.accuracy += accuracy;
      }
      if (result !== undefined) {
        sum.scored++;
        sum.points += (1 + Math.sign(result)) / 2;
      }
    }
  }
  const byLoss = (/** @type {{ loss: number }} */ a, /** @type {{ loss: number }} */ b) => b.loss - a.loss;
  const rows = (/** @type {Map<string, Sum>} */ table) => shortened([...table.values()].sort(byLoss));
  const { kind, opening, rival } = tables;
  return {
    mistakes: mistakes.sort(byLoss),
    tables: {
      phase: ['0', '1', '2'].map((id) => row('phase', id)),
      kind: [...kind.values()].sort(byLoss),
      opening: rows(opening),
      rival: rows(rival),
    },
  };
}

/** The first rows, and the sum of the `others` in a row. @param {Sum[]} rows */
function shortened(rows) {
  if (rows.length <= MAX_ROWS) return rows;
  const [first, ...others] = rows.slice(MAX_ROWS - 1);
  const sum = { ...first, id: '', others: others.length + 1 };
  for (const { id, ...figures } of others)
    for (const [name, figure] of Object.entries(figures)) sum[name] += figure;
  return [...rows.slice(0, MAX_ROWS - 1), sum];
}

/** A cell of CSV. A text that a spreadsheet would run as a formula begins with an apostrophe. @param {unknown} value */
function cell(value) {
  const text = typeof value === 'string' ? value.replace(/^[=+\-@＝＋－＠\t\r]/, "'$&") : String(value ?? '');
  return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The games as CSV: a line for each, with empty cells if it is not analyzed. The columns have the losses of the tables.
 *  @param {OwnGame[]} games @param {(record: GameRecord) => string} openingOf */
export function writeCsv(games, openingOf) {
  const kindsOf = (/** @type {OwnGame} */ { figures }) =>
    figures?.[4]?.map(([, , kind]) => kind || 'none') ?? [];
  const kinds = [...new Set(games.flatMap(kindsOf))].sort();
  const phases = ['loss 1-20', 'loss 21-40', 'loss 41-60'];
  const facts = [
    'date',
    'black',
    'white',
    'place',
    'side',
    'result',
    'opponent rating',
    'opening',
    'accuracy',
  ];
  const head = [...facts, ...phases, 'mistakes', ...kinds.map((kind) => `loss ${kind}`), 'moves'];
  const rows = games.map((game) => {
    const { figures, record, result, side } = game;
    const { date, black, white, place, moves, ratings } = record;
    const [accuracy, , , lost = ['', '', ''], made = null] = figures?.[4] ? figures : [''];
    const losses = kinds.map(
      (kind) => made && total(made.map(([, loss], i) => (kindsOf(game)[i] === kind ? loss : 0))),
    );
    const rating = ratings?.[side === 'X' ? 1 : 0];
    const known = [date, black, white, place, playerTag(side), result, rating, openingOf(record), accuracy];
    return [...known, ...lost, made?.length, ...losses, moves];
  });
  // The mark by which spreadsheets recognize UTF-8.
  return `\ufeff${[head, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('')}`;
}
