// The two networks of the page: their files, and the choice between them.

import { readFileSync } from 'node:fs';

import { until } from '../hands.js';
import { openHosted } from './hosted.js';
import { ISOLATED } from './static.js';

const CHECKSUM_AT = 14;
const read = (path) => readFileSync(new URL(`../../../${path}.weights`, import.meta.url));
const checksumOf = (bytes) => bytes.readBigUInt64LE(CHECKSUM_AT).toString(16).padStart(16, '0');
export const LARGE_BYTES = read('cli/weights/outflank-large');
export const LARGE = checksumOf(LARGE_BYTES);
export const SMALL = checksumOf(read('engine/weights/outflank'));
/** The size as the page states it. */
const MEGABYTES = Number((LARGE_BYTES.length / 1e6).toFixed(1));

/** The page on a separate host, with one core and a small depth, so that values are reproducible. */
export async function openedHost(t, { path = '/', ...options } = {}) {
  const settings = { depth: 8, reviewDepth: 4 };
  const opened = await openHosted(t, { headers: ISOLATED, cores: 1, path, settings, ...options });
  if (path === '/') await opened.page.untilValues();
  return opened;
}

export const isLarge = (path) => path.includes('outflank-large');

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

export async function chooseLarge(page) {
  await (await networkChoice(page)).large.check();
  await untilWeights(page, LARGE);
  await page.keys('Escape');
}
