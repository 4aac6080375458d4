// The life cycle of an engine: its answers and failures, and random events of the page, the user, the worker and the clock.

import assert from 'node:assert/strict';
import test from 'node:test';

import { Engine } from '../../../www/js/engine/engine.js';
import { dice } from '../harness/dice.js';

const RUNS = 6000;
const STEPS = 120;

const job = (position, command = 'go') => ({ lines: [`set game ${position}`, 'set depth 1', command] });

/**
 * A model of the worker: it handles lines one at a time, searches between them, and delivers its messages late. It fails if two
 * searches run, or a job starts during another one.
 */
class ModelWorker {
  static all = [];
  static chance = () => 0;

  constructor() {
    ModelWorker.all.push(this);
  }

  inbox = [];
  outbox = [{ type: 'ready', name: 'Outflank' }];
  search = null;
  game = null;
  ended = false;
  byHand = false;

  postMessage(line) {
    assert.ok(!this.ended, 'no line goes to a worker that was ended');
    this.inbox.push(line);
  }

  terminate() {
    assert.ok(!this.ended, 'a worker is ended once');
    this.ended = true;
  }

  /** Handles a line, or continues the search. */
  work() {
    if (this.ended) return;
    const line = this.inbox.shift();
    if (line === undefined) return this.#searchOn();
    const [word, name, game] = line.split(' ');
    if (word === 'set' && name === 'game') {
      assert.ok(!this.search, `a search runs where a job begins: ${line}`);
      this.game = game;
      this.byHand = false;
    } else if (word === 'ping') {
      this.outbox.push(`pong ${name}`);
      if (this.search) this.outbox.push('status Outflank is waiting');
      this.search = null;
    } else if (word === 'hint' || word === 'go') {
      assert.ok(this.byHand || !this.search, 'two searches run');
      const kind = ModelWorker.chance();
      if (word === 'go' && kind < 0.3) this.outbox.push(`=== F5/${this.game}`, 'status Outflank is waiting');
      else if (kind > 0.95) this.outbox.push('status the game is over');
      else {
        this.search = { word, game: this.game };
        this.outbox.push(`status Outflank is ${word === 'go' ? 'thinking' : 'analyzing'}`);
      }
    } else if (word === 'hand') this.byHand = true;
  }

  #searchOn() {
    const { search } = this;
    if (!search) return;
    const kind = ModelWorker.chance();
    this.outbox.push(`search F5 ${search.game} 0 3`);
    if (kind < 0.3) this.outbox.push('nodestats 5 0.1');
    if (kind < 0.7) return;
    this.search = null;
    if (search.word === 'go') this.outbox.push(`=== F5/${search.game}`);
    this.outbox.push('status Outflank is waiting');
  }

  deliver() {
    if (this.ended || this.outbox.length === 0) return;
    this.onmessage({ data: this.outbox.shift() });
  }

  /** Handles and delivers everything pending. */
  settle() {
    for (let i = 0; i < 500 && (this.inbox.length > 0 || this.search || this.outbox.length > 0); i++) {
      this.work();
      this.deliver();
    }
  }
}

/** Collects the errors of callbacks, which the engine throws later. */
function callbackErrors(t) {
  const errors = [];
  t.mock.method(globalThis, 'queueMicrotask', (later) => {
    try {
      later();
    } catch (error) {
      errors.push(error);
    }
  });
  return errors;
}

/** An engine whose worker is ready, and its crashes. */
function started() {
  ModelWorker.all = [];
  const crashes = [];
  const engine = new Engine({ crash: (...crash) => crashes.push(crash) }, () => new ModelWorker());
  engine.start();
  const [worker] = ModelWorker.all;
  worker.settle();
  return { crashes, engine, worker };
}

test('a go whose search fails still ends with its move, a hint with the failure', () => {
  const { engine, worker } = started();
  const failure = 'status Error: the search failed: index out of bounds';
  for (const [command, ...lines] of [
    ['go', 'status Outflank is thinking', failure, '=== F5'],
    ['hint 4', failure],
  ]) {
    engine.submit(job('a', command));
    for (const data of lines) {
      assert.equal(engine.state, 'busy', data);
      worker.onmessage({ data });
    }
    assert.equal(engine.state, 'idle', command);
  }
});

test('an engine without an answer is abandoned after four ticks, unless it answers late', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  const { crashes, engine, worker } = started();
  for (const [expected, ticks] of [3, 4].entries()) {
    engine.submit(job('1', 'hint 4'));
    engine.stop();
    for (let tick = 0; tick < ticks; tick++) t.mock.timers.tick(1000);
    assert.equal(crashes.length, expected);
    worker.settle();
    // A blocked page counts as one tick.
    t.mock.timers.tick(60_000);
  }
  assert.deepEqual(crashes, [['no answer to ping', true]]);
  engine.end();
});

test('an error of a callback is reported, and the engine continues', (t) => {
  const errors = callbackErrors(t);
  const { engine, worker } = started();
  const done = [];
  engine.submit({ ...job('1'), onMove: () => assert.fail('clumsy'), onDone: () => done.push('done') });
  worker.settle();
  assert.deepEqual([errors.map(String), engine.state], [['AssertionError [ERR_ASSERTION]: clumsy'], 'idle']);
  engine.submit({ ...job('2', 'hint 4'), onReport: ([line]) => done.push(line) });
  worker.settle();
  assert.deepEqual(done.slice(0, 2), ['done', 'search F5 2 0 3']);
  engine.end();
});

/** One random life, checked at every step. */
function live(seed, faults) {
  const random = dice(seed);
  ModelWorker.all = [];
  ModelWorker.chance = random;
  let [serial, began, depth] = [0, 0, 0];
  /** The last submitted job: a report to another job is an error. */
  let last = null;
  const worker = () => ModelWorker.all.at(-1);
  const engine = new Engine(
    {
      line: (direction, line) => {
        if (direction !== 'out' || !line.startsWith('set game ')) return;
        const position = Number(line.slice(9));
        // After a crash the same job may begin again.
        assert.ok(position >= began, 'jobs begin in the order they were asked for');
        began = position;
      },
      state: () => maybe(0.05),
      ready: () => maybe(0.5),
      crash: (message, again) => {
        assert.ok(worker().doomed, `unexpected crash: ${message}`);
        if (!again) last = null;
        maybe(0.5);
      },
    },
    () => new ModelWorker(),
  );
  const submit = () => {
    const position = ++serial;
    const mine = job(String(position), random() < 0.5 ? 'go' : 'hint 4');
    const told = (what, chance) => {
      assert.equal(last, mine, `${what} is reported to an outdated job`);
      assert.equal(began, position);
      assert.ok(!mine.over || what === 'done', `${what} is reported after the end`);
      mine.over ||= what !== 'report';
      maybe(chance);
    };
    mine.onReport = (lines) => {
      for (const line of lines) assert.equal(line.split(' ')[2], String(position));
      told('report', 0.1);
    };
    mine.onMove = () => told('move', 0.7);
    // After the move the owner may have submitted another job.
    mine.onDone = () => mine.over || told('done', 0.5);
    last = mine;
    engine.submit(mine);
  };
  /** The page no longer waits for its job. */
  const drop = (act) => {
    last = null;
    act();
  };
  const type = () => {
    if (engine.raw('hand'))
      drop(() => engine.raw(['hint 4', 'go', `ping ${random(9)}`, 'nonsense'][random(4)]));
  };
  const kill = (how) => {
    if (!worker() || worker().ended) return;
    worker().doomed = true;
    how(worker());
  };
  /** Does one of `[weight, act]`. */
  const choose = (acts) => {
    let at = random() * acts.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, act] of acts) {
      at -= weight;
      if (at < 0) return act();
    }
  };
  const page = () =>
    choose([
      [8, submit],
      [3, () => drop(() => engine.stop())],
      [1, type],
      [0.3, () => drop(() => engine.end())],
      [0.5, () => engine.start()],
    ]);
  /** Callbacks perform actions of the page. */
  const maybe = (chance) => {
    if (depth > 3 || random() > chance) return;
    depth++;
    page();
    depth--;
  };
  const late = ['=== F5', 'pong 1', { type: 'ready' }, { type: 'fatal', message: 'late' }];
  for (let step = 0; step < STEPS; step++) {
    choose([
      [20, () => worker()?.work()],
      [20, () => worker()?.deliver()],
      [3, () => worker()?.settle()],
      [0.3, () => kill((it) => it.onmessage({ data: { type: 'fatal', message: 'panicked' } }))],
      [0.1, () => kill((it) => it.onerror({ message: 'lost' }))],
      [0.3, () => engine.state === 'crashed' && engine.revive()],
      [0.5, () => ModelWorker.all.at(-2)?.onmessage({ data: late[random(4)] })],
      [15, page],
    ]);
    assert.ok(ModelWorker.all.filter(({ ended }) => !ended).length <= 1, 'one worker at most');
    if (faults.length > 0) throw faults[0];
  }
  // Every awaited pong arrives, and a job asked for begins and ends.
  for (let i = 0; i < 20; i++) worker()?.settle();
  assert.ok(!['stopping', 'starting'].includes(engine.state), engine.state);
  if (last && engine.state !== 'crashed')
    assert.deepEqual([`set game ${began}`, last.over], [last.lines[0], true]);
  engine.end();
  if (faults.length > 0) throw faults[0];
}

test(`${RUNS} lives in random order: one job at a time, every pong answered, no job lost`, (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  // The errors of callbacks are assertions of the test.
  const faults = callbackErrors(t);
  for (let seed = 1; seed <= RUNS; seed++)
    try {
      live(seed, faults);
    } catch (cause) {
      throw new Error(`life ${seed}`, { cause });
    }
});
