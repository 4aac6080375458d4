// The worker that looks games up: `model/explorer.js` asks, `js/database/game-database.js` answers.
//
// In comes `{ number, ask, details }`, out goes `{ number, answer }` or `{ number, error }`; besides, `{ state }`
// whenever files came or went, and `{ fatal }` when the module has died: replace this worker.

import init, { Database, names_read, part_size } from './engine/database.js';
import { GameDatabase } from './js/database/game-database.js';

const library = init().then(
  () => new GameDatabase({ Database, names_read, part_size }, (state) => self.postMessage({ state })),
);
const die = (error) => self.postMessage({ fatal: self.outflankPanic ?? String(error) });
library.then((opened) => opened.open()).catch(die);

self.onmessage = async ({ data: { number, ask, details } }) => {
  try {
    self.postMessage({ number, answer: await (await library)[ask](...details) });
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError) die(error);
    else self.postMessage({ number, error: { message: error.message, ...error.fault } });
  }
};
