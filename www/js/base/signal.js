// Telling whoever listens that something happened.

/** @template {any[]} News */
export class Signal {
  /** @type {((...news: News) => void)[]} */
  #listeners = [];

  /** @param {(...news: News) => void} listener called at every `send`, in the order of listening */
  listen(listener) {
    this.#listeners.push(listener);
  }

  /** @param {News} news */
  send(...news) {
    for (const listener of this.#listeners) listener(...news);
  }
}
