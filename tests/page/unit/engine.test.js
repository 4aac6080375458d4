// The engine of the page: its answers, failures, and the lines of its protocol.

import assert from 'node:assert/strict';
import test from 'node:test';
import { START } from '../../../www/js/base/position.js';
import { Engine } from '../../../www/js/engine/engine.js';
import { readLine, setPosition } from '../../../www/js/engine/nboard.js';

/** A worker that records its lines and sends those of the test. */
class FakeWorker {
  constructor() {
    this.heard = [];
    FakeWorker.all.push(this);
  }

  static all = [];

  postMessage(line) {
    this.heard.push(line);
  }

  say(...lines) {
    for (const data of lines) this.onmessage({ data });
  }

  terminate() {
    this.ended = true;
  }
}

function start() {
  FakeWorker.all = [];
  const events = [];
  const engine = new Engine(
    {
      state: (state) => events.push(state),
      crash: (message, again) => events.push(['crash', message, again]),
    },
    () => new FakeWorker(),
  );
  engine.start();
  FakeWorker.all[0].say({ type: 'ready', name: 'Outflank', version: '1' });
  return { engine, worker: FakeWorker.all[0], events };
}

function job(name, got) {
  const on = { onValue: (row) => got.push([name, row.move]), onDone: () => got.push([name, 'done']) };
  return { position: START, depth: 12, command: 'hint 64', ...on };
}

test('an engine without an answer is abandoned after four ticks, unless it answers late', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  const { engine, worker, events } = start();
  engine.submit(job('a', []));
  engine.stop();
  // A blocked page counts as one tick.
  for (let look = 0; look < 3; look++) t.mock.timers.tick(1000);
  worker.say('pong 1');
  t.mock.timers.tick(60_000);
  assert.equal(engine.state, 'idle');
  engine.submit(job('b', []));
  engine.stop();
  for (let look = 0; look < 4; look++) t.mock.timers.tick(1000);
  assert.deepEqual(
    events.find((event) => event[0] === 'crash'),
    ['crash', 'no answer to ping', true],
  );
  engine.end();
});

test('an error of a callback is reported, and the engine continues', (t) => {
  const faults = [];
  t.mock.method(globalThis, 'queueMicrotask', (later) => {
    try {
      later();
    } catch (error) {
      faults.push(error.message);
    }
  });
  const { engine, worker } = start();
  const done = [];
  engine.submit({
    ...job('a', []),
    onMove: () => {
      throw new Error('clumsy');
    },
    onDone: () => done.push('a'),
  });
  worker.say('=== F5');
  assert.deepEqual([faults, done, engine.state], [['clumsy'], ['a'], 'idle']);
  engine.submit(job('b', done));
  worker.say('search D3 1 0 1');
  assert.deepEqual(done.at(-1), ['b', 'd3']);
  engine.end();
});

test('a worker that cannot be created counts as a crash', () => {
  const messages = [];
  const engine = new Engine({ crash: (message, again) => messages.push([message, again]) }, () => {
    throw new Error('no workers here');
  });
  engine.start();
  assert.equal(engine.state, 'crashed');
  assert.deepEqual(
    messages.map(([, again]) => again),
    [true, true, true, false],
  );
});

test('a hint becomes a row', () => {
  const row = readLine('search F5d6C3PAe4 -1.23 0 22@84% freeform');
  assert.equal(row.type, 'value');
  assert.equal(row.move, 'f5');
  assert.deepEqual(row.pv, ['f5', 'd6', 'c3', 'e4']);
  assert.equal(row.value, -1.23);
  assert.equal(row.depth, '22@84%');
  assert.equal(readLine('book F5 1.00 3 9@book').depth, '9@book');
});

test('moves of a line may be joined by hyphens, values be pairs', () => {
  assert.deepEqual(readLine('search F5-D6-C3 1.5,-1.5 0 9').pv, ['f5', 'd6', 'c3']);
  assert.equal(readLine('search F5 1.5,-1.5 0 9').value, 1.5);
});

test('an engine move, with and without value', () => {
  assert.deepEqual(readLine('=== F5/1.23/0.45'), { type: 'move', move: 'f5' });
  assert.equal(readLine('=== PA').move, 'pa');
});

test('invalid numbers are not values', () => {
  assert.equal(readLine('search F5 what 0 9').type, 'other');
  assert.equal(readLine('nodestats N -nan').type, 'other');
  assert.equal(readLine('search').type, 'other');
  assert.equal(readLine('').type, 'other');
  assert.equal(readLine('pong x').number, null);
});

test('a position is sent as a game', () => {
  assert.equal(
    setPosition(START),
    'set game (;GM[Othello]PC[Outflank]PB[Black]PW[White]RE[?]TY[8]BO[8 ---------------------------O*------*O--------------------------- *];)',
  );
  assert.match(
    setPosition(`${START.slice(0, 64)}O`, { seconds: 65.4, increment: 2 }),
    /TI\[1:05\/0:02\]TY\[8\]BO\[8 \S{64} O\]/,
  );
});
