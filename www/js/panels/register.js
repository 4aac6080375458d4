// The panels in the order of their tabs. All but the first are loaded at their first use. The title of a tab is the text
// `tab.ID` of each language.

import { load } from '../base/load.js';
import { MovesPanel } from './moves.js';

/** Creates a panel with the class `name` of a module, and with what it needs.
 *  @param {keyof Parts} path @param {string} name @param {(app: App) => Promise<unknown>} [needed] */
function loaded(path, name, needed) {
  return async (root, app) => new (await load(path))[name](root, app, await needed?.(app));
}

/** @type {PanelEntry[]} */
export const PANELS = [
  { id: 'moves', create: (root, app) => new MovesPanel(root, app) },
  { id: 'games', create: loaded('js/panels/games.js', 'GamesPanel') },
  { id: 'openings', create: loaded('js/panels/openings.js', 'OpeningsPanel', (app) => app.explorer()) },
  { id: 'report', create: loaded('js/panels/report.js', 'ReportPanel') },
  { id: 'puzzles', create: loaded('js/panels/puzzles.js', 'PuzzlesPanel') },
  { id: 'console', sign: '>_', create: loaded('js/panels/console.js', 'ConsolePanel') },
];
