// The native engine of `outflank serve`, which served the page. Its sockets have the interface of a worker, so that the page uses it
// as any engine. If the program has ended or refuses, the browser's engine takes over.

import { orNull } from '../base/validate.js';

/** Name of the token in the address that the program prints, and of its place on the device, for other tabs. */
const ENGINE = 'engine';
const KEY = 'outflank.engine';
/** Code of a socket without a last message: the program was ended, or has refused. */
const ABNORMAL = 1006;

/** Takes the token from the address: a copied link must not contain it. @returns {string | null} */
function takeToken() {
  const url = new URL(location.href);
  const token = url.searchParams.get(ENGINE);
  if (token === null) return null;
  orNull(() => localStorage.setItem(KEY, token));
  url.searchParams.delete(ENGINE);
  history.replaceState(history.state, '', url);
  return token;
}

export class Program {
  /** It has answered, or the user expects it to. */
  isKnown = false;
  /** It has ended: a choice of the user looks for it again. */
  hasEnded = false;
  /** The page has not reported this yet. */
  isNews = false;

  /** @param {Pick<Settings, 'get'>} settings */
  constructor(settings) {
    this.settings = settings;
    const token = takeToken();
    this.isKnown = token !== null;
    this.token = token ?? orNull(() => localStorage.getItem(KEY));
  }

  /** New engines are those of the program. */
  get isUsed() {
    return this.token !== null && !this.hasEnded && this.settings.get('program');
  }

  /** It cannot be reached. A token of an earlier program is no news. */
  lose() {
    this.hasEnded = true;
    this.isNews = this.isKnown;
  }

  /** Starts an engine: of the program, if it is used, otherwise, or if it refuses, the one that `other` makes.
   *  @param {Record<string, string | number>} options of the program's engine @param {() => Worker} other @returns {Worker} */
  spawn(options, other) {
    if (!this.isUsed) return other();
    const query = new URLSearchParams({ token: /** @type {string} */ (this.token), ...options });
    const address = new URL(`../../session?${query}`, import.meta.url);
    address.protocol = 'ws:';
    return /** @type {any} */ (new ProgramEngine(this, address, other));
  }
}

/** An engine of the program, as a worker. */
class ProgramEngine {
  /** @type {((event: { data: unknown }) => void) | null} */
  onmessage = null;
  /** @type {((event: { message: string }) => void) | null} */
  onerror = null;
  /** The browser's engine, if the program refuses. @type {Worker | null} */
  #other = null;

  /** @param {Program} program @param {URL} address @param {() => Worker} other */
  constructor(program, address, other) {
    this.socket = new WebSocket(address);
    let isReady = false;
    this.socket.onmessage = ({ data }) => {
      for (const line of data.split('\n')) {
        this.onmessage?.({ data: isReady ? line : JSON.parse(line) });
        program.isKnown = isReady = true;
      }
    };
    this.socket.onclose = ({ code }) => {
      if (!isReady || code === ABNORMAL) program.lose();
      if (isReady) {
        this.onerror?.({ message: `the connection to the program was closed (${code})` });
        return;
      }
      const worker = other();
      this.#other = worker;
      for (const name of ['onmessage', 'onerror', 'onmessageerror'])
        worker[name] = (event) => this[name]?.(event);
    };
  }

  /** @param {string} line */
  postMessage(line) {
    if (this.#other) this.#other.postMessage(line);
    // A closed socket reports its end.
    else if (this.socket.readyState === WebSocket.OPEN) this.socket.send(line);
  }

  terminate() {
    this.socket.onclose = null;
    this.socket.close();
    this.#other?.terminate();
  }
}
