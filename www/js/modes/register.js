// The modes, each in a file of its own with its words in `lang/parts/`, under the same name.

import { load } from '../base/load.js';

/** @type {ModeEntry[]} */
export const MODES = [
  { id: 'match', create: async (app, setup) => (await load('js/modes/match-start.js')).create(app, setup) },
  {
    id: 'summary',
    words: 'match',
    create: async (app, setup) => (await load('js/modes/match-summary.js')).create(app, setup),
  },
  { id: 'editor', create: async (app) => (await load('js/modes/editor.js')).create(app) },
  {
    id: 'puzzle',
    words: 'puzzles',
    create: async (app, setup) => (await load('js/modes/puzzle.js')).create(app, setup),
  },
  { id: 'trainer', create: async (app, setup) => (await load('js/modes/trainer.js')).create(app, setup) },
  { id: 'learn', create: async (app, setup) => (await load('js/modes/learn.js')).create(app, setup) },
];
