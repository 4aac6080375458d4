// The browser of the system, driven by playwright-core. Nothing is downloaded.

import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Time after which a wait has failed: longer than any answer takes on a busy machine. */
export const HANG_MS = 300_000;

/** Returns the options of a headless browser: that of `CHROME_PATH`, or the system's. `args` are additional arguments. */
export function browserOptions({ args = [], ...options } = {}) {
  const executablePath = process.env.CHROME_PATH || PLACES.find(existsSync);
  if (!executablePath) {
    throw new Error('no Chromium found: install it (Debian: chromium) or name it by CHROME_PATH');
  }
  // Chromium has no sandbox for root.
  const own = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return { executablePath, args: [...own, ...args], ...options };
}

/** Starts a browser. @param {{ args?: string[], [option: string]: unknown }} [options] */
export const launchBrowser = (options) => chromium.launch(browserOptions(options));

/** Connects to the browser of `run.js`, or starts one. */
export const sharedBrowser = () =>
  process.env.OUTFLANK_BROWSER ? chromium.connect(process.env.OUTFLANK_BROWSER) : launchBrowser();
