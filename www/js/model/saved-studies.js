// Studies whose links are too long for an address. They are stored on this device, and the address contains their name.

import { CodedError } from '../base/coded-error.js';

/** Most characters of the hash of an address. Some programs and browsers cut longer links. */
export const MAX_HASH = 30_000;
const TABLE = 'meta';
const MAX_STUDIES = 30;
const NAME = /^#?kept=([0-9a-z-]{1,40})$/;
const PREFIX = 'study ';

/** The name of a stored study in a hash, or null. @param {string} hash */
export const keptName = (hash) => NAME.exec(hash)?.[1] ?? null;

/** Stores a study under its name, and removes the oldest ones beyond the limit.
 *  @param {Pick<Store, 'write' | 'all' | 'removeAll'>} store @param {string} name @param {string} link */
export async function keepStudy(store, name, link) {
  await store.write(TABLE, PREFIX + name, { link, changed: Date.now() });
  const studies = (await store.all(TABLE)).filter(([key]) => String(key).startsWith(PREFIX));
  studies.sort(([, a], [, b]) => (Number(b?.changed) || 0) - (Number(a?.changed) || 0));
  const old = studies.slice(MAX_STUDIES).map(([key]) => key);
  await store.removeAll(TABLE, old);
}

/** Returns the link of a stored study. Throws a `CodedError` if this device does not have it.
 *  @param {Pick<Store, 'read'>} store @param {string} name @returns {Promise<string>} */
export async function readStudy(store, name) {
  const link = (await store.read(TABLE, PREFIX + name))?.link;
  if (typeof link !== 'string') throw new CodedError({ code: 'link-elsewhere' });
  return link;
}
