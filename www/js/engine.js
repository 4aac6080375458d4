// One engine in a worker, spoken to in NBoard lines.
//
// One job at a time. Where a search runs, a new job first sends `ping`, which stops the running search; what arrives
// before its `pong` belongs to the old job and is dropped. While the pong is awaited only the latest
// job is kept, so that quick changes of position cost one search and not many.

import { readLine, setPosition } from './nboard.js';

const PONG_LIMIT_MS = 4000;
/** What the engine's status says when a search has ended: nothing, or that it waits. */
const IDLE = /^$|\bis waiting$|^the game is over$|^Error: the search failed/;
const DEATHS_ALLOWED = 3;
const DEATH_SPAN_MS = 60_000;

/** Makes workers with a table of `hash` MiB. */
export const workerWith = (hash) => () => new Worker(new URL(`../worker.js?hash=${hash}`, import.meta.url), { type: 'module' });

/**
 * A job: `{ position, depth, command, setup?, onValue, onNodes, onMove, onDone }`; `setup` replaces
 * the line that sets the position.
 */
export class Engine {
  /** `on` takes `line(direction, text)`, `state(state)`, `ready(info)`, `death(message, again)`. */
  constructor(on, spawn) {
    this.on = on;
    this.spawn = spawn;
    this.state = 'off';
    this.job = null;
    this.next = null;
    this.pings = 0;
    this.deaths = [];
    this.info = null;
  }

  start() {
    if (this.worker) return;
    this.#setState('starting');
    this.worker = this.spawn();
    const { worker } = this;
    worker.onmessage = ({ data }) => {
      if (worker !== this.worker) return;
      if (typeof data === 'string') this.#hear(data);
      else if (data?.type === 'ready') this.#ready(data);
      else if (data?.type === 'fatal') this.#died(data.message);
    };
    worker.onerror = (event) => {
      event.preventDefault?.();
      if (worker === this.worker) this.#died(event.message || 'the worker did not start');
    };
    worker.onmessageerror = () => worker === this.worker && this.#died('unreadable message');
  }

  get busy() {
    return this.state === 'busy' || this.state === 'stopping' && this.next !== null;
  }

  /** Replaces whatever runs by `job`. */
  submit(job) {
    this.next = job;
    if (this.state === 'off' || this.state === 'dead') this.start();
    else if (this.state === 'idle') this.#begin();
    else if (this.state === 'busy' || this.state === 'manual') this.#ping();
  }

  /** Stops the running search; nothing takes its place. */
  stop() {
    this.next = null;
    if (this.state === 'busy' || this.state === 'manual') this.#ping();
    this.job = null;
  }

  /** Sends a line typed by a person. The page stops listening until its next job: what the engine
   *  says now may belong to another position. */
  raw(line) {
    if (!this.worker || this.state === 'starting') return false;
    this.job = null;
    this.next = null;
    clearTimeout(this.watchdog);
    this.#say(line);
    this.#setState('manual');
    return true;
  }

  /** Ends the worker; `start` or the next job makes a new one. */
  end() {
    clearTimeout(this.watchdog);
    this.worker?.terminate();
    this.worker = null;
    this.job = null;
    this.#setState('off');
  }

  #setState(state) {
    if (state === this.state) return;
    this.state = state;
    this.on.state?.(state);
  }

  #say(line) {
    this.on.line?.('out', line);
    this.worker.postMessage(line);
  }

  #ready(info) {
    this.info = info;
    this.#say('nboard 2');
    this.on.ready?.(info);
    // It may not have been wanted.
    if (!this.worker) return;
    this.#setState('idle');
    if (this.next) this.#begin();
  }

  #ping() {
    this.#setState('stopping');
    this.#say(`ping ${++this.pings}`);
    clearTimeout(this.watchdog);
    this.watchdog = setTimeout(() => this.#died('no answer to ping'), PONG_LIMIT_MS);
  }

  #begin() {
    const job = this.next;
    this.next = null;
    this.job = job;
    this.#say(job.setup ?? setPosition(job.position));
    this.#say(`set depth ${job.depth}`);
    this.#setState('busy');
    this.#say(job.command);
  }

  #finish() {
    const { job } = this;
    this.job = null;
    this.#setState('idle');
    job?.onDone?.();
  }

  #hear(line) {
    this.on.line?.('in', line);
    const said = readLine(line);
    if (said.type === 'pong') {
      if (this.state !== 'stopping' || said.number !== this.pings) return;
      clearTimeout(this.watchdog);
      if (this.next) this.#begin();
      else this.#setState('idle');
      return;
    }
    if (this.state !== 'busy' || !this.job) return;
    const { job } = this;
    if (said.type === 'value') {
      job.begun = true;
      job.onValue?.(said);
    }
    else if (said.type === 'nodes') job.onNodes?.(said);
    else if (said.type === 'move') {
      job.onMove?.(said);
      if (this.job === job) this.#finish();
    } else if (said.type === 'status') {
      // The last job's farewell may come after the pong: only a job that has begun can end.
      if (!IDLE.test(said.text)) job.begun = true;
      else if (job.begun) this.#finish();
    }
  }

  #died(message) {
    clearTimeout(this.watchdog);
    this.worker?.terminate();
    this.worker = null;
    const again = this.next ?? this.job;
    this.job = null;
    this.next = null;
    const now = Date.now();
    this.deaths = [...this.deaths.filter((at) => now - at < DEATH_SPAN_MS), now];
    const restart = this.deaths.length <= DEATHS_ALLOWED;
    this.#setState('dead');
    this.on.death?.(message, restart);
    if (restart) {
      this.next ??= again;
      this.start();
    }
  }
}
