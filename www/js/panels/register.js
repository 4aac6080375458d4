// The panels in the order of their tabs. All but the first are loaded at their first use, with their translations in
// `lang/parts/` under the same name.

import { load } from '../base/load.js';
import { MovesPanel } from './moves.js';

/** @type {PanelEntry[]} */
export const PANELS = [
  {
    id: 'moves',
    title: { en: 'Moves', fr: 'Coups', ja: '棋譜', zh: '棋谱' },
    create: (root, app) => new MovesPanel(root, app),
  },
  {
    id: 'games',
    title: { en: 'Games', fr: 'Parties', ja: '対局集', zh: '对局' },
    create: async (root, app) => new (await load('js/panels/games.js')).GamesPanel(root, app),
  },
  {
    id: 'openings',
    title: { en: 'Openings', fr: 'Ouvertures', ja: '定石', zh: '开局' },
    create: async (root, app) => {
      const [{ OpeningsPanel }, explorer] = await Promise.all([
        load('js/panels/openings.js'),
        app.explorer(),
        app.words.load('trainer'),
      ]);
      return new OpeningsPanel(root, app, explorer);
    },
  },
  {
    id: 'report',
    title: { en: 'Report', fr: 'Bilan', ja: 'レポート', zh: '报告' },
    create: async (root, app) => new (await load('js/panels/report.js')).ReportPanel(root, app),
  },
  {
    id: 'puzzles',
    title: { en: 'Puzzles', fr: 'Exercices', ja: '問題', zh: '习题' },
    create: async (root, app) => new (await load('js/panels/puzzles.js')).PuzzlesPanel(root, app),
  },
  {
    id: 'console',
    sign: '>_',
    title: { en: 'Console', fr: 'Console', ja: 'コンソール', zh: '控制台' },
    create: async (root, app) => new (await load('js/panels/console.js')).ConsolePanel(root, app),
  },
];
