// Loads parts of the page when they are first needed.

import { h } from './dom.js';

/** Folder of the page. */
const ROOT = new URL('../../', import.meta.url);

/** Scripts loaded or being loaded, by path. @type {Map<string, Promise<any>>} */
const modules = new Map();
/** JSON files and style sheets, likewise. @type {Map<string, Promise<any>>} */
const files = new Map();
let retries = 0;

/** Returns what `make` makes for a key, once. After a failure the next call makes it again.
 *  @template T @param {Map<string, Promise<T>>} made @param {string} key @param {() => Promise<T>} make */
export function once(made, key, make) {
  const known = made.get(key);
  if (known) return known;
  const making = make();
  making.catch(() => made.delete(key));
  made.set(key, making);
  return making;
}

/** A part of the page that cannot be loaded, by its path. A reload may help. */
export class PartError extends Error {}

/** The build puts the modules that the start does not import into one script. */
const PARTS = 'js/shell/parts.js';

/** Loads a script, with a second attempt if the first fails. A later call tries again. @param {string} path */
const loadScript = (path) =>
  once(modules, path, () => {
    const address = new URL(path, ROOT).href;
    return import(address).catch(() => {
      // Chromium repeats a failed request only under another address, for as long as the document lives.
      retries += 1;
      return import(`${address}?retry=${retries}`).catch((cause) => {
        throw new PartError(path, { cause });
      });
    });
  });

/** Loads a module. @template {keyof Parts} P @param {P} path from the folder of the page @returns {Promise<Parts[P]>} */
export const load = async (path) =>
  path.startsWith('js/') ? (await loadScript(PARTS)).part(path) : loadScript(path);

/** Loads a JSON file once. @param {string} path from the folder of the page @returns {Promise<any>} */
export const loadJson = (path) =>
  once(files, path, () => fetch(new URL(path, ROOT)).then((answer) => answer.json()));

/** Loads a style sheet, once. Resolves even if it cannot be loaded; the next call requests it again. @param {string} href */
export const loadStyle = (href) =>
  once(files, href, async () => {
    const link = h('link', { rel: 'stylesheet', href });
    document.head.append(link);
    await new Promise((resolve, reject) => Object.assign(link, { onload: resolve, onerror: reject })).catch(
      (error) => {
        link.remove();
        throw error;
      },
    );
  }).catch(() => {});

/** Longest wait for the styles of panels and dialogs, from their first request on. */
const STYLE_LIMIT_MS = 5000;
/** @type {Promise<unknown> | undefined} */
let styleLimit;

/** Loads the style sheet of panels and dialogs. Resolves without it after the limit: everything works without styles. */
export function loadPanelStyles() {
  styleLimit ??= new Promise((resolve) => setTimeout(resolve, STYLE_LIMIT_MS));
  return Promise.race([loadStyle('style/parts.css'), styleLimit]);
}

/** Button of a notice that reloads the page. @param {string} label */
export const reload = (label) => ({ label, run: () => location.reload() });
