// An engine in a worker that receives NBoard lines. `lifecycle.js` decides, this module carries it out.

import { EngineLifecycle } from './lifecycle.js';

const WATCHDOG_INTERVAL_MS = 1000;

/** Crashes within a minute after which the next worker uses no threads. */
const CRASHES_WITH_THREADS = 2;

/** Creates a worker with a table of `hash` MiB. With `shared`, and if the browser shares memory, it searches on `threads` threads, at
 *  most `most` if a command requests more, in at most `memory` MiB. After several recent `crashes` it uses no threads.
 *  @param {number} hash @param {Network} network @param {{ threads: number, most: number, memory: number }} [shared]
 *  @param {number} [crashes] */
export function spawnWorker(hash, network, shared, crashes = 0) {
  const wanted =
    shared && shared.threads > 0 && crashes < CRASHES_WITH_THREADS ? { hash, ...shared } : { hash };
  const whole = network === 'small' ? wanted : { ...wanted, network };
  const name = Object.entries(whole).map(([name, value]) => `${name}=${value}`);
  return new Worker(new URL('../../worker.js', import.meta.url), { type: 'module', name: name.join('&') });
}

/** Listens to the lines and the other messages of a worker.
 *  @param {Worker} worker @param {{ line(text: string): void, crash(message: string): void, ready?(info: EngineInfo): void, better?(): void }} on */
export function listenTo(worker, { line, crash, ready, better }) {
  worker.onmessage = ({ data }) => {
    if (typeof data === 'string') line(data);
    else if (data?.type === 'ready') ready?.(data);
    else if (data?.type === 'better') better?.();
    else if (data?.type === 'fatal') crash(data.message);
  };
  worker.onerror = (event) => {
    event.preventDefault?.();
    crash(event.message || 'the worker did not start');
  };
  worker.onmessageerror = () => crash('unreadable message');
}

export class Engine {
  #life = new EngineLifecycle();
  #actions = [];
  #acting = false;

  /** `on` has the listeners `line(direction, text)`, `state(state)`, `ready(info)`, `better()`, `crash(message, again)`. */
  constructor(on, spawn) {
    this.on = on;
    this.spawn = spawn;
    this.worker = null;
    this.info = null;
  }

  get state() {
    return this.#life.state;
  }

  get crashes() {
    return this.#life.crashes.count(Date.now());
  }

  start() {
    this.#take('start');
  }

  /** Starts again after too many crashes. */
  revive() {
    this.#life.crashes.reset();
    this.start();
  }

  /** Replaces the running job. */
  submit(job) {
    this.#take('submit', job);
  }

  stop() {
    this.#take('stop');
  }

  /** Sends a line of the user. Returns `false` if that is not possible. The page ignores the engine until its next job. */
  raw(line) {
    const { takesLines } = this.#life;
    this.#take('raw', line);
    return takesLines;
  }

  /** Ends the worker. `start` or the next job creates another one. */
  end() {
    this.#take('end');
  }

  /** Handles an event. The state changes at once. The actions are carried out in order: actions caused by a callback follow the
   *  actions decided before. */
  #take(event, ...details) {
    this.#actions.push(...this.#life[event](...details));
    if (this.#acting) return;
    this.#acting = true;
    for (const [action, ...rest] of this.#actions) {
      try {
        this.#carryOut[action](...rest);
      } catch (error) {
        // An error of a callback is reported and has no effect here.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
    this.#actions = [];
    this.#acting = false;
  }

  #carryOut = {
    spawn: (number) => this.#spawn(number),
    terminate: () => {
      this.worker?.terminate();
      this.worker = null;
    },
    say: (line) => {
      this.on.line?.('out', line);
      this.worker.postMessage(line);
    },
    watch: () => {
      clearTimeout(this.watchdog);
      this.watchdog = setTimeout(() => this.#take('watchdogTick', Date.now()), WATCHDOG_INTERVAL_MS);
    },
    unwatch: () => clearTimeout(this.watchdog),
    state: (state) => this.on.state?.(state),
    workerReady: (info) => {
      this.info = info;
      this.on.ready?.(info);
    },
    workerCrashed: (message, again) => this.on.crash?.(message, again),
    tell: (job, what, ...said) => job[what]?.(...said),
    follow: (event, ...details) => this.#take(event, ...details),
  };

  #spawn(number) {
    const crash = (message) => this.#take('crashed', number, message, Date.now());
    let worker;
    try {
      worker = this.spawn(this.crashes);
    } catch (error) {
      crash(String(error));
      return;
    }
    this.worker = worker;
    const line = (text) => {
      if (worker === this.worker) this.on.line?.('in', text);
      this.#take('lineReceived', number, text);
    };
    const better = () => worker === this.worker && this.on.better?.();
    listenTo(worker, { line, crash, better, ready: (info) => this.#take('ready', number, info) });
  }
}
