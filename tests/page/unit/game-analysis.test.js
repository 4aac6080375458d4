// The analysis of a game by several workers, and what the report computes from it: in Node, with workers that answer with the values
// of `outflank analyze`.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';

import { START, squareName } from '../../../www/js/base/position.js';
import { Review } from '../../../www/js/engine/searches.js';
import { reportChange } from '../../../www/js/model/game-report.js';
import { GameSeries } from '../../../www/js/model/game-series.js';
import { SavedGames } from '../../../www/js/model/saved-games.js';
import { Tree } from '../../../www/js/model/tree.js';
import { appInNode } from '../harness/app.js';
import { rules } from '../rules.js';

/** The output of the program, checked by `tests/native/console/analyze.txt`. */
const FILE = new URL('../../native/data/report/analysis.jsonl', import.meta.url);
const printed = JSON.parse(readFileSync(FILE, 'utf8').split('\n')[0]);
const { main } = new Tree(rules, printed.moves);
const searched = new Map(main.map(({ position }, ply) => [position, printed.positions[ply].searched]));

/** A worker that answers with the printed values. It answers one line per turn. */
class FakeWorker {
  constructor(_, { name }) {
    FakeWorker.onStart();
    FakeWorker.all.push(this);
    this.name = name;
    this.say({ type: 'ready', ...FakeWorker.info });
  }

  say(...messages) {
    setImmediate(() => {
      for (const data of messages) if (!this.ended) this.onmessage({ data });
    });
  }

  postMessage(line) {
    const board = /BO\[8 (\S{64}) (.)\]/.exec(line);
    if (board) this.position = board[1].replaceAll('*', 'X') + board[2].replace('*', 'X');
    if (line.startsWith('set depth')) this.depth = Number(line.split(' ')[2]);
    if (!line.startsWith('hint')) return;
    // The searches for the reasons of mistakes are not recorded: any legal move is the answer.
    if (line !== 'hint 1' || this.depth < 6) {
      const move = squareName(rules.look(this.position).legal[0]);
      this.say(`search ${move} 0 0 ${this.depth}`, 'status Outflank is waiting');
      return;
    }
    FakeWorker.onSearch(this);
    // Printed values are those of Black.
    const sign = this.position[64] === 'X' ? 1 : -1;
    const { value, proof, level, line: pv } = searched.get(this.position);
    if (proof === 'heuristic') assert.equal(this.depth, Math.floor(level));
    const depth = proof === 'exact' ? '100%' : this.depth;
    this.say(`search ${pv} ${sign * value} 0 ${depth}`, 'status Outflank is waiting');
  }

  terminate() {
    this.ended = true;
  }
}
/** A page with the game and a review of it. */
async function begin(t, { cores = 2, ...settings } = {}) {
  const app = await appInNode(t, { settings: { reviewDepth: printed.depth, engine: false, ...settings } });
  await app.time.until('the engine', () => app.values.key);
  const define = (object, name, value) => Object.defineProperty(object, name, { value, configurable: true });
  define(globalThis, 'navigator', { hardwareConcurrency: cores });
  define(app, 'network', 'large');
  Object.assign(FakeWorker, { all: [], info: app.engine.info, onSearch() {}, onStart() {} });
  globalThis.Worker = FakeWorker;
  app.openGame({ moves: printed.moves });
  const { study, values } = app;
  /** The most workers at once, and the reported crashes. */
  const seen = { most: 0, crashes: [] };
  let end = () => {};
  const ended = new Promise((resolve) => (end = resolve));
  const changed = () => {
    seen.most = Math.max(seen.most, review.engines.length);
    if (review.total > 0 && !review.running) end(seen);
  };
  const review = new Review(app, changed, (message) => seen.crashes.push(message));
  const line = study.tree.main;
  const run = () => {
    review.start(line);
    return ended;
  };
  return { app, line, review, run, values };
}

const rounded = (value) => Math.round(100 * value) / 100;
const valuesOf = ({ line, values }) =>
  line.map(({ position }) => values.value(position)?.value ?? Number.NaN);

test('values, losses, phases, accuracy and outcomes of a game are those of the command line', async (t) => {
  const events = [];
  const page = await begin(t, { book: true });
  FakeWorker.onStart = () => events.push('started');
  // Values of the book that came later would change the report.
  page.app.explorer = async () => ({ valueGame: async () => events.push('valued') });
  await page.run();
  assert.deepEqual(events, ['valued', 'started']);
  const expected = printed.positions.map(({ value }) => value);
  assert.deepEqual(valuesOf(page).map(rounded), expected);
  const { X, O } = page.values.summary(page.line);
  for (const [side, found] of Object.entries({ black: X, white: O })) {
    const { win_to_draw: WD, win_to_loss: WL, draw_to_loss: DL } = printed.summary[side].changed;
    assert.deepEqual(found.changed, { WD, WL, DL }, side);
    const count = (isCounted) => found.mistakes.filter(isCounted).length;
    const { accuracy, moves, known, exact } = found;
    const sums = {
      ...{ lost: rounded(found.loss), phases: found.phases.map(rounded), accuracy, moves, known, exact },
      ...{ discs: count(({ changed }) => !changed), grave: count(({ grade }) => grade === 'grave') },
    };
    for (const [name, sum] of Object.entries(sums))
      assert.deepEqual(sum, printed.summary[side][name], `${name} of ${side}`);
  }
});

for (const [cores, workers] of Object.entries({ 1: 1, 4: 3, 16: 4 }))
  test(`on ${cores} cores ${workers} workers analyze a game, and a crashed one is replaced`, async (t) => {
    const page = await begin(t, { cores: Number(cores) });
    let searches = 0;
    FakeWorker.onSearch = (worker) => {
      if (++searches === 20) worker.say({ type: 'fatal', message: 'on purpose' });
    };
    const { most, crashes } = await page.run();
    assert.deepEqual([most, crashes, FakeWorker.all.length], [workers, ['on purpose'], workers + 1]);
    assert.ok(valuesOf(page).every(Number.isFinite));
    assert.deepEqual([page.review.left, page.review.engines.length], [0, 0]);
    assert.ok(FakeWorker.all.every(({ ended, name }) => ended && name === 'hash=16&network=large'));
  });

test('the report stays while its positions are searched deeper, until the user asks; equal moves are all named', async (t) => {
  const { line, run, values } = await begin(t);
  await run();
  values.settle();
  const { loss } = values.summary(line).X;
  const { reportRevision } = values;
  const [before] = values.mistakes(line);
  const { position } = before.node.parent;
  const moves = rules.moves(position);
  const best = moves.filter((move) => move !== before.node.move).slice(0, 2);
  const scores = moves.map((move) => [move, best.includes(move) ? 40 : -4]);
  values.prove(position, Object.fromEntries(scores));
  assert.deepEqual([values.mistakes(line)[0], values.summary(line).X.loss], [before, loss]);
  // So the report is not drawn again for each deeper search.
  assert.equal(values.reportRevision, reportRevision);
  values.release();
  assert.notEqual(values.reportRevision, reportRevision);
  const [after] = values.mistakes(line);
  assert.notEqual(after.loss, before.loss);
  assert.deepEqual(values.bests(after), best.sort());
});

/** Saved games with the moves of the printed game, and a series that analyzes them. */
async function saved(t, names, changed = () => {}) {
  const page = await begin(t);
  const shelf = new SavedGames(page.app.store);
  const games = names.map((black) => ({ start: START, moves: printed.moves, black, white: 'Bob' }));
  const { keys } = await shelf.add(games);
  const series = new GameSeries(page.app, shelf, () => changed(series, shelf));
  return { ...page, keys, series, shelf };
}

test('a series saves for each game what its report shows: figures, phases, and mistakes with their reasons', async (t) => {
  const { app, keys, line, run, series, shelf, values } = await saved(t, ['Ann', 'Cyd']);
  await run();
  values.settle();
  const sums = values.summary(line);
  const expected = reportChange(app.study.tree, values)(shelf.kept.get(keys[0])).report;
  const recall = t.mock.method(app.control, 'recall');
  await series.run(keys);
  for (const key of keys) assert.deepEqual(shelf.kept.get(key).report, expected);
  for (const side of ['X', 'O']) {
    const [, , , phases, mistakes] = expected[side];
    assert.deepEqual(phases, sums[side].phases.map(rounded));
    const made = sums[side].mistakes.map(({ node, loss }) => [node.ply, rounded(loss)]);
    assert.ok(made.length > 0);
    assert.equal(String(mistakes.map((mistake) => mistake.slice(0, 2))), String(made));
  }
  const { of, failed } = series;
  assert.deepEqual([of, failed, app.control.reviewing, recall.mock.callCount()], [0, 0, false, 1]);
  // Analyzed games are not analyzed again.
  const change = t.mock.method(shelf, 'change');
  await series.run(keys);
  assert.equal(change.mock.callCount(), 0);
});

test('a stopped series keeps the finished games, and skips removed and illegal ones', async (t) => {
  let stops = true;
  const changed = (series, shelf) => {
    if (stops && series.of > 0 && [...shelf.kept.values()].some(({ report }) => report)) series.stop();
  };
  const { app, keys, series, shelf } = await saved(t, ['Ann', 'Bea', 'Cyd', 'Dan'], changed);
  const { keys: odd } = await shelf.add([{ start: START, moves: 'a1h8', black: 'Ill', white: 'Egal' }]);
  await shelf.remove([keys[0]]);
  await series.run([keys[0], odd[0], ...keys.slice(1)]);
  const known = () => keys.filter((key) => shelf.kept.get(key)?.report);
  assert.deepEqual([known(), shelf.kept.has(keys[0])], [keys.slice(1, 2), false]);
  assert.deepEqual([series.of, series.failed, app.control.reviewing], [0, 1, false]);
  assert.ok(FakeWorker.all.every(({ ended }) => ended));
  stops = false;
  await series.run(keys);
  assert.deepEqual(known(), keys.slice(1));
});
