// The overlays of the board, on the keys 1 to 6.

import { squareIndex } from '../base/position.js';

export const OVERLAYS = ['mobility', 'frontier', 'stable', 'parity', 'numbers', 'threats'];

/** An overlay: `{ classes: Map(square → class names), numbers: Map(square → move number) }`. */
export function overlay(name, rules, node) {
  const classes = new Map();
  const numbers = new Map();
  const add = (squares, ...names) => {
    for (const square of squares) classes.set(square, [...(classes.get(square) ?? []), ...names]);
  };
  const found = name && rules.overlays(node.position);
  if (name === 'numbers') {
    for (const step of node.path.slice(1)) numbers.set(squareIndex(step.move), step.ply);
  } else if (name === 'mobility') {
    add(found.mobility.own, 'own');
    add(found.mobility.theirs, 'theirs');
  } else if (name === 'parity') {
    for (const region of found.regions) add(region, region.length % 2 === 1 ? 'odd' : 'even');
  } else if (name === 'threats') add(found.threats, 'threat');
  else if (name) add(found[name], name);
  return { classes, numbers };
}
