// The transcripts of the protocols with the built worker: alone, and with the search on threads.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { startWorker } from '../harness/engine.js';
import { stage } from '../harness/stage.js';
import { play, transcripts } from '../harness/transcript.js';

const site = stage();

/** Longer than any answer takes on a busy machine. */
const LINE_TIMEOUT_MS = 30_000;

/** A worker that is read line by line. */
async function worker(query) {
  const page = await site.open('/version.json');
  const { threads } = await startWorker(page, query);
  let heard = 0;
  return {
    page,
    threads,
    send: (line) => page.evaluate((line) => window.worker.postMessage(line), line),
    async next() {
      const found = await page
        .waitForFunction((at) => window.lines[at], heard, { timeout: LINE_TIMEOUT_MS, polling: 5 })
        .catch(() => null);
      if (!found) return null;
      heard += 1;
      return (await found.jsonValue()).line;
    },
    rest: () => page.evaluate((at) => window.lines.slice(at).map(({ line }) => line), heard),
  };
}

/** Hub reports the first number of threads. */
const TELLS_THREADS = 'hub-example';

for (const [how, query, threads] of [
  ['in one worker', 'hash=16', 0],
  ['with the search on a thread', 'hash=16&threads=1&most=4', 1],
  ['with the search on three threads', 'hash=16&threads=3', 3],
]) {
  test(`every transcript ${how}`, async () => {
    for (const transcript of transcripts()) {
      if (threads > 1 && transcript.name === TELLS_THREADS) continue;
      const engine = await worker(query);
      assert.equal(engine.threads, threads);
      await play(transcript, engine);
      await engine.page.close();
    }
  });
}
