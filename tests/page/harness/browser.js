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

/** Returns the program that a variable names, or the one at the first of some places that exists. */
export function programAt(variable, places) {
  const path = process.env[variable] || places.find(existsSync);
  if (!path) throw new Error(`none of ${places.join()} exists: install one or name it by ${variable}`);
  return path;
}

/** Returns the options of a headless browser: that of `CHROME_PATH`, or the system's. `args` are additional arguments. */
export function browserOptions({ args = [], ...options } = {}) {
  // Chromium has no sandbox for root.
  const own = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return { executablePath: programAt('CHROME_PATH', PLACES), args: [...own, ...args], ...options };
}

export const launchBrowser = (options) => chromium.launch(browserOptions(options));

/** Connects to the browser of `run.js`, or starts one. */
export const sharedBrowser = () =>
  process.env.OUTFLANK_BROWSER ? chromium.connect(process.env.OUTFLANK_BROWSER) : launchBrowser();
