// The two networks of the page: their files, and the choice between them.

import { readFileSync } from 'node:fs';

import { until, untilValues } from '../hands.js';
import { game } from './engine.js';
import { askNative } from './native.js';
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
/** The lines that ask for all values of a position. @param {string} moves in GGF */
export const question = (moves) => ['nboard 2', game(moves), `set depth ${DEPTH}`, 'hint 64'];
export const ANSWERED = /^status .* is waiting/;

/** The values of the last iteration. The number of earlier values depends on the time. @param {string[]} lines */
export const valuesIn = (lines) =>
  lines.filter((line) => line.startsWith('search') && line.endsWith(` 0 ${DEPTH}`));

/** The values that the native program gives with a network. @param {'small' | 'large'} network @param {string[]} lines */
export const nativeValues = async (network, lines) =>
  valuesIn(await askNative(['--eval', FILES[network].pathname, '--book', 'none'], lines, ANSWERED));

/** The page on a separate host, with one core and a small depth, so that values are reproducible. */
export async function openedHost(site, t, { path = '/', ...options } = {}) {
  const settings = { depth: DEPTH, reviewDepth: 4 };
  const opened = await site.open(t, { headers: ISOLATED, cores: 1, path, settings, ...options });
  if (path === '/') await untilValues(opened.page);
  return opened;
}

export const isLarge = (path) => path.includes('outflank-large');

/** Waits until the engine has a network, by its checksum. */
export const untilWeights = (page, checksum) =>
  until(() => page.evaluate(() => window.outflank?.engine.info?.weights), checksum);

/** The choice in the settings dialog, which is opened. */
export async function networkChoice(page) {
  await page.evaluate(() => outflank.act('settings'));
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
  await page.keyboard.press('Escape');
}
