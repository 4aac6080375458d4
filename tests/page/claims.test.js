// Compares values that the worker and the page call proven with a plain search. Its rules and its search are separate from the
// engine's.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Board, nameOf, randomGame } from '../harness/board.js';
import { line, send, startWorker } from '../harness/engine.js';
import { dice } from '../harness/small-game.js';
import { stage } from '../harness/stage.js';
import { opened, reviewEnds, until } from './hands.js';

const site = stage();

const LONG = Boolean(process.env.OUTFLANK_LONG_TESTS);
const POSITIONS = LONG ? 2500 : 24;
const GAMES = LONG ? 20 : 3;
/** Searches of each position, with all the values that the previous ones left in the table. */
const SEARCHES = LONG ? 12 : 6;

/** Plain alpha-beta. @param {Board} board @param {number[]} empty */
function plainValue(board, empty, side, alpha, beta, passed = false) {
  let best = -65;
  for (let i = 0; i < empty.length; i++) {
    const square = empty[i];
    const flipped = board.place(square, side);
    if (!flipped) continue;
    best = Math.max(best, -plainValue(board, empty.toSpliced(i, 1), -side, -beta, -Math.max(alpha, best)));
    board.undo(square, side, flipped);
    if (best >= beta) return best;
  }
  if (best > -65) return best;
  return passed ? board.score(side) : -plainValue(board, empty, -side, -beta, -alpha, true);
}

/** Returns the exact value of every move for a side. A pass is the move `pa`. @returns {Map<string, number>} */
function valuesOf(board, side) {
  const values = new Map();
  for (const square of board.legal(side)) {
    const flipped = board.place(square, side);
    values.set(nameOf(square), -plainValue(board, board.empty, -side, -64, 64));
    board.undo(square, side, flipped);
  }
  if (values.size === 0) values.set('pa', -plainValue(board, board.empty, -side, -64, 64, true));
  return values;
}

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
class Claims {
  exact = 0;
  outcome = 0;
  /** @type {string[]} */
  wrong = [];

  /** @param {'exact' | 'outcome'} kind @param {number} value @param {number | undefined} truth @param {string} text */
  check(kind, value, truth, text) {
    this[kind]++;
    const [claimed, actual] = kind === 'exact' ? [value, truth] : [Math.sign(value), Math.sign(truth)];
    if (claimed !== actual) this.wrong.push(`${text}: it is ${truth}`);
  }

  toString() {
    return `${this.exact} exact values, ${this.outcome} outcomes, ${this.wrong.length} wrong`;
  }
}

/** Returns the lines to search a position, and the delay of the `ping` that stops the search, in milliseconds. */
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
    delay: [0, 1, 2, 4, 8, 20, 10_000][below(7)],
  };
}

/** Searches in the page. Returns the answers to each search until its pong. A search ends by itself or after its delay. */
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
        const timer = setTimeout(stop, delay);
        const listen = ({ data }) => {
          if (data === 'pong 7') {
            clearTimeout(timer);
            worker.removeEventListener('message', listen);
            resolve(undefined);
          } else heard.push(data);
          if (delay > 1000 && /^status .*is waiting$/.test(data)) stop();
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

for (const [build, query] of [
  ['without threads', 'hash=1'],
  ['with threads', 'hash=1&threads=2'],
]) {
  test(`proven values of the worker ${build} are true`, {
    timeout: LONG ? 3_600_000 : 120_000,
  }, async (t) => {
    const page = await site.open('/version.json');
    const ready = await startWorker(page, query);
    assert.equal(ready.threads > 0, query.includes('threads'));
    await send(page, 'nboard 2', 'ping 1');
    await line(page, /^pong 1$/);
    const random = dice(query.length);
    const claims = new Claims();
    for (let n = 0; n < POSITIONS; n++) {
      const position = randomPosition(random, n);
      const truth = valuesOf(position.board, position.side);
      const searches = Array.from({ length: SEARCHES }, () => randomSearch(random, position));
      const answers = await search(page, searches);
      for (const [i, heard] of answers.entries()) check(claims, heard, truth, searches[i].lines.join(' | '));
      await page.evaluate(() => window.lines.splice(0));
    }
    t.diagnostic(`${POSITIONS} positions: ${claims}`);
    assert.deepEqual(claims.wrong.slice(0, 20), []);
    assert.ok(claims.exact >= POSITIONS, String(claims));
  });
}

/** Collects in `window.claims` every value that the page shows as proven: `kind position move value`. */
const collect = (page) =>
  page.evaluate(() => {
    window.claims = new Set();
    const { screen, settings, study, words } = outflank;
    const clean = (element) => element?.textContent.replace(/\s/g, ' ').trim() ?? '';
    const outcomes = ['W', 'D', 'L'];
    settings.set('black', true);
    settings.set('lines', 64);
    settings.set('decimals', true);
    screen.drawn.listen(() => {
      const { position } = study;
      const add = (kind, position, move, value) =>
        window.claims.add(`${kind} ${position} ${move} ${value.replace('\u2212', '-')}`);
      const header = clean(document.querySelector('#engine [data-part=value]'));
      const depth = clean(document.querySelector('#engine [data-part=depth]'));
      if (depth === words.t('engine.exact')) add('exact', position, '', header);
      for (const outcome of outcomes)
        if (depth === words.t(`engine.outcome.${outcome}`)) add('outcome', position, '', outcome);
      const rows = [
        ...[...document.querySelectorAll('.sq')].map((cell) => [
          cell.dataset.square,
          cell.querySelector('.val'),
        ]),
        ...[...document.querySelectorAll('#lines-body tr')].map((row) => [row.dataset.move, row]),
      ];
      for (const [move, row] of rows) {
        const isBoard = row.matches('.val');
        const sign = clean(row.querySelector(isBoard ? 'i' : '.proof'));
        if (row.matches('.old, .none')) continue;
        if (sign === '✓') add('exact', position, move, clean(row.querySelector(isBoard ? 'b' : '.value')));
        if (outcomes.includes(sign)) add('outcome', position, move, sign);
      }
      const at = new Map([...study.tree.nodes()].map((node) => [String(node.id), node]));
      for (const button of document.querySelectorAll('#moves .mv')) {
        const node = at.get(button.dataset.node);
        const text = clean(button.querySelector('small'));
        const [, value] = /^(\S+) ✓$/.exec(text) ?? [];
        const [, loss] = /^▲ (\d+)$/.exec(text) ?? [];
        if (node && value) add('exact', node.position, '', value);
        if (node?.parent && loss) add('loss', node.parent.position, node.move, loss);
      }
      for (const button of document.querySelectorAll('#panel-report .mistakes button')) {
        const [, ply, move] = /^(\d+)\. (..)( →|$)/.exec(clean(button.children[1])) ?? [];
        const [, loss] = /^(\d+)$/.exec(clean(button.querySelector('b'))) ?? [];
        if (ply && loss) add('loss', study.tree.main[Number(ply) - 1].position, move, loss);
      }
    });
  });

test('values that the page shows as proven are true', { timeout: LONG ? 3_600_000 : 240_000 }, async (t) => {
  const random = dice(20);
  const claims = new Claims();
  const counts = { exact: 0, outcome: 0, loss: 0, unchecked: 0 };
  const known = new Map();
  for (let game = 0; game < GAMES; game++) {
    const { moves } = randomGame(random, game % 2 === 0 ? 0 : 1 + (game % 8));
    const page = await opened(site, `/#${moves.map(nameOf).join('')}`);
    await until(() => page.evaluate(() => outflank.study.tree.main.length), moves.length + 1);
    await page.evaluate(async () => {
      outflank.settings.set('reviewDepth', 4);
      outflank.panels.show('report');
      await outflank.panels.get('report');
    });
    await collect(page);
    await page.keyboard.press('a');
    await reviewEnds(page);
    await page.evaluate(async () => {
      const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
      const { study } = outflank;
      for (const node of study.tree.main.slice(-14).reverse()) {
        study.go(node);
        await wait(250);
      }
    });
    for (const claim of await page.evaluate(() => [...window.claims])) {
      const [, kind, position, move, value] = /^(\S+) (\S+) (\S*) (\S+)$/.exec(claim) ?? assert.fail(claim);
      const board = new Board(position);
      if (board.empty.length > 11) {
        counts.unchecked++;
        continue;
      }
      const side = position[64] === 'X' ? 1 : -1;
      if (!known.has(position)) known.set(position, valuesOf(board, side));
      const truth = known.get(position);
      const best = Math.max(...truth.values());
      const actual = move === '' ? best : truth.get(move);
      counts[kind]++;
      if (kind === 'exact') claims.check('exact', Number(value), side * actual, claim);
      else if (kind === 'loss') claims.check('exact', Number(value), best - actual, claim);
      else claims.check('outcome', { W: 1, D: 0, L: -1 }[value], side * actual, claim);
    }
    await page.close();
  }
  t.diagnostic(`${GAMES} games: ${claims}; ${JSON.stringify(counts)}`);
  assert.deepEqual(claims.wrong.slice(0, 20), []);
  assert.ok(counts.exact >= 20 * GAMES && counts.loss >= GAMES, JSON.stringify(counts));
});
