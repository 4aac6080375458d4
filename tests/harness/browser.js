// The browser of the system, driven by playwright-core. Nothing is downloaded.

import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Starts a headless browser: that of `CHROME_PATH`, or the system's. `args` are additional arguments. */
export async function launchBrowser({ args = [], ...options } = {}) {
  const executablePath = process.env.CHROME_PATH || PLACES.find(existsSync);
  if (!executablePath) {
    throw new Error('no Chromium found: install it (Debian: chromium) or name it by CHROME_PATH');
  }
  // Chromium has no sandbox for root.
  const own = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath, args: [...own, ...args], ...options });
}
