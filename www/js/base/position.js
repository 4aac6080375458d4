// Positions are strings of 65 characters: the squares a1 to h8 row by row (`X` black, `O` white, `-` empty), then the side to move
// (`X` or `O`). A position is used as a key. This module contains no rule of the game.

export const START = `${'-'.repeat(27)}OX${'-'.repeat(6)}XO${'-'.repeat(27)}X`;

/** @type {Side[]} */
export const SIDES = ['X', 'O'];

const FILES = 'abcdefgh';

/** The name of a square numbered 0 to 63, row by row from a1. @param {number} index */
export const squareName = (index) => FILES[index & 7] + ((index >> 3) + 1);

/** The number of a named square. @param {string} name */
export const squareIndex = (name) => (name.charCodeAt(1) - 49) * 8 + name.charCodeAt(0) - 97;

/** @param {string} position */
export const sideOf = (position) => /** @type {Side} */ (position[64]);

/** @param {string} position */
export const emptyCount = (position) => position.split('-').length - 1;

/** Converts a value between the side to move and Black.
 *  @param {number} value @param {Side} side */
export const forBlack = (value, side) => (side === 'X' ? value : -value);
