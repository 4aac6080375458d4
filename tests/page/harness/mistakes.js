// A game with three mistakes of Black, and the exact values of its end and of the moves that tests try.

import { positionsOf } from '../../../www/js/model/rules.js';
import { rules } from '../rules.js';

/** Black plays c1 for −6 (a drawn game is lost; a3 is best), g7 for −14 (b8 is) and a2 for −10 (a3 or a4 are, h2
 *  loses 2). */
const BEFORE = 'f5d6c3d3c4f4f6f3e6e7d7c5b6d8c6c7d2b5a5a6a7g5e3b4c8g6g4c2e8d1f7e2g3h4f1e1f2g1b1f8g8b3h3b2h5b7';
/** The end, with a replaced move of White, which is no answer to any mistake. */
const END = 'c1a1(g2~why+not~)g7g2a2a4a3h8b8a8h2h1h7h6';

/** Moves of the end, or `-`, the value for the side to move after them, and the best line. */
const SOLVED = `- 0 a3a4a1a2c1h2h1g2b8a8g7h8h7h6
  c1 6 a1b8g2a4a2a8a3g7h8h1h7h6h2
  c1a1 -6 b8g2a4a2a8a3g7h8h1h7h6h2
  c1a1g7 20 h8h7g2a4b8a8h6h1h2a2a3
  c1a1g7g2 -20 a4h8h7b8a8h6h1h2a2a3
  c1a1g7g2a2 30 a4a3h8h2h1b8a8h7h6
  c1a1g7g2a2a4 -30 a3h8h2h1b8a8h7h6
  c1a1g7g2a2a4a3 30 h8h2h1b8a8h7h6
  c1a1g7g2a2a4a3h8 -30 h2h1b8a8h7h6
  c1a1g7g2a2a4a3h8b8 30 a8h2h1h7h6
  c1a1g7g2a2a4a3h8b8a8 -30 h2h1h7h6
  c1a1g7g2a2a4a3h8b8a8h2 30 h1h7h6
  c1a1g7g2a2a4a3h8b8a8h2h1 -30 h7h6
  c1a1g7g2a2a4a3h8b8a8h2h1h7 30 h6
  a3 0 a4a1a2c1h2h1g2b8a8g7h8h7h6
  a4 12 a3b8a8a1a2c1h7h1h8h6h2g2g7
  c1a1b8 6 g2a4a2a8a3g7h8h1h7h6h2
  c1a1g7g2h2 22 h1a3a2a4a8b8h8h7h6
  c1a1g7g2a3 20 a2a4a8h1h2b8h8h7h6`;

/** The link of the end, without its `#`. */
export const MISTAKES = `${positionsOf(rules, BEFORE).at(-1)}:${END}@4`;

/** Adds the values of a review and of earlier tries. @param {any} app with the game on its board */
export function addSolved({ study, values }) {
  const start = study.tree.root.position;
  for (const row of SOLVED.split(/\n\s*/)) {
    const [moves, value, line] = row.split(' ');
    const best = `search ${line} ${value} 0 100%`;
    values.add(positionsOf(rules, moves.replace('-', ''), start).at(-1), { best, reviewed: best });
  }
}
