// Reproducible chance.

/** Returns a function that draws reproducible numbers: below `sides`, or from 0 to 1 without `sides`. */
export function dice(seed) {
  let state = Math.imul(seed, 2_654_435_761) + 1;
  return (sides) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const share = state / 2 ** 32;
    return sides === undefined ? share : Math.floor(share * sides);
  };
}
