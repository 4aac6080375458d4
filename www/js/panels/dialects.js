// The console in another dialect: an engine of its own, beside the one that the page talks to.

import { h } from '../base/dom.js';
import { workerWith } from '../engine/engine.js';

const HASH_MIB = 8;

/** By name: the lines that open the conversation, and one to try. The page's own engine has no opening. */
const DIALECTS = {
  NBoard: { example: 'hint 4' },
  Cassio: { opening: ['ENGINE-PROTOCOL init'], example: 'ENGINE-PROTOCOL get-version' },
  Hub: { opening: ['hub', 'init'], example: 'go think' },
  XBoard: { opening: ['xboard', 'protover 2'], example: 'go' },
};

class Aside {
  /** `hear(direction, line)` takes both sides of the conversation. */
  constructor(opening, hear) {
    Object.assign(this, { opening, hear });
    this.#start();
  }

  #start() {
    const worker = workerWith(HASH_MIB)();
    const die = (message) => {
      if (worker !== this.worker) return;
      this.end();
      this.hear('note', message);
    };
    this.worker = worker;
    worker.onmessage = ({ data }) => {
      if (typeof data === 'string') this.hear('in', data);
      else if (data?.type === 'fatal') die(data.message);
    };
    worker.onerror = (event) => die(event.message ?? '');
    this.opening.forEach((line) => this.say(line));
  }

  /** Sends a line; after a death to a new engine. */
  say(line) {
    if (!this.worker) this.#start();
    this.hear('out', line);
    this.worker.postMessage(line);
  }

  end() {
    this.worker?.terminate();
    this.worker = null;
  }
}

/** Puts the choice of dialects before the prompt. */
export function offerDialects(app) {
  if (app.dialects) return;
  const { input } = app.console;
  const choose = (name) => {
    const { opening, example } = DIALECTS[name];
    app.aside?.end();
    app.console.add('note', name);
    app.aside = opening ? new Aside(opening, (direction, line) => app.console.add(direction, line)) : null;
    input.placeholder = example;
    input.focus();
  };
  app.dialects = h('select', { onchange: () => choose(app.dialects.value) }, Object.keys(DIALECTS).map((name) => h('option', { value: name, text: name })));
  const label = () => app.dialects.setAttribute('aria-label', app.words.t('console.dialect'));
  label();
  app.listeners.push((what) => what === 'language' && label());
  input.before(app.dialects);
}
