// The engine of the page: its answers, failures, and the lines of its protocol.

import assert from 'node:assert/strict';
import test from 'node:test';
import { Engine } from '../../../www/js/engine/engine.js';

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
  const on = { onReport: ([line]) => got.push([name, line]), onDone: () => got.push([name, 'done']) };
  return { lines: ['set game', 'set depth 12', 'hint 64'], ...on };
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
  assert.equal(String(events.find((event) => event[0] === 'crash')), 'crash,no answer to ping,true');
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
  worker.say('search D3 1 0 1', 'nodestats 1 0');
  assert.deepEqual(done.at(-1), ['b', 'search D3 1 0 1']);
  engine.end();
});
