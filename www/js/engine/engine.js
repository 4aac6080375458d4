// One engine in a worker, spoken to in NBoard lines. `lifecycle.js` decides, this carries it out.

import { EngineLifecycle } from './lifecycle.js';
import { readLine } from './nboard.js';

const WATCHDOG_INTERVAL_MS = 1000;

/** Crashes within a minute after which the next worker does without threads. */
const CRASHES_WITH_THREADS = 2;

/** Makes workers with a table of `hash` MiB. Where threads are wanted and the browser shares memory, they search on
 *  `threads` threads, on up to `most` where a line asks for more, in up to `memory` MiB. They evaluate with the large
 *  `network` where that is wanted and to be had.
 *  @param {number} hash @param {Network} network @param {{ threads: number, most: number, memory: number }} [shared] */
export const workerWith = (hash, network, shared) => {
  /** @param {number} [crashes] how many have died lately */
  return (crashes = 0) => {
    const wanted =
      shared && shared.threads > 0 && crashes < CRASHES_WITH_THREADS ? { hash, ...shared } : { hash };
    const whole = network === 'small' ? wanted : { ...wanted, network };
    const name = Object.entries(whole).map(([name, value]) => `${name}=${value}`);
    return new Worker(new URL('../../worker.js', import.meta.url), { type: 'module', name: name.join('&') });
  };
};

export class Engine {
  #life = new EngineLifecycle();
  /** Actions under way and yet to come. */
  #actions = [];
  #acting = false;

  /** `on` takes `line(direction, text)`, `state(state)`, `ready(info)`, `crash(message, again)`. */
  constructor(on, spawn) {
    this.on = on;
    this.spawn = spawn;
    this.worker = null;
    this.info = null;
  }

  get state() {
    return this.#life.state;
  }

  /** How often it has died lately. */
  get crashes() {
    return this.#life.crashes.count(Date.now());
  }

  start() {
    this.#take('start');
  }

  /** Starts again after it was given up. */
  revive() {
    this.#life.crashes.reset();
    this.start();
  }

  /** Replaces whatever runs by `job`. */
  submit(job) {
    this.#take('submit', job);
  }

  /** Stops the running search; nothing takes its place. */
  stop() {
    this.#take('stop');
  }

  /** Sends a line typed by a person, if it can be sent. The page stops listening until its next job. */
  raw(line) {
    const { takesLines } = this.#life;
    this.#take('raw', line);
    return takesLines;
  }

  /** Ends the worker; `start` or the next job makes a new one. */
  end() {
    this.#take('end');
  }

  /** An event changes the state at once. What follows from it is done in order: what follows from the wishes of a
   *  callback comes after what was decided before. */
  #take(event, ...details) {
    this.#actions.push(...this.#life[event](...details));
    if (this.#acting) return;
    this.#acting = true;
    for (const [action, ...rest] of this.#actions) {
      try {
        this.#carryOut[action](...rest);
      } catch (error) {
        // The fault of a callback is told like any other and changes nothing here.
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
    tell: (job, what, said) => job[what]?.(said),
    follow: (event, ...details) => this.#take(event, ...details),
  };

  #spawn(number) {
    const die = (message) => this.#take('crashed', number, message, Date.now());
    let worker;
    try {
      worker = this.spawn(this.crashes);
    } catch (error) {
      die(String(error));
      return;
    }
    this.worker = worker;
    worker.onmessage = ({ data }) => {
      if (typeof data === 'string') {
        if (worker === this.worker) this.on.line?.('in', data);
        this.#take('lineReceived', number, readLine(data));
      } else if (data?.type === 'ready') this.#take('ready', number, data);
      else if (data?.type === 'fatal') die(data.message);
    };
    worker.onerror = (event) => {
      event.preventDefault?.();
      die(event.message || 'the worker did not start');
    };
    worker.onmessageerror = () => die('unreadable message');
  }
}
