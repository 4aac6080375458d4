// Firefox of the system, driven by Marionette, the WebDriver that is part of every Firefox. Nothing is downloaded.

import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { HANG_MS, programAt } from './browser.js';

const MAC = '/Applications/Firefox.app/Contents/MacOS/firefox';
const PLACES = ['/usr/bin/firefox-esr', '/usr/bin/firefox', MAC];
const PREFERENCES = `user_pref("marionette.port", 0);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("intl.accept_languages", "en-GB");
`;

/** Waits for the result of `read`, which throws or returns a falsy value until it is there. */
async function eventually(read) {
  for (const end = Date.now() + HANG_MS; ; await new Promise((resolve) => setTimeout(resolve, 50))) {
    let fault;
    try {
      const found = await read();
      if (found) return found;
    } catch (error) {
      fault = error;
    }
    if (Date.now() > end) throw new Error(`not within ${HANG_MS} ms: ${read}`, { cause: fault });
  }
}

/** Starts a headless Firefox with a new profile: that of `FIREFOX_PATH`, or an installed one. */
export async function launchFirefox() {
  const profile = mkdtempSync(join(tmpdir(), 'outflank-firefox-'));
  writeFileSync(join(profile, 'user.js'), PREFERENCES);
  const child = spawn(
    programAt('FIREFOX_PATH', PLACES),
    ['--headless', '--no-remote', '--marionette', '--profile', profile],
    {
      stdio: 'ignore',
      env: { ...process.env, HOME: profile, MOZ_CRASHREPORTER_DISABLE: '1' },
    },
  );
  const ended = new Promise((resolve) => child.once('exit', resolve).once('error', resolve));
  let socket;
  const stop = async () => {
    socket?.destroy();
    child.kill('SIGKILL');
    await ended;
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  };
  // A message is its length in bytes, a colon and its JSON: `[0, id, command, parameters]`, `[1, id, error, result]`.
  const owed = new Map();
  let text = Buffer.alloc(0);
  const hear = (data) => {
    text = Buffer.concat([text, data]);
    for (;;) {
      const colon = text.indexOf(':');
      const end = colon + 1 + Number(text.subarray(0, Math.max(colon, 0)));
      if (colon < 0 || text.length < end) return;
      const message = JSON.parse(String(text.subarray(colon + 1, end)));
      text = text.subarray(end);
      if (Array.isArray(message)) owed.get(message[1])?.(message[2], message[3]);
    }
  };
  let id = 0;
  const send = (command, parameters = {}) =>
    new Promise((resolve, reject) => {
      id += 1;
      const timer = setTimeout(() => reject(new Error(`${command}: no answer`)), HANG_MS);
      owed.set(id, (error, result) => {
        clearTimeout(timer);
        if (error) reject(new Error(`${command}: ${error.message}`));
        else resolve(result && Object.hasOwn(result, 'value') ? result.value : result);
      });
      const message = JSON.stringify([0, id, command, parameters]);
      socket.write(`${Buffer.byteLength(message)}:${message}`);
    });

  const evaluate = (work, ...args) =>
    send('WebDriver:ExecuteScript', { script: `return (${work})(...arguments)`, args, sandbox: null });
  try {
    const port = await eventually(() => Number(readFileSync(join(profile, 'MarionetteActivePort'), 'utf8')));
    socket = connect(port, '127.0.0.1');
    socket.on('error', () => {}).on('data', hear);
    await send('WebDriver:NewSession', { timeouts: { pageLoad: HANG_MS, script: HANG_MS } });
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    evaluate,
    open: (url) => send('WebDriver:Navigate', { url }),
    /** Reloads the page as its user does: the WebDriver command bypasses the service worker. */
    reload: async () => {
      await evaluate(() => {
        document.documentElement.dataset.old = '';
        location.reload();
      });
      const isLoaded = () =>
        document.readyState === 'complete' && !('old' in document.documentElement.dataset);
      await eventually(() => evaluate(isLoaded));
    },
    until: (work, ...args) => eventually(() => evaluate(work, ...args)),
    stop,
  };
}
