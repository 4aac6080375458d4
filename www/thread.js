// A thread of the engine: a worker that shares the memory of `worker.js` and searches, or helps to. It does not come
// back to its event loop: while there is nothing to do it sleeps in that memory, where a worker may.
//
// It is told its part once, {part, module, memory, stack}. A helper posts 'helps' when it is there, the search what
// `search` in `web/` says, and either {fatal: message}.

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
