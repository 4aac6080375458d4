// The worker of the openings explorer: `model/explorer.js` sends requests, `js/database/game-database.js` answers them.
//
// It receives `{ number, ask, details }` and posts `{ number, answer }` or `{ number, error }`. It also posts `{ state }` when files
// were added or removed, and `{ fatal }` after a crash: replace this worker.

import { BOOK } from './engine/build.js';
import init, { Database, names_read, part_size } from './engine/database.js';
import { GameDatabase } from './js/database/game-database.js';

const library = init().then(
  () =>
    new GameDatabase({ Database, names_read, part_size, book: BOOK }, (state) => self.postMessage({ state })),
);
const crash = (error) => self.postMessage({ fatal: self.outflankPanic ?? String(error) });
library.then((opened) => opened.open()).catch(crash);

self.onmessage = async ({ data: { number, ask, details } }) => {
  try {
    self.postMessage({ number, answer: await (await library)[ask](...details) });
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError) crash(error);
    else self.postMessage({ number, error: { message: error.message, ...error.fault } });
  }
};
