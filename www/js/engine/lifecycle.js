// The life of an engine and of its jobs, as a state machine: an event comes in, actions go out, nothing else
// happens here. It knows no worker and no clock.
//
//   off, crashed → starting → idle ⇄ busy → stopping → idle, or busy where a job waits
//   idle, busy, stopping → manual → stopping; from wherever a worker lives → crashed, off
//
// At most one job runs and at most one waits. Where a search runs, `ping` stops it, and what arrives before
// its `pong` belongs to nobody. A job is over before its owner is told: whatever the owner then asks for finds
// the machine at rest. Events of a worker bear its number, those of an earlier one change nothing.

import { CrashCounter } from '../base/crash-counter.js';
import { setPosition } from './nboard.js';

/** An unanswered ping is looked at so many times, then the worker is given up. */
const MAX_TICKS = 4;
const CRASHES_ALLOWED = 3;

export class EngineLifecycle {
  /** @type {EngineState} */
  state = 'off';
  /** The number of the worker that lives, or lived last. */
  worker = 0;
  crashes = new CrashCounter();
  /** @type {Job | null} */
  #running = null;
  /** @type {Job | null} */
  #waiting = null;
  /** Whether the engine has told something of the running job. */
  #begun = false;
  #pings = 0;
  #ticks = 0;

  /** A worker is wanted. @returns {LifeAction[]} */
  start() {
    if (this.state !== 'off' && this.state !== 'crashed') return [];
    this.worker++;
    return [['spawn', this.worker], ...this.#to('starting')];
  }

  /** A job is to replace whatever runs. @param {Job} job @returns {LifeAction[]} */
  submit(job) {
    this.#waiting = job;
    if (this.state === 'off' || this.state === 'crashed') return this.start();
    return this.state === 'idle' ? this.#begin() : this.#interrupt();
  }

  /** Whatever runs is to stop. */
  stop() {
    this.#waiting = null;
    return this.#interrupt();
  }

  /** Whether the engine takes a line typed by a person. */
  get takesLines() {
    return !['off', 'starting', 'crashed'].includes(this.state);
  }

  /** A person has typed a line. What the engine says from now on may belong to another position.
   *  @param {string} line @returns {LifeAction[]} */
  raw(line) {
    if (!this.takesLines) return [];
    this.#drop();
    // The pong of a ping that was typed must not pass for ours.
    const typed = Number(/^\s*ping\s+(\d+)/.exec(line)?.[1] ?? 0);
    if (Number.isSafeInteger(typed)) this.#pings = Math.max(this.#pings, typed);
    return [['unwatch'], ['say', line], ...this.#to('manual')];
  }

  /** The worker is not wanted any more. */
  end() {
    this.#drop();
    return [...this.#bury(), ...this.#to('off')];
  }

  /** The worker takes lines. Who asked for it may give it another job before it begins the one that waits.
   *  @param {number} worker @param {object} info @returns {LifeAction[]} */
  ready(worker, info) {
    if (worker !== this.worker || this.state !== 'starting') return [];
    return [
      ['say', 'nboard 2'],
      ['workerReady', info],
      ['follow', 'greeted', worker],
    ];
  }

  /** @param {number} worker @returns {LifeAction[]} */
  greeted(worker) {
    if (worker !== this.worker || this.state !== 'starting') return [];
    return this.#rest();
  }

  /** The worker has sent a line; `said` is what `readLine` makes of it.
   *  @param {number} worker @param {any} said @returns {LifeAction[]} */
  lineReceived(worker, said) {
    if (worker !== this.worker) return [];
    if (said.type === 'pong') {
      return this.state === 'stopping' && said.number === this.#pings ? [['unwatch'], ...this.#rest()] : [];
    }
    const job = this.#running;
    if (!job) return [];
    if (said.type === 'nodes') return [['tell', job, 'onNodes', said]];
    if (said.type === 'move') return this.#ended(['tell', job, 'onMove', said], ['tell', job, 'onDone']);
    if (said.type === 'value') {
      this.#begun = true;
      return [['tell', job, 'onValue', said]];
    }
    if (said.type === 'status' && this.#isLast(job, said.text)) return this.#ended(['tell', job, 'onDone']);
    return [];
  }

  /** A moment has passed since `watch`: a worker that does not answer is given up in the end. A page that was
   *  held up itself has then received all lines of that time.
   *  @param {number} now @returns {LifeAction[]} */
  watchdogTick(now) {
    if (this.state !== 'stopping') return [];
    this.#ticks++;
    return this.#ticks < MAX_TICKS ? [['watch']] : this.crashed(this.worker, 'no answer to ping', now);
  }

  /** The worker is of no more use. The job that waited or ran is given to the next one.
   *  @param {number} worker @param {string} message @param {number} now @returns {LifeAction[]} */
  crashed(worker, message, now) {
    if (worker !== this.worker || this.state === 'off' || this.state === 'crashed') return [];
    const again = this.crashes.add(now) <= CRASHES_ALLOWED;
    const job = this.#waiting ?? this.#running;
    this.#drop();
    /** @type {LifeAction[]} */
    const next = again ? [['follow', 'restart', worker]] : [];
    if (again) this.#waiting = job;
    return [...this.#bury(), ...this.#to('crashed'), ['workerCrashed', message, again], ...next];
  }

  /** @param {number} worker @returns {LifeAction[]} */
  restart(worker) {
    return worker === this.worker && this.state === 'crashed' ? this.start() : [];
  }

  /** @param {EngineState} state @returns {LifeAction[]} */
  #to(state) {
    if (state === this.state) return [];
    this.state = state;
    return [['state', state]];
  }

  #drop() {
    this.#running = null;
    this.#waiting = null;
  }

  /** @returns {LifeAction[]} */
  #bury() {
    return this.state === 'off' || this.state === 'crashed' ? [] : [['unwatch'], ['terminate']];
  }

  /** @returns {LifeAction[]} */
  #interrupt() {
    this.#running = null;
    if (this.state !== 'busy' && this.state !== 'manual') return [];
    this.#ticks = 0;
    return [['say', `ping ${++this.#pings}`], ['watch'], ...this.#to('stopping')];
  }

  /** Nothing runs: the job that waits begins, if there is one. @returns {LifeAction[]} */
  #rest() {
    return this.#waiting ? this.#begin() : this.#to('idle');
  }

  /** @returns {LifeAction[]} */
  #begin() {
    const job = /** @type {Job} */ (this.#waiting);
    this.#waiting = null;
    this.#running = job;
    this.#begun = false;
    const lines = [job.setup ?? setPosition(job.position), `set depth ${job.depth}`, job.command];
    return [...lines.map((line) => /** @type {LifeAction} */ (['say', line])), ...this.#to('busy')];
  }

  /** Nothing runs any more; `news` are told first. @param {...LifeAction} news @returns {LifeAction[]} */
  #ended(...news) {
    this.#running = null;
    return [...news, ...this.#to('idle')];
  }

  /** Whether nothing more is to come of a job after this status.
   *  @param {Job} job @param {string} text */
  #isLast(job, text) {
    if (text === 'the game is over') return true;
    // A search that failed in a `go` gives a move nevertheless.
    if (text.startsWith('Error: the search failed')) return job.command !== 'go';
    // That the job before it has ended may be said after the pong: only a job that has begun can end.
    if (text.endsWith(' is waiting')) return this.#begun;
    this.#begun = true;
    return false;
  }
}
