// How the page looks: its theme, and the style sheet of panels and dialogs, which comes after the first values.

import { h } from '../base/dom.js';

/** Light, dark, or `auto`: what the system says. @param {string} theme */
export function applyTheme(theme) {
  if (theme === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

/** @type {Promise<unknown> | null} */
let loading = null;

/** Loads the style sheet, once; resolves when it is there, or is not to be had. */
export function loadPanelStyles() {
  loading ??= new Promise((resolve) => {
    document.head.append(
      h('link', { rel: 'stylesheet', href: 'style/parts.css', onload: resolve, onerror: resolve }),
    );
  });
  return loading;
}
