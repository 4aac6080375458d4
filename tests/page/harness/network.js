// The two networks of the page: their files, and the choice between them.

import { readFileSync } from 'node:fs';

import { talk } from '../../packages/unpacked.js';
import { until } from '../hands.js';
import { HANG_MS } from './browser.js';
import { game } from './engine.js';
import { openHosted } from './hosted.js';
import { program, ROOT } from './native.js';
import { ISOLATED } from './static.js';

const FILES = {
  small: new URL('../../../engine/weights/outflank.weights', import.meta.url),
  large: new URL('../../../cli/weights/outflank-large.weights', import.meta.url),
};
/** Where the head of a file has its checksum. */
const CHECKSUM_AT = 14;
const checksumOf = (file) => readFileSync(file).readBigUInt64LE(CHECKSUM_AT).toString(16).padStart(16, '0');
export const SMALL = checksumOf(FILES.small);
export const LARGE = checksumOf(FILES.large);
export const LARGE_BYTES = readFileSync(FILES.large);
/** The size as the page states it. */
const MEGABYTES = Number((LARGE_BYTES.length / 1e6).toFixed(1));

const DEPTH = 8;
/** The lines that ask for the values of the first moves. */
export const QUESTION = ['nboard 2', game(''), `set depth ${DEPTH}`, 'hint 64'];
export const ANSWERED = /^status .* is waiting/;

/** The values of the first moves that the native program gives with a network, sorted. */
export async function nativeValues(network) {
  const [command, ...words] = program();
  const options = ['--eval', FILES[network].pathname, '--book', 'none'];
  const engine = talk(command, [...words, ...options], { cwd: ROOT });
  engine.say(...QUESTION);
  const found = [];
  try {
    for (let line = ''; !ANSWERED.test(line); ) {
      line = await engine.line(/^s/, HANG_MS);
      const [, pv, value] = line.split(' ');
      // The number of earlier values depends on the time.
      if (line.endsWith(` 0 ${DEPTH}`)) found.push(`${pv.slice(0, 2).toLowerCase()} ${Number(value)}`);
    }
  } finally {
    engine.kill();
  }
  return String(found.sort());
}

/** The page on a separate host, with one core and a small depth, so that values are reproducible. */
export async function openedHost(t, { path = '/', ...options } = {}) {
  const settings = { depth: DEPTH, reviewDepth: 4 };
  const opened = await openHosted(t, { headers: ISOLATED, cores: 1, path, settings, ...options });
  if (path === '/') await opened.page.untilValues();
  return opened;
}

export const isLarge = (path) => path.includes('outflank-large');

/** Waits until the engine has a network, by its checksum. */
export const untilWeights = (page, checksum) =>
  until(() => page.evaluate(() => window.outflank?.engine.info?.weights), checksum);

/** The choice in the settings dialog, which is opened. */
export async function networkChoice(page) {
  await page.act('settings');
  await page.locator('dialog details.fold summary').click();
  const field = page.getByRole('group', { name: 'Evaluation' });
  await field.waitFor();
  return {
    small: field.getByRole('radio', { name: 'fast', exact: true }),
    large: field.getByRole('radio', { name: `more accurate, slower (${MEGABYTES} MB, once)` }),
    state: field.getByRole('status'),
  };
}

/** Chooses the large network and waits until the engine has it. */
export async function chooseLarge(page) {
  await (await networkChoice(page)).large.check();
  await untilWeights(page, LARGE);
  await page.keys('Escape');
}
