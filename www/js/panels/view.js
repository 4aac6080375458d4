// Base of the views that draw the state of the page into an element.

export class View {
  #drawn = '';

  /** @param {HTMLElement} root @param {App} app */
  constructor(root, app) {
    this.root = root;
    this.app = app;
    this.words = app.words;
    this.t = app.t;
  }

  /** Returns `true` if the state differs from that of the last call, or the language has changed. @param {...unknown} state */
  isNew(...state) {
    const drawn = JSON.stringify([...state, this.words.language]);
    const isNew = drawn !== this.#drawn;
    this.#drawn = drawn;
    return isNew;
  }
}
