// A thread of the engine: a worker that shares the memory of `worker.js` and searches or helps. It does not return to its event loop:
// while there is no work it sleeps in the shared memory.
//
// It receives one message, {part, module, memory, stack}. A helper posts 'helps' when it is ready, the search the messages of `search`
// in `web/`. Both post {fatal: message} after a crash.

import { help, initSync, search } from './engine/outflank-threads.js';

self.onmessage = ({ data: { part, module, memory, stack } }) => {
  try {
    initSync({ module, memory, thread_stack_size: stack });
    if (part === 'search') search((what) => self.postMessage(what));
    else {
      self.postMessage('helps');
      help();
    }
  } catch (error) {
    self.postMessage({ fatal: self.outflankPanic ?? String(error) });
  }
};
