// Fits the temperatures of the opponents to their losses, and writes the table to www/js/model/opponents.js, with a sample for its
// test:
//
//   node tests/bench/opponents.js ENGINE
//
// An opponent plays itself: six random moves, then moves drawn from the values of a search of its depth, with its
// temperature. A deeper search judges every move of every position. The expected loss of the drawn moves is a function of
// the temperature. The new temperature is the one whose mean loss of all moves, forced ones included, equals the target.
// It leads to other positions, so the opponent plays several rounds. The games of the first round are played with an older
// temperature and do not count.
//
// Opponents that play the engine's own move are measured instead, by a deeper judge.
//
// Values are stored in target/opponents/ for each engine, so that an interrupted run resumes. All random numbers are seeded:
// the same table and engine give the same result. The rules need a built `dist/`.

import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { emptyCount, START, squareName } from '../../www/js/base/position.js';
import { choose, likelihoods, OPPONENTS, temperatureAt } from '../../www/js/model/opponents.js';
import { talk } from '../packages/unpacked.js';
import { dice } from '../page/harness/dice.js';
import { rules } from '../page/rules.js';

const path = (from) => fileURLToPath(new URL(`../../${from}`, import.meta.url));
const [ENGINE] = process.argv.slice(2);
const GAMES = 16;
const ROUNDS = 3;
const RANDOM_PLIES = 6;
/** Depth of the judge, and depth of the judge of opponents without a temperature. */
const JUDGE_DEPTH = 12;
const HIGH_JUDGE_DEPTH = 16;
const HIGH_GAMES = 8;
const ANSWER_MS = 600_000;
const SAMPLE = 200;

const digestOf = (program) => createHash('sha256').update(readFileSync(program)).digest('hex').slice(0, 16);

/** The engine's values of all moves, remembered on disc. */
class Values {
  known = new Map();

  constructor() {
    mkdirSync(path('target/opponents'), { recursive: true });
    this.file = path(`target/opponents/${digestOf(ENGINE)}.jsonl`);
    const text = existsSync(this.file) ? readFileSync(this.file, 'utf8') : '';
    for (const line of text.split('\n')) {
      try {
        this.known.set(...JSON.parse(line));
      } catch {
        // The last line of an interrupted run.
      }
    }
    this.engine = talk(ENGINE, ['nboard', '--eval', 'small']);
    this.engine.say('nboard 2');
  }

  /** `{ move: value }`, of all moves; with `go` only the engine's own move: `{ move: 0 }`. */
  async of(position, depth, command = 'hint 64') {
    const key = `${command} ${depth} ${position}`;
    if (!this.known.has(key)) {
      this.known.set(key, await this.#ask(position, depth, command));
      appendFileSync(this.file, `${JSON.stringify([key, this.known.get(key)])}\n`);
    }
    return this.known.get(key);
  }

  async #ask(position, depth, command) {
    const values = {};
    this.engine.say(...rules.searchLines(position, depth, command));
    for (let begun = false; ; ) {
      const line = await this.engine.line(/./, ANSWER_MS);
      const [row] = rules.readValues([line]);
      if (row) values[row.move] = row.value;
      else if (line.startsWith('=== ') && command === 'go') return { [line.slice(4, 6).toLowerCase()]: 0 };
      else if (line.startsWith('status ') && line.endsWith(' is waiting') && begun) return values;
      else if (line.startsWith('status ')) begun = true;
    }
  }
}

const values = new Values();
const legalOf = (position) => rules.look(position).legal.map(squareName);

/** The positions of a game of an opponent against itself, each with the move that it chose. */
async function selfPlay(opponent, temperature, seed) {
  const random = dice(seed);
  const played = [];
  let position = START;
  for (let ply = 0; !rules.look(position).over; ply++) {
    const legal = legalOf(position);
    let move = legal[Math.floor(random() * legal.length)];
    if (ply >= RANDOM_PLIES) {
      if (legal.length > 1) {
        const said = await values.of(position, opponent.depth, temperature ? 'hint 64' : 'go');
        const rows = Object.entries(said).map(([of, value]) => ({ move: of, value }));
        move = temperature ? choose(rows, temperature, position, random) : rows[0].move;
      }
      played.push({ position, move, forced: legal.length === 1 });
    }
    position = rules.play(position, move).position;
  }
  return played;
}

async function lossesOf(position, depth) {
  const said = await values.of(position, depth);
  const best = Math.max(...Object.values(said));
  return Object.fromEntries(Object.entries(said).map(([move, value]) => [move, best - value]));
}

const mean = (numbers) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;

/** The expected loss of a drawn move in a case `{ empties, values, losses }`. */
function expected({ empties, values: seen, losses }, temperature) {
  const chances = likelihoods(seen, temperatureAt(temperature, empties));
  return chances.reduce((sum, chance, i) => sum + chance * losses[i], 0);
}

/** The temperature at which the mean of `cases`, of which there are `moves` with the forced ones, meets the target. */
function fit(cases, moves, target) {
  let [low, high] = [0.01, 200];
  for (let step = 0; step < 60; step++) {
    const middle = Math.sqrt(low * high);
    const loss = cases.reduce((sum, one) => sum + expected(one, middle), 0) / moves;
    if (loss < target) low = middle;
    else high = middle;
  }
  return low;
}

async function fitOne(opponent, number) {
  let { temperature } = opponent;
  let cases = [];
  let real = [];
  for (let round = 1; ; round++) {
    if (round === 2) [cases, real] = [[], []];
    for (let game = 0; game < GAMES; game++) {
      const seed = number * 1000 + round * 100 + game;
      for (const { position, move, forced } of await selfPlay(opponent, temperature, seed)) {
        if (forced) {
          real.push(0);
          continue;
        }
        const losses = await lossesOf(position, JUDGE_DEPTH);
        const seen = Object.entries(await values.of(position, opponent.depth));
        real.push(losses[move]);
        const known = { values: seen.map(([, value]) => value), losses: seen.map(([of]) => losses[of]) };
        cases.push({ empties: emptyCount(position), ...known });
      }
    }
    const sum = (t) => cases.reduce((all, one) => all + expected(one, t), 0) / real.length;
    const [floor, roof] = [sum(0.01), sum(200)];
    const next = fit(cases, real.length, opponent.loss);
    console.log(
      `${opponent.id.padEnd(11)} round ${round}: ${real.length} moves at ${temperature.toFixed(2)} lost ${mean(real).toFixed(2)} a move, ` +
        `${sum(temperature).toFixed(2)} expected; possible ${floor.toFixed(2)} to ${roof.toFixed(2)}; ` +
        `${opponent.loss} at ${next.toFixed(2)}`,
    );
    if (opponent.loss <= floor || opponent.loss >= roof)
      throw new Error(`${opponent.id}: no temperature loses ${opponent.loss} at depth ${opponent.depth}`);
    if (round === ROUNDS) return { temperature: next, cases, forced: real.length - cases.length };
    temperature = next;
  }
}

async function measureOne(opponent, number) {
  const lost = [];
  for (let game = 0; game < HIGH_GAMES; game++)
    for (const { position, move, forced } of await selfPlay(opponent, null, number * 1000 + game))
      lost.push(forced ? 0 : (await lossesOf(position, HIGH_JUDGE_DEPTH))[move]);
  console.log(`${opponent.id.padEnd(11)} ${lost.length} moves lost ${mean(lost).toFixed(3)} a move`);
  return mean(lost);
}

const TABLE = path('www/js/model/opponents.js');
let table = readFileSync(TABLE, 'utf8');
const note = (id, field, figure) => {
  table = table.replace(new RegExp(`(id: '${id}'.*?${field}: )[\\d.]+`), `$1${figure}`);
};
/** Whole tenths of a disc keep the sample small. */
const tenths = (list) => list.map((value) => Math.round(value * 10));
const sample = [];

for (const [i, opponent] of OPPONENTS.entries()) {
  if (opponent.temperature) {
    const { temperature, cases, forced } = await fitOne(opponent, i);
    note(opponent.id, 'temperature', Number(temperature.toPrecision(3)));
    const step = cases.length / SAMPLE;
    sample.push([opponent.id, Math.round(forced / step)]);
    for (let at = 0; at < SAMPLE; at++) {
      const { empties, values, losses } = cases[Math.floor(at * step)];
      sample.push([opponent.id, empties, tenths(values), tenths(losses)]);
    }
  } else if (opponent.loss > 0) {
    note(opponent.id, 'loss', Number((await measureOne(opponent, i)).toFixed(1)));
  }
}
values.engine.say('quit');
writeFileSync(TABLE, table);
const lines = sample.map((line) => `${JSON.stringify(line)}\n`);
writeFileSync(path('tests/page/unit/opponents.jsonl'), lines.join(''));
