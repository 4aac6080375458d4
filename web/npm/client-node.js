// The client in Node, whose workers have another interface than those of browsers.

import { Worker } from 'node:worker_threads';

import { host, Outflank } from './client.js';

host.spawn = (name) => {
  const worker = new Worker(new URL('./node.js', import.meta.url), { workerData: name });
  const client = { postMessage: (data) => worker.postMessage(data), terminate: () => worker.terminate() };
  worker.on('message', (data) => client.onmessage?.({ data }));
  worker.on('error', ({ message }) => client.onerror?.({ message, preventDefault() {} }));
  return client;
};

export { Outflank };
