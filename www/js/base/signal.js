// Notifies listeners of an event.

/** @template {any[]} Details */
export class Signal {
  /** @type {((...details: Details) => void)[]} */
  #listeners = [];

  /** Adds a listener, called at every `send` in the order of `listen`. Returns a function that removes it.
   *  @param {(...details: Details) => void} listener */
  listen(listener) {
    this.#listeners = [...this.#listeners, listener];
    return () => {
      this.#listeners = this.#listeners.filter((other) => other !== listener);
    };
  }

  /** @param {Details} details */
  send(...details) {
    for (const listener of this.#listeners) listener(...details);
  }
}
