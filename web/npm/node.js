// The engine in a worker of Node, with the lines and messages of the one in browsers. What it wants of a browser is
// made here, inside the worker: the program around it sees nothing of that.
//
// The threads of the search begin here as well, in workers of this worker.

import { readFile } from 'node:fs/promises';
import { parentPort, Worker as Thread, workerData } from 'node:worker_threads';

if (!parentPort) {
  throw new Error(
    "outflank is a worker: new Worker(new URL(import.meta.resolve('outflank')), { workerData: {} })",
  );
}

const { script = './worker.js', name = String(new URLSearchParams(workerData ?? {})) } =
  workerData?.outflank ?? {};

/** A worker as browsers have it. */
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

const isFatal = (data) => data?.type === 'fatal';

Object.assign(globalThis, {
  self: globalThis,
  name,
  crossOriginIsolated: true,
  fetch: async (address) => new Response(await readFile(address)),
  postMessage(data) {
    parentPort.postMessage(data);
    // Whoever waits for it hears of its end, and its threads end with it.
    if (isFatal(data)) process.exit(1);
  },
  Worker,
});

await import(new URL(script, import.meta.url));
// Only now: what came before is kept until somebody listens.
parentPort.on('message', (data) => globalThis.onmessage?.({ data }));
