// The client in Node, whose workers have another interface than those of browsers.

import { readFile } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { Worker } from 'node:worker_threads';

import { host, Outflank, OutflankError, StoppedError } from './client.js';

host.spawn = (name) => host.adopt(new Worker(new URL('./node.js', import.meta.url), { workerData: name }));

host.adopt = (worker) => {
  const client = {
    postMessage: (data) => worker.postMessage(data),
    terminate: () => worker.terminate(),
    ref: () => worker.ref(),
    unref: () => worker.unref(),
  };
  worker.on('message', (data) => client.onmessage?.({ data }));
  const end = ({ message }) => client.onerror?.({ message, preventDefault() {} });
  worker.on('error', end);
  worker.on('exit', (code) => end({ message: `the worker has ended with status ${code}` }));
  return client;
};

host.rules = () => readFile(new URL('./engine/rules_bg.wasm', import.meta.url));

host.memory = Math.floor(totalmem() / 2 ** 20);

export { Outflank, OutflankError, StoppedError };
