// The files that were built with this worker. Bundlers that write a worker into one file require static imports.

import * as alone from './outflank.js';
import * as threads from './outflank-threads.js';

export const WEIGHTS = new URL('./@weights@', import.meta.url);
// The large network is not part of the package.
export const COARSE = null;
export const LARGE = null;
export const ALONE = {
  module: new URL('./outflank_bg.wasm', import.meta.url),
  glue: async () => alone,
};
export const THREADS = {
  module: new URL('./outflank-threads_bg.wasm', import.meta.url),
  glue: async () => threads,
};
