// Runs the engine in a worker of Node, with the same lines and messages as in browsers. Defines the parts of a browser that
// the engine needs, inside the worker only.
//
// The threads of the search also start with this module, as workers of this worker.

import { readFile } from 'node:fs/promises';
import { parentPort, Worker as Thread, workerData } from 'node:worker_threads';

if (!parentPort) {
  throw new Error(
    "outflank is a worker: new Worker(new URL(import.meta.resolve('outflank')), { workerData: {} })",
  );
}

const { script = './worker.js', name = String(new URLSearchParams(workerData ?? {})) } =
  workerData?.outflank ?? {};

/** A worker with the interface of browsers. */
class Worker {
  /** @param {URL} address @param {{name?: string}} [options] */
  constructor(address, { name } = {}) {
    const script = address.href;
    this.thread = new Thread(new URL(import.meta.url), { workerData: { outflank: { script, name } } });
    this.thread.on('message', (data) => this.onmessage?.({ data }));
    this.thread.on('error', ({ message }) => this.onerror?.({ message, preventDefault() {} }));
    this.thread.on('messageerror', () => this.onmessageerror?.());
  }

  postMessage(data) {
    this.thread.postMessage(data);
  }

  terminate() {
    this.thread.terminate();
  }
}

/** A channel of a worker to itself. Node's own delivers up to 1000 messages of one port before those of another, so that a line
 *  would wait for as many slices of a search. */
class MessageChannel {
  port1 = { onmessage: () => {} };
  port2 = { postMessage: () => setImmediate(() => this.port1.onmessage()) };
}

const isFatal = (data) => data?.type === 'fatal';

Object.assign(globalThis, {
  self: globalThis,
  name,
  crossOriginIsolated: true,
  fetch: async (address) => new Response(await readFile(address)),
  postMessage(data) {
    parentPort.postMessage(data);
    // The parent receives the exit event, and exit ends the search threads of this worker.
    if (isFatal(data)) process.exit(1);
  },
  MessageChannel,
  Worker,
});

await import(new URL(script, import.meta.url));
// Node stores earlier messages until this listener is added.
parentPort.on('message', (data) => globalThis.onmessage?.({ data }));
