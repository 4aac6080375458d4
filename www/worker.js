// The worker of the engine. Every string posted to it is a line for the engine, every string it posts is a line from the engine.
// It also posts three kinds of objects:
//
//   {type: 'ready', name, version, weights, threads, lacks, missed, coarse}
//       once, when the engine accepts lines; lines that arrive before are queued. `threads` is the number of search threads.
//       `lacks` says why there are none although they were requested: 'memory' or 'threads'. `missed` says why the requested large
//       network is not used. `coarse` if the network is the coarse one.
//   {type: 'better'}
//       the weights that replace the coarse ones are in the cache of the browser: replace this worker
//   {type: 'fatal', message}
//       the engine has crashed or received a quit command: replace this worker
//
// The name of the worker has the options, `hash=16&threads=3&most=7&memory=1024&network=large`: most memory of the table in MiB,
// threads at first and at most, most shared memory in MiB, and the network (`coarse` or `large`). The options are not in its address,
// since a script from the offline cache has the address under which it was stored.
//
// Without `threads`, or if the browser does not share memory, lines and search take turns in this worker. Otherwise the search runs
// in separate workers (`thread.js`), which end with this one.

import { ALONE, COARSE, LARGE, THREADS, WEIGHTS } from './engine/build.js';

/** Least shared memory, in MiB. */
const MIN_MEMORY = 64;
/** First size of the shared memory, in pages of 64 KiB: at least that of the module. */
const FIRST_PAGES = 64;
/** Most search threads, as in the program. */
const MAX_THREADS = 256;
/** Stack of a search thread, in bytes: equal to the build without threads. */
const STACK = 1 << 20;
/** Time within which the search workers must start. */
const START_TIMEOUT_MS = 15_000;
/** Delay of helpers: the first values are searched before. */
const HELPER_DELAY_MS = 250;
/** Interval of the watchdog, and ticks without progress after which the search is abandoned. */
const WATCHDOG_INTERVAL_MS = 1000;
const MAX_TICKS = 8;
/** Delay until weights that could not be loaded are requested again. */
const RETRY_MS = 5000;

const asked = new URLSearchParams(self.name);
const wanted = (name) => {
  const number = Number.parseInt(asked.get(name) ?? '', 10);
  return number > 0 ? number : undefined;
};

/** The engine, once it is ready. @type {any} */
let engine = null;
let dead = false;
const early = [];

self.onmessage = ({ data }) => {
  if (engine) take(data);
  else early.push(data);
};

// A message to this worker is queued after the waiting lines, so that lines are handled between two slices of the search. A timer
// would be delayed by 4 ms.
const { port1: ticks, port2: tick } = new MessageChannel();
let ticking = false;
ticks.onmessage = () => {
  ticking = false;
  work();
};

/** Runs a slice of the search, or passes on its reports. */
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
    if (engine.ended) reportFatal('the engine received a quit command');
  });
  scheduleWork();
}

/** Calls the engine. A panic is a trap, after which the module is unusable. */
function callEngine(call) {
  if (dead || !engine) return undefined;
  try {
    return call();
  } catch (error) {
    reportFatal(self.outflankPanic ?? String(error));
  }
}

function reportFatal(message) {
  if (dead) return;
  dead = true;
  self.postMessage({ type: 'fatal', message });
}

const say = (line) => self.postMessage(line);

/** @param {URL} address @param {RequestCache} [cache] */
async function load(address, cache) {
  const answer = await fetch(address, { cache });
  if (!answer.ok) throw new Error(`${address.pathname.split('/').at(-1)}: ${answer.status}`);
  return answer;
}

/** Compiles a module, during the download if the host sends its type. */
async function compile(address) {
  const answer = await load(address);
  const isNamed = answer.headers.get('content-type')?.startsWith('application/wasm');
  return isNamed ? WebAssembly.compileStreaming(answer) : WebAssembly.compile(await answer.arrayBuffer());
}

/** Starts the engine in this worker. @param {Promise<Uint8Array>} weights */
async function startAlone(weights) {
  const [glue, module, bytes] = await Promise.all([ALONE.glue(), compile(ALONE.module), weights]);
  glue.initSync({ module });
  return { glue, engine: new glue.Engine(say, bytes, wanted('hash')), threads: 0, bytes };
}

/** Returns memory that workers can share, as much as the device grants. `null` if there is none. */
function sharedMemory() {
  for (let most = wanted('memory') ?? 1024; most >= MIN_MEMORY; most /= 2) {
    try {
      return new WebAssembly.Memory({ initial: FIRST_PAGES, maximum: Math.floor(most) * 16, shared: true });
    } catch {
      // The address space is reserved at once. A phone may not have enough.
    }
  }
  return null;
}

/** Starts the engine with the search in separate workers. @param {WebAssembly.Memory} memory @param {Promise<Uint8Array>} weights */
async function startThreads(memory, weights) {
  const threads = Math.min(wanted('threads') ?? 1, MAX_THREADS);
  const workers = [];
  let started = null;
  let fail;
  const failed = new Promise((_, reject) => {
    fail = reject;
  });
  /** A thread failed: before the start another build is tried, afterwards the page is notified. */
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
    workers.push(worker);
    return worker;
  };
  try {
    const compiling = compile(THREADS.module);
    const glueComing = THREADS.glue();
    // The worker starts during the downloads.
    let ready;
    const isReady = new Promise((resolve) => {
      ready = resolve;
    });
    const search = spawnThread('search', (what) => {
      if (what === 'ready') ready();
      else if (what === 'news') work();
      else if (what === 'helper') isReady.then(() => setTimeout(help, HELPER_DELAY_MS));
    });
    const [glue, module, bytes] = await Promise.race([Promise.all([glueComing, compiling, weights]), failed]);
    const help = () =>
      spawnThread('help', () => {}).postMessage({ part: 'help', module, memory, stack: STACK });
    glue.initSync({ module, memory, thread_stack_size: STACK });
    const most = Math.max(threads, Math.min(wanted('most') ?? 1, MAX_THREADS));
    const made = new glue.Engine(say, bytes, wanted('hash'), threads, most);
    search.postMessage({ part: 'search', module, memory, stack: STACK });
    const late = setTimeout(() => lost('the threads do not start'), START_TIMEOUT_MS);
    await Promise.race([isReady, failed]);
    clearTimeout(late);
    started = made;
    watch(made);
    return { glue, engine: made, threads, bytes };
  } catch (error) {
    for (const worker of workers) worker.terminate();
    throw error;
  }
}

/** Reports a crash if the search makes no progress: the other threads wait indefinitely for a thread that has ended. Ticks are counted
 *  instead of time, since the page may have been frozen. */
function watch(engine) {
  let seen = 0;
  let ticks = 0;
  setInterval(() => {
    const { searching, signs } = engine;
    ticks = searching && signs === seen ? ticks + 1 : 0;
    seen = signs;
    if (ticks >= MAX_TICKS) reportFatal('the search stopped responding');
  }, WATCHDOG_INTERVAL_MS);
}

/** Downloads a file. The engine checks weights. @param {URL} address @param {RequestCache} [cache] */
const bytesOf = async (address, cache) => new Uint8Array(await (await load(address, cache)).arrayBuffer());
/** The weights of the small network, from the cache of the browser if an earlier worker has loaded them. */
const weightsOf = () => bytesOf(WEIGHTS, 'force-cache');

/** @param {Promise<Uint8Array>} weights */
async function startWith(weights) {
  // The error is handled where the weights are awaited.
  weights.catch(() => {});
  let lacks;
  if (wanted('threads') && THREADS && self.crossOriginIsolated) {
    const memory = sharedMemory();
    if (memory) {
      try {
        return await startThreads(memory, weights);
      } catch (/** @type {any} */ error) {
        // Invalid weights are also invalid without threads.
        await weights;
        console.warn(`the engine runs without threads: ${error.message ?? error}`);
        lacks = 'threads';
      }
    } else lacks = 'memory';
  }
  return { ...(await startAlone(weights)), lacks };
}

/** Starts with the small network. A damaged file in the cache is replaced. */
const startSmall = () => startWith(weightsOf()).catch(() => startWith(bytesOf(WEIGHTS, 'reload')));

/** Loads the weights for the worker that replaces this one with its coarse network. */
async function improve() {
  await weightsOf().then(
    () => self.postMessage({ type: 'better' }),
    () => setTimeout(improve, RETRY_MS),
  );
}

async function start() {
  if (asked.get('network') === 'coarse') return { ...(await startWith(bytesOf(COARSE))), coarse: true };
  if (asked.get('network') !== 'large' || !LARGE) return startSmall();
  try {
    return await startWith(bytesOf(LARGE.address));
  } catch (/** @type {any} */ error) {
    const missed = String(error.message ?? error);
    console.warn(`the engine uses the small network: ${missed}`);
    return { ...(await startSmall()), missed };
  }
}

async function main() {
  try {
    const { glue, engine: made, threads, bytes, lacks, missed, coarse } = await start();
    const info = { name: glue.name(), version: glue.version(), weights: glue.weights(bytes.subarray(0, 64)) };
    engine = made;
    self.postMessage({ type: 'ready', ...info, threads, lacks, missed, coarse });
    early.splice(0).forEach(take);
    if (coarse) await improve();
  } catch (error) {
    reportFatal(self.outflankPanic ?? `the engine could not be started: ${error}`);
  }
}

// Not awaited: bundlers may put a worker into a script that is not a module.
main();
