// Reads lines of the NBoard protocol. Unknown lines are ignored, as the protocol requires.

import { emptyCount } from '../base/position.js';

const PV = /pa|[a-h][1-8]/g;

/** The first number of a text: the mover's value of a pair. */
function number(text) {
  const value = Number.parseFloat(text);
  return Number.isFinite(value) ? value : null;
}

export function readLine(line) {
  const [word, ...rest] = line.trim().split(/\s+/);
  switch (word) {
    case 'search':
    case 'book': {
      const [pv, evaluation, , depth] = rest;
      const line = pv?.toLowerCase().match(PV) ?? [];
      const value = number(evaluation ?? '');
      if (line.length === 0 || value === null) return { type: 'other' };
      return {
        type: 'value',
        move: line[0],
        pv: line.filter((move) => move !== 'pa'),
        value,
        depth: word === 'book' && depth === '100%' ? '100@book' : String(depth),
      };
    }
    case 'nodestats': {
      const [nodes, seconds] = rest.map(number);
      return nodes === null || seconds === null ? { type: 'other' } : { type: 'nodes', nodes, seconds };
    }
    case 'status':
      return { type: 'status', text: rest.join(' ') };
    case 'pong':
      return { type: 'pong', number: number(rest[0] ?? '') };
    case '===':
      return { type: 'move', move: rest.join('/').split('/')[0].toLowerCase() };
    default:
      return { type: 'other' };
  }
}

const minutes = (seconds) =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;

/** The `set game` line of a position: a GGF record with the board in `BO`. `clock` is the remaining time of the side to move.
 *  @param {string} position @param {{ seconds: number, increment: number } | null} clock */
export function setPosition(position, clock = null) {
  const board = position.slice(0, 64).replaceAll('X', '*');
  const side = position[64] === 'X' ? '*' : 'O';
  const time = clock ? `TI[${minutes(clock.seconds)}/${minutes(clock.increment)}]` : '';
  return `set game (;GM[Othello]PC[Outflank]PB[Black]PW[White]RE[?]${time}TY[8]BO[8 ${board} ${side}];)`;
}

/** Returns `depth`, or one ply more so that the leaves have an even number of empty squares. Values of odd and of even leaves
 *  differ, and the loss of a move is the difference of two values. @param {string} position @param {number} depth */
export const evenDepth = (position, depth) => depth + ((emptyCount(position) - depth) & 1);
