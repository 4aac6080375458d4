// The engine's worker: protocol lines in, protocol lines out.
//
// Every string posted here is one line for the engine, every string posted back is one line from it.
// Besides lines the page gets two objects:
//   {type: 'ready', name, version, weights}  once, when the engine can take lines (earlier ones are kept for it)
//   {type: 'fatal', message}        when the engine has died or was told to quit: replace this worker
//
// What the table may grow to, in mebibytes, can be given in the worker's address: `worker.js?hash=16`.

import init, { Engine, name, version, weights } from './engine/outflank.js';

let engine = null;
let dead = false;
const early = [];

self.onmessage = ({ data }) => {
  if (engine) take(data);
  else early.push(data);
};

// A message to ourselves goes behind the lines that are waiting already, so they get in between two
// slices of the search. (A timer would be held back to 4 ms.)
const { port1: ticks, port2: tick } = new MessageChannel();
let ticking = false;
ticks.onmessage = () => {
  ticking = false;
  if (guard(() => engine.work())) goOn();
};

function goOn() {
  if (ticking || dead) return;
  ticking = true;
  tick.postMessage(null);
}

function take(text) {
  guard(() => {
    engine.line(String(text));
    if (engine.ended) die('the engine was told to quit');
  });
  goOn();
}

/** Calls into the engine. A panic there is a trap here, after which the module is of no more use. */
function guard(call) {
  if (dead) return undefined;
  try {
    return call();
  } catch (error) {
    die(self.outflankPanic ?? String(error));
    return undefined;
  }
}

function die(message) {
  dead = true;
  self.postMessage({ type: 'fatal', message });
}

try {
  await init();
  const hash = Number.parseInt(new URL(self.location.href).searchParams.get('hash') ?? '', 10);
  engine = new Engine((line) => self.postMessage(line), hash > 0 ? hash : undefined);
  self.postMessage({ type: 'ready', name: name(), version: version(), weights: weights() });
  early.splice(0).forEach(take);
} catch (error) {
  die(self.outflankPanic ?? `the engine could not be started: ${error}`);
}
