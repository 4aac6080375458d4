// The state machine of an engine and its jobs: it receives events and returns actions. It uses no worker and no clock.
//
//   off, crashed → starting → idle ⇄ busy → stopping → idle, or busy if a job waits
//   idle, busy, stopping → manual → stopping; from every state with a worker → crashed, off
//
// At most one job runs and at most one waits. `ping` stops a running search, and lines before its `pong` are dropped. A job ends
// before its owner is notified, so that the owner can submit another one. Events have the number of their worker: events of an earlier
// worker are ignored.

/** Watchdog ticks after which a worker that does not answer a ping is abandoned. */
const MAX_TICKS = 4;
const MAX_CRASHES = 3;
const SPAN_MS = 60_000;

/** Counts the crashes of a worker within the last minute. */
export class CrashCounter {
  /** @type {number[]} */
  #times = [];

  /** Adds a crash and returns the number of recent ones. @param {number} now in milliseconds */
  add(now) {
    this.#times.push(now);
    return this.count(now);
  }

  /** @param {number} now */
  count(now) {
    this.#times = this.#times.filter((time) => now - time < SPAN_MS);
    return this.#times.length;
  }

  reset() {
    this.#times = [];
  }
}

export class EngineLifecycle {
  /** @type {EngineState} */
  state = 'off';
  /** The number of the current or last worker. */
  worker = 0;
  crashes = new CrashCounter();
  /** @type {Job | null} */
  #running = null;
  /** @type {Job | null} */
  #waiting = null;
  /** The engine has reported on the running job. */
  #started = false;
  /** Lines with values that the job has not received. @type {string[]} */
  #values = [];
  #pings = 0;
  #ticks = 0;

  /** Starts a worker. @returns {LifeAction[]} */
  start() {
    if (this.state !== 'off' && this.state !== 'crashed') return [];
    this.worker++;
    return [['spawn', this.worker], ...this.#to('starting')];
  }

  /** Replaces the running job. @param {Job} job @returns {LifeAction[]} */
  submit(job) {
    this.#waiting = job;
    if (this.state === 'off' || this.state === 'crashed') return this.start();
    return this.state === 'idle' ? this.#begin() : this.#interrupt();
  }

  stop() {
    this.#waiting = null;
    return this.#interrupt();
  }

  /** The engine accepts lines of the user. */
  get takesLines() {
    return !['off', 'starting', 'crashed'].includes(this.state);
  }

  /** Sends a line of the user. Later lines of the engine may belong to another position.
   *  @param {string} line @returns {LifeAction[]} */
  raw(line) {
    if (!this.takesLines) return [];
    this.#drop();
    // The pong of a typed ping must differ from later pongs.
    const typed = Number(/^\s*ping\s+(\d+)/.exec(line)?.[1] ?? 0);
    if (Number.isSafeInteger(typed)) this.#pings = Math.max(this.#pings, typed);
    return [['unwatch'], ['say', line], ...this.#to('manual')];
  }

  /** Ends the worker. */
  end() {
    this.#drop();
    return [...this.#terminate(), ...this.#to('off')];
  }

  /** The worker is ready. Its owner may submit another job before the waiting job starts.
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

  /** The worker has sent a line. Unknown lines are ignored, as the protocol requires.
   *  @param {number} worker @param {string} line @returns {LifeAction[]} */
  lineReceived(worker, line) {
    if (worker !== this.worker) return [];
    const [word, ...rest] = line.trim().split(/\s+/);
    if (word === 'pong') {
      return this.state === 'stopping' && Number(rest[0]) === this.#pings
        ? [['unwatch'], ...this.#rest()]
        : [];
    }
    const job = this.#running;
    if (!job) return [];
    switch (word) {
      case 'search':
      case 'book':
        this.#started = true;
        this.#values.push(line);
        return [];
      case 'nodestats': {
        // Ends an iteration.
        const [nodes, seconds] = rest.map(Number);
        const isCount = Number.isFinite(nodes) && Number.isFinite(seconds);
        return isCount ? [['tell', job, 'onReport', this.#collected(), { nodes, seconds }]] : [];
      }
      case '===':
        return this.#ended(['tell', job, 'onMove', rest.join('/').split('/')[0].toLowerCase()]);
      case 'status':
        return this.#isLast(job, rest.join(' ')) ? this.#ended() : [];
      default:
        return [];
    }
  }

  /** Returns the lines with values since the last call. */
  #collected() {
    const values = this.#values;
    this.#values = [];
    return values;
  }

  /** The time since `watch` has passed: a worker that does not answer is abandoned after several ticks. If the page itself was
   *  blocked, it has received all lines of that time before.
   *  @param {number} now @returns {LifeAction[]} */
  watchdogTick(now) {
    if (this.state !== 'stopping') return [];
    this.#ticks++;
    return this.#ticks < MAX_TICKS ? [['watch']] : this.crashed(this.worker, 'no answer to ping', now);
  }

  /** The worker has crashed. The waiting or running job is given to the next one.
   *  @param {number} worker @param {string} message @param {number} now @returns {LifeAction[]} */
  crashed(worker, message, now) {
    if (worker !== this.worker || this.state === 'off' || this.state === 'crashed') return [];
    const again = this.crashes.add(now) <= MAX_CRASHES;
    const job = this.#waiting ?? this.#running;
    this.#drop();
    /** @type {LifeAction[]} */
    const next = again ? [['follow', 'restart', worker]] : [];
    if (again) this.#waiting = job;
    return [...this.#terminate(), ...this.#to('crashed'), ['workerCrashed', message, again], ...next];
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
  #terminate() {
    return this.state === 'off' || this.state === 'crashed' ? [] : [['unwatch'], ['terminate']];
  }

  /** @returns {LifeAction[]} */
  #interrupt() {
    this.#running = null;
    if (this.state !== 'busy' && this.state !== 'manual') return [];
    this.#ticks = 0;
    return [['say', `ping ${++this.#pings}`], ['watch'], ...this.#to('stopping')];
  }

  /** No job runs: starts the waiting job, if there is one. @returns {LifeAction[]} */
  #rest() {
    return this.#waiting ? this.#begin() : this.#to('idle');
  }

  /** @returns {LifeAction[]} */
  #begin() {
    const job = /** @type {Job} */ (this.#waiting);
    this.#waiting = null;
    this.#running = job;
    this.#started = false;
    this.#values = [];
    return [...job.lines.map((line) => /** @type {LifeAction} */ (['say', line])), ...this.#to('busy')];
  }

  /** The running job has ended. @param {...LifeAction} actions that precede its end @returns {LifeAction[]} */
  #ended(...actions) {
    const job = /** @type {Job} */ (this.#running);
    this.#running = null;
    return [...actions, ['tell', job, 'onDone', this.#collected()], ...this.#to('idle')];
  }

  /** Returns `true` if this status ends the job.
   *  @param {Job} job @param {string} text */
  #isLast(job, text) {
    if (text === 'the game is over') return true;
    // A failed search of a `go` still yields a move.
    if (text.startsWith('Error: the search failed')) return job.lines.at(-1) !== 'go';
    // The end of the previous job may be reported after the pong: only a started job can end.
    if (text.endsWith(' is waiting')) return this.#started;
    this.#started = true;
    return false;
  }
}
