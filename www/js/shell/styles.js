// The style sheet of panels and dialogs comes after the first values.

import { h } from '../base/dom.js';

/** @type {Promise<unknown> | null} */
let loading = null;

/** Loads it, once; resolves when it is there, or is not to be had. */
export function loadPanelStyles() {
  loading ??= new Promise((resolve) => {
    document.head.append(h('link', { rel: 'stylesheet', href: 'style/parts.css', onload: resolve, onerror: resolve }));
  });
  return loading;
}
