// The files that were built with this worker. Bundlers that write a worker into one file require static imports.

import * as alone from './outflank.js';
import * as threads from './outflank-threads.js';

export const WEIGHTS = new URL('./@small@', import.meta.url);
// Only the page begins with coarse weights.
export const COARSE = null;
export const LARGE = { address: new URL('./@large@', import.meta.url) };
export const ALONE = {
  module: new URL('./outflank_bg.wasm', import.meta.url),
  glue: async () => alone,
};
export const THREADS = {
  module: new URL('./outflank-threads_bg.wasm', import.meta.url),
  glue: async () => threads,
};
