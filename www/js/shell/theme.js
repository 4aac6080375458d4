// The theme of the page, and the style sheet of panels and dialogs, which is loaded after the first values.

import { attr } from '../base/dom.js';
import { loadStyle } from '../base/load.js';

/** @param {string} colour one of `BOARD_COLOURS` */
export const applyBoardColour = (colour) => attr(document.documentElement, 'data-board', colour);

/** @param {string} theme `light`, `dark`, or `auto` for the theme of the system */
export function applyTheme(theme) {
  if (theme === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

export const loadPanelStyles = () => loadStyle('style/parts.css');
