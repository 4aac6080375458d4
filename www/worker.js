// The engine's worker: protocol lines in, protocol lines out.
//
// Every string posted here is one line for the engine, every string posted back is one line from it.
// Besides lines the page gets two objects:
//   {type: 'ready', name, version, weights, threads, lacks, missed}
//                                   once, when the engine can take lines (earlier ones are kept for it); `threads`
//                                   says on how many of its own it searches, `lacks` what is missing where there are
//                                   none though some were wanted: 'memory', or 'threads' that start; `missed` why the
//                                   large network is not there though it was wanted
//   {type: 'fatal', message}        when the engine has died or was told to quit: replace this worker
//
// What is wanted of it stands in its name, `hash=16&threads=3&most=7&memory=1024&network=large`: what the table may grow
// to, in mebibytes; on how many threads to search, at first and at most; what the shared memory may grow to, in
// mebibytes; and the large network, where it can be had, instead of the small one. (Not in its address: a script out of
// the offline cache has the address it was put there with.) Without `threads`, or where the browser shares no memory,
// lines and search take turns in this worker. Otherwise the search has workers of its own (`thread.js`), which end with
// this one.

import { ALONE, LARGE, THREADS, WEIGHTS } from './engine/build.js';

/** The least memory worth sharing, in mebibytes. */
const LEAST_MEMORY = 64;
/** What the shared memory begins with, in pages of 64 KiB: no less than the module asks for. */
const FIRST_PAGES = 64;
/** The stack of a thread that searches, in bytes: that of the one in the build without threads. */
const STACK = 1 << 20;
/** The workers of the search have to start within this time. */
const START_MS = 15_000;
/** Helpers wait until the first values have come. */
const HELPERS_MS = 250;
/** How often the search is looked at, and how often it may be found as it was before it is given up. */
const LOOK_MS = 1000;
const LOOKS = 8;

const asked = new URLSearchParams(self.name);
const wanted = (name) => {
  const number = Number.parseInt(asked.get(name) ?? '', 10);
  return number > 0 ? number : undefined;
};

/** The module's exports, the engine, and how many threads it has, once it is ready. */
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
  work();
};

/** Lets the engine work for a moment, or tell what its search has told. */
function work() {
  if (callEngine(() => engine.work())) scheduleWork();
}

function scheduleWork() {
  if (ticking || dead) return;
  ticking = true;
  tick.postMessage(null);
}

function take(text) {
  callEngine(() => {
    engine.line(String(text));
    if (engine.ended) reportFatal('the engine was told to quit');
  });
  scheduleWork();
}

/** Calls into the engine. A panic there is a trap here, after which the module is of no more use. */
function callEngine(call) {
  if (dead || !engine) return undefined;
  try {
    return call();
  } catch (error) {
    reportFatal(self.outflankPanic ?? String(error));
    return undefined;
  }
}

function reportFatal(message) {
  if (dead) return;
  dead = true;
  self.postMessage({ type: 'fatal', message });
}

const say = (line) => self.postMessage(line);

/** @param {URL} address */
async function load(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address.pathname.split('/').at(-1)}: ${answer.status}`);
  return answer;
}

/** Compiles a module while it comes, where the host names its type. */
async function compile(address) {
  const answer = await load(address);
  const isNamed = answer.headers.get('content-type')?.startsWith('application/wasm');
  return isNamed ? WebAssembly.compileStreaming(answer) : WebAssembly.compile(await answer.arrayBuffer());
}

/** Lines and search take turns here. @param {Promise<Uint8Array>} weights */
async function startAlone(weights) {
  const [glue, module, bytes] = await Promise.all([ALONE.glue(), compile(ALONE.module), weights]);
  glue.initSync({ module });
  return { glue, engine: new glue.Engine(say, bytes, wanted('hash')), threads: 0, bytes };
}

/** A memory that workers can share: it may grow to as much as the device grants, or there is none. */
function sharedMemory() {
  for (let most = wanted('memory') ?? 1024; most >= LEAST_MEMORY; most /= 2) {
    try {
      return new WebAssembly.Memory({ initial: FIRST_PAGES, maximum: Math.floor(most) * 16, shared: true });
    } catch {
      // All of it is set aside at once, at least as addresses, and a phone may have none to spare.
    }
  }
  return null;
}

/** The search in workers of its own. @param {WebAssembly.Memory} memory @param {Promise<Uint8Array>} weights */
async function startThreads(memory, weights) {
  const threads = wanted('threads');
  const crew = [];
  let started = null;
  let fail;
  const failed = new Promise((_, reject) => {
    fail = reject;
  });
  /** Before it is ready, another build may do better; afterwards the page has to know. */
  const lost = (message) => (started ? reportFatal(message) : fail(new Error(message)));
  /** @param {'search' | 'help'} part */
  const spawnThread = (part, heard) => {
    const worker = new Worker(new URL('./thread.js', import.meta.url), { type: 'module', name: part });
    worker.onmessage = ({ data }) => (data.fatal ? lost(data.fatal) : heard(data));
    worker.onerror = (event) => {
      event.preventDefault();
      lost(event.message || 'a thread did not start');
    };
    worker.onmessageerror = () => lost('a thread was sent something unreadable');
    crew.push(worker);
    return worker;
  };
  try {
    const compiling = compile(THREADS.module);
    const glueComing = THREADS.glue();
    // It starts while the rest is on its way.
    let ready;
    const isReady = new Promise((resolve) => {
      ready = resolve;
    });
    const search = spawnThread('search', (what) => {
      if (what === 'ready') ready();
      else if (what === 'news') work();
      else if (what === 'helper') isReady.then(() => setTimeout(help, HELPERS_MS));
    });
    const [glue, module, bytes] = await Promise.race([Promise.all([glueComing, compiling, weights]), failed]);
    const help = () =>
      spawnThread('help', () => {}).postMessage({ part: 'help', module, memory, stack: STACK });
    glue.initSync({ module, memory, thread_stack_size: STACK });
    const most = Math.max(threads, wanted('most') ?? 1);
    const made = new glue.Engine(say, bytes, wanted('hash'), threads, most);
    search.postMessage({ part: 'search', module, memory, stack: STACK });
    const late = setTimeout(() => lost('the threads do not start'), START_MS);
    await Promise.race([isReady, failed]);
    clearTimeout(late);
    started = made;
    watch(made);
    return { glue, engine: made, threads, bytes };
  } catch (error) {
    for (const worker of crew) worker.terminate();
    throw error;
  }
}

/** Gives the engine up when its search gets on no more: a thread that died in silence leaves the others waiting. Looks
 *  are counted, not time: a page that was frozen finds its search where it was. */
function watch(engine) {
  let seen = 0;
  let looks = 0;
  setInterval(() => {
    const { searching, signs } = engine;
    looks = searching && signs === seen ? looks + 1 : 0;
    seen = signs;
    if (looks >= LOOKS) reportFatal('the search does not get on');
  }, LOOK_MS);
}

/** The bytes of a file. What is damaged in one of weights the engine finds. @param {URL} address */
const bytesOf = async (address) => new Uint8Array(await (await load(address)).arrayBuffer());

/** @param {Promise<Uint8Array>} weights */
async function startWith(weights) {
  // Whoever waits for it hears of the fault.
  weights.catch(() => {});
  let lacks;
  if (wanted('threads') && THREADS && self.crossOriginIsolated) {
    const memory = sharedMemory();
    if (memory) {
      try {
        return await startThreads(memory, weights);
      } catch (error) {
        // Weights that are of no use to threads are of none without them.
        await weights;
        console.warn(`the engine does without threads: ${error.message ?? error}`);
        lacks = 'threads';
      }
    } else lacks = 'memory';
  }
  return { ...(await startAlone(weights)), lacks };
}

async function start() {
  if (asked.get('network') !== 'large' || !LARGE) return startWith(bytesOf(WEIGHTS));
  try {
    return await startWith(bytesOf(LARGE.address));
  } catch (error) {
    const missed = String(error.message ?? error);
    console.warn(`the engine does with the small network: ${missed}`);
    return { ...(await startWith(bytesOf(WEIGHTS))), missed };
  }
}

async function main() {
  try {
    const { glue, engine: made, threads, bytes, lacks, missed } = await start();
    const info = { name: glue.name(), version: glue.version(), weights: glue.weights(bytes.subarray(0, 64)) };
    engine = made;
    self.postMessage({ type: 'ready', ...info, threads, lacks, missed });
    early.splice(0).forEach(take);
  } catch (error) {
    reportFatal(self.outflankPanic ?? `the engine could not be started: ${error}`);
  }
}

// Not awaited: tools that put a worker into one script make one that is no module and cannot wait.
main();
