// How far a value is proven. The kinds form a ladder, and `level` is the height on it: a value is replaced only by
// one of at least its level. A search to a depth stands at that depth, above all of them the book, then solves
// at some confidence, then proven outcomes, then exact scores; the result of a finished game is above everything.

import { isWhole } from '../base/validate.js';

/** Levels below are depths. */
export const BOOK = 100;
const SELECTIVE_SOLVE = 200;
const OUTCOME = 900;
const EXACT = 1000;
/** The level of a finished game. */
export const OVER = 2000;

/** @type {Proof} */
export const EXACT_PROOF = { kind: 'exact', depth: 100, level: EXACT };

/** Whether at least the outcome is proven. @param {{ level: number }} proof */
export const isProven = ({ level }) => level >= OUTCOME;

/** @param {Proof | undefined} proof */
export const isExact = (proof) => proof?.kind === 'exact';

/** The proof of a value as it counts so many plies further: depths change, what is solved is so everywhere.
 *  @param {Proof} proof @param {number} plies @returns {Proof} */
export function shifted(proof, plies) {
  if (proof.level >= BOOK || proof.depth === null) return proof;
  return { ...proof, depth: Math.max(0, proof.depth + plies), level: Math.max(0, proof.level + plies) };
}

/** A proof as it was kept, or null where it is none that a line of the engine tells. @param {any} kept
 *  @param {number} value @returns {Proof | null} */
export function keptProof(kept, value) {
  const { kind, depth, confidence } = Object(kept);
  if (kind === 'exact') return EXACT_PROOF;
  if (kind === 'outcome') return readProof('100%W', value);
  const isSure = isWhole(confidence, 99);
  if (kind === 'selective' && depth === null && isSure) return readProof(`${confidence}%`, value);
  if (!isWhole(depth, 99)) return null;
  if (kind === 'selective') return isSure ? readProof(`${depth}@${confidence}%`, value) : null;
  return kind === 'heuristic' || kind === 'book' ? readProof(String(depth), value, kind === 'book') : null;
}

/**
 * The proof in the depth text of a line: `100%` exact, `100%W` outcome only, `84%` a solve at that confidence,
 * `22@84%` a depth at that confidence, `22` a depth. `value` tells which outcome it is.
 * @param {string | undefined} text @param {number} value @param {boolean} isBook @returns {Proof}
 */
export function readProof(text, value, isBook = false) {
  const found = /^(\d+)(?:@(\d+)%|(%W?))?/.exec(text ?? '');
  if (!found) return { kind: 'none', depth: 0, level: 0 };
  const depth = Number(found[1]);
  if (isBook) return { kind: 'book', depth, level: BOOK + depth };
  if (found[3] && depth === 100) {
    if (found[3] === '%') return EXACT_PROOF;
    const outcome = value > 0 ? 'W' : value < 0 ? 'L' : 'D';
    return { kind: 'outcome', depth: 100, outcome, level: OUTCOME };
  }
  if (found[3]) return { kind: 'selective', depth: null, confidence: depth, level: SELECTIVE_SOLVE + depth };
  const confidence = found[2] ? Number(found[2]) : null;
  const level = depth + (confidence ?? 100) / 1000;
  return confidence === null || confidence >= 100
    ? { kind: 'heuristic', depth, level }
    : { kind: 'selective', depth, confidence, level };
}
