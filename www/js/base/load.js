// Loads parts of the page when they are first needed.

import { h } from './dom.js';

/** Folder of the page. */
const ROOT = new URL('../../', import.meta.url);

/** Modules loaded or being loaded, by path. @type {Map<string, Promise<any>>} */
const modules = new Map();
let retries = 0;

/** A part of the page that cannot be loaded, by its path. A reload may help. */
export class PartError extends Error {}

async function request(path) {
  const address = new URL(path, ROOT).href;
  try {
    return await import(address);
  } catch {
    // Chromium repeats a failed request only under another address, for as long as the document lives.
    retries += 1;
    return import(`${address}?retry=${retries}`).catch((cause) => {
      throw new PartError(path, { cause });
    });
  }
}

/** Loads a module once, with a second attempt if the first fails. A later call tries again.
 *  @template {keyof Parts} P @param {P} path from the folder of the page @returns {Promise<Parts[P]>} */
export function load(path) {
  let module = modules.get(path);
  if (!module) {
    module = request(path);
    module.catch(() => modules.delete(path));
    modules.set(path, module);
  }
  return module;
}

/** Loads a style sheet. Resolves even if it cannot be loaded. @param {string} href */
export const loadStyle = (href) =>
  new Promise((resolve) => {
    document.head.append(h('link', { rel: 'stylesheet', href, onload: resolve, onerror: resolve }));
  });

/** Button of a notice that reloads the page. @param {string} label */
export const reload = (label) => ({ label, run: () => location.reload() });
