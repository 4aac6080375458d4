// Search by words: without accents, in any case, in any order.

/** @param {string} text */
export const folded = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Returns a check for texts that contain all words of a query. @param {string} query */
export function finder(query) {
  const words = folded(query).split(/\s+/).filter(Boolean);
  return (/** @type {string} */ text) => words.every((word) => text.includes(word));
}
