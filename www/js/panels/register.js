// The panels in the order of their tabs. All but the first are loaded at their first use. The title of a tab is the text
// `tab.ID` of each language.

import { load } from '../base/load.js';
import { MovesPanel } from './moves.js';

/** @type {PanelEntry[]} */
export const PANELS = [
  { id: 'moves', create: (root, app) => new MovesPanel(root, app) },
  { id: 'games', create: async (root, app) => new (await load('js/panels/games.js')).GamesPanel(root, app) },
  {
    id: 'openings',
    create: async (root, app) => {
      const { OpeningsPanel } = await load('js/panels/openings.js');
      return new OpeningsPanel(root, app, await app.explorer());
    },
  },
  {
    id: 'report',
    create: async (root, app) => new (await load('js/panels/report.js')).ReportPanel(root, app),
  },
  {
    id: 'puzzles',
    create: async (root, app) => new (await load('js/panels/puzzles.js')).PuzzlesPanel(root, app),
  },
  {
    id: 'console',
    sign: '>_',
    create: async (root, app) => new (await load('js/panels/console.js')).ConsolePanel(root, app),
  },
];
