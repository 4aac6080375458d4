// Compares values that a worker calls proven with a plain search. Its rules and its search are separate from the engine's.

import assert from 'node:assert/strict';

import { exactValues, randomGame } from './board.js';
import { dice } from './dice.js';
import { line, send, startWorker } from './engine.js';

/** Returns a position with 6 to 12 empty squares. The side to move must pass in one of four. */
function randomPosition(random, n) {
  const empty = 6 + (n % 7);
  for (;;) {
    const { board, side } = randomGame(random, empty);
    const over = [1, -1].every((side) => board.legal(side).length === 0);
    if (board.empty.length !== empty || over) continue;
    const passing = [1, -1].find((side) => board.legal(side).length === 0);
    if (n % 4 === 3 && !passing) continue;
    return { board, side: n % 4 === 3 ? Number(passing) : side };
  }
}

/** Counts of claims, and the wrong ones. */
export class Claims {
  exact = 0;
  outcome = 0;
  loss = 0;
  /** @type {string[]} */
  wrong = [];

  /** @param {'exact' | 'outcome' | 'loss'} kind @param {number} value @param {number | undefined} truth @param {string} text */
  check(kind, value, truth, text) {
    this[kind]++;
    const [claimed, actual] = kind === 'outcome' ? [Math.sign(value), Math.sign(truth)] : [value, truth];
    if (claimed !== actual) this.wrong.push(`${text}: it is ${truth}`);
  }

  toString() {
    return `${this.exact} exact values, ${this.outcome} outcomes, ${this.wrong.length} wrong`;
  }
}

/** Returns the lines to search a position, and the delay of the `ping` that stops the search, in milliseconds. `null` if it ends by
 *  itself. */
function randomSearch(random, { board, side }) {
  const below = (limit) => Math.floor(random() * limit);
  const clock = below(4) === 0 ? 'TI[0:01]' : '';
  const position = `${board.write('*O-')} ${side === 1 ? '*' : 'O'}`;
  return {
    lines: [
      ...(below(5) === 0 ? ['clear'] : []),
      `set depth ${[1, 4, 12, 40, 60][below(5)]}`,
      `set contempt ${[0, 0, 0, 3, -3, 100][below(6)]}`,
      `set game (;GM[Othello]PC[test]PB[a]PW[b]RE[?]${clock}TY[8]BO[8 ${position}];)`,
      below(3) === 0 ? 'go' : `hint ${[1, 2, 3, 4, 64][below(5)]}`,
    ],
    delay: [0, 1, 2, 4, 8, 20, null][below(7)],
  };
}

/** Searches in the page. Returns the answers to each search until its pong. */
const search = (page, searches) =>
  page.evaluate(async (searches) => {
    const { worker } = window;
    const answers = [];
    for (const { lines, delay } of searches) {
      const heard = [];
      await new Promise((resolve) => {
        let isStopping = false;
        const stop = () => {
          if (!isStopping) worker.postMessage('ping 7');
          isStopping = true;
        };
        const timer = delay === null ? 0 : setTimeout(stop, delay);
        const listen = ({ data }) => {
          if (data === 'pong 7') {
            clearTimeout(timer);
            worker.removeEventListener('message', listen);
            resolve(undefined);
          } else heard.push(data);
          if (delay === null && /^status .*is waiting$/.test(data)) stop();
        };
        worker.addEventListener('message', listen);
        for (const line of lines) worker.postMessage(line);
        if (delay === 0) stop();
      });
      answers.push(heard);
    }
    return answers;
  }, searches);

/** Checks the answers to a search: values, and that the best moves are listed. @param {string[]} answers
 *  @param {Map<string, number>} truth */
function check(claims, answers, truth, where) {
  /** Proven values of one report. @type {number[]} */
  let report = [];
  const ends = () => {
    const sorted = [...truth.values()].sort((a, b) => b - a).slice(0, report.length);
    if (report.length > 0 && `${report}` !== `${sorted}`)
      claims.wrong.push(`${where}: the best moves have ${sorted}, not ${report}`);
    report = [];
  };
  let proven;
  for (const answer of answers) {
    const [, move, value, depth] =
      /^search ((?:PA|[A-H][1-8]))\S* (\S+) 0 (\S+)$/.exec(answer) ??
      /^=== (..)(?:\/([^/]+)\/.*)?$/.exec(answer) ??
      [];
    if (!move) {
      ends();
      continue;
    }
    const actual = truth.get(move.toLowerCase());
    const text = `${where} ${answer}`;
    if (actual === undefined) claims.wrong.push(`${text}: illegal`);
    // With contempt, a draw is a pair of numbers.
    const number = value?.includes(',') ? 0 : Number(value);
    if (depth === '100%') {
      claims.check('exact', number, actual, text);
      report.push(number);
    } else if (depth === '100%W') claims.check('outcome', number, actual, text);
    if (answer.startsWith('search')) proven = depth;
    else if (proven === '100%' && value !== undefined) claims.check('exact', Number(value), actual, text);
  }
  ends();
}

/** Checks what a worker says of random positions. A position has several searches, with the values of the previous ones in the table.
 *  @param {{ query: string, positions: number, searches: number }} how `query` as of `startWorker` */
export async function checkWorker(page, { query, positions, searches }) {
  await startWorker(page, query);
  await send(page, 'nboard 2', 'ping 1');
  await line(page, /^pong 1$/);
  const random = dice(query.length);
  const claims = new Claims();
  for (let n = 0; n < positions; n++) {
    const position = randomPosition(random, n);
    const truth = exactValues(position.board, position.side);
    const all = Array.from({ length: searches }, () => randomSearch(random, position));
    const answers = await search(page, all);
    for (const [i, heard] of answers.entries()) check(claims, heard, truth, all[i].lines.join(' | '));
    await page.evaluate(() => window.lines.splice(0));
  }
  assert.deepEqual(claims.wrong.slice(0, 20), []);
  assert.ok(claims.exact >= positions, String(claims));
  return claims;
}
