// Reads the numbers of positions in the result of `Values.tree`; see web/src/rules/values.rs.

import { squareName } from '../base/position.js';

const POINT = 0;
const LOSS = 5;
const COURSE = 14;
const SIDES = 16;
const FIELDS_OF_SIDE = 11;
const FIELDS = SIDES + 2 * FIELDS_OF_SIDE;
/** @type {Proof['kind'][]} */
const KINDS = ['heuristic', 'selective', 'book', 'outcome', 'exact'];
const CHANGES = [null, 'WD', 'WL', 'DL'];

/** @param {number} number */
const known = (number) => (Number.isNaN(number) ? null : number);
const square = (number) => (Number.isNaN(number) ? null : squareName(number));

/** @param {Float64Array} numbers @param {number} i @param {Side} side the side that moved @returns {NodeAnalysis} */
export function readNode(numbers, i, side) {
  const of = numbers.subarray(i * FIELDS, (i + 1) * FIELDS);
  return {
    point: readPoint(of),
    loss: readLoss(of, side),
    get sums() {
      return { X: readSums(of.subarray(SIDES)), O: readSums(of.subarray(SIDES + FIELDS_OF_SIDE)) };
    },
    level: known(of[COURSE + 1]),
  };
}

/** @param {Float64Array} of @returns {Point | null} */
export function readPoint(of) {
  const [value, level, kind, move, forced] = of.subarray(POINT, LOSS);
  if (Number.isNaN(value)) return null;
  const name = KINDS[kind];
  return { value, level, kind: name, exact: name === 'exact', move: square(move), forced: forced === 1 };
}

/** @param {Float64Array} of @param {Side} side @returns {Loss | null} */
function readLoss(of, side) {
  const [loss, exact, error, atLeast, proven, changed, best, mistake, grave] = of.subarray(LOSS, COURSE);
  if (Number.isNaN(loss)) return null;
  const size = { loss, exact: exact === 1, error, atLeast: known(atLeast), proven: known(proven) };
  const grade = grave === 1 ? 'grave' : 'slight';
  return { side, ...size, changed: CHANGES[changed], best: square(best), mistake: mistake === 1, grade };
}

/** @param {Float64Array} of */
function readSums(of) {
  const [loss, first, second, third, moves, count, exact, WD, WL, DL, accuracy] = of;
  const sums = { loss, phases: [first, second, third], moves, known: count, exact: exact === 1 };
  return { ...sums, changed: { WD, WL, DL }, accuracy: known(accuracy) };
}
